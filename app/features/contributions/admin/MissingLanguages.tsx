import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES, type Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import { CheckInput } from '#app/ui/admin/inputs.tsx'
import { Notice } from '#app/ui/notice.tsx'

/** Languages of the site in which a text is missing that exists in another. */
export const findMissingAnswerLanguages = (texts: Readonly<Record<string, Translated>>, languages: readonly Language[]): Language[] =>
  languages.filter((language) =>
    Object.values(texts).some((text) => !text[language]?.trim() && languages.some((other) => text[other]?.trim())),
  )

interface MissingLanguagesProps {
  missing: readonly Language[]
  /** The languages that were accepted as missing, joined: others need another look. */
  waived: string
  onWaive: (waived: string) => void
}

/** Names the languages that are missing, and asks to accept it. Nothing without any. */
export function MissingLanguages({ missing, waived, onWaive }: MissingLanguagesProps) {
  const { t } = useTranslation('contributions-admin')
  if (missing.length === 0) return null
  return (
    <Notice kind="warning" title={t('answer.missing')}>
      <ul>
        {missing.map((language) => (
          <li key={language}>{LANGUAGE_NAMES[language]}</li>
        ))}
      </ul>
      <CheckInput
        name="waive"
        label={t('answer.waive')}
        value={waived === missing.join()}
        onChange={(accepted) => onWaive(accepted ? missing.join() : '')}
      />
    </Notice>
  )
}
