import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { TranslatedField } from '#app/ui/admin/translated-field.tsx'

interface WordsFieldProps {
  /** Its path inside the edited part, which faults refer to. */
  name: string
  label: ReactNode
  hint?: ReactNode
  values: Translated
  language: ContentLanguage
  onChange: (values: Translated, key: string) => void
  messageOf: (field: string) => string | undefined
  rows?: number
}

/** A text of a survey in the selected language. */
export function WordsField({ name, values, language, onChange, messageOf, rows, ...field }: WordsFieldProps) {
  const { t } = useTranslation('survey-admin')
  const { locale } = useSite()
  return (
    <TranslatedField
      {...field}
      name={name}
      values={values}
      language={language}
      source={locale}
      onChange={(code, text) => onChange({ ...values, [code]: text === '' ? undefined : text }, `${name}.${code}`)}
      error={messageOf(`${name}.${language}`) ?? messageOf(name)}
      sourceLabel={t('in-language', { language: getLanguageName(locale) })}
      copyLabel={t('copy-text')}
      {...(rows ? { rows } : {})}
    />
  )
}
