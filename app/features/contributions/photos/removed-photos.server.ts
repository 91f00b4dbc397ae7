import { and, asc, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributionPhotos } from '#app/server/db/schema/contributions.ts'
import type { PhotoView } from '../record/photos.schema.ts'

/** A photo that a moderator removed, and that is still kept. */
const isRemoved = (siteId: string, contributionId: string) =>
  and(
    eq(contributionPhotos.siteId, siteId),
    eq(contributionPhotos.heldBy, contributionId),
    isNotNull(contributionPhotos.removedAt),
    isNull(contributionPhotos.goneAt),
  )

/**
 * Removes photos of a contribution. Their files stay for those who may see originals.
 * @param rule the code of the rule that they break
 * @returns what they showed, in their order
 * @throws {AppError} `invalid` for one that the contribution does not show
 */
export async function removePhotos(ctx: Ctx, tx: Tx, contributionId: string, ids: readonly string[], rule: string): Promise<string[]> {
  if (ids.length === 0) return []
  const shown = await tx
    .select({ id: contributionPhotos.id, alt: contributionPhotos.alt })
    .from(contributionPhotos)
    .where(
      and(
        eq(contributionPhotos.siteId, ctx.site.id),
        eq(contributionPhotos.heldBy, contributionId),
        isNotNull(contributionPhotos.sentAt),
        isNull(contributionPhotos.goneAt),
        isNull(contributionPhotos.removedAt),
      ),
    )
    .orderBy(asc(contributionPhotos.position))
    .for('update')
  const faults = ids.flatMap((id, at): Fault[] =>
    shown.some((photo) => photo.id === id) ? [] : [{ code: 'not-a-choice', pointer: `/photos/${at}` }],
  )
  if (faults.length > 0) throw new AppError('invalid', { faults })
  await tx
    .update(contributionPhotos)
    .set({ removedAt: ctx.now(), removedAs: rule })
    .where(and(eq(contributionPhotos.siteId, ctx.site.id), inArray(contributionPhotos.id, [...ids])))
  return shown.filter(({ id }) => ids.includes(id)).map(({ alt }) => alt)
}

/** Shows the photos of a contribution again that were removed. */
export async function putPhotosBack(tx: Tx, siteId: string, contributionId: string): Promise<void> {
  await tx.update(contributionPhotos).set({ removedAt: null, removedAs: null }).where(isRemoved(siteId, contributionId))
}

/** From now on nobody sees them. Their files go with the next sweep. */
export async function releaseRemovedPhotos(tx: Tx, siteId: string, contributionId: string, now: Date): Promise<void> {
  await tx.update(contributionPhotos).set({ goneAt: now, alt: '' }).where(isRemoved(siteId, contributionId))
}

/** Removed photos that are still kept, by contribution. For their author in words, and for those who may see originals. */
export async function loadRemovedPhotos(tx: Tx, siteId: string, contributionIds: readonly string[]): Promise<Map<string, PhotoView[]>> {
  if (contributionIds.length === 0) return new Map()
  const { heldBy, id, alt, width, height } = contributionPhotos
  const rows = await tx
    .select({ heldBy, id, alt, width, height })
    .from(contributionPhotos)
    .where(
      and(
        eq(contributionPhotos.siteId, siteId),
        inArray(heldBy, [...contributionIds]),
        isNotNull(contributionPhotos.removedAt),
        isNull(contributionPhotos.goneAt),
      ),
    )
    .orderBy(asc(contributionPhotos.position))
  return Map.groupBy(rows, (row) => row.heldBy)
}
