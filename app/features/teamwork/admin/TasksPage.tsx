import { useQuery } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListChoice, ListRecordChoice } from '#app/shell/admin/list-filters.tsx'
import { PageButtons } from '#app/shell/admin/page-buttons.tsx'
import { projectSource } from '#app/shell/admin/record-sources.ts'
import { type ListSearch, useList } from '#app/shell/admin/use-list.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { TaskSearch } from '../tasks/task-search.ts'
import { tasksQuery } from '../teamwork.queries.ts'
import { TaskForm } from './TaskForm.tsx'
import { TaskLine } from './TaskLine.tsx'

/** The viewer's tasks, or all that they may see, the first due at the top. With a project, one can be added. */
export function TasksPage({ search }: { search: TaskSearch }) {
  const { t } = useTranslation('teamwork')
  const { t: common } = useTranslation()
  const format = useFormat()
  const [isAdding, setAdding] = useState(false)
  const list = useList<TaskSearch & ListSearch>(search, (next) => linkOptions({ to: '/admin/tasks', search: next }))
  const { project, whose, state, page = 1 } = list.search
  const { data, isError } = useQuery(tasksQuery(list.search))
  const overdue = Number(data?.meta['overdue'] ?? 0)
  return (
    <div className="admin-stack">
      <PageHeader
        title={t(whose === 'all' ? 'tasks.title' : 'tasks.mine')}
        meta={t('tasks.about')}
        status={overdue > 0 && <Badge tone="warn">{t('tasks.overdue-count', { count: overdue, number: format.number(overdue) })}</Badge>}
        actions={project && !isAdding && <Button onClick={() => setAdding(true)}>{t('tasks.new')}</Button>}
      />
      <FilterBar>
        <ListChoice
          list={list}
          name="whose"
          label={t('tasks.whose')}
          any={t('tasks.mine')}
          options={[{ value: 'all', label: t('tasks.of-team') }]}
        />
        <ListChoice
          list={list}
          name="state"
          label={t('tasks.state')}
          any={t('tasks.states.open')}
          options={[{ value: 'done', label: t('tasks.states.done') }]}
        />
        <ListRecordChoice
          list={list}
          name="project"
          label={t('kinds.project')}
          any={t('tasks.any-project')}
          source={projectSource({ managed: true })}
        />
      </FilterBar>
      {project && isAdding && <TaskForm target={{ kind: 'project', id: project }} onDone={() => setAdding(false)} />}
      {isError && <Notice kind="error" title={t('tasks.load-failed')} />}
      {!data && !isError && <Skeleton label={common('loading')} lines={6} />}
      {data?.data.length === 0 && (
        <EmptyState title={t('tasks.none')}>{t(whose === 'all' ? 'tasks.none-text' : 'tasks.none-mine-text')}</EmptyState>
      )}
      {data && data.data.length > 0 && (
        <ul className="team-list admin-panel" aria-label={t(state === 'done' ? 'tasks.states.done' : 'tasks.states.open')}>
          {data.data.map((task) => (
            <li key={task.id}>
              <TaskLine task={task} withTarget />
            </li>
          ))}
        </ul>
      )}
      <PageButtons
        page={page}
        size={50}
        total={data?.meta.total ?? 0}
        onPage={(next) => list.change({ page: next === 1 ? undefined : next })}
      />
    </div>
  )
}
