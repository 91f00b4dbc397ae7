import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TableFoot } from '#app/shell/table-foot.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { type Column, DataTable, type SortDirection } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { StatCard } from '#app/ui/admin/stat-card.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import type { FiguresSearch } from '../figures-search.ts'
import { FIGURES_PER_PAGE, jobTurnsQuery, siteFiguresQuery } from '../platform.queries.ts'
import { FIGURE_DAYS, FIGURE_SORTS } from '../platform.schema.ts'

type Row = Awaited<ReturnType<NonNullable<ReturnType<typeof siteFiguresQuery>['queryFn']>>>['rows'][number]

/** Figures shown under a site's name when there is no room for their columns. */
const NARROW_FIGURES = ['participants', 'openProjects', 'aware', 'engaged'] as const

/** The platform administrators' start page: totals over all sites, and one line per site. */
export function PlatformDashboard({ search }: { search: FiguresSearch }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const navigate = useNavigate()
  const { data, isError, isPending, isPlaceholderData, refetch } = useQuery(siteFiguresQuery(search))
  const jobs = useQuery(jobTurnsQuery).data?.data ?? []
  const unwell = jobs.filter(({ state }) => state === 'failing' || state === 'late').length
  const { q, page = 1, sort = '-responses' } = search
  const totals = data?.totals
  const formatTotal = (figure: number) => (totals?.countedAt ? format.number(figure) : '–')
  const createNumberColumn = (id: 'openProjects' | 'responses' | 'participants' | 'aware' | 'engaged', secondary = true): Column<Row> => ({
    id,
    head: t(`figures.${id}`),
    align: 'end',
    sortable: true,
    secondary,
    cell: (row) => format.number(row[id]),
  })
  const columns: readonly Column<Row>[] = [
    {
      id: 'name',
      head: t('sites.name'),
      names: true,
      sortable: true,
      cell: (row) => (
        <>
          <Link to="/admin/sites" search={{ q: row.name }}>
            {row.name}
          </Link>{' '}
          {row.failing.length > 0 && (
            <Badge tone="bad">{t('figures.fails', { count: row.failing.length, number: format.number(row.failing.length) })}</Badge>
          )}
          <small className="for-narrow">{NARROW_FIGURES.map((id) => `${t(`figures.${id}`)} ${format.number(row[id])}`).join(' · ')}</small>
        </>
      ),
    },
    createNumberColumn('responses', false),
    ...NARROW_FIGURES.map((id) => createNumberColumn(id)),
  ]
  return (
    <div className="admin-stack">
      <PageHeader
        title={admin('dashboard.title')}
        meta={totals?.countedAt ? t('figures.counted', { when: format.dateTime(totals.countedAt) }) : t('figures.not-yet')}
      />
      {unwell > 0 && (
        <Notice kind="warning" title={t('health.unwell', { count: unwell, number: format.number(unwell) })}>
          <Link to="/admin/health">{t('health.see')}</Link>
        </Notice>
      )}
      {totals !== undefined && totals.failing > 0 && (
        <Notice kind="warning" title={t('figures.failing', { count: totals.failing, number: format.number(totals.failing) })}>
          <Link to="/admin/health">{t('health.see')}</Link>
        </Notice>
      )}
      {totals && (
        <div className="stat-cards">
          <StatCard label={t('figures.sites')} value={format.number(totals.sites)} link={<Link to="/admin/sites">{t('sites.all')}</Link>} />
          <StatCard label={t('figures.openProjects')} value={formatTotal(totals.openProjects)} />
          <StatCard label={t('figures.responses')} value={formatTotal(totals.responses)} />
          <StatCard label={t('figures.participants')} value={formatTotal(totals.participants)} />
        </div>
      )}
      <section className="admin-stack">
        <div>
          <h2>{t('figures.by-site')}</h2>
          <p className="meta">{t('figures.days', { days: format.number(FIGURE_DAYS) })}</p>
        </div>
        <FilterBar>
          <search>
            <form
              onSubmit={(event) => {
                event.preventDefault()
                const typed = new FormData(event.currentTarget).get('q')
                const { q: _q, page: _page, ...kept } = search
                const words = typeof typed === 'string' ? typed.trim() : ''
                void navigate({ to: '/admin', search: words ? { ...kept, q: words } : kept })
              }}
            >
              <SearchField key={q ?? ''} name="q" label={t('sites.search')} button={admin('projects.find')} defaultValue={q ?? ''} />
            </form>
          </search>
        </FilterBar>
        <DataTable
          caption={t('figures.by-site')}
          columns={columns}
          rows={data?.rows ?? []}
          rowKey={({ id }) => id}
          sort={{ column: sort.replace(/^-/, ''), direction: sort.startsWith('-') ? 'descending' : 'ascending' }}
          sortLink={(column: string, direction: SortDirection, children: ReactNode) => {
            const by = FIGURE_SORTS.find((name) => name === column) ?? 'name'
            const { page: _page, ...kept } = search
            return (
              <Link to="/admin" search={{ ...kept, sort: direction === 'descending' ? `-${by}` : by }}>
                {children}
              </Link>
            )
          }}
          state={isError ? 'error' : isPending || isPlaceholderData ? 'loading' : 'ready'}
          loadingLabel={common('loading')}
          empty={<EmptyState title={q === undefined ? t('figures.not-yet') : t('sites.none-match')} />}
          error={
            <Notice kind="error" title={admin('load-failed')}>
              <Button kind="secondary" size="small" onClick={() => void refetch()}>
                {common('try-again')}
              </Button>
            </Notice>
          }
          foot={
            <TableFoot
              total={data?.total ?? 0}
              page={page}
              size={FIGURES_PER_PAGE}
              link={(next, children, attributes) => {
                const { page: _page, ...kept } = search
                return (
                  <Link to="/admin" search={next === 1 ? kept : { ...kept, page: next }} {...attributes}>
                    {children}
                  </Link>
                )
              }}
            />
          }
        />
      </section>
    </div>
  )
}
