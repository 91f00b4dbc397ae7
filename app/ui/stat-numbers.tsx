/** Large figures about people, already formatted in the reader's language. */
export function StatNumbers({ items }: { items: readonly { value: string; label: string; means?: string }[] }) {
  return (
    <dl className="stats">
      {items.map(({ value, label, means }) => (
        <div key={label}>
          <dt>
            {label}
            {means && <small>{means}</small>}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
