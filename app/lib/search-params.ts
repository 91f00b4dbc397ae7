/**
 * The query of an address as plain text, as forms send it: `?q=2027` is the word 2027, and a repeated name becomes a list. Routes parse
 * numbers in their own `validateSearch`.
 */
export function parseSearchParams(search: string): Record<string, string | string[]> {
  const read: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(search)) {
    const known = Object.hasOwn(read, name) ? read[name] : undefined
    read[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value]
  }
  return read
}

export function stringifySearchParams(search: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const single of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof single === 'string' || typeof single === 'number' || typeof single === 'boolean') query.append(name, String(single))
    }
  }
  return query.size ? `?${query}` : ''
}

/** Readers of single parameters for `validateSearch`: an invalid value counts as absent. No library, because every page loads them. */
export const readTextParam = (value: unknown, longest: number): string | undefined =>
  typeof value === 'string' && /\S/.test(value) && value.length <= longest ? value : undefined

export const readChoiceParam = <const Choice extends string>(value: unknown, choices: readonly Choice[]): Choice | undefined =>
  choices.find((choice) => choice === value)

export const readIntegerParam = (value: unknown, least: number, most: number): number | undefined => {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most ? number : undefined
}

/** Removes undefined values, which would otherwise make the router rewrite the address. */
export const omitUndefined = <Search extends object>(search: Search): { [Name in keyof Search]?: Exclude<Search[Name], undefined> } =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Search]?: Exclude<Search[Name], undefined>
  }

/** `validateSearch` of a list with paging only. */
export const readPage = (search: Record<string, unknown>): { page?: number } =>
  omitUndefined({ page: readIntegerParam(search['page'], 2, 100_000) })
