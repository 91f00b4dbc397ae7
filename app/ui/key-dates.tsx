import type { ReactNode } from 'react'

export interface KeyDate {
  /** ISO 8601, for machines. */
  date: string
  /** As the reader's language writes it. */
  shown: string
  label: ReactNode
  state: 'past' | 'current' | 'upcoming'
  /** "Done", "Now": the state in words. */
  stateLabel?: string
}

/** The course of a consultation, from its opening to the decision. */
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
