import { useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES } from '#app/lib/languages.ts'
import { orderLanguages, toPathInLanguage } from '#app/shell/language.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { Button } from '#app/ui/button.tsx'

/** Inside a form, without JavaScript: the same form in another language, with everything that was typed. A link would not bring it along. */
export function LanguageButtons() {
  const { t } = useTranslation('participant')
  const { languages } = useSite()
  const { pathname, searchStr } = useLocation()
  const language = useLanguage()
  const others = orderLanguages(languages).filter((code) => code !== language)
  if (others.length === 0) return null
  return (
    <p className="row">
      <span>{t('kept.language')}</span>
      {others.map((code) => (
        <Button
          key={code}
          type="submit"
          kind="plain"
          size="small"
          name="keep"
          value="language"
          formAction={`${toPathInLanguage(pathname, code)}${searchStr}`}
          lang={code}
        >
          {LANGUAGE_NAMES[code]}
        </Button>
      ))}
    </p>
  )
}
