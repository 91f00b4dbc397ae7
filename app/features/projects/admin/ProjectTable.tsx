import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { type Formatter, getFormatter } from '#app/lib/format.ts'
import { PROJECT_STATUSES } from '#app/lib/vocabulary/projects.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { TableFoot } from '#app/shell/table-foot.tsx'
import { ColumnMenu, listVisibleColumns } from '#app/ui/admin/column-menu.tsx'
import { DataTable, type Column, type SortDirection } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { useChosenRows } from '#app/ui/admin/row-selection.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import { PROJECT_TABLE_SORTS, type ProjectTableSearch } from '../project-table-search.ts'
import { PROJECTS_PER_TABLE, projectTableQuery } from '../projects.queries.ts'
import { StatusBadge } from './StatusBadge.tsx'
import { type ProjectTableRow as Row, useProjectBulk } from './use-project-bulk.tsx'

type Listed = Awaited<ReturnType<NonNullable<ReturnType<typeof projectTableQuery>['queryFn']>>>

interface ProjectTableProps {
  search: ProjectTableSearch
  mayCreate: boolean
  /** The `SavedViews` of this table. */
  views: ReactNode
}

/** Every project the viewer may know of: searched, filtered, sorted and paged on the server, with its state in the address. */
export function ProjectTable({ search, mayCreate, views }: ProjectTableProps) {
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation()
  const site = useSite()
  const format = getFormatter({ language: useLanguage(), timeZone: site.timeZone, region: site.region })
  const navigate = useNavigate()
  const { data, isError, isPlaceholderData, isPending, refetch } = useQuery(projectTableQuery(search))
  const chosen = useChosenRows(data?.data ?? [], (row) => row.id)
  const bulk = useProjectBulk(chosen)
  const changeSearch = (next: Partial<ProjectTableSearch>) =>
    void navigate({ to: '/admin/projects', search: pruneSearch({ ...search, page: undefined, ...next }) })
  const columns = projectColumns(t, format, data)
  const hidden = search.hide?.split(',') ?? []
  const sort = search.sort ?? '-updatedAt'
  const sorted = { column: sort.replace(/^-/, ''), direction: sort.startsWith('-') ? ('descending' as const) : ('ascending' as const) }
  const renderSortLink = (column: string, direction: SortDirection, children: ReactNode) => {
    const by = PROJECT_TABLE_SORTS.find((name) => name === column)
    return (
      <Link
        to="/admin/projects"
        search={pruneSearch({ ...search, page: undefined, ...(by ? { sort: direction === 'descending' ? (`-${by}` as const) : by } : {}) })}
      >
        {children}
      </Link>
    )
  }
  const filtered = Boolean(search.q || search.status || search.hub)
  const total = data?.meta.total ?? 0
  const page = search.page ?? 1

  return (
    <>
      <PageHeader
        title={t('nav.projects')}
        actions={
          mayCreate && (
            <Link to="/admin/projects/new" className={getButtonClass()}>
              {t('projects.new')}
            </Link>
          )
        }
      />
      <FilterBar>
        <search>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const q = new FormData(event.currentTarget).get('q')
              changeSearch({ q: typeof q === 'string' ? q.trim() : '' })
            }}
          >
            <SearchField
              key={search.q ?? ''}
              name="q"
              label={t('projects.search')}
              button={t('projects.find')}
              defaultValue={search.q ?? ''}
            />
          </form>
        </search>
        <SelectInput
          name="status"
          label={t('projects.status')}
          value={search.status ?? 'any'}
          onChange={(status) => changeSearch(status === 'any' ? { status: undefined } : { status })}
          options={[
            { value: 'any' as const, label: t('projects.any-status') },
            ...PROJECT_STATUSES.map((status) => ({ value: status, label: t(`status.${status}`) })),
          ]}
        />
      </FilterBar>
      <div className="table-tools">
        {views}
        <ColumnMenu
          label={t('columns')}
          columns={columns}
          hidden={hidden}
          onChange={(next) => changeSearch({ hide: next.join(','), page: search.page })}
        />
      </div>
      <DataTable
        caption={t('projects.caption')}
        columns={listVisibleColumns(columns, hidden)}
        rows={data?.data ?? []}
        rowKey={(row) => row.id}
        sort={sorted}
        sortLink={renderSortLink}
        selection={{
          selected: chosen.ids,
          onChange: chosen.onChange,
          allLabel: t('bulk.select-all'),
          rowLabel: (row) => t('bulk.select', { name: row.title }),
          summary: (count) => t('bulk.selected', { count, number: format.number(count) }),
          clearLabel: t('bulk.clear'),
          actions: bulk.actions,
        }}
        state={isError ? 'error' : isPending || isPlaceholderData ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={
          filtered ? (
            <EmptyState title={t('projects.none-match')} action={<Link to="/admin/projects">{t('projects.all')}</Link>} />
          ) : (
            <EmptyState title={t('projects.none')}>{t('projects.none-text')}</EmptyState>
          )
        }
        error={
          <Notice kind="error" title={t('load-failed')}>
            <Button kind="secondary" size="small" onClick={() => void refetch()}>
              {common('try-again')}
            </Button>
          </Notice>
        }
        foot={
          <TableFoot
            total={total}
            page={page}
            size={PROJECTS_PER_TABLE}
            link={(number, children, attributes) => (
              <Link to="/admin/projects" search={pruneSearch({ ...search, page: number })} {...attributes}>
                {children}
              </Link>
            )}
          />
        }
      />
      {bulk.dialog}
    </>
  )
}

type Translate = ReturnType<typeof useTranslation<'admin'>>['t']

function projectColumns(t: Translate, format: Formatter, data: Listed | undefined): readonly Column<Row>[] {
  const formatDate = (at: string | null) => (at ? format.shortDate(at) : '–')

  return [
    {
      id: 'title',
      head: t('projects.title'),
      names: true,
      sortable: true,
      cell: (row) => (
        <>
          <Link to="/admin/projects/$id" params={{ id: row.id }}>
            {row.title}
          </Link>
          {!row.meta.can.update && <p className="meta">{t('read-only.short')}</p>}
        </>
      ),
    },
    { id: 'status', head: t('projects.status'), cell: (row) => <StatusBadge status={row.status} /> },
    { id: 'hub', head: t('projects.hub'), secondary: true, cell: (row) => (data && findLinked(data, row.relationships.hub)?.title) ?? '–' },
    { id: 'closesAt', head: t('projects.closes'), sortable: true, secondary: true, cell: (row) => formatDate(row.closesAt) },
    { id: 'participants', head: t('projects.people'), align: 'end', sortable: true, cell: (row) => format.number(row.participants) },
    { id: 'updatedAt', head: t('projects.changed'), sortable: true, secondary: true, cell: (row) => formatDate(row.updatedAt) },
  ]
}

/** Drops unset parameters to keep the address short. */
function pruneSearch(search: { [K in keyof ProjectTableSearch]?: ProjectTableSearch[K] | undefined }): ProjectTableSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([name, value]) => value !== undefined && value !== '' && !(name === 'page' && value === 1)),
  )
}
