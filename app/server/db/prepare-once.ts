import { LRUCache } from 'lru-cache'
import type { Tx } from './client.ts'

/** For each connection; each takes some kilobytes. */
const MAX_PREPARED = 40

const preparedQueries = new WeakMap<Tx, LRUCache<string, object>>()

/**
 * Builds the SQL text of a query once for each connection. For a busy list, building it takes as long as the rest of the request in this process.
 * @param name identifies the query and everything its text depends on; values that differ between requests must be placeholders
 */
export function prepareOnce<Prepared extends object>(tx: Tx, name: string, build: () => Prepared): Prepared {
  let prepared = preparedQueries.get(tx)
  if (!prepared) preparedQueries.set(tx, (prepared = new LRUCache({ max: MAX_PREPARED })))
  const known = prepared.get(name)
  if (known) return known as Prepared
  const built = build()
  prepared.set(name, built)
  return built
}
