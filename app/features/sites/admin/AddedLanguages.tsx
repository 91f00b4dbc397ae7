import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ADDED_LANGUAGES, type AddedLanguage, MAX_ADDED_LANGUAGES } from '#app/lib/added-languages.ts'
import { getLanguageName, getTranslatedLanguageName } from '#app/lib/language-names.ts'
import type { Language } from '#app/lib/languages.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { Button } from '#app/ui/button.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'

interface AddedLanguagesProps {
  value: readonly AddedLanguage[]
  onChange: (value: AddedLanguage[]) => void
  /** The site's main language, in which the interface is for readers of these. */
  locale: Language
  error?: string | undefined
}

/** Languages for content only: each with a button that removes it, and a list to add another from. */
export function AddedLanguages({ value, onChange, locale, error }: AddedLanguagesProps) {
  const { t } = useTranslation('platform')
  const shown = useLanguage()
  const [chosen, setChosen] = useState<AddedLanguage | ''>('')
  const nameInBoth = (language: AddedLanguage) => `${getLanguageName(language)} (${getTranslatedLanguageName(language, shown)})`
  const others = ADDED_LANGUAGES.filter((language) => !value.includes(language))
    .map((language) => ({ value: language as AddedLanguage | '', label: nameInBoth(language) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, shown))
  return (
    <fieldset>
      <legend>{t('settings.added-languages')}</legend>
      <p className="field-hint">{t('settings.added-languages-hint', { language: getTranslatedLanguageName(locale, shown) })}</p>
      {value.length > 0 && (
        <ul>
          {value.map((language) => (
            <li key={language} className="row">
              <span>{nameInBoth(language)}</span>
              <Button
                kind="plain"
                size="small"
                aria-label={t('settings.remove-language', { language: getTranslatedLanguageName(language, shown) })}
                onClick={() => onChange(value.filter((other) => other !== language))}
              >
                {t('settings.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <SelectInput<AddedLanguage | ''>
        name="addedLanguages"
        label={t('settings.add-language')}
        hint={t('settings.most-languages', { count: MAX_ADDED_LANGUAGES })}
        value={chosen}
        onChange={setChosen}
        options={[{ value: '', label: t('settings.choose-language') }, ...others]}
        error={error}
      />
      <Button
        kind="secondary"
        size="small"
        onClick={() => {
          if (!chosen) return
          onChange([...value, chosen])
          setChosen('')
        }}
      >
        {t('settings.add')}
      </Button>
    </fieldset>
  )
}
