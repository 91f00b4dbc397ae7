import type { ReactNode } from 'react'

export interface Definition {
  term: string
  value: ReactNode
  /** A link that changes the value; say what it changes, for those who hear it alone. */
  action?: ReactNode
}

/** Facts by name; with actions, the answers to look over before they are sent. */
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
