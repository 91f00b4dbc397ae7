import type { ReactNode } from 'react'

/** A bubble that holds one thing. `wash` lies flat on the page, the default lifts off it. */
export function Card({ tone = 'lifted', children }: { tone?: 'lifted' | 'wash'; children: ReactNode }) {
  return (
    <div className={tone === 'wash' ? 'card card-wash' : 'card'}>
      <div className="card-body">{children}</div>
    </div>
  )
}

/** What is written along the foot of a card: people, topic, minutes. */
export function Meta({ items }: { items: readonly ReactNode[] }) {
  return (
    <ul className="meta">
      {items.map((item, index) => (
        <li key={index}>{item}</li>
      ))}
    </ul>
  )
}
