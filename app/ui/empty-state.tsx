import type { ReactNode } from 'react'

interface EmptyStateProps {
  title: ReactNode
  children?: ReactNode
  /** A single next step. */
  action?: ReactNode
  level?: 2 | 3
}

/** For a list without items or a search without results: says so, and what to do next. */
export function EmptyState({ title, children, action, level = 2 }: EmptyStateProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <div className="empty-state">
      <svg className="empty-state-picture" viewBox="0 0 176 112" aria-hidden="true">
        <path d="M34 8h74a22 22 0 0 1 22 22v22a22 22 0 0 1-22 22H12V30A22 22 0 0 1 34 8Z" fill="currentColor" opacity=".14" />
        <path
          d="M92 40h52a20 20 0 0 1 20 20v44H92a20 20 0 0 1-20-20V60a20 20 0 0 1 20-20Z"
          fill="var(--card)"
          stroke="currentColor"
          strokeWidth="2.5"
        />
        <path d="M94 64h46M94 80h28" stroke="currentColor" strokeWidth="4" strokeLinecap="round" opacity=".45" />
      </svg>
      <Heading>{title}</Heading>
      {children && <p>{children}</p>}
      {action && <div className="empty-state-action">{action}</div>}
    </div>
  )
}
