import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { FigureCard } from '#app/shell/admin/figure-card.tsx'
import { FigureNotes } from '#app/shell/admin/figure-notes.tsx'
import { useFigures } from '#app/shell/admin/use-figures.ts'
import { ListFind } from '#app/shell/admin/list-filters.tsx'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { useList } from '#app/shell/admin/use-list.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import type { Column } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { FiguresSearch } from '../figures-search.ts'
import { FIGURES_PER_PAGE, jobTurnsQuery, siteFiguresQuery } from '../platform.queries.ts'
import { FIGURE_DAYS } from '../platform.schema.ts'

type Row = Awaited<ReturnType<NonNullable<ReturnType<typeof siteFiguresQuery>['queryFn']>>>['data'][number]

/** Figures shown under a site's name when there is no room for their columns. */
const NARROW_FIGURES = ['participants', 'openProjects', 'aware', 'engaged'] as const

const COLUMN_FIGURES = {
  openProjects: 'openProjects',
  responses: 'answers',
  participants: 'participants',
  aware: 'aware',
  engaged: 'engaged',
} as const

/** The platform administrators' start page: totals over all sites, and one line per site. */
export function PlatformDashboard({ search }: { search: FiguresSearch }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const list = useList(search, (next: FiguresSearch) => linkOptions({ to: '/admin', search: next }))
  const query = useQuery(siteFiguresQuery(search))
  const jobs = useQuery(jobTurnsQuery).data?.data ?? []
  const unwell = jobs.filter(({ state }) => state === 'failing' || state === 'late').length
  // The list may be searched; the totals are always of all sites.
  const totals = useQuery(siteFiguresQuery({})).data?.meta.totals
  const describe = useFigures()
  const nameColumn = (id: keyof typeof COLUMN_FIGURES) => describe(COLUMN_FIGURES[id]).name
  const formatTotal = (figure: number) => (totals?.countedAt ? format.number(figure) : '–')
  const createNumberColumn = (id: keyof typeof COLUMN_FIGURES, secondary = true): Column<Row> => ({
    id,
    head: nameColumn(id),
    align: 'end',
    sortable: true,
    secondary,
    cell: (row) => format.number(row[id]),
  })
  const renderNarrowFigures = (row: Row) => NARROW_FIGURES.map((id) => `${nameColumn(id)} ${format.number(row[id])}`).join(' · ')
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
        </>
      ),
    },
    createNumberColumn('responses', false),
    ...NARROW_FIGURES.map((id, place) => ({ ...createNumberColumn(id), ...(place === 0 ? { underName: renderNarrowFigures } : {}) })),
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
          <FigureCard figure="sites" value={format.number(totals.sites)} link={<Link to="/admin/sites">{t('sites.all')}</Link>} />
          <FigureCard figure="openProjects" value={formatTotal(totals.openProjects)} />
          <FigureCard figure="answers" value={formatTotal(totals.responses)} />
          <FigureCard figure="participants" value={formatTotal(totals.participants)} />
        </div>
      )}
      <section className="admin-stack">
        <div>
          <h2>{t('figures.by-site')}</h2>
          <p className="meta">{t('figures.days', { days: format.number(FIGURE_DAYS) })}</p>
        </div>
        <ListScreen
          list={list}
          caption={t('figures.by-site')}
          columns={columns}
          query={query}
          pageSize={FIGURES_PER_PAGE}
          sort="-responses"
          filters={
            <FilterBar>
              <ListFind list={list} name="q" label={t('sites.search')} button={admin('projects.find')} />
            </FilterBar>
          }
          none={<EmptyState title={t('figures.not-yet')} />}
          noMatch={{ title: t('sites.none-match'), all: t('sites.all'), filters: ['q'] }}
        />
        <FigureNotes figures={Object.values(COLUMN_FIGURES)} />
      </section>
    </div>
  )
}
