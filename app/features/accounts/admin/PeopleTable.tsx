import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getFormatter } from '#app/lib/format.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { TableFoot } from '#app/shell/table-foot.tsx'
import { ColumnMenu, listVisibleColumns } from '#app/ui/admin/column-menu.tsx'
import { type Column, DataTable, type SortDirection } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { useChosenRows } from '#app/ui/admin/row-selection.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PEOPLE_SORTS } from '../accounts.schema.ts'
import { PEOPLE_PER_PAGE, type PeopleSearch } from '../people-search.ts'
import { peopleQuery, placesQuery } from '../people.queries.ts'
import { GiveRole } from './GiveRole.tsx'
import { PeopleFilters } from './PeopleFilters.tsx'
import { PersonBadge } from './PersonBadge.tsx'
import { type PeopleTableRow as Row, usePeopleBulk } from './use-people-bulk.tsx'

interface PeopleTableProps {
  search: PeopleSearch
  /** The `SavedViews` of this table. */
  views: ReactNode
}

/** Everybody the viewer manages: searched, filtered, sorted and paged on the server, with the state in the URL. */
export function PeopleTable({ search, views }: PeopleTableProps) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const site = useSite()
  const format = getFormatter({ language: useLanguage(), timeZone: site.timeZone, region: site.region })
  const navigate = useNavigate()
  const [inviting, setInviting] = useState(false)
  const { data, isError, isPending, isPlaceholderData, refetch } = useQuery(peopleQuery(search))
  const chosen = useChosenRows(data?.data ?? [], (row) => row.id)
  const bulk = usePeopleBulk(chosen)
  const invites = useSuspenseQuery(placesQuery).data.data.some((hub) => hub.meta.can.addProjectAdmin)
  const updateSearch = (next: { [Name in keyof PeopleSearch]?: PeopleSearch[Name] | undefined }) =>
    void navigate({ to: '/admin/people', search: omitEmptyParams({ ...search, page: undefined, ...next }) })
  const sort = search.sort ?? '-createdAt'
  const total = data?.meta.total ?? 0
  const page = search.page ?? 1
  const { page: _page, sort: _sort, hide = '', ...filters } = search
  const file = new URLSearchParams(filters).toString()
  const hidden = hide.split(',')
  const columns: readonly Column<Row>[] = [
    {
      id: 'login',
      head: t('table.name'),
      names: true,
      sortable: true,
      cell: (row) => (
        <>
          <Link to="/admin/people/$id" params={{ id: row.id }}>
            {row.login}
          </Link>
          <small className="for-narrow breaks-anywhere">{row.email}</small>
          {row.roleName !== 'participant' && <small className="for-narrow">{admin(`roles.${row.roleName}`)}</small>}
          {row.status !== 'active' && (
            <span className="for-narrow">
              <PersonBadge status={row.status} />
            </span>
          )}
        </>
      ),
    },
    { id: 'email', head: t('table.email'), sortable: true, secondary: true, cell: (row) => row.email },
    {
      id: 'role',
      head: t('table.role'),
      secondary: true,
      cell: (row) => (row.roleName === 'participant' ? '–' : admin(`roles.${row.roleName}`)),
    },
    { id: 'status', head: t('table.status'), secondary: true, cell: (row) => <PersonBadge status={row.status} /> },
    { id: 'createdAt', head: t('table.joined'), sortable: true, secondary: true, cell: (row) => format.shortDate(row.createdAt) },
    {
      id: 'lastSeenAt',
      head: t('table.seen'),
      sortable: true,
      secondary: true,
      cell: (row) => (row.lastSeenAt ? format.shortDate(row.lastSeenAt) : '–'),
    },
  ]
  return (
    <>
      <PageHeader
        title={admin('nav.people')}
        actions={
          <>
            <Link to="/admin/people/groups" className={getButtonClass({ kind: 'secondary' })}>
              {t('groups.title')}
            </Link>
            <a className={getButtonClass({ kind: 'secondary' })} href={`/admin/people.csv${file && `?${file}`}`} download>
              {t('table.export')}
            </a>
            {invites && <Button onClick={() => setInviting(true)}>{t('invite.open')}</Button>}
          </>
        }
      />
      <PeopleFilters search={search} change={updateSearch} />
      <div className="table-tools">
        {views}
        <ColumnMenu
          label={admin('columns')}
          columns={columns}
          hidden={hidden}
          onChange={(next) => updateSearch({ hide: next.join(','), page: search.page })}
        />
      </div>
      <DataTable
        caption={admin('nav.people')}
        columns={listVisibleColumns(columns, hidden)}
        rows={data?.data ?? []}
        rowKey={(row) => row.id}
        sort={{ column: sort.replace(/^-/, ''), direction: sort.startsWith('-') ? 'descending' : 'ascending' }}
        sortLink={(column: string, direction: SortDirection, children: ReactNode) => {
          const by = PEOPLE_SORTS.find((name) => name === column) ?? 'createdAt'
          return (
            <Link
              to="/admin/people"
              search={omitEmptyParams({ ...search, page: undefined, sort: direction === 'descending' ? `-${by}` : by })}
            >
              {children}
            </Link>
          )
        }}
        selection={{
          selected: chosen.ids,
          onChange: chosen.onChange,
          allLabel: t('table.select-all'),
          rowLabel: (row) => t('table.select', { name: row.login }),
          summary: (count) => t('table.selected', { count, number: format.number(count) }),
          clearLabel: t('table.clear'),
          actions: bulk.actions,
        }}
        state={isError ? 'error' : isPending || isPlaceholderData ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('table.none')} action={<Link to="/admin/people">{t('table.all')}</Link>} />}
        error={
          <Notice kind="error" title={admin('load-failed')}>
            <Button kind="secondary" size="small" onClick={() => void refetch()}>
              {common('try-again')}
            </Button>
          </Notice>
        }
        foot={
          <TableFoot
            total={total}
            page={page}
            size={PEOPLE_PER_PAGE}
            link={(number, children, attributes) => (
              <Link to="/admin/people" search={omitEmptyParams({ ...search, page: number })} {...attributes}>
                {children}
              </Link>
            )}
          />
        }
      />
      {bulk.dialog}
      {inviting && <GiveRole onClose={() => setInviting(false)} />}
    </>
  )
}

/** Drops empty parameters to keep the URL short. */
function omitEmptyParams(search: { [Name in keyof PeopleSearch]?: PeopleSearch[Name] | undefined }): PeopleSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([name, value]) => value !== undefined && value !== '' && !(name === 'page' && value === 1)),
  )
}
