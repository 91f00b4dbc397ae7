import { useTranslation } from 'react-i18next'
import { matchLanguage } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import type { ExtraQuestion } from '../record/extra-question.schema.ts'
import { isWrittenQuestion } from '../record/fields.schema.ts'
import { PlainText } from '../parts/contribution-parts.tsx'

interface SentAnswersProps {
  questions: readonly ExtraQuestion[]
  answers: Readonly<Record<string, unknown>>
  /** Of what people wrote themselves. */
  language: string
}

/** What somebody answered to the extra questions, with a mark at what only the team sees. */
export function SentAnswers({ questions, answers, language }: SentAnswersProps) {
  const { t } = useTranslation('contributions-admin')
  const describeAnswer = useAnswerWords()
  const answered = questions.filter(({ id }) => Object.hasOwn(answers, id))
  if (answered.length === 0) return null
  return (
    <section className="admin-panel" aria-labelledby="answers-to-extra">
      <div>
        <h2 id="answers-to-extra">{t('fields.answers')}</h2>
        <DefinitionList
          items={answered.map((question) => ({
            term: describeAnswer.title(question),
            value: (
              <>
                {isWrittenQuestion(question) ? (
                  <PlainText text={String(answers[question.id])} lang={language} />
                ) : (
                  `${describeAnswer.value(question, answers[question.id])} `
                )}
                {question.shownTo === 'staff' && <Badge tone="info">{t('fields.team-only')}</Badge>}
              </>
            ),
          }))}
        />
      </div>
    </section>
  )
}

function useAnswerWords() {
  const { t, i18n } = useTranslation('contributions')
  const format = useFormat()
  const site = useSite()
  const language = matchLanguage(i18n.language) ?? site.locale
  const say = (text: ExtraQuestion['title']) => getTranslation(text, language, site.locale)
  return {
    title: ({ title }: ExtraQuestion) => say(title),
    value: (question: ExtraQuestion, value: unknown): string => {
      if (question.type === 'yes_no') return t(value === 'yes' ? 'fields.yes' : 'fields.no')
      if (question.type === 'date') return format.date(`${String(value)}T12:00:00Z`)
      if (typeof value === 'number') return format.number(value)
      if (!('options' in question)) return String(value)
      const chosen = [value].flat()
      return question.options
        .filter(({ id }) => chosen.includes(id))
        .map(({ label }) => say(label))
        .join(', ')
    },
  }
}
