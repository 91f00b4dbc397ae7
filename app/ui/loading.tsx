/** Shows that something is in progress; `label` says what. */
export function Spinner({ label }: { label: string }) {
  return (
    <output>
      <span className="spinner" aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </output>
  )
}

/** Reserves space for a text that is loading, so that nothing shifts when it arrives. */
export function Skeleton({ label, lines = 3 }: { label: string; lines?: number }) {
  return (
    <output className="skeleton">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span className="skeleton-line" key={index} aria-hidden="true" />
      ))}
    </output>
  )
}
