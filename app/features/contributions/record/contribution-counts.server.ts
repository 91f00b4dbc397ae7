import { type SQL, sql } from 'drizzle-orm'
import { NIL } from 'uuid'
import { isId } from '#app/lib/uuid.ts'
import type { SiteDb, Tx } from '#app/server/db/client.ts'
import { contributions, replies } from '#app/server/db/schema/contributions.ts'
import { REACTED_AT, selectTrees } from './merge-trees.server.ts'

const COMPARED_AT_ONCE = 500

/** What public figures count of reactions, of which each person has one. The one place that says which reactions count. */
export const REACTION_COUNTS = {
  supports: sql`count(*) filter (where counted and value <> 'disagree')::int`,
  disagrees: sql`count(*) filter (where counted and value = 'disagree')::int`,
}

/**
 * Locks contributions, and what they were merged into, in the order of their ids. Whoever changes what is counted of a contribution, or
 * what it was merged into, locks it first: a count that is read before the lock misses what others store meanwhile.
 * @returns the ids of all that is locked
 */
export async function lockContributions(tx: Tx, siteId: string, ids: readonly string[]): Promise<string[]> {
  const known = ids.filter(isId)
  let locked: string[] = []
  while (known.length > 0) {
    const { rows } = await tx.execute<{ id: string }>(sql`
      select id from ${contributions} where site_id = ${siteId} and id in (
        with recursive above as (
          select c.id, c.merged_into from contributions c where c.site_id = ${siteId} and c.id = any (${sql.param(known)}::uuid[])
          union select c.id, c.merged_into from contributions c join above on c.id = above.merged_into where c.site_id = ${siteId}
        ) select id from above
      ) order by id for no key update`)
    const before = new Set(locked)
    locked = rows.map(({ id }) => id)
    // What was merged while this waited is locked too.
    if (locked.every((id) => before.has(id))) break
  }
  return locked
}

/** For each of the given ids, what is stored. If a person reacted to several merged contributions, their last reaction counts. */
const selectCounts = (siteId: string, ids: readonly string[]): SQL => sql`(
  select given.id, coalesce(reacted.supports, 0) as supports, coalesce(reacted.disagrees, 0) as disagrees,
    (select count(*)::int from ${replies} said where said.site_id = ${siteId} and said.contribution_id = given.id and said.state = 'published')
      as replies_count
  from unnest(${sql.param([...ids])}::uuid[]) given(id) left join (
    select root, ${REACTION_COUNTS.supports} as supports, ${REACTION_COUNTS.disagrees} as disagrees from (
      select distinct on (tree.root, person_hash) tree.root, r.*
      from ${selectTrees(siteId, ids)} tree join reactions r on r.site_id = ${siteId} and r.contribution_id = tree.id and r.counted
      order by tree.root, person_hash, ${REACTED_AT} desc, r.id desc
    ) last group by root
  ) reacted on reacted.root = given.id
)`

const isDifferent = sql`(c.supports, c.disagrees, c.replies_count) is distinct from (counted.supports, counted.disagrees, counted.replies_count)`

/**
 * Counts anew what is stored of contributions, and of what they were merged into: the people who support them, or disagree, and public
 * replies. The only function that writes these counts, except for new reactions, which are added under the same lock.
 */
export async function recountContributions(tx: Tx, siteId: string, ids: readonly string[]): Promise<void> {
  const locked = await lockContributions(tx, siteId, ids)
  if (locked.length === 0) return
  // A statement of its own: its snapshot is taken after the lock.
  await tx.execute(sql`
    update contributions c set supports = counted.supports, disagrees = counted.disagrees, replies_count = counted.replies_count
    from ${selectCounts(siteId, locked)} counted where c.site_id = ${siteId} and c.id = counted.id and ${isDifferent}`)
}

/** A contribution whose stored counts were not those of its reactions and replies. */
interface WrongCounts {
  id: string
  number: number
  /** Supporters, people who disagree and replies: as they were stored, and as they are. */
  stored: [number, number, number]
  counted: [number, number, number]
}

/** Compares the counts of all contributions of a site with what is stored, and recounts those that differ. */
export async function correctContributionCounts(db: SiteDb): Promise<WrongCounts[]> {
  const { siteId } = db
  const wrong: WrongCounts[] = []
  for (let last: string = NIL; ;) {
    const after = last
    const { ids, found } = await db.read(async (tx) => {
      const { rows } = await tx.execute<{ id: string }>(
        sql`select id from ${contributions} where site_id = ${siteId} and id > ${after} order by id limit ${COMPARED_AT_ONCE}`,
      )
      const part = rows.map(({ id }) => id)
      const differing = await tx.execute<{ id: string; number: number; stored: number[]; counted: number[] }>(sql`
        select c.id, c.number, array[c.supports, c.disagrees, c.replies_count] as stored,
          array[counted.supports, counted.disagrees, counted.replies_count] as counted
        from contributions c join ${selectCounts(siteId, part)} counted on c.id = counted.id where c.site_id = ${siteId} and ${isDifferent}`)
      return { ids: part, found: differing.rows as WrongCounts[] }
    })
    if (ids.length === 0) return wrong
    wrong.push(...found)
    await db.tx((tx) =>
      recountContributions(
        tx,
        siteId,
        found.map(({ id }) => id),
      ),
    )
    last = ids.at(-1) ?? after
  }
}
