import { stringifySearchParams } from '#app/lib/search-params.ts'

/** Administration tables whose views can be saved. */
export const SAVED_TABLES = ['projects', 'people', 'responses', 'contributions'] as const
export type SavedTable = (typeof SAVED_TABLES)[number]

/** Per person and table. */
export const MAX_VIEWS = 30
export const MAX_VIEW_LENGTH = 2000

/** A table's search parameters for saving: all but the page number, in a fixed order, so that equal views are equal strings. */
export function formatViewQuery(search: object): string {
  const kept = Object.entries(search).filter(([name, value]) => name !== 'page' && value !== undefined && value !== '')
  return stringifySearchParams(Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)))).slice(1)
}
