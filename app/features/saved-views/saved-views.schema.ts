import { stringifySearchParams } from '#app/lib/search-params.ts'

/** Tables of the administration whose views can be saved. */
export const SAVED_TABLES = ['projects', 'people', 'responses'] as const
export type SavedTable = (typeof SAVED_TABLES)[number]

/** As many as one person keeps of one table. */
export const MAX_VIEWS = 30
export const MAX_VIEW_LENGTH = 2000

/** What is saved of a table's address: everything but the page one is on, in one order, so that equal views are equal texts. */
export function formatViewQuery(search: object): string {
  const kept = Object.entries(search).filter(([name, value]) => name !== 'page' && value !== undefined && value !== '')
  return stringifySearchParams(Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)))).slice(1)
}
