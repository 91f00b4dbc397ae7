import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { toSlug } from '#app/lib/slug.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { cityDatasets } from '#app/server/db/schema/opencities.ts'
import { lockAreas } from './areas.server.ts'

const isFollowed = ({ site }: Ctx) => and(eq(cityDatasets.siteId, site.id), isNotNull(cityDatasets.boundaries))

/** The title of the dataset that the site's areas come from; null if they were uploaded or drawn. */
export async function findFollowedDataset(ctx: Ctx, tx: Tx): Promise<string | null> {
  const [found] = await tx.select({ title: cityDatasets.title }).from(cityDatasets).where(isFollowed(ctx))
  return found ? localiseText(found.title, ctx.contentLanguage, ctx.site.locale).text : null
}

/** @throws {AppError} `forbidden` */
export async function readFollowedDataset(ctx: Ctx): Promise<{ title: string | null }> {
  requirePermission(ctx, 'site.edit')
  return { title: await ctx.db.read((tx) => findFollowedDataset(ctx, tx)) }
}

/** From then on the areas change by hand only: no dataset replaces them. */
export async function stopFollowing(ctx: Ctx, tx: Tx): Promise<void> {
  await tx
    .update(cityDatasets)
    .set({ boundaries: null, lockVersion: sql`${cityDatasets.lockVersion} + 1` })
    .where(isFollowed(ctx))
  await tx
    .update(areas)
    .set({ datasetId: null })
    .where(and(eq(areas.siteId, ctx.site.id), isNotNull(areas.datasetId)))
}

/** Keeps the areas of a dataset as the site's own, to be changed by hand. @throws {AppError} `forbidden` */
export async function takeOverAreas(ctx: Ctx): Promise<void> {
  requirePermission(ctx, 'site.edit')
  await ctx.db.tx(async (tx) => {
    await lockAreas(ctx, tx)
    const dataset = await findFollowedDataset(ctx, tx)
    if (dataset === null) return
    await stopFollowing(ctx, tx)
    await recordAudit(ctx, tx, { action: 'areas.take-over', detail: { dataset } })
  })
}

/** For a new area's address: none of those that are taken. */
export function chooseSlug(name: string, taken: ReadonlySet<string>): string {
  const plain = toSlug(name) || 'area'
  let slug = plain
  for (let more = 2; taken.has(slug); more++) slug = `${plain}-${more}`
  return slug
}
