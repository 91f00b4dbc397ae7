/** Something is under way; `label` says what. */
export function Spinner({ label }: { label: string }) {
  return (
    <output>
      <span className="spinner" aria-hidden="true" />
      <span className="visually-hidden">{label}</span>
    </output>
  )
}

/** The space of a text that is on its way, so that nothing moves when it comes. */
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
