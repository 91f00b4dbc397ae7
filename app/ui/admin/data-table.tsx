import { useRef, type ReactNode } from 'react'
import { Icon } from '../icon.tsx'
import { Skeleton } from '../loading.tsx'
import { AdminIcon } from './admin-icon.tsx'
import {
  moveBetweenRows,
  RowCheckbox,
  useFocusAfterRemoval,
  useFocusAfterSelection,
  useRangeSelection,
  type Selection,
} from './row-selection.tsx'

export type SortDirection = 'ascending' | 'descending'

export interface Column<Row> {
  id: string
  head: ReactNode
  cell: (row: Row) => ReactNode
  /** `end` for numbers, so that their digits align. */
  align?: 'start' | 'end'
  /** The server can sort by it. */
  sortable?: boolean
  /** The first such column is the row's header for screen readers. */
  names?: boolean
  /** Hidden if there is no room for it. */
  secondary?: boolean
  /** Shown under the row's name if there is no room for the column: its cell, or what this returns for the row. */
  underName?: true | ((row: Row) => ReactNode)
  /** Holds the row's actions, so that it cannot be hidden. */
  acts?: boolean
}

interface DataTableProps<Row> {
  /** The table's name, read out before it. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  sort?: { column: string; direction: SortDirection }
  /** A link that sorts by a column in a direction, with `children` as its content. */
  sortLink?: (column: string, direction: SortDirection, children: ReactNode) => ReactNode
  selection?: Selection<Row>
  /** While loading, existing rows stay visible. */
  state?: 'ready' | 'loading' | 'error'
  loadingLabel: string
  /** An `EmptyState`: nothing yet, or no match. */
  empty: ReactNode
  /** What went wrong and what to do, instead of the rows. */
  error?: ReactNode
  /** `Pagination`. */
  foot?: ReactNode
}

/** Rows that the server has sorted, filtered and paged. Up and down arrows move between rows within a column. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, sort, sortLink, selection, state = 'ready', loadingLabel, empty, error, foot } = props
  const keys = rows.map(rowKey)
  const range = useRangeSelection(keys, selection)
  const waiting = state === 'loading'
  const chosen = selection?.selected.size ?? 0
  const selectAll = useRef<HTMLTableCellElement>(null)
  useFocusAfterSelection(selectAll, chosen)
  const panel = useRef<HTMLDivElement>(null)
  useFocusAfterRemoval(panel, rows.length)
  const focusable = { ref: panel, tabIndex: -1, role: 'group', 'aria-label': caption } as const
  if (state === 'error') return <div className="data-panel">{error}</div>
  if (rows.length === 0 && !waiting) {
    return (
      <div className="data-panel" {...focusable}>
        {empty}
      </div>
    )
  }
  return (
    <div className="data-panel" aria-busy={waiting} {...focusable}>
      {selection && <output className="visually-hidden">{chosen > 0 && selection.summary(chosen)}</output>}
      {selection && chosen > 0 && (
        <div className="selection-bar">
          <strong>{selection.summary(chosen)}</strong>
          {selection.actions}
          <button type="button" className="link-button" onClick={() => selection.onChange(new Set())}>
            {selection.clearLabel}
          </button>
        </div>
      )}
      <div className="data-scroll">
        <table className="admin-table">
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {selection && (
                <th scope="col" className="admin-table-check" ref={selectAll}>
                  <RowCheckbox
                    label={selection.allLabel}
                    checked={range.all}
                    mixed={range.some}

                    onToggle={range.toggleAll}
                  />
                </th>
              )}
              {columns.map((column) => {
                const { id, head, sortable } = column
                const direction = sort?.column === id ? sort.direction : undefined
                return (
                  <th key={id} scope="col" {...getCellAttributes(column)} aria-sort={direction}>
                    {sortable && sortLink
                      ? sortLink(
                          id,
                          direction === 'ascending' ? 'descending' : 'ascending',
                          <>
                            {head}
                            {direction ? (
                              <AdminIcon name={direction === 'ascending' ? 'sort-up' : 'sort-down'} />
                            ) : (
                              <Icon name="chevron-down" />
                            )}
                          </>,
                        )
                      : head}
                  </th>
                )
              })}
            </tr>
          </thead>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys move focus from a control in one row to the next row's */}
          <tbody onKeyDown={moveBetweenRows}>
            {rows.map((row, index) => {
              const key = keys[index] ?? ''
              const naming = columns.findIndex(({ names }) => names)
              return (
                <tr key={key} data-selected={selection?.selected.has(key) || undefined}>
                  {selection && (
                    <td className="admin-table-check">
                      <RowCheckbox
                        label={selection.rowLabel(row)}
                        checked={selection.selected.has(key)}
                        onToggle={(extend) => range.toggle(key, extend)}
                      />
                    </td>
                  )}
                  {columns.map((column, position) =>
                    position === naming ? (
                      <th key={column.id} scope="row" {...getCellAttributes(column)}>
                        {column.cell(row)}
                        <CellsUnderName columns={columns} row={row} />
                      </th>
                    ) : (
                      <td key={column.id} {...getCellAttributes(column)}>
                        {column.cell(row)}
                      </td>
                    ),
                  )}
                </tr>
              )
            })}
            {waiting && rows.length === 0 && (
              <tr>
                <td colSpan={columns.length + (selection ? 1 : 0)}>
                  <Skeleton label={loadingLabel} lines={8} />
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {waiting && rows.length > 0 && <output className="visually-hidden">{loadingLabel}</output>}
      {foot && <div className="data-foot">{foot}</div>}
    </div>
  )
}

const getCellAttributes = <Row,>({ align, secondary, underName }: Column<Row>) => ({
  'data-align': align,
  'data-secondary': secondary || underName !== undefined || undefined,
})

/** On a narrow screen: what the hidden columns say that a reader needs. */
function CellsUnderName<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return columns.map(({ id, cell, underName }) => {
    const content = underName === true ? cell(row) : underName?.(row)
    return content ? (
      <div key={id} className="for-narrow">
        {content}
      </div>
    ) : null
  })
}
