import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'

/**
 * The ids of a contribution and of everything merged into it, directly or through another. Reactions never move: what a contribution
 * counts are the different people of all these rows, so that undoing a merge only has to count again.
 */
export const selectTree = (siteId: string, rootId: string): SQL => sql`(with recursive tree as (
    select ${rootId}::uuid as id
    union all select c.id from contributions c join tree on c.merged_into = tree.id where c.site_id = ${siteId}
  ) select id from tree)`

/** The same for several contributions: rows of `root` and `id`. */
export const selectTrees = (siteId: string, rootIds: readonly string[]): SQL => sql`(with recursive tree as (
    select id as root, id from unnest(${sql.param([...rootIds])}::uuid[]) as id
    union all select tree.root, c.id from contributions c join tree on c.merged_into = tree.id where c.site_id = ${siteId}
  ) select root, id from tree)`

/** What a contribution was merged into, in turn, the last one still standing. Empty if it was not merged. */
export async function loadMergedInto(
  tx: Tx,
  siteId: string,
  id: string,
): Promise<{ id: string; number: number; title: string; state: string }[]> {
  const { rows } = await tx.execute<{ id: string; number: number; title: string; state: string }>(sql`
    with recursive up as (
      select c.id, c.merged_into, c.number, c.title, c.state, 0 as step from contributions c where c.site_id = ${siteId} and c.id = ${id}
      union all select c.id, c.merged_into, c.number, c.title, c.state, up.step + 1
        from contributions c join up on c.id = up.merged_into where c.site_id = ${siteId}
    ) select id, number, title, state from up where step > 0 order by step`)
  return rows
}

/**
 * When a reaction was given or last changed. If a person reacted to several merged contributions, their latest reaction counts. The rows
 * themselves are kept, so that the merge can be undone.
 */
export const REACTED_AT = sql`coalesce(changed_at, created_at)`
