import { LRUCache } from 'lru-cache'
import type { Tx } from './client.ts'

/** For each connection; each takes some kilobytes. */
const MAX_PREPARED = 40

const preparedQueries = new WeakMap<Tx, LRUCache<string, object>>()

/**
 * A query whose SQL text is built once for each connection: for a busy list that takes as long as everything else this process does for it.
 * @param name names the query and all that its text depends on; every value that differs between requests has to be a placeholder
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
