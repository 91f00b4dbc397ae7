import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface PaginationProps {
  label: string
  page: number
  pages: number
  previous: string
  next: string
  /** Accessible name of a page number: "Page 3". */
  pageLabel: (page: number) => string
  /** A link to a page of the list, with `children` as content and `attributes` spread on it. */
  link: (page: number, children: ReactNode, attributes: { 'aria-label'?: string; rel?: 'prev' | 'next' }) => ReactNode
  /** "21 to 40 of 87". */
  count?: ReactNode
}

const GAP = 0

/** First, last and the pages around the current one; GAP where some are left out. */
function listShownPages(page: number, pages: number): number[] {
  const wanted = [1, page - 1, page, page + 1, pages].filter((candidate) => candidate >= 1 && candidate <= pages)
  const shown: number[] = []
  for (const candidate of new Set(wanted)) {
    const before = shown.at(-1) ?? candidate - 1
    if (candidate - before === 2) shown.push(candidate - 1)
    else if (candidate - before > 2) shown.push(GAP)
    shown.push(candidate)
  }
  return shown
}

export function Pagination({ label, page, pages, previous, next, pageLabel, link, count }: PaginationProps) {
  if (pages < 2) return null
  return (
    <nav className="pagination" aria-label={label}>
      <ul>
        {page > 1 && (
          <li>
            {link(
              page - 1,
              <>
                <Icon name="arrow-left" />
                {previous}
              </>,
              { rel: 'prev' },
            )}
          </li>
        )}
        {listShownPages(page, pages).map((candidate, index) => (
          <li className="pagination-page" key={candidate === GAP ? `gap-${index}` : candidate}>
            {candidate === GAP ? (
              <span className="pagination-gap" aria-hidden="true">
                …
              </span>
            ) : candidate === page ? (
              <span aria-current="page">
                <span className="visually-hidden">{pageLabel(page)}</span>
                <span aria-hidden="true">{page}</span>
              </span>
            ) : (
              link(candidate, candidate, { 'aria-label': pageLabel(candidate) })
            )}
          </li>
        ))}
        {page < pages && (
          <li>
            {link(
              page + 1,
              <>
                {next}
                <Icon name="arrow-right" />
              </>,
              { rel: 'next' },
            )}
          </li>
        )}
      </ul>
      {count && <p className="pagination-count">{count}</p>}
    </nav>
  )
}
