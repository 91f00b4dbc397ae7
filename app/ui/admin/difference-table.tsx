import type { ReactNode } from 'react'

interface DifferenceTableProps<Name extends string> {
  /** Fields that differ. */
  names: readonly Name[]
  /** For screen readers, if no heading says it. */
  caption?: string
  labels: { field: string; before: string; after: string }
  nameOf: (name: Name) => string
  renderBefore: (name: Name) => ReactNode
  renderAfter: (name: Name) => ReactNode
}

/** What differs between two versions, a row for each field. On a phone the two stand below each other, each under its name. */
export function DifferenceTable<Name extends string>({
  names,
  caption,
  labels,
  nameOf,
  renderBefore,
  renderAfter,
}: DifferenceTableProps<Name>) {
  return (
    <table className="difference-table">
      {caption && <caption className="visually-hidden">{caption}</caption>}
      <thead>
        <tr>
          <th scope="col">{labels.field}</th>
          <th scope="col">{labels.before}</th>
          <th scope="col">{labels.after}</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => (
          <tr key={name}>
            <th scope="row">{nameOf(name)}</th>
            <td>
              <span className="for-narrow">{labels.before}</span>
              {renderBefore(name)}
            </td>
            <td>
              <span className="for-narrow">{labels.after}</span>
              {renderAfter(name)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
