import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'

export type ConnectionTx = NodePgDatabase

const bound = new WeakMap<pg.PoolClient, ConnectionTx>()

/** Drizzle on one connection. */
export function bindTo(client: pg.PoolClient): ConnectionTx {
  const known = bound.get(client)
  if (known) return known
  const made = drizzle(client)
  bound.set(client, made)
  return made
}
