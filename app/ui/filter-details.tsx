import type { ReactNode } from 'react'

/** The filters of a list: folded on narrow screens, so that the list is in sight, and always open on wide ones. */
export function FilterDetails({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className="filter-details">
      <summary>{label}</summary>
      <div className="project-filters-row">{children}</div>
    </details>
  )
}
