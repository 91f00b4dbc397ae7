import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, reactions } from '#app/server/db/schema/contributions.ts'
import { REACTION_COUNTS, recountContributions } from '../record/contribution-counts.server.ts'
import { REACTED_AT, selectTree } from '../record/merge-trees.server.ts'
import { hashParticipant } from '#app/features/participation/person-hash.server.ts'

export type ReactionRow = typeof reactions.$inferSelect

/**
 * Inserts reactions in one statement and updates the counts of their contributions. Stored pages are not invalidated: at a thousand
 * reactions a second, none would last. They expire within a minute, and the person who reacted gets a fresh page.
 * @returns those that are new
 */
export async function insertReactions(tx: Tx, siteId: string, rows: ReadonlySet<ReactionRow>): Promise<Set<ReactionRow>> {
  if (rows.size === 0) return new Set()
  const given = Array.from(rows, (row) => ({
    id: row.id,
    contribution_id: row.contributionId,
    person_hash: row.personHash.toString('hex'),
    by_account: row.byAccount,
    value: row.value,
    tell_user_id: row.tellUserId,
    created_at: row.createdAt,
    crowd_id: row.crowdId,
    counted: row.counted,
  }))
  const { rows: inserted } = await tx.execute<{ id: string; person: string }>(sql`
    with inserted as (
      insert into ${reactions} (site_id, id, contribution_id, person_hash, by_account, value, tell_user_id, created_at, crowd_id, counted)
      select ${siteId}::uuid, id, contribution_id, decode(person_hash, 'hex'), by_account, value, tell_user_id, created_at, crowd_id, counted
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) given(
        id uuid, contribution_id uuid, person_hash text, by_account boolean, value text, tell_user_id uuid, created_at timestamptz,
        crowd_id uuid, counted boolean)
      on conflict do nothing returning id, contribution_id, value, counted, encode(person_hash, 'hex') as person
    ), counted as (
      update ${contributions} set supports = supports + fresh.for_it, disagrees = disagrees + fresh.against_it
      from (
        select contribution_id, ${REACTION_COUNTS.supports} as for_it, ${REACTION_COUNTS.disagrees} as against_it
        from inserted group by contribution_id
      ) fresh
      where ${contributions.siteId} = ${siteId} and ${contributions.id} = fresh.contribution_id
    ) select id, person from inserted`)
  const people = new Map(inserted.map(({ id, person }) => [id, person]))
  return new Set([...rows].filter(({ id, personHash }) => people.get(id) === personHash.toString('hex')))
}

/**
 * Stores what people say now of contributions that they had another opinion of. What they said of one that was merged since stays as it is,
 * for when the merge is undone.
 * @param changes by what each person said before
 * @returns what stands instead
 */
export async function changeReactions(
  tx: Tx,
  siteId: string,
  changes: ReadonlyMap<ReactionRow, { row: ReactionRow }>,
): Promise<Map<ReactionRow, ReactionRow>> {
  const given = [...changes].filter(([before, { row }]) => before.value !== row.value)
  if (given.length === 0) return new Map()
  const stored = await tx
    .insert(reactions)
    .values(
      given.map(([before, { row }]) => ({
        ...before,
        id: createId(),
        contributionId: row.contributionId,
        value: row.value,
        createdAt: row.createdAt,
        changedAt: row.createdAt,
      })),
    )
    .onConflictDoUpdate({
      target: [reactions.siteId, reactions.contributionId, reactions.personHash],
      set: { value: sql`excluded.value`, changedAt: sql`excluded.changed_at` },
    })
    .returning()
  await recountContributions(
    tx,
    siteId,
    stored.map(({ contributionId }) => contributionId),
  )
  const findStored = (before: ReactionRow, { row }: { row: ReactionRow }) =>
    stored.find(({ contributionId, personHash }) => contributionId === row.contributionId && personHash.equals(before.personHash))
  return new Map(given.map(([before, change]) => [before, findStored(before, change) ?? before]))
}

/** What a person said goes from the contribution and from all that was merged into it: they were told it is one. */
export async function deleteReactions(ctx: Ctx, tx: Tx, id: string, hashes: readonly Buffer[]): Promise<void> {
  const gone = await tx
    .delete(reactions)
    .where(
      and(
        eq(reactions.siteId, ctx.site.id),
        inArray(reactions.personHash, [...hashes]),
        sql`${reactions.contributionId} in ${selectTree(ctx.site.id, id)}`,
      ),
    )
    .returning({ contributionId: reactions.contributionId })
  await recountContributions(
    tx,
    ctx.site.id,
    gone.map(({ contributionId }) => contributionId),
  )
}

/** What a person said last of a contribution, or of one that was merged into it. */
export async function findOwnReaction(
  ctx: Ctx,
  tx: Tx,
  contributionId: string,
  hashes: readonly Buffer[],
): Promise<Pick<ReactionRow, 'value' | 'counted'> | null> {
  if (hashes.length === 0) return null
  const [row] = await tx
    .select({ value: reactions.value, counted: reactions.counted })
    .from(reactions)
    .where(
      and(
        eq(reactions.siteId, ctx.site.id),
        inArray(reactions.personHash, [...hashes]),
        sql`${reactions.contributionId} in ${selectTree(ctx.site.id, contributionId)}`,
      ),
    )
    .orderBy(desc(REACTED_AT), desc(reactions.id))
    .limit(1)
  return row ?? null
}

/** Reactions by id: those of a browser for anyone who knows the id, those of an account for that account. */
export function loadReactions(ctx: Ctx, ids: readonly string[]): Promise<ReactionRow[]> {
  return ctx.db.read(async (tx) => {
    const rows = await tx
      .select({ reaction: reactions, activityId: contributions.activityId })
      .from(reactions)
      .innerJoin(contributions, and(eq(contributions.siteId, reactions.siteId), eq(contributions.id, reactions.contributionId)))
      .where(and(eq(reactions.siteId, ctx.site.id), inArray(reactions.id, [...ids])))
    const isOwn = ({ reaction, activityId }: (typeof rows)[number]) =>
      !reaction.byAccount || Boolean(hashParticipant(ctx, activityId, undefined).own?.equals(reaction.personHash))
    return rows.filter(isOwn).map(({ reaction }) => reaction)
  })
}
