import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import type { Formatter } from '#app/lib/format.ts'
import { PROJECT_STATUSES } from '#app/lib/vocabulary/projects.ts'
import { ListChoice, ListFind } from '#app/shell/admin/list-filters.tsx'
import { FigureNotes } from '#app/shell/admin/figure-notes.tsx'
import { useFigures } from '#app/shell/admin/use-figures.ts'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { useList } from '#app/shell/admin/use-list.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import type { Column } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { useChosenRows } from '#app/ui/admin/row-selection.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import type { ProjectTableSearch } from '../project-table-search.ts'
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

/** Every project the viewer may know of. */
export function ProjectTable({ search, mayCreate, views }: ProjectTableProps) {
  const { t } = useTranslation('admin')
  const people = useFigures()('participants').name
  const format = useFormat()
  const list = useList(search, (next: ProjectTableSearch) => linkOptions({ to: '/admin/projects', search: next }))
  const query = useQuery(projectTableQuery(search))
  const chosen = useChosenRows(query.data?.data ?? [], (row) => row.id)
  const bulk = useProjectBulk(chosen)
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
      <ListScreen
        list={list}
        caption={t('projects.caption')}
        columns={buildProjectColumns(t, format, people, query.data)}
        query={query}
        pageSize={PROJECTS_PER_TABLE}
        sort="-updatedAt"
        hides
        filters={
          <FilterBar>
            <ListFind list={list} name="q" label={t('projects.search')} button={t('projects.find')} />
            <ListChoice
              list={list}
              name="status"
              label={t('projects.status')}
              any={t('projects.any-status')}
              options={PROJECT_STATUSES.map((status) => ({ value: status, label: t(`status.${status}`) }))}
            />
          </FilterBar>
        }
        views={views}
        selection={{
          selected: chosen.ids,
          onChange: chosen.onChange,
          allLabel: t('bulk.select-all'),
          rowLabel: (row) => t('bulk.select', { name: row.title }),
          summary: (count) => t('bulk.selected', { count, number: format.number(count) }),
          clearLabel: t('bulk.clear'),
          actions: bulk.actions,
        }}
        noMatch={{ title: t('projects.none-match'), all: t('projects.all'), filters: ['q', 'status', 'hub'] }}
        none={<EmptyState title={t('projects.none')}>{t('projects.none-text')}</EmptyState>}
      />
      <FigureNotes figures={['participants']} />
      {bulk.dialog}
    </>
  )
}

type Translate = ReturnType<typeof useTranslation<'admin'>>['t']

function buildProjectColumns(t: Translate, format: Formatter, people: string, data: Listed | undefined): readonly Column<Row>[] {
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
    { id: 'status', head: t('projects.status'), underName: true, cell: (row) => <StatusBadge status={row.status} /> },
    { id: 'hub', head: t('projects.hub'), secondary: true, cell: (row) => (data && findLinked(data, row.relationships.hub)?.title) ?? '–' },
    { id: 'closesAt', head: t('projects.closes'), sortable: true, secondary: true, cell: (row) => formatDate(row.closesAt) },
    { id: 'participants', head: people, align: 'end', sortable: true, cell: (row) => format.number(row.participants) },
    { id: 'updatedAt', head: t('projects.changed'), sortable: true, secondary: true, cell: (row) => formatDate(row.updatedAt) },
  ]
}
