import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { REGIONS } from '#app/features/accounts/accounts.schema.ts'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { LANGUAGE_NAMES } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { TableFoot } from '#app/shell/table-foot.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { AdminIcon } from '#app/ui/admin/admin-icon.tsx'
import { Badge } from '#app/ui/admin/badge.tsx'
import { ColumnMenu, listVisibleColumns } from '#app/ui/admin/column-menu.tsx'
import { type Column, DataTable, type SortDirection } from '#app/ui/admin/data-table.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { Menu, type MenuAction } from '#app/ui/admin/menu.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import type { SiteTableSearch } from '../site-table-search.ts'
import { SITES_PER_PAGE, siteTableQuery } from '../sites.queries.ts'
import { SITE_SORTS, SITE_STATES } from '../sites.schema.ts'

type Listed = Awaited<ReturnType<NonNullable<ReturnType<typeof siteTableQuery>['queryFn']>>>
type Row = Listed['data'][number]

/** Actions on a site; each opens a dialog. */
export type SiteAction = 'addresses' | 'suspend' | 'resume' | 'delete' | 'deletion'

interface SiteTableProps {
  search: SiteTableSearch
  onAct: (act: SiteAction, site: Row) => void
}

/** Every site of the platform: searched, filtered, sorted and paged on the server, with its state in the address. */
export function SiteTable({ search, onAct }: SiteTableProps) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const here = useSite()
  const navigate = useNavigate()
  const { data, isError, isPending, isPlaceholderData, refetch } = useQuery(siteTableQuery(search))
  const changeSearch = (next: { [Name in keyof SiteTableSearch]?: SiteTableSearch[Name] | undefined }) =>
    void navigate({ to: '/admin/sites', search: pruneSearch({ ...search, page: undefined, ...next }) })
  const findDeletion = (row: Row) => data && findLinked(data, row.relationships.deletion)
  const sort = search.sort ?? 'name'
  const hidden = search.hide?.split(',') ?? []
  const formatRegion = (name: string) => {
    const known = REGIONS.find((one) => one === name)
    return known ? t(`sites.regions.${known}`) : name
  }
  const renderState = (row: Row) => <StateBadge status={row.status} deletion={findDeletion(row)} />
  const columns: readonly Column<Row>[] = [
    {
      id: 'name',
      head: t('sites.name'),
      names: true,
      sortable: true,
      cell: (row) => (
        <>
          {row.name}
          {row.primaryHost && <small className="breaks-anywhere">{row.primaryHost}</small>}
          <span className="for-narrow">{renderState(row)}</span>
        </>
      ),
    },
    { id: 'state', head: admin('projects.status'), secondary: true, cell: renderState },
    { id: 'region', head: t('sites.region'), sortable: true, secondary: true, cell: (row) => formatRegion(row.region) },
    {
      id: 'languages',
      head: t('sites.languages'),
      secondary: true,
      cell: (row) => row.languages.map((code) => LANGUAGE_NAMES[code]).join(', '),
    },
    { id: 'createdAt', head: t('sites.created'), sortable: true, secondary: true, cell: (row) => format.shortDate(row.createdAt) },
    {
      id: 'acts',
      head: <span className="visually-hidden">{t('sites.turn')}</span>,
      align: 'end',
      cell: (row) => (
        <Menu
          id={buildMenuId(row)}
          label={t('sites.acts-of', { name: row.name })}
          trigger={<AdminIcon name="more" />}
          groups={listActions(row, row.id === here.id, findDeletion(row) !== undefined).map((acts) =>
            acts.map((act): MenuAction => ({
              id: act,
              label: t(`sites.${act}`),
              danger: act === 'delete',
              onAction: () => onAct(act, row),
            })),
          )}
        />
      ),
    },
  ]
  return (
    <>
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
              label={t('sites.search')}
              button={admin('projects.find')}
              defaultValue={search.q ?? ''}
            />
          </form>
        </search>
        <SelectInput
          name="state"
          label={admin('projects.status')}
          value={search.state ?? ANY}
          onChange={(state) => changeSearch({ state: state === ANY ? undefined : state })}
          options={[
            { value: ANY, label: admin('projects.any-status') },
            ...SITE_STATES.map((value) => ({ value, label: t(value === 'leaving' ? 'sites.leaving' : `sites.${value}`) })),
          ]}
        />
        <SelectInput<string>
          name="region"
          label={t('sites.region')}
          value={search.region ?? ANY}
          onChange={(value) => changeSearch({ region: value === ANY ? undefined : value })}
          options={[
            { value: ANY, label: t('sites.any-region') },
            ...[...new Set([...REGIONS, ...(search.region ? [search.region] : [])])].map((value) => ({
              value,
              label: formatRegion(value),
            })),
          ]}
        />
      </FilterBar>
      <div className="table-tools">
        <ColumnMenu
          label={admin('columns')}
          columns={columns.filter(({ id }) => id !== 'acts')}
          hidden={hidden}
          onChange={(next) => changeSearch({ hide: next.join(','), page: search.page })}
        />
      </div>
      <DataTable
        caption={admin('nav.sites')}
        columns={listVisibleColumns(columns, hidden)}
        rows={data?.data ?? []}
        rowKey={(row) => row.id}
        sort={{ column: sort.replace(/^-/, ''), direction: sort.startsWith('-') ? 'descending' : 'ascending' }}
        sortLink={(column: string, direction: SortDirection, children: ReactNode) => {
          const by = SITE_SORTS.find((name) => name === column) ?? 'name'
          return (
            <Link to="/admin/sites" search={pruneSearch({ ...search, page: undefined, sort: direction === 'descending' ? `-${by}` : by })}>
              {children}
            </Link>
          )
        }}
        state={isError ? 'error' : isPending || isPlaceholderData ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('sites.none-match')} action={<Link to="/admin/sites">{t('sites.all')}</Link>} />}
        error={
          <Notice kind="error" title={admin('load-failed')}>
            <Button kind="secondary" size="small" onClick={() => void refetch()}>
              {common('try-again')}
            </Button>
          </Notice>
        }
        foot={
          <TableFoot
            total={data?.meta.total ?? 0}
            page={search.page ?? 1}
            size={SITES_PER_PAGE}
            link={(number, children, attributes) => (
              <Link to="/admin/sites" search={pruneSearch({ ...search, page: number })} {...attributes}>
                {children}
              </Link>
            )}
          />
        }
      />
    </>
  )
}

