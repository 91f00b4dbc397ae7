import { readChoiceParam } from './search-params.ts'

// Only lists of the administration read these, so they are not in `search-params.ts`, which every page loads.

export const readIdParam = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? value : undefined

/** The column a list is sorted by, with `-` in front for descending. */
export const readSortParam = <const Name extends string>(value: unknown, names: readonly Name[]): Name | `-${Name}` | undefined =>
  readChoiceParam(value, [...names, ...names.map((name) => `-${name}` as const)])

/** Comma-separated names, such as those of columns: `email,about.age-band`. */
export const readNamesParam = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w.,-]{1,500}$/.test(value) ? value : undefined

export type SearchChanges<Search> = { [Name in keyof Search]?: Search[Name] | undefined }

/** Drops what a list need not keep in its address: unset values, empty texts and the first page. */
export const omitUnset = <Search extends object>(search: SearchChanges<Search>): Search =>
  Object.fromEntries(
    Object.entries(search).filter(([name, value]) => value !== undefined && value !== '' && !(name === 'page' && value === 1)),
  ) as Search
