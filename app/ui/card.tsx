import type { ReactNode } from 'react'

/** A card shaped like a speech bubble. `wash` is flat, the default has a shadow. */
export function Card({ tone = 'lifted', children }: { tone?: 'lifted' | 'wash'; children: ReactNode }) {
  return (
    <div className={tone === 'wash' ? 'card card-wash' : 'card'}>
      <div className="card-body">{children}</div>
    </div>
  )
}

/** The line at the bottom of a card: people, topic, minutes. Nothing if there is nothing to say: an empty list would be announced. */
export function Meta({ items }: { items: readonly ReactNode[] }) {
  if (items.length === 0) return null
  return (
    <ul className="meta">
      {items.map((item, index) => (
        <li key={index}>{item}</li>
      ))}
    </ul>
  )
}
