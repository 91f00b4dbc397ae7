import type { ReactNode } from 'react'

/** Links from the top down to the parent, then the current page as text. On a phone only the parent is shown. */
export function Breadcrumbs({ label, links, current }: { label: string; links: readonly ReactNode[]; current: ReactNode }) {
  return (
    <nav className="breadcrumbs" aria-label={label}>
      <ol>
        {links.map((link, index) => (
          <li key={index}>{link}</li>
        ))}
        <li>
          <span aria-current="page">{current}</span>
        </li>
      </ol>
    </nav>
  )
}
