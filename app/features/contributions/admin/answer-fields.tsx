import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { Translated } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import type { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { MissingTexts } from '#app/ui/admin/missing-texts.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { type AnswerTexts as WrittenTexts, findMissingAnswerTexts } from '../responding/missing-answer-texts.schema.ts'

export type AnswerTexts = { textTranslations: Translated; teamTranslations: Translated }

/** Which texts lack a language, and the boxes that accept it. */
export function useMissingTexts(texts: WrittenTexts, before: readonly string[] = []) {
  const { t } = useTranslation('contributions-admin')
  const { languages } = useSite()
  const [accepted, setAccepted] = useState<readonly string[]>(before)
  const labels = { text: t('answer.text'), team: t('answer.team'), withdrawalReason: t('queue.reason') }
  const missing = findMissingAnswerTexts(texts, languages).map(({ name, field, language }) => ({
    name,
    label: t('answer.missing-one', { text: labels[field], language: getLanguageName(language) }),
  }))
  const waived = missing.map(({ name }) => name).filter((name) => accepted.includes(name))
  return {
    waived,
    isOpen: waived.length < missing.length,
    choice: missing.length > 0 && (
      <MissingTexts
        title={t('answer.missing')}
        hint={t('answer.missing-text')}
        waiveAllLabel={t('answer.waive')}
        missing={missing}
        waived={waived}
        onChange={setAccepted}
      />
    ),
  }
}

interface AnswerFieldsProps {
  fields: AnswerTexts
  onChange: (change: (before: AnswerTexts) => AnswerTexts) => void
  isPublic: boolean
  words: ReturnType<typeof useEditorTexts>
  /** Begins the names of its fields, where the page has other ones beside them. */
  prefix?: string
}

export function AnswerFields({ fields, onChange, isPublic, words, prefix = '' }: AnswerFieldsProps) {
  const { t } = useTranslation('contributions-admin')
  const site = useSite()
  return (
    <TranslatedTexts
      languages={site.contentLanguages}
      source={site.locale}
      fields={[
        { name: `${prefix}textTranslations`, label: t('answer.text'), ...(isPublic && { hint: t('answer.text-hint') }), rows: 5 },
        { name: `${prefix}teamTranslations`, label: t('answer.team') },
      ]}
      values={{ [`${prefix}textTranslations`]: fields.textTranslations, [`${prefix}teamTranslations`]: fields.teamTranslations }}
      onChange={(name, text) => onChange((before) => ({ ...before, [name.slice(prefix.length)]: text }))}
      messageOf={(name) => words.messageOf(name.slice(prefix.length))}
      words={words.texts}
    />
  )
}
