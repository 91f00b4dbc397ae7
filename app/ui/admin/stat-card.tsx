import type { ReactNode } from 'react'
import { AdminIcon } from './admin-icon.tsx'

export interface StatCardProps {
  label: ReactNode
  /** What the figure counts, in one sentence. */
  means: ReactNode
  /** Formatted in the reader's language. */
  value: string
  /** Compared with the previous period: the arrow shows the direction, the text says whether that is good. */
  change?: { direction: 'up' | 'down' | 'level'; text: string }
  /** One link to the source of the figure. */
  link?: ReactNode
}

export function StatCard({ label, means, value, change, link }: StatCardProps) {
  return (
    <div className="stat-card">
      <p className="stat-card-label">{label}</p>
      <p className="stat-card-value">{value}</p>
      <p className="stat-card-means">{means}</p>
      {change && (
        <p className="stat-card-change">
          {change.direction !== 'level' && <AdminIcon name={change.direction === 'up' ? 'move-up' : 'move-down'} />}
          {change.text}
        </p>
      )}
      {link && <p className="stat-card-link">{link}</p>}
    </div>
  )
}
