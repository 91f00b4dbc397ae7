import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import type { Cockpit } from '../cockpit.schema.ts'

interface WaitingPanelProps extends Pick<Cockpit, 'waiting' | 'reportInReview' | 'tasks'> {
  project: string
}

/** Texts and tasks that wait for the team. Each link opens the list of what it counts. */
export function WaitingPanel({ project, waiting, reportInReview, tasks }: WaitingPanelProps) {
  const { t } = useTranslation('cockpit')
  const format = useFormat()
  const { cases, casesLate, oldestCaseAt, answers, questions, questionsLate, agreement } = waiting
  const say = (key: 'cases' | 'late' | 'answers' | 'questions' | 'agreement' | 'tasks', count: number) =>
    t(`waiting.${key}`, { count, number: format.number(count) })
  const items = [
    ...(cases > 0
      ? [
          {
            id: 'cases',
            link: (
              <Link to="/admin/moderation" search={{ project }}>
                {say('cases', cases)}
              </Link>
            ),
            note: oldestCaseAt && t('waiting.oldest', { when: format.dateTime(oldestCaseAt) }),
            late: casesLate,
          },
        ]
      : []),
    ...(questions > 0
      ? [
          {
            id: 'questions',
            link: (
              <Link to="/admin/contributions" search={{ project, waits: 'question' }}>
                {say('questions', questions)}
              </Link>
            ),
            note: null,
            late: questionsLate,
          },
        ]
      : []),
    ...(answers > 0
      ? [
          {
            id: 'answers',
            link: (
              <Link to="/admin/contributions" search={{ project, waits: 'answer' }}>
                {say('answers', answers)}
              </Link>
            ),
            note: null,
            late: 0,
          },
        ]
      : []),
    ...(agreement > 0
      ? [
          {
            id: 'agreement',
            link: (
              <Link to="/admin/contributions" search={{ project, waits: 'agreement' }}>
                {say('agreement', agreement)}
              </Link>
            ),
            note: null,
            late: 0,
          },
        ]
      : []),
    ...(reportInReview
      ? [
          {
            id: 'report',
            link: (
              <Link to="/admin/projects/$id/heard/report" params={{ id: project }}>
                {t('waiting.report')}
              </Link>
            ),
            note: null,
            late: 0,
          },
        ]
      : []),
    ...(tasks.open > 0
      ? [
          {
            id: 'tasks',
            link: (
              <Link to="/admin/tasks" search={{ project, whose: 'all' }}>
                {say('tasks', tasks.open)}
              </Link>
            ),
            note: null,
            late: tasks.overdue,
          },
        ]
      : []),
  ]
  return (
    <section className="admin-panel" aria-labelledby="cockpit-waiting">
      <h2 id="cockpit-waiting">{t('waiting.title')}</h2>
      {items.length === 0 ? (
        <p className="meta">{t('waiting.none')}</p>
      ) : (
        <ul className="cockpit-list">
          {items.map(({ id, link, note, late }) => (
            <li key={id}>
              {link}
              {note && <p className="meta">{note}</p>}
              {late > 0 && <p className="cockpit-late">{say('late', late)}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
