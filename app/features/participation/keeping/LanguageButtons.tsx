import { useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toPathInLanguage } from '#app/shell/language.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useContentLanguage } from '#app/shell/use-content-language.ts'
import { Button } from '#app/ui/button.tsx'

/** Inside a form, without JavaScript: the same form in another language, with everything that was typed. A link would not bring it along. */
export function LanguageButtons() {
  const { t } = useTranslation('participant')
  const { contentLanguages, languageNames } = useSite()
  const language = useContentLanguage()
  const { pathname, searchStr } = useLocation()
  const others = contentLanguages.filter((code) => code !== language)
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
          dir={getDirection(code)}
        >
          {languageNames[code]}
        </Button>
      ))}
    </p>
  )
}
