import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { ScrollRegion } from '#app/ui/scroll-region.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import { Text } from '#app/ui/text.tsx'
import { type CellFormatting, formatCell } from './format-cell.ts'
import { type Cell, type ColumnType, NUMERIC_TYPES, ROWS_PER_PAGE } from './opencities.schema.ts'
import type { ColumnView, DatasetSearch, DatasetView } from './dataset-views.schema.ts'
import { useCellFormatting } from './use-cell-formatting.ts'

/** A page of a dataset's rows: search, sorting and paging work with links and a plain form. */
export function DatasetTable({ data }: { data: DatasetView }) {
  const { t } = useTranslation('city-data')
  const { t: common } = useTranslation('participant')
  const words = useCellFormatting()
  const { format } = words
  const { search, page, pages, total, slug } = data
  const first = (page - 1) * ROWS_PER_PAGE + 1
  const renderLink = (next: DatasetSearch, children: ReactNode, attributes: { 'aria-label'?: string; rel?: 'prev' | 'next' } = {}) => (
    <Link to="/data/$slug" params={{ slug }} search={next} resetScroll={false} {...attributes}>
      {children}
    </Link>
  )
  return (
    <div className="stack">
      <h2 id="rows">{t('table.title')}</h2>
      <search>
        <form method="get" action={toLocalHref(`/data/${slug}`)} key={search.q ?? ''}>
          {search.sort && <input type="hidden" name="sort" value={search.sort} />}
          <SearchField name="q" label={t('table.search')} button={t('table.find')} defaultValue={search.q ?? ''} />
        </form>
      </search>
      {search.q && (
        <p aria-live="polite">
          {t('table.found', { count: total, number: format.number(total), words: search.q })}{' '}
          {renderLink(search.sort ? { sort: search.sort } : {}, t('table.all'))}
        </p>
      )}
      {total === 0 ? (
        <EmptyState title={t('table.nothing')} level={3} />
      ) : (
        <ScrollRegion labelledBy="rows">
          <table className="data-table dataset-table">
            <caption className="visually-hidden">{data.title.text}</caption>
            <thead>
              <tr>
                {data.map && <th scope="col">{t('map.number')}</th>}
                {data.columns.map((column) => (
                  <ColumnHead key={column.id} column={column} search={search} link={renderLink} />
                ))}
              </tr>
            </thead>
            <tbody>
              {data.table.map((row, index) => (
                <tr key={first + index}>
                  {data.map && <td className="number">{data.map.ofRows[index] ? first + index : '–'}</td>}
                  {row.map((cell, at) => (
                    <TableCell key={data.columns[at]?.id} cell={cell} type={data.columns[at]?.type ?? 'text'} words={words} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      <Pagination
        label={common('pages.label')}
        page={page}
        pages={pages}
        previous={common('pages.previous')}
        next={common('pages.next')}
        pageLabel={(number) => common('pages.page', { number: format.number(number) })}
        count={common('pages.range', {
          first: format.number(first),
          last: format.number(Math.min(total, first + ROWS_PER_PAGE - 1)),
          total: format.number(total),
        })}
        link={(number, children, attributes) => {
          const { page: _, ...rest } = search
          return renderLink(number > 1 ? { ...rest, page: number } : rest, children, attributes)
        }}
      />
    </div>
  )
}

interface ColumnHeadProps {
  column: ColumnView
  search: DatasetSearch
  link: (next: DatasetSearch, children: ReactNode) => ReactNode
}

function ColumnHead({ column, search, link }: ColumnHeadProps) {
  const direction = search.sort === column.id ? 'ascending' : search.sort === `-${column.id}` ? 'descending' : undefined
  const { q } = search
  const next = { ...(q ? { q } : {}), sort: direction === 'ascending' ? `-${column.id}` : column.id }
  const name = <Text words={column.name} />
  return (
    <th scope="col" className={NUMERIC_TYPES.has(column.type) ? 'number' : undefined} aria-sort={direction}>
      {column.type !== 'place'
        ? link(
            next,
            <>
              {name}
              {direction && <span aria-hidden="true">{direction === 'ascending' ? ' ↑' : ' ↓'}</span>}
            </>,
          )
        : name}
    </th>
  )
}

function TableCell({ cell, type, words }: { cell: Cell; type: ColumnType; words: CellFormatting }) {
  const text = formatCell(cell, type, words)
  if (type === 'link' && typeof cell === 'string' && /^https?:\/\//i.test(cell)) {
    return (
      <td>
        <a href={cell} rel="nofollow noopener">
          {text.replace(/^https?:\/\/(www\.)?/i, '')}
        </a>
      </td>
    )
  }
  return <td className={NUMERIC_TYPES.has(type) || type === 'place' ? 'number' : undefined}>{text}</td>
}
