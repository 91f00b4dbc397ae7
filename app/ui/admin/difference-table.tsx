import type { ReactNode } from 'react'

interface DifferenceTableProps<Name extends string> {
  /** Fields that differ. */
  names: readonly Name[]
  labels: { field: string; before: string; after: string }
  nameOf: (name: Name) => string
  renderBefore: (name: Name) => ReactNode
  renderAfter: (name: Name) => ReactNode
}

/** What differs between two versions, a row for each field. */
export function DifferenceTable<Name extends string>({ names, labels, nameOf, renderBefore, renderAfter }: DifferenceTableProps<Name>) {
  return (
    <table>
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
            <td>{renderBefore(name)}</td>
            <td>{renderAfter(name)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