const ANY = 'any'
export const buildMenuId = ({ id }: { id: string }) => `acts-${id}`

/** Nobody can suspend or delete the site they are on. */
function listActions({ status }: Row, isHere: boolean, isLeaving: boolean): SiteAction[][] {
  if (isHere) return [['addresses']]
  if (isLeaving) return [['addresses', 'deletion']]
  return [['addresses', status === 'active' ? 'suspend' : 'resume'], ['delete']]
}

function StateBadge({ status, deletion }: { status: string; deletion: { state: string; dueAt: string } | undefined }) {
  const { t } = useTranslation('platform')
  const format = useFormat()
  if (deletion?.state === 'erasing') return <Badge tone="bad">{t('sites.erasing')}</Badge>
  if (deletion) return <Badge tone="bad">{t('sites.due', { day: format.shortDate(deletion.dueAt) })}</Badge>
  return status === 'active' ? <Badge tone="ok">{t('sites.active')}</Badge> : <Badge tone="warn">{t('sites.suspended')}</Badge>
}

/** Drops unset parameters to keep the address short. */
function pruneSearch(search: { [Name in keyof SiteTableSearch]?: SiteTableSearch[Name] | undefined }): SiteTableSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([name, value]) => value !== undefined && value !== '' && !(name === 'page' && value === 1)),
  )
}
