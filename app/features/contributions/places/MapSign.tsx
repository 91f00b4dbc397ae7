/** Signs of the statuses inside a pin, around its middle: told apart without their colours. */
const SIGNS: Record<string, string> = {
  received: 'M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0Z',
  under_review: 'M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0Zm3 0a3 3 0 1 1 6 0a3 3 0 1 1-6 0Z',
  planned: 'M0-6.5 6.5 5h-13Z',
  under_way: 'M-5-6.5 6.5 0-5 6.5Z',
  done: 'M-6.5 0-4.2-2.3-1.6.4 4.2-5.4 6.6-3.1-1.6 5.6Z',
  not_taken_forward: 'M-5.5-3.2-3.2-5.5 0-2.3 3.2-5.5 5.5-3.2 2.3 0 5.5 3.2 3.2 5.5 0 2.3-3.2 5.5-5.5 3.2-2.3 0Z',
  answered: 'M-6-5.5H6v8H1L-2.5 6V2.5H-6Z',
}

/** A status that the site made up shows its number. */
export function MapSign({ sign = 'received' }: { sign?: string | undefined }) {
  const path = SIGNS[sign]
  return path ? (
    <path className="map-pin-sign" d={path} transform="translate(0 -21)" fillRule="evenodd" />
  ) : (
    <text className="map-pin-number" y={-21} dy="0.35em">
      {sign}
    </text>
  )
}
