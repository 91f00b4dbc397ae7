import { and, desc, eq, isNotNull, lte, ne } from 'drizzle-orm'
import { loadPublishedDatasetRows } from '#app/features/opencities/published-datasets.server.ts'
import { listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { escapeXml } from '#app/lib/escape-html.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { activities, contributions, isPublished } from '#app/server/db/schema/contributions.ts'
import { events } from '#app/server/db/schema/events.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { orderLanguages } from '#app/shell/language.ts'
import { toLocalisedPath } from './localised-path.ts'

/** A sitemap may list so many; each language of a page counts as one. */
const MAX_ADDRESSES = 50_000
const MAX_PATHS = 15_000

interface SitemapEntry {
  path: string
  changedAt?: Date | null
}

/** Every public page in each of the site's languages, with links to its other languages. */
export async function buildSitemap(ctx: Ctx): Promise<string> {
  const languages = [...orderLanguages(ctx.site.languages), ...ctx.site.addedLanguages]
  const { locale } = ctx.site
  const buildAddress = (path: string, language: ContentLanguage = locale) =>
    escapeXml(buildSiteUrl(ctx, toLocalisedPath(path, language, locale)))
  const entries = (await loadPublicPaths(ctx)).slice(0, Math.min(MAX_PATHS, Math.floor(MAX_ADDRESSES / languages.length)))
  const urls = entries.flatMap(({ path, changedAt }) => {
    const others = [
      ...languages.map((language) => `<xhtml:link rel="alternate" hreflang="${language}" href="${buildAddress(path, language)}"/>`),
      `<xhtml:link rel="alternate" hreflang="x-default" href="${buildAddress(path)}"/>`,
    ].join('')
    const changed = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : ''
    return languages.map(
      (language) => `<url><loc>${buildAddress(path, language)}</loc>${changed}${languages.length > 1 ? others : ''}</url>`,
    )
  })
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...urls,
    '</urlset>\n',
  ].join('\n')
}

async function loadPublicPaths(ctx: Ctx): Promise<SitemapEntry[]> {
  const asVisitor = { ...ctx, viewer: VISITOR }
  const siteId = ctx.site.id
  return ctx.db.read(async (tx) => {
    const listed = await tx
      .select({ slug: projects.slug, changedAt: projects.updatedAt })
      .from(projects)
      .where(listedWhere(asVisitor))
      .orderBy(desc(projects.updatedAt))
      .limit(MAX_PATHS)
    const news = await tx
      .select({ slug: projectUpdates.slug, project: projects.slug, changedAt: projectUpdates.publishedAt })
      .from(projectUpdates)
      .innerJoin(projects, and(eq(projects.siteId, projectUpdates.siteId), eq(projects.id, projectUpdates.projectId)))
      .where(and(listedWhere(asVisitor), isNotNull(projectUpdates.publishedAt), lte(projectUpdates.publishedAt, ctx.now())))
      .orderBy(desc(projectUpdates.publishedAt))
      .limit(MAX_PATHS)
    const surveyRows = await tx
      .select({ slug: surveys.slug, project: projects.slug, results: surveys.resultsPublic, changedAt: surveys.updatedAt })
      .from(surveys)
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .where(and(listedWhere(asVisitor), eq(surveys.status, 'published')))
      .orderBy(desc(surveys.updatedAt))
      .limit(MAX_PATHS)
    const activityRows = await tx
      .select({ slug: activities.slug, project: projects.slug, changedAt: activities.updatedAt })
      .from(activities)
      .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
      .where(and(listedWhere(asVisitor), ne(activities.status, 'draft')))
      .limit(MAX_PATHS)
    const contributionRows = await tx
      .select({ number: contributions.number, activity: activities.slug, project: projects.slug, changedAt: contributions.publishedAt })
      .from(contributions)
      .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
      .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
      .where(and(listedWhere(asVisitor), ne(activities.status, 'draft'), isPublished))
      .orderBy(desc(contributions.publishedAt))
      .limit(MAX_PATHS)
    const eventRows = await tx
      .select({ slug: events.slug, project: projects.slug, changedAt: events.updatedAt })
      .from(events)
      .innerJoin(projects, and(eq(projects.siteId, events.siteId), eq(projects.id, events.projectId)))
      .where(and(listedWhere(asVisitor), ne(events.status, 'draft')))
      .orderBy(desc(events.updatedAt))
      .limit(MAX_PATHS)
    const hubRows = await tx
      .select({ slug: hubs.slug, changedAt: hubs.updatedAt })
      .from(hubs)
      .where(and(eq(hubs.siteId, siteId), isNotNull(hubs.publishedAt)))
    const pageRows = await tx
      .select({ slug: pages.slug, changedAt: pages.updatedAt })
      .from(pages)
      .where(and(eq(pages.siteId, siteId), isNotNull(pages.publishedAt), lte(pages.publishedAt, ctx.now())))
    const data = await loadPublishedDatasetRows(asVisitor, tx, null)
    return [
      { path: '/' },
      { path: '/projects', changedAt: listed[0]?.changedAt },
      { path: '/hubs' },
      ...listed.map(({ slug, changedAt }) => ({ path: `/projects/${slug}`, changedAt })),
      ...surveyRows.flatMap(({ slug, project, results, changedAt }) => {
        const path = `/projects/${project}/surveys/${slug}`
        return [{ path, changedAt }, ...(results ? [{ path: `${path}/results`, changedAt }] : [])]
      }),
      ...activityRows.map(({ slug, project, changedAt }) => ({ path: `/projects/${project}/${slug}`, changedAt })),
      ...eventRows.map(({ slug, project, changedAt }) => ({ path: `/projects/${project}/events/${slug}`, changedAt })),
      ...hubRows.map(({ slug, changedAt }) => ({ path: `/hubs/${slug}`, changedAt })),
      ...pageRows.map(({ slug, changedAt }) => ({ path: `/pages/${slug}`, changedAt })),
      ...(data.length > 0 ? [{ path: '/data' }] : []),
      ...data.map(({ row }) => ({ path: `/data/${row.slug}`, changedAt: row.synchronisedAt })),
      ...news.map(({ slug, project, changedAt }) => ({ path: `/projects/${project}/updates/${slug}`, changedAt })),
      ...contributionRows.map(({ number, activity, project, changedAt }) => ({
        path: `/projects/${project}/${activity}/${number}`,
        changedAt,
      })),
    ]
  })
}

/** Administration and personal pages are not for indexing, with or without a language prefix. */
export function buildRobots(ctx: Ctx): string {
  const closed = ['/admin', '/live-preview', '/account', '/api/', '/embed/', '/sign-in', '/register', '/_serverFn/']
  return [
    'User-agent: *',
    ...closed.flatMap((path) => [`Disallow: ${path}`, `Disallow: /*${path}`]),
    '',
    `Sitemap: ${buildSiteUrl(ctx, '/sitemap.xml')}`,
    '',
  ].join('\n')
}
