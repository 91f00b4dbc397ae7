import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { areas, homeAreas } from '#app/server/db/schema/areas.ts'
import type { HomeArea } from './areas.schema.ts'
import { findAreaByPostcode, hasPostcodes, listAreas } from './areas.server.ts'

/** Where the viewer says they live; null if the site has no areas to choose from. */
export function readHomeArea(ctx: Ctx): Promise<HomeArea | null> {
  const userId = findOwnId(ctx)
  if (!userId) return Promise.resolve(null)
  return ctx.db.read(async (tx) => {
    const [own] = await selectOwnArea(ctx, tx, userId)
    const all = await listAreas(ctx, tx, own ? [own.area] : [])
    if (all.length === 0) return null
    return { areas: all, chosen: own?.area ?? null, forNews: Boolean(own?.forNews), byPostcode: await hasPostcodes(ctx, tx) }
  })
}

const selectOwnArea = (ctx: Ctx, tx: Tx, userId: string) =>
  tx
    .select({ area: homeAreas.areaId, forNews: homeAreas.newsConsentedAt })
    .from(homeAreas)
    .where(and(eq(homeAreas.siteId, ctx.site.id), eq(homeAreas.userId, userId)))

/**
 * Stores where the viewer lives, for as long as they consent.
 * @param input.area null deletes it
 * @param input.postcode if given, determines the area; it is not stored
 * @param input.forNews whether newsletters and text messages may be chosen by it too: a separate consent
 * @throws {AppError} `forbidden`; `invalid` for an unknown area or postcode, or without consent
 */
export async function setHomeArea(
  ctx: Ctx,
  input: { area: string | null; postcode?: string; consent: boolean; forNews?: boolean },
): Promise<void> {
  const userId = findOwnId(ctx)
  if (!userId) throw new AppError('forbidden')
  if (input.area !== null && !input.consent) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/consent' }] })
  const siteId = ctx.site.id
  await ctx.db.tx(async (tx) => {
    if (input.area === null) await tx.delete(homeAreas).where(and(eq(homeAreas.siteId, siteId), eq(homeAreas.userId, userId)))
    else {
      const areaId = input.postcode ? await findAreaByPostcode(ctx, tx, input.postcode) : input.area
      if (areaId === undefined) throw new AppError('invalid', { faults: [{ code: 'postcode-unknown', pointer: '/postcode' }] })
      const own = (await selectOwnArea(ctx, tx, userId)).map(({ area }) => area)
      if (!(await listAreas(ctx, tx, own)).some(({ id }) => id === areaId))
        throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/area' }] })
      const said = { areaId, consentedAt: ctx.now(), newsConsentedAt: input.forNews ? ctx.now() : null }
      await tx
        .insert(homeAreas)
        .values({ siteId, userId, ...said })
        .onConflictDoUpdate({ target: [homeAreas.siteId, homeAreas.userId], set: said })
    }
    const action = input.area === null ? 'users.forget-area' : 'users.say-area'
    await recordAudit(ctx, tx, { action, subject: { type: 'users', id: userId } })
  })
}

/** A person's area for the export of their data. */
export const readOwnHomeArea = (tx: Tx, siteId: string, userId: string) =>
  tx
    .select({ area: areas.name, consentedAt: homeAreas.consentedAt, newsConsentedAt: homeAreas.newsConsentedAt })
    .from(homeAreas)
    .innerJoin(areas, and(eq(areas.siteId, homeAreas.siteId), eq(areas.id, homeAreas.areaId)))
    .where(and(eq(homeAreas.siteId, siteId), eq(homeAreas.userId, userId)))
