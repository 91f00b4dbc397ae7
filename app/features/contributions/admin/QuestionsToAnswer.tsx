import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { openQuestionsQuery } from '../contributions.queries.ts'

/** Questions that wait for an answer, those due first on top. Nothing if nobody asks. */
export function QuestionsToAnswer() {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const questions = useSuspenseQuery(openQuestionsQuery).data
  if (questions.data.length === 0) return null
  return (
    <section className="admin-stack" aria-labelledby="questions">
      <h2 id="questions">{t('question.title')}</h2>
      <ul className="admin-list">
        {questions.data.map((question) => (
          <li key={question.id} className="admin-panel moderated">
            <div className="moderated-text">
              <h3 lang={question.language} dir={getDirection(question.language)}>
                <Link to="/admin/contributions/$id" params={{ id: question.id }}>
                  {question.title}
                </Link>
              </h3>
              <p>
                {t('queue.in', {
                  activity: findLinked(questions, question.relationships.activity)?.title ?? '',
                  number: question.number,
                })}
                {question.dueAt && ` · ${t('question.due-on', { date: format.date(question.dueAt) })}`}
                {' · '}
                {t('question.joined', { number: format.number(question.supports) })}
              </p>
              <p className="row">
                {question.overdue && <Badge tone="bad">{t('question.overdue')}</Badge>}
                <Badge hollow={!question.assigneeName}>{question.assigneeName ?? t('question.nobody')}</Badge>
                {question.state === 'held' && <Badge hollow>{t('states.held')}</Badge>}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
