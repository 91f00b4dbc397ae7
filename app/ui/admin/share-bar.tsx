/** A share from 0 to 1 as a bar in a table, above the number that says the same. */
export function ShareBar({ part }: { part: number }) {
  return (
    <svg className="share-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect className="share-bar-track" width="100" height="4" />
      <rect className="share-bar-part" width={part * 100} height="4" />
    </svg>
  )
}
