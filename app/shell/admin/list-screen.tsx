import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ColumnMenu, listVisibleColumns } from '#app/ui/admin/column-menu.tsx'
import { type Column, DataTable } from '#app/ui/admin/data-table.tsx'
import type { Selection } from '#app/ui/admin/row-selection.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { TableFoot } from '../table-foot.tsx'
import type { List, ListSearch } from './use-list.tsx'

/** The state of the query that fetches a page of rows, as `useQuery` returns it. */
export interface ListQuery<Row> {
  data: { data: readonly Row[]; meta: { total?: unknown } } | undefined
  isError: boolean
  isPending: boolean
  isPlaceholderData: boolean
  refetch: () => unknown
}

interface ListScreenProps<Row, Search extends ListSearch> {
  list: List<Search>
  /** The table's name, read out before it. */
  caption: string
  columns: readonly Column<Row>[]
  query: ListQuery<Row>
  pageSize: number
  /** The order without `sort` in the address. Columns that can sort are named as the server names them. */
  sort?: NonNullable<Search['sort']>
  /** A `FilterBar` with `ListFind`, `ListChoice` and the like. */
  filters?: ReactNode
  /** The `SavedViews` of this table. */
  views?: ReactNode
  /** Columns can be hidden, which `hide` in the address remembers. */
  hides?: boolean
  /** Columns that are hidden until somebody chooses which are shown. */
  hiddenAtFirst?: readonly string[]
  selection?: Selection<Row>
  /** Instead of rows, if no filter is set. */
  none?: ReactNode
  /** Instead of rows, if no row matches, with a link to all rows. Beside `none`, it says which filters it is about. */
  noMatch?: { title: string; text?: string; all: string; filters?: readonly (keyof Search)[] }
}

/** What is in a list's address without narrowing it. */
const KEPT_BY_EVERY_LIST: ReadonlySet<string> = new Set(['sort', 'hide', 'page'])

/** A table of the administration with its filters: the server filters, sorts and pages, and the address keeps the state. */
export function ListScreen<Row extends { id: string }, Search extends ListSearch>(props: ListScreenProps<Row, Search>) {
  const { list, caption, columns, query, pageSize, filters, views, hides, selection, none, noMatch } = props
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation()
  const { search } = list
  const { data, isError, isPending, isPlaceholderData, refetch } = query
  const { hiddenAtFirst = [] } = props
  const hidden = listHiddenColumns(search, hiddenAtFirst)
  // If a column is hidden by default, people see it only because they turned it on, so phones show it too.
  const visible = listVisibleColumns(columns, hidden).map((column) =>
    hiddenAtFirst.includes(column.id) ? { ...column, secondary: false } : column,
  )
  const sort: string | undefined = search.sort ?? props.sort
  const total = data?.meta.total
  const isFiltered = Object.entries(search).some(([name, value]) => !KEPT_BY_EVERY_LIST.has(name) && value !== undefined)
  return (
    <>
      {filters}
      {filters && isFiltered && total !== 0 && (
        <p className="filters-active">
          {t('filters.active')} {list.linkToAll(t('filters.clear'))}
        </p>
      )}
      {(views || hides) && (
        <div className="table-tools">
          {views}
          {hides && (
            <ColumnMenu
              label={t('columns')}
              columns={columns}
              hidden={hidden}
              onChange={(next) => list.change(toChanges<Search>({ hide: toHideParam(next, hiddenAtFirst), page: search.page }))}
            />
          )}
        </div>
      )}
      <DataTable
        caption={caption}
        columns={visible}
        rows={data?.data ?? []}
        rowKey={(row) => row.id}
        {...(sort === undefined
          ? {}
          : { sort: { column: sort.replace(/^-/, ''), direction: sort.startsWith('-') ? 'descending' : 'ascending' } })}
        sortLink={(column, direction, children) =>
          list.link(toChanges<Search>({ sort: direction === 'descending' ? `-${column}` : column }), children)
        }
        {...(selection ? { selection } : {})}
        state={isError ? 'error' : isPending || isPlaceholderData ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={
          noMatch && (none === undefined || noMatch.filters?.some((name) => search[name] !== undefined)) ? (
            <EmptyState title={noMatch.title} action={list.linkToAll(noMatch.all)}>
              {noMatch.text}
            </EmptyState>
          ) : (
            none
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
            total={typeof total === 'number' ? total : 0}
            page={search.page ?? 1}
            size={pageSize}
            link={(page, children, attributes) => list.link(toChanges<Search>({ page }), children, attributes)}
          />
        }
      />
    </>
  )
}

/** In an address that hides no column, of a table that hides some at first. */
const HIDES_NONE = 'none'

/** Ids of the columns that a list does not show. */
export const listHiddenColumns = ({ hide }: ListSearch, hiddenAtFirst: readonly string[] = []): readonly string[] =>
  hide === undefined ? hiddenAtFirst : hide === HIDES_NONE ? [] : hide.split(',')

function toHideParam(hidden: readonly string[], hiddenAtFirst: readonly string[]): string {
  const isAsAtFirst = hidden.length === hiddenAtFirst.length && hidden.every((id) => hiddenAtFirst.includes(id))
  return isAsAtFirst ? '' : hidden.join(',') || HIDES_NONE
}

/** What a list keeps in its address is optional text or a number, whatever narrower type its route gives it. */
const toChanges = <Search extends ListSearch>(changes: { [Name in keyof ListSearch]?: ListSearch[Name] | undefined }) =>
  changes as Parameters<List<Search>['change']>[0]
