import { omitUndefined } from '#app/lib/search-params.ts'
import { REACH_DAYS, type ReachLength, type ReachPlace } from './reach.schema.ts'

/** The report's parameters, kept in the address: `?place=hub.0190…&days=90`. */
export interface ReachSearch {
  place?: string
  days?: ReachLength
}

const PLACE_PARAM = /^(site|hub|project)\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

/** Parses the address; invalid parameters are dropped rather than refused. */
export function readReachSearch(search: Record<string, unknown>): ReachSearch {
  const { place, days } = search
  return omitUndefined({
    place: typeof place === 'string' && PLACE_PARAM.test(place) ? place : undefined,
    days: REACH_DAYS.find((length) => length === Number(days)),
  })
}

export const formatPlaceParam = ({ kind, id }: ReachPlace): string => `${kind}.${id}`

export function parsePlaceParam(word: string | undefined): ReachPlace | undefined {
  const [, kind, id] = PLACE_PARAM.exec(word ?? '') ?? []
  return kind && id ? { kind: kind as ReachPlace['kind'], id } : undefined
}
