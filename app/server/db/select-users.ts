import { and, eq, sql } from 'drizzle-orm'
import type { SelectedFields } from 'drizzle-orm/pg-core'
import type { Tx } from './client.ts'
import { users } from './schema/accounts.ts'

/**
 * Selects columns of a site's users with these ids, each looked up by the primary key. With a condition on the ids, PostgreSQL may read the
 * site's whole part of an index that ends with the id instead: plans for any site expect it to be of average size.
 */
export function selectUsers<Columns extends SelectedFields>(tx: Tx, siteId: string, ids: readonly string[], columns: Columns) {
  const user = tx
    .select()
    .from(users)
    .where(and(eq(users.siteId, siteId), eq(users.id, sql`wanted.id`)))
    .limit(1)
    .as('users')
  return tx
    .select(columns)
    .from(sql`unnest(${sql.param(ids)}::uuid[]) as wanted (id)`)
    .crossJoinLateral(user)
}
