import { useTranslation } from 'react-i18next'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { PlainText } from '../parts/contribution-parts.tsx'
import type { FieldAnswerView } from '../record/fields.schema.ts'

/** What somebody answered to the extra questions. */
export function FieldAnswers({ answers, lang }: { answers: readonly FieldAnswerView[]; lang?: string | undefined }) {
  const { t } = useTranslation('contributions')
  if (answers.length === 0) return null
  return (
    <DefinitionList
      items={answers.map(({ title, lines, isWritten, shownTo }) => ({
        term: title.text,
        value: (
          <>
            {isWritten ? <PlainText text={lines.join('\n')} lang={lang} /> : lines.join(', ')}
            {shownTo === 'staff' && <p className="meta">{t('fields.team-only')}</p>}
          </>
        ),
      }))}
    />
  )
}
