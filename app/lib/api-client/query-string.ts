/** The query of a request; `resource-types.ts` defines what each resource accepts. */
export interface QueryOptions {
  filter?: Readonly<Record<string, unknown>>
  sort?: string | readonly string[]
  include?: readonly string[]
  fields?: Readonly<Record<string, readonly string[] | undefined>>
  page?: { number?: number; size?: number }
}

/** `?filter[status]=published&sort=-publishedAt`, or ''. Undefined values are left out. */
export function toQueryString({ filter = {}, sort, include, fields = {}, page = {} }: QueryOptions): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) query.set(`filter[${name}]`, [value].flat().map(String).join(','))
  }
  if (sort !== undefined) query.set('sort', [sort].flat().join(','))
  if (include !== undefined) query.set('include', include.join(','))
  for (const [type, names] of Object.entries(fields)) if (names) query.set(`fields[${type}]`, names.join(','))
  for (const [name, value] of Object.entries(page)) if (value !== undefined) query.set(`page[${name}]`, String(value))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
