import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { roundsQuery } from '#app/features/budgets/budgets.queries.ts'
import { activitiesQuery } from '#app/features/contributions/contributions.queries.ts'
import { surveyTableQuery } from '#app/features/surveys/surveys.queries.ts'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { type Column, DataTable } from '#app/ui/admin/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'

export type ShownSurvey = Pick<Resource<'surveys'>, 'status' | 'state' | 'projectVisibility' | 'hasChanges'>

export interface ToolTableProps {
  project: string
  renderSurveyStatus: (survey: ShownSurvey) => ReactNode
}

interface Tool {
  id: string
  name: ReactNode
  kind: string
  state: ReactNode
  /** Formatted; empty for tools that are not counted before they end. */
  received: string
  waiting: ReactNode
}

/** The surveys, activities and budgets of a project, from the lists of its other tabs. */
export function ToolTable({ project, renderSurveyStatus }: ToolTableProps) {
  const { t } = useTranslation('cockpit')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { tools, isPending, isError, isCut } = useTools({ project, renderSurveyStatus })
  const columns: Column<Tool>[] = [
    {
      id: 'name',
      head: t('tools.name'),
      names: true,
      cell: ({ name, kind }) => (
        <>
          {name}
          <p className="meta">{kind}</p>
        </>
      ),
    },
    { id: 'state', head: t('tools.state'), cell: ({ state }) => state, underName: true },
    { id: 'received', head: t('tools.received'), align: 'end', cell: ({ received }) => received },
    { id: 'waiting', head: t('tools.waiting'), align: 'end', cell: ({ waiting }) => waiting },
  ]
  return (
    <section className="admin-stack" aria-labelledby="cockpit-tools">
      <h2 id="cockpit-tools">{t('tools.title')}</h2>
      <DataTable
        caption={t('tools.title')}
        columns={columns}
        rows={tools}
        rowKey={({ id }) => id}
        state={isError ? 'error' : isPending ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={
          <EmptyState title={t('tools.none')} level={3}>
            {t('tools.none-text')}
          </EmptyState>
        }
        error={<Notice kind="error" title={t('load-failed')} />}
        foot={
          isCut && (
            <Link to="/admin/surveys" search={{ project }}>
              {t('tools.all-surveys', { number: format.number(isCut) })}
            </Link>
          )
        }
      />
    </section>
  )
}

function useTools({ project, renderSurveyStatus }: ToolTableProps) {
  const { t } = useTranslation('cockpit')
  const { t: survey } = useTranslation('survey-admin')
  const { t: activity } = useTranslation('contributions-admin')
  const { t: budget } = useTranslation('budgets-admin')
  const format = useFormat()
  const surveys = useQuery(surveyTableQuery({ project }))
  const activities = useQuery(activitiesQuery(project))
  const rounds = useQuery(roundsQuery(project))
  const lists = [surveys, activities, rounds]
  const tools: Tool[] = [
    ...(surveys.data?.data ?? []).map((row) => ({
      id: row.id,
      name: (
        <Link to="/admin/surveys/$survey" params={{ survey: row.id }}>
          {row.title || survey('list.untitled')}
        </Link>
      ),
      kind: t('tools.survey'),
      state: renderSurveyStatus(row),
      received: format.number(row.responses),
      waiting: null,
    })),
    ...(activities.data?.data ?? []).map((row) => ({
      id: row.id,
      name: (
        <Link to="/admin/contributions/activities/$activity" params={{ activity: row.id }}>
          {row.title}
        </Link>
      ),
      kind: t('tools.activity'),
      state: (
        <Badge tone={row.status === 'published' ? 'ok' : 'neutral'} hollow={row.status === 'draft'}>
          {activity(`status.${row.status}`)}
        </Badge>
      ),
      received: format.number(row.contributions),
      waiting: row.held ? (
        <Link to="/admin/contributions" search={{ activity: row.id, state: 'held' }}>
          {format.number(row.held)}
          <span className="visually-hidden"> {t('tools.waiting-in', { tool: row.title })}</span>
        </Link>
      ) : (
        format.number(0)
      ),
    })),
    ...(rounds.data?.data ?? []).map((row) => ({
      id: row.id,
      name: (
        <Link to="/admin/projects/$id/budgets/$round" params={{ id: project, round: row.id }}>
          {row.title}
        </Link>
      ),
      kind: t('tools.budget'),
      state: (
        <Badge tone={row.phase === 'voting' ? 'ok' : 'neutral'} hollow={row.phase === 'draft'}>
          {budget(`phases.${row.phase}`)}
        </Badge>
      ),
      received: '',
      waiting: null,
    })),
  ]
  const total = surveys.data?.meta.total ?? 0
  return {
    tools,
    isPending: lists.some((list) => list.isPending),
    isError: lists.some((list) => list.isError),
    /** How many surveys there are if not all are shown. */
    isCut: total > (surveys.data?.data.length ?? 0) && total,
  }
}
