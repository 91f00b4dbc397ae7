import { AsyncLocalStorage } from 'node:async_hooks'
import { LRUCache } from 'lru-cache'
import { CONTENT_TABLES, type ContentScope } from './content-tables.ts'

/** Names of what was read: a table, or `table:id` for the rows of a table that belong to something. */
export type ContentNames = ReadonlySet<string>

/** To which projects, activities and so on everything belongs that a piece of work reads. */
export type ContentScopes = Partial<Record<ContentScope, string | readonly string[]>>

/** Finest first. */
const SCOPES: readonly ContentScope[] = ['contribution', 'survey', 'activity', 'project']
/** Distinct statements whose tables are remembered. */
const MAX_STATEMENTS = 2000

const currentNames = new AsyncLocalStorage<Set<string> | undefined>()
const tablesOfStatement = new LRUCache<string, readonly string[]>({ max: MAX_STATEMENTS })

/** Every word that is a table's name, in whatever role: too many only end a page too early. */
function findTables(text: string): readonly string[] {
  const known = tablesOfStatement.get(text)
  if (known) return known
  const tables = [...new Set(text.match(/[a-z_]+/g))].filter((word) => Object.hasOwn(CONTENT_TABLES, word))
  tablesOfStatement.set(text, tables)
  return tables
}

/** Notes the tables of a statement for the work that sends it, if that is tracked. */
export function noteStatement(text: string): void {
  const names = currentNames.getStore()
  if (names) for (const table of findTables(text)) names.add(table)
}

/** Notes what a shared value was read from, for the work that uses it. */
export function noteNames(read: ContentNames): void {
  const names = currentNames.getStore()
  if (names) for (const name of read) names.add(name)
}

/** Runs `work` and records the tables that its statements name. Reads are not declared by hand, so none can be forgotten. */
export async function trackReads<T>(work: () => Promise<T>): Promise<{ value: T; names: ContentNames }> {
  const names = new Set<string>()
  const value = await currentNames.run(names, work)
  return { value, names }
}

/** Runs `work` without noting what it reads: what is one person's, and read again for each reader of a page. */
export const readUntracked = <T>(work: () => Promise<T>): Promise<T> => currentNames.run(undefined, work)

/**
 * Runs `work`, all of whose rows belong to `scopes`: it is then outdated only by changes to these. A table that knows none of the given scopes
 * counts whole.
 * @param scopes may depend on what was read
 */
export async function readWithin<T>(scopes: ContentScopes | ((value: T) => ContentScopes), work: () => Promise<T>): Promise<T> {
  if (!currentNames.getStore()) return work()
  const { value, names } = await trackReads(work)
  noteNames(narrowNames(names, typeof scopes === 'function' ? scopes(value) : scopes))
  return value
}

function narrowNames(names: ContentNames, scopes: ContentScopes): ContentNames {
  const narrowed = new Set<string>()
  for (const name of names) {
    const ofTable = CONTENT_TABLES[name]
    const scope = ofTable && SCOPES.find((kind) => ofTable[kind] && scopes[kind])
    for (const id of scope ? [scopes[scope] ?? []].flat() : ['']) narrowed.add(id ? `${name}:${id}` : name)
  }
  return narrowed
}
