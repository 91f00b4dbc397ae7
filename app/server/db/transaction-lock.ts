import { sql } from 'drizzle-orm'
import type { Tx } from './client.ts'

/** Nobody else who names the same thing of the site goes past this line until the transaction is over: what is counted below it stays so. */
export const lockForTransaction = (tx: Tx, siteId: string, what: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${what} of ${siteId}`}, 0))`)
