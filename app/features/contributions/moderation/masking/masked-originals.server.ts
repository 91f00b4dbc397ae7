import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, replies } from '#app/server/db/schema/contributions.ts'
import { maskedOriginals } from '#app/server/db/schema/moderation.ts'
import type { PhotoView } from '../../record/photos.schema.ts'
import { loadRemovedPhotos } from '../../photos/removed-photos.server.ts'
import { selectPlacedContributions } from '../../record/loading.server.ts'
import { loadModerationSettings } from '../moderation-settings.server.ts'

export type OriginalRow = typeof maskedOriginals.$inferSelect

interface Subject {
  contributionId: string
  replyId: string | null
}

const isOriginalOf = (siteId: string, { contributionId, replyId }: Subject) =>
  and(
    eq(maskedOriginals.siteId, siteId),
    eq(maskedOriginals.contributionId, contributionId),
    replyId === null ? isNull(maskedOriginals.replyId) : eq(maskedOriginals.replyId, replyId),
  )

/** What a text said before passages were removed; undefined if none were. For its author, and for those who may see originals. */
export async function findOriginal(tx: Tx, siteId: string, subject: Subject): Promise<OriginalRow | undefined> {
  const [row] = await tx.select().from(maskedOriginals).where(isOriginalOf(siteId, subject))
  return row
}

export async function deleteOriginal(tx: Tx, siteId: string, subject: Subject): Promise<void> {
  await tx.delete(maskedOriginals).where(isOriginalOf(siteId, subject))
}

/** Originals go with the texts that their author or an administrator erases. */
export async function deleteContributionOriginals(tx: Tx, siteId: string, contributionIds: readonly string[]): Promise<void> {
  await tx
    .delete(maskedOriginals)
    .where(
      and(
        eq(maskedOriginals.siteId, siteId),
        inArray(maskedOriginals.contributionId, [...contributionIds]),
        isNull(maskedOriginals.replyId),
      ),
    )
}

/** Which of these contributions lack passages; undefined for a viewer who may not see originals. */
export async function findMasked(ctx: Ctx, tx: Tx, contributionIds: readonly string[]): Promise<Set<string> | undefined> {
  if (contributionIds.length === 0 || !checkPermission(ctx.viewer, 'contributions.see-original').ok) return undefined
  const rows = await tx
    .select({ id: maskedOriginals.contributionId })
    .from(maskedOriginals)
    .where(
      and(
        eq(maskedOriginals.siteId, ctx.site.id),
        inArray(maskedOriginals.contributionId, [...contributionIds]),
        isNull(maskedOriginals.replyId),
      ),
    )
  return new Set(rows.map(({ id }) => id))
}

/** Originals by the id of their contribution or reply. Each look is in the audit trail; nobody else learns that there is one. */
export function loadOriginals(ctx: Ctx, ids: readonly string[]): Promise<(OriginalRow & { keptUntil: Date; photos: PhotoView[] })[]> {
  if (!checkPermission(ctx.viewer, 'contributions.see-original').ok) return Promise.resolve([])
  return ctx.db.tx(async (tx) => {
    const isAsked = or(
      inArray(maskedOriginals.replyId, [...ids]),
      and(isNull(maskedOriginals.replyId), inArray(maskedOriginals.contributionId, [...ids])),
    )
    const found = await tx
      .select()
      .from(maskedOriginals)
      .where(and(eq(maskedOriginals.siteId, ctx.site.id), isAsked))
    for (const { contributionId, replyId } of found) {
      const [placed] = await selectPlacedContributions(tx).where(
        and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, contributionId)),
      )
      if (!placed) continue
      await recordAudit(ctx, tx, {
        action: replyId ? 'replies.see-original' : 'contributions.see-original',
        subject: replyId ? { type: 'replies', id: replyId } : { type: 'contributions', id: contributionId },
        hubId: placed.project.hubId,
        projectId: placed.project.id,
        detail: { number: placed.contribution.number },
      })
    }
    const { originalsKeptMonths } = await loadModerationSettings(tx, ctx.site.id)
    const photos = await loadRemovedPhotos(tx, ctx.site.id, ids)
    return found.map((row) => ({
      ...row,
      photos: (row.replyId === null && photos.get(row.contributionId)) || [],
      keptUntil: addMonths(row.maskedAt, originalsKeptMonths),
    }))
  })
}

function addMonths(to: Date, months: number): Date {
  const date = new Date(to)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date
}

/** What an account wrote and moderators removed, for its own data. */
export const readOwnOriginals = (tx: Tx, siteId: string, userId: string) =>
  tx
    .select({
      contributionId: maskedOriginals.contributionId,
      replyId: maskedOriginals.replyId,
      texts: maskedOriginals.texts,
      passages: maskedOriginals.passages,
      createdAt: maskedOriginals.createdAt,
    })
    .from(maskedOriginals)
    .innerJoin(contributions, and(eq(contributions.siteId, maskedOriginals.siteId), eq(contributions.id, maskedOriginals.contributionId)))
    .leftJoin(replies, and(eq(replies.siteId, maskedOriginals.siteId), eq(replies.id, maskedOriginals.replyId)))
    .where(
      and(
        eq(maskedOriginals.siteId, siteId),
        // A reply's author, not the author of what it replies to.
        sql`case when ${maskedOriginals.replyId} is null then ${contributions.authorId} else ${replies.authorId} end = ${userId}`,
      ),
    )
    .orderBy(asc(maskedOriginals.createdAt))
