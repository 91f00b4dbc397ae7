import type { ReactNode } from 'react'

export interface Definition {
  term: string
  value: ReactNode
  /** A link that changes the value; its text must make sense out of context for screen readers. */
  action?: ReactNode
}

/** A list of facts; with actions, a summary of answers to check before submitting. */
export function DefinitionList({ items }: { items: readonly Definition[] }) {
  return (
    <dl className="definitions">
      {items.map(({ term, value, action }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
          {action && <dd className="definitions-action">{action}</dd>}
        </div>
      ))}
    </dl>
  )
}
