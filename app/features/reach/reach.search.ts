import { given } from '#app/lib/search-params.ts'
import { REACH_DAYS, type ReachLength, type ReachPlace } from './reach.schema.ts'

/** What the report is asked for; it stands in the address: `?place=hub.0190…&days=90`. */
export interface ReachSearch {
  place?: string
  days?: ReachLength
}

const PLACE = /^(site|hub|project)\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

/** Reads it from the address; what is broken is left out rather than refused. */
export function readReachSearch(search: Record<string, unknown>): ReachSearch {
  const { place, days } = search
  return given({
    place: typeof place === 'string' && PLACE.test(place) ? place : undefined,
    days: REACH_DAYS.find((length) => length === Number(days)),
  })
}

export const placeWord = ({ kind, id }: ReachPlace): string => `${kind}.${id}`

export function placeOfWord(word: string | undefined): ReachPlace | undefined {
  const [, kind, id] = PLACE.exec(word ?? '') ?? []
  return kind && id ? { kind: kind as ReachPlace['kind'], id } : undefined
}
