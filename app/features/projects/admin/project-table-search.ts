import * as v from 'valibot'
import { PROJECT_TABLE_SORTS, type ProjectTableSearch } from '../projects.queries.ts'
import { PROJECT_STATUSES } from '../projects.schema.ts'

const SORTS = [...PROJECT_TABLE_SORTS, ...PROJECT_TABLE_SORTS.map((name) => `-${name}` as const)]

const entries = {
  q: v.pipe(v.string(), v.regex(/\S/), v.maxLength(200)),
  status: v.picklist(PROJECT_STATUSES),
  hub: v.pipe(v.string(), v.uuid()),
  sort: v.picklist(SORTS),
  page: v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(10_000)),
}

/** Reads the table's state from the address; what is broken is left out rather than refused. */
export function readProjectTableSearch(given: Record<string, unknown>): ProjectTableSearch {
  const read: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(entries)) {
    const parsed = v.safeParse(schema, given[name])
    if (parsed.success) read[name] = parsed.output
  }
  return read
}
