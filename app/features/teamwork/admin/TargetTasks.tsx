import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { Target } from '../targets.schema.ts'
import { targetTasksQuery } from '../teamwork.queries.ts'
import { TaskForm } from './TaskForm.tsx'
import { TaskLine } from './TaskLine.tsx'

/** Tasks about one thing, with a form for another. */
export function TargetTasks({ target }: { target: Target }) {
  const { t } = useTranslation('teamwork')
  const [isAdding, setAdding] = useState(false)
  const { data, isError } = useQuery(targetTasksQuery(target))
  const tasks = data?.data ?? []
  return (
    <section className="admin-stack" aria-labelledby="team-tasks">
      <h3 id="team-tasks">{t('tasks.title')}</h3>
      {isError && <Notice kind="error" title={t('tasks.load-failed')} />}
      {data && tasks.length === 0 && <p className="meta">{t('tasks.none')}</p>}
      {tasks.length > 0 && (
        <ul className="team-list">
          {tasks.map((task) => (
            <li key={task.id}>
              <TaskLine task={task} />
            </li>
          ))}
        </ul>
      )}
      {isAdding ? (
        <TaskForm target={target} onDone={() => setAdding(false)} />
      ) : (
        <div className="row">
          <Button kind="secondary" size="small" onClick={() => setAdding(true)}>
            {t('tasks.new')}
          </Button>
        </div>
      )}
    </section>
  )
}
