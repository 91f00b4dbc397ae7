import { and, asc, eq, isNotNull, lte } from 'drizzle-orm'
import { toSiteLook } from '#app/features/appearance/site-look.schema.ts'
import { hasOpenData } from '#app/features/opencities/published-datasets.server.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { readPublic } from '#app/server/public-reads.ts'
import { orderLanguages } from '#app/shell/language.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import type { SiteFrame } from './sites.schema.ts'

/** The frame around every page: the site's name, languages, pages and region. */
export const getSiteFrame = (ctx: Ctx): Promise<SiteFrame> => readPublic(ctx, ['site-frame'], loadSiteFrame)

async function loadSiteFrame(ctx: Ctx): Promise<SiteFrame> {
  const { site, contentLanguage: language } = ctx
  const { rows, data } = await ctx.db.read(async (tx) => ({
    data: await hasOpenData(ctx, tx),
    rows: await tx
      .select({ slug: pages.slug, title: pages.title, kind: pages.kind })
      .from(pages)
      .where(and(eq(pages.siteId, site.id), isNotNull(pages.publishedAt), lte(pages.publishedAt, ctx.now())))
      .orderBy(asc(pages.position), asc(pages.slug))
      .limit(30),
  }))
  return {
    name: site.name,
    tagline: localiseText(site.tagline, language, site.locale),
    language,
    locale: site.locale,
    languages: [...orderLanguages(site.languages), ...site.addedLanguages],
    contactEmail: site.contactEmail,
    region: site.region,
    origin: buildSiteUrl(ctx, ''),
    look: toSiteLook(site.theme, language, site.locale),
    data,
    pages: rows.map((row) => ({ slug: row.slug, title: localiseText(row.title, language, site.locale), legal: row.kind === 'legal' })),
  }
}
