import type { ReactNode } from 'react'

export interface KeyDate {
  /** ISO 8601, for machines. */
  date: string
  /** As formatted in the reader's language. */
  shown: string
  label: ReactNode
  state: 'past' | 'current' | 'upcoming'
  /** "Done", "Now": the state as text. */
  stateLabel?: string
}

/** The timeline of a consultation, from opening to decision. */
export function KeyDates({ dates }: { dates: readonly KeyDate[] }) {
  return (
    <ol className="key-dates">
      {dates.map(({ date, shown, label, state, stateLabel }) => (
        <li key={`${date} ${shown}`} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
          <time dateTime={date}>{shown}</time>
          <strong>{label}</strong>
          {stateLabel && <span className={state === 'current' ? 'key-dates-state' : 'visually-hidden'}>{stateLabel}</span>}
        </li>
      ))}
    </ol>
  )
}
