import { useTranslation } from 'react-i18next'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import type { TranslatedTexts } from '#app/lib/vocabulary/contributions.ts'
import { PlainText } from '../parts/contribution-parts.tsx'
import { buildFieldName, type FieldAnswerView } from '../record/fields.schema.ts'

interface FieldAnswersProps {
  answers: readonly FieldAnswerView[]
  lang?: string | undefined
  /** What was written, in the page's language. */
  translated?: TranslatedTexts | undefined
}

/** What somebody answered to the extra questions. */
export function FieldAnswers({ answers, lang, translated = {} }: FieldAnswersProps) {
  const { t } = useTranslation('contributions')
  if (answers.length === 0) return null
  return (
    <DefinitionList
      items={answers.map(({ id, title, lines, isWritten, shownTo }) => ({
        term: title.text,
        value: (
          <>
            {isWritten ? <PlainText text={lines.join('\n')} lang={lang} translated={translated[buildFieldName(id)]} /> : lines.join(', ')}
            {shownTo === 'staff' && <p className="meta">{t('fields.team-only')}</p>}
          </>
        ),
      }))}
    />
  )
}
