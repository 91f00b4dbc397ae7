import type { ReactNode } from 'react'

/** The way here, from the top: links, and last the page in view (given as text) or its parent. On a phone only the parent shows. */
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
