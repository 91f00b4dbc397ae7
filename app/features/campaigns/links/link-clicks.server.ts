import { and, asc, count, desc, eq, inArray, max, sql, sum } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { linkClicks, messageLinks } from '#app/server/db/schema/mail.ts'
import { loadCampaignsById } from '../campaigns.server.ts'

/** A link of a campaign's messages. */
export interface CountedLink {
  id: string
  url: string
  language: ContentLanguage
  clicks: number
  lastDay: string | null
}

/** Links of a campaign, those opened most first. @throws {AppError} `not-found` if the viewer may not draft the campaign */
export async function listCountedLinks(
  ctx: Ctx,
  { campaign, offset, limit }: { campaign: string; offset: number; limit: number },
): Promise<{ rows: CountedLink[]; total: number }> {
  const found = await Promise.all([loadCampaignsById(ctx, 'sms', [campaign]), loadCampaignsById(ctx, 'email', [campaign])])
  if (found.flat().length === 0) throw new AppError('not-found')
  const own = and(eq(messageLinks.siteId, ctx.site.id), eq(messageLinks.campaignId, campaign))
  const clicks = sql<number>`coalesce(${sum(linkClicks.clicks)}, 0)::int`
  return ctx.db.read(async (tx) => {
    const rows = await tx
      .select({ id: messageLinks.id, url: messageLinks.url, language: messageLinks.language, clicks, lastDay: max(linkClicks.day) })
      .from(messageLinks)
      .leftJoin(linkClicks, and(eq(linkClicks.siteId, messageLinks.siteId), eq(linkClicks.linkId, messageLinks.id)))
      .where(own)
      .groupBy(messageLinks.siteId, messageLinks.id)
      .orderBy(desc(clicks), asc(messageLinks.url), asc(messageLinks.id))
      .limit(limit)
      .offset(offset)
    const [counted] = await tx.select({ total: count() }).from(messageLinks).where(own)
    return { rows, total: counted?.total ?? 0 }
  })
}

/** How often the links of each campaign were opened, until now. */
export async function countClicks(ctx: Ctx, tx: Tx, campaignIds: readonly string[]): Promise<Map<string, number>> {
  if (campaignIds.length === 0) return new Map()
  const rows = await tx
    .select({ id: messageLinks.campaignId, clicks: sql<number>`${sum(linkClicks.clicks)}::int` })
    .from(messageLinks)
    .innerJoin(linkClicks, and(eq(linkClicks.siteId, messageLinks.siteId), eq(linkClicks.linkId, messageLinks.id)))
    .where(and(eq(messageLinks.siteId, ctx.site.id), inArray(messageLinks.campaignId, [...campaignIds])))
    .groupBy(messageLinks.campaignId)
  return new Map(rows.map(({ id, clicks }) => [id, clicks]))
}
