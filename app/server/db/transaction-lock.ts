import { sql } from 'drizzle-orm'
import type { Tx } from './client.ts'

/** Takes an advisory lock on this name within the site until the transaction ends, so that whatever is counted afterwards stays true. */
export const lockForTransaction = (tx: Tx, siteId: string, what: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${what} of ${siteId}`}, 0))`)
