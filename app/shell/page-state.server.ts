import { and, desc, eq, isNotNull, isNull, lte } from 'drizzle-orm'
import { readAppearance } from '#app/features/appearance/appearance.schema.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { Ctx } from '#app/server/context.ts'
import { readSiteWide } from '#app/server/public-reads.ts'
import { homepageRevisions } from '#app/server/db/schema/homepage.ts'
import { readThemeColors, readThemeScheme, buildThemeStyle } from '#app/ui/theme.ts'
import { orderLanguages } from './language.ts'
import type { CurrentSite, CurrentUser, SiteSettings } from './page-state.schema.ts'

const MAX_REVISIONS = 100

export function readCurrentUser({ viewer, sharedRendering }: Ctx): CurrentUser | null {
  if (viewer.kind === 'visitor') return null
  const { roleName, type } = viewer
  if (sharedRendering) {
    const { id, email, login, lastSeenAt } = sharedRendering.placeholders
    return { id, email, login, roleName, type, lastSeenAt }
  }
  const { id, email, login, lastSeenAt } = viewer
  return { id, email, login, roleName, type, lastSeenAt: lastSeenAt?.toISOString() ?? null }
}

export const readCurrentSite = (ctx: Ctx): Promise<CurrentSite> => readSiteWide(ctx, ['current-site'], loadCurrentSite)

function loadCurrentSite(ctx: Ctx): Promise<CurrentSite> {
  const { id, name, region, locale } = ctx.site
  return ctx.db.read(async (tx) => {
    const published = await tx
      .select({ id: homepageRevisions.id, publishedAt: homepageRevisions.publishedAt })
      .from(homepageRevisions)
      .where(
        and(
          eq(homepageRevisions.siteId, id),
          isNull(homepageRevisions.placeId),
          isNotNull(homepageRevisions.publishedAt),
          lte(homepageRevisions.publishedAt, ctx.now()),
        ),
      )
      .orderBy(desc(homepageRevisions.publishedAt))
      .limit(MAX_REVISIONS)
    const publishedHomePageRevisions = published.flatMap((row) =>
      row.publishedAt ? [{ id: row.id, publishedAt: row.publishedAt.toISOString() }] : [],
    )
    return { id, name, region, locale, publishedHomePageRevisions }
  })
}

export function readSiteSettings({ site }: Ctx): SiteSettings {
  const { timeZone, tagline, contactEmail, theme, consentRequired } = site
  const languages = orderLanguages(site.languages)
  const contentLanguages = [...languages, ...site.addedLanguages]
  return {
    languages,
    contentLanguages,
    languageNames: Object.fromEntries(contentLanguages.map((language) => [language, getLanguageName(language)])),
    timeZone,
    tagline,
    contactEmail,
    themeStyle: buildThemeStyle(theme),
    themeColors: readThemeColors(theme),
    themeScheme: readThemeScheme(theme) ?? null,
    favicon: readAppearance(theme).favicon,
    consentRequired,
  }
}
