import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { TableFoot } from '#app/shell/table-foot.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge, type BadgeTone } from '#app/ui/admin/badge.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { failingSitesQuery, FIGURES_PER_PAGE, jobTurnsQuery } from '../platform.queries.ts'
import type { JobState } from '../platform.schema.ts'

const TONES: Record<JobState, BadgeTone> = { well: 'ok', failing: 'bad', late: 'warn', new: 'neutral' }

/** Whether background jobs run, and which sites have failing connections. */
export function HealthPage({ page }: { page: number }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const jobs = useQuery(jobTurnsQuery)
  const sites = useQuery(failingSitesQuery(page))
  const now = new Date(jobs.dataUpdatedAt)
  const toTableState = ({ isError, isPending }: { isError: boolean; isPending: boolean }) =>
    isError ? 'error' : isPending ? 'loading' : 'ready'
  const formatDuration = (ms: number) =>
    ms < 1000
      ? t('health.milliseconds', { number: format.number(ms) })
      : t('health.seconds', { number: format.number(Math.round(ms / 100) / 10) })
  const error = <Notice kind="error" title={admin('load-failed')} />
  return (
    <div className="admin-stack">
      <PageHeader title={admin('nav.health')} meta={t('health.text')} />
      <section className="admin-stack">
        <h2>{t('health.connections')}</h2>
        <DataTable
          caption={t('health.connections')}
          rows={sites.data?.data ?? []}
          rowKey={({ id }) => id}
          state={toTableState(sites)}
          loadingLabel={common('loading')}
          empty={<EmptyState title={t('health.no-connections')} />}
          error={error}
          columns={[
            {
              id: 'name',
              head: t('sites.name'),
              names: true,
              cell: ({ name }) => (
                <Link to="/admin/sites" search={{ q: name }}>
                  {name}
                </Link>
              ),
            },
            {
              id: 'failing',
              head: t('health.failing'),
              cell: ({ failing }) => (
                <ul className="admin-list">
                  {failing.map(({ kind, name, since }) => (
                    <li key={`${kind} ${name}`} className="breaks-anywhere">
                      {name}
                      {since && <small>{t('health.since', { when: format.dateTime(since) })}</small>}
                    </li>
                  ))}
                </ul>
              ),
            },
            { id: 'counted', head: t('health.looked'), secondary: true, cell: ({ countedAt }) => format.dateTime(countedAt) },
          ]}
          foot={
            <TableFoot
              total={sites.data?.meta.total ?? 0}
              page={page}
              size={FIGURES_PER_PAGE}
              link={(number, children, attributes) => (
                <Link to="/admin/health" search={number === 1 ? {} : { page: number }} {...attributes}>
                  {children}
                </Link>
              )}
            />
          }
        />
      </section>
      <section className="admin-stack">
        <h2>{t('health.jobs')}</h2>
        <DataTable
          caption={t('health.jobs')}
          rows={jobs.data?.data ?? []}
          rowKey={({ id }) => id}
          state={toTableState(jobs)}
          loadingLabel={common('loading')}
          empty={null}
          error={error}
          columns={[
            {
              id: 'name',
              head: t('health.job'),
              names: true,
              cell: ({ name }) => t(`health.names.${name}`),
            },
            {
              id: 'state',
              head: admin('projects.status'),
              cell: ({ state, failures }) => (
                <Badge tone={TONES[state]} hollow={state === 'new'}>
                  {state === 'failing'
                    ? t('health.failed', { count: failures, number: format.number(failures) })
                    : t(`health.states.${state}`)}
                </Badge>
              ),
            },
            { id: 'done', head: t('health.done'), secondary: true, cell: ({ doneAt }) => (doneAt ? format.relative(doneAt, now) : '–') },
            {
              id: 'took',
              head: t('health.took'),
              align: 'end',
              secondary: true,
              cell: ({ tookMs }) => (tookMs === null ? '–' : formatDuration(tookMs)),
            },
          ]}
        />
      </section>
    </div>
  )
}
