import { useQuery } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { REGIONS } from '#app/features/accounts/accounts.schema.ts'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { ListChoice, ListFind } from '#app/shell/admin/list-filters.tsx'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { useList } from '#app/shell/admin/use-list.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { AdminIcon } from '#app/ui/admin/admin-icon.tsx'
import { Badge } from '#app/ui/admin/badge.tsx'
import type { Column } from '#app/ui/admin/data-table.tsx'
import { Menu, type MenuAction } from '#app/ui/admin/menu.tsx'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import type { SiteTableSearch } from '../site-table-search.ts'
import { SITES_PER_PAGE, siteTableQuery } from '../sites.queries.ts'
import { SITE_STATES } from '../sites.schema.ts'

type Listed = Awaited<ReturnType<NonNullable<ReturnType<typeof siteTableQuery>['queryFn']>>>
type Row = Listed['data'][number]

/** Actions on a site; each opens a dialog, or the page of its administrators. */
export type SiteAction = 'administrators' | 'addresses' | 'suspend' | 'resume' | 'delete' | 'deletion'

interface SiteTableProps {
  search: SiteTableSearch
  onAct: (act: SiteAction, site: Row) => void
}

/** Every site of the platform. */
export function SiteTable({ search, onAct }: SiteTableProps) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const here = useSite()
  const list = useList(search, (next: SiteTableSearch) => linkOptions({ to: '/admin/sites', search: next }))
  const query = useQuery(siteTableQuery(search))
  const { data } = query
  const findDeletion = (row: Row) => data && findLinked(data, row.relationships.deletion)
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
        </>
      ),
    },
    { id: 'state', head: admin('projects.status'), underName: true, cell: renderState },
    { id: 'region', head: t('sites.region'), sortable: true, secondary: true, cell: (row) => formatRegion(row.region) },
    {
      id: 'languages',
      head: t('sites.languages'),
      secondary: true,
      cell: (row) => row.languages.map((code) => getLanguageName(code)).join(', '),
    },
    { id: 'createdAt', head: t('sites.created'), sortable: true, secondary: true, cell: (row) => format.shortDate(row.createdAt) },
    {
      id: 'acts',
      acts: true,
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
              ...(act === 'administrators' ? { href: `/admin/sites/${row.id}/administrators` } : { onAction: () => onAct(act, row) }),
            })),
          )}
        />
      ),
    },
  ]
  return (
    <ListScreen
      list={list}
      caption={admin('nav.sites')}
      columns={columns}
      query={query}
      pageSize={SITES_PER_PAGE}
      sort="name"
      hides
      filters={
        <FilterBar>
          <ListFind list={list} name="q" label={t('sites.search')} button={admin('projects.find')} />
          <ListChoice
            list={list}
            name="state"
            label={admin('projects.status')}
            any={admin('projects.any-status')}
            options={SITE_STATES.map((value) => ({ value, label: t(`sites.${value}`) }))}
          />
          <ListChoice
            list={list}
            name="region"
            label={t('sites.region')}
            any={t('sites.any-region')}
            options={[...new Set([...REGIONS, ...(search.region ? [search.region] : [])])].map((value) => ({
              value,
              label: formatRegion(value),
            }))}
          />
        </FilterBar>
      }
      noMatch={{ title: t('sites.none-match'), all: t('sites.all') }}
    />
  )
}

export const buildMenuId = ({ id }: { id: string }) => `acts-${id}`

/** Nobody can suspend or delete the site they are on. */
function listActions({ status }: Row, isHere: boolean, isLeaving: boolean): SiteAction[][] {
  if (isHere) return [['administrators', 'addresses']]
  if (isLeaving) return [['administrators', 'addresses', 'deletion']]
  if (status === 'moving' || status === 'moved') return [['administrators', 'addresses'], ['delete']]
  return [['administrators', 'addresses', status === 'active' ? 'suspend' : 'resume'], ['delete']]
}

function StateBadge({ status, deletion }: { status: string; deletion: { state: string; dueAt: string } | undefined }) {
  const { t } = useTranslation('platform')
  const format = useFormat()
  if (deletion?.state === 'erasing') return <Badge tone="bad">{t('sites.erasing')}</Badge>
  if (deletion) return <Badge tone="bad">{t('sites.due', { day: format.shortDate(deletion.dueAt) })}</Badge>
  if (status === 'moving' || status === 'moved') return <Badge tone="warn">{t(`sites.${status}`)}</Badge>
  return status === 'active' ? <Badge tone="ok">{t('sites.active')}</Badge> : <Badge tone="warn">{t('sites.suspended')}</Badge>
}
