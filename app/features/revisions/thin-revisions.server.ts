import { and, type AnyColumn, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Ctx } from '#app/server/context.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { RevisionHistory } from './revisions.server.ts'

const THIN_AFTER_MS = 864e5
const STEP_SECONDS = 600
const MAX_PER_TURN = 5000

/**
 * Thins out autosaves older than a day to the last of each ten minutes. Revisions that were published, have a note or are the current draft
 * stay. A remaining revision's parent becomes its nearest remaining ancestor.
 * @returns number of deleted revisions
 */
export function thinRevisions(runtime: Runtime, kinds: readonly RevisionHistory[]): Promise<number> {
  return runOnEachSite(runtime, async (ctx) => {
    let gone = 0
    for (const kind of kinds) gone += await thinSiteRevisions(ctx, kind)
    return gone
  })
}

function thinSiteRevisions(ctx: Ctx, kind: RevisionHistory): Promise<number> {
  const { table } = kind
  const before = new Date(ctx.now().getTime() - THIN_AFTER_MS)
  return ctx.db.tx(async (tx) => {
    const step = countSteps(table.createdAt)
    const ranked = tx
      .select({
        id: table.id,
        parentId: table.parentId,
        // Per place, person and ten minutes, newest first.
        place:
          sql<number>`row_number() over (partition by ${table.placeId}, ${table.createdBy}, ${step} order by ${table.createdAt} desc, ${table.id} desc)`.as(
            'place',
          ),
      })
      .from(table)
      .where(
        and(
          eq(table.siteId, ctx.site.id),
          sql`${table.createdAt} < ${before}`,
          isNull(table.publishedAt),
          eq(table.note, ''),
          sql`${table.id} not in ${selectDrafts(ctx, kind)}`,
        ),
      )
      .as('ranked')
    const doomed = await tx
      .select({ id: ranked.id, parentId: ranked.parentId })
      .from(ranked)
      .where(sql`${ranked.place} > 1`)
      .limit(MAX_PER_TURN)
    if (!doomed.length) return 0
    const parents = new Map(doomed.map(({ id, parentId }) => [id, parentId]))
    const children = await tx
      .select({ id: table.id, parentId: table.parentId })
      .from(table)
      .where(and(eq(table.siteId, ctx.site.id), inArray(table.parentId, [...parents.keys()])))
    for (const { id, parentId } of children) {
      if (parents.has(id)) continue
      let nearest = parentId
      while (nearest !== null && parents.has(nearest)) nearest = parents.get(nearest) ?? null
      await tx
        .update(table)
        .set({ parentId: nearest })
        .where(and(eq(table.siteId, ctx.site.id), eq(table.id, id)))
    }
    await tx.delete(table).where(and(eq(table.siteId, ctx.site.id), inArray(table.id, [...parents.keys()])))
    await kind.onThin?.(ctx, tx)
    return doomed.length
  })
}

/** Ids of the revisions that are current drafts. */
const selectDrafts = ({ site }: Ctx, { subject }: RevisionHistory): SQL =>
  subject === 'survey'
    ? sql`(select ${surveys.draftRevisionId} from ${surveys} where ${surveys.siteId} = ${site.id} and ${surveys.draftRevisionId} is not null)`
    : sql`(select ${revisionHeads.draftId} from ${revisionHeads} where ${revisionHeads.siteId} = ${site.id} and ${revisionHeads.draftId} is not null)`

/** Whether a revision stays when it is a day old: it was published, has a note, or is the last of its ten minutes. */
export function isKeptByThinning(table: RevisionHistory['table']): SQL {
  const later = alias(table, 'later')
  const isSameStep = and(
    eq(later.siteId, table.siteId),
    sql`${later.placeId} is not distinct from ${table.placeId}`,
    sql`${later.createdBy} is not distinct from ${table.createdBy}`,
    isNull(later.publishedAt),
    eq(later.note, ''),
    sql`(${later.createdAt}, ${later.id}) > (${table.createdAt}, ${table.id})`,
    sql`${countSteps(later.createdAt)} = ${countSteps(table.createdAt)}`,
    // For the index.
    sql`${later.createdAt} < ${table.createdAt} + ${STEP_SECONDS} * interval '1 second'`,
  )
  return sql`(${table.publishedAt} is not null or ${table.note} <> '' or not exists (select from ${table} "later" where ${isSameStep}))`
}

const countSteps = (time: AnyColumn): SQL => sql`floor(extract(epoch from ${time}) / ${STEP_SECONDS})`
