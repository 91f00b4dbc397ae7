import { and, desc, eq } from 'drizzle-orm'
import { formatAtomFeed } from '#app/lib/atom.ts'
import { AppError } from '#app/lib/app-error.ts'
import { escapeXml } from '#app/lib/escape-html.ts'
import { type ContentLanguage, listContentLanguages } from '#app/lib/languages.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { contributions, isPublished } from '#app/server/db/schema/contributions.ts'
import { createRefusedFileResponse } from '#app/server/refused-file.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { type ActivityAddress, requireActivityAt } from '../record/activities.policy.server.ts'
import type { ContributionRow } from '../record/loading.server.ts'

const MAX_ENTRIES = 50

/**
 * The newest published contributions of an activity, in the languages they were written in.
 * @throws {AppError} `not-found`, also if the project is not for everybody; `gone`
 */
export async function buildActivityFeed(ctx: Ctx, address: ActivityAddress): Promise<string> {
  const { site, contentLanguage: language } = ctx
  const visitor = { ...ctx, viewer: VISITOR }
  const { placed, rows } = await visitor.db.read(async (tx) => {
    const found = await requireActivityAt(visitor, tx, address)
    if (found.project.visibility !== 'public') throw new AppError('not-found')
    const newest = await tx
      .select()
      .from(contributions)
      .where(and(eq(contributions.siteId, site.id), eq(contributions.activityId, found.activity.id), isPublished))
      .orderBy(desc(contributions.publishedAt), desc(contributions.number))
      .limit(MAX_ENTRIES)
    return { placed: found, rows: newest }
  })
  const { activity, project } = placed
  const path = `/projects/${project.slug}/${activity.slug}`
  const buildAddress = (to: string, other: ContentLanguage = language) => buildSiteUrl(ctx, other === site.locale ? to : `/${other}${to}`)
  const changed = rows.map((row) => readChanged(row).getTime())
  return formatAtomFeed({
    id: `urn:uuid:${activity.id}:${language}`,
    title: `${localiseText(activity.title, language, site.locale).text} · ${site.name}`,
    language,
    updated: changed.length > 0 ? new Date(Math.max(...changed)) : activity.createdAt,
    author: { name: site.name, uri: buildSiteUrl(ctx, '/') },
    self: buildAddress(`${path}/feed.atom`),
    page: buildAddress(path),
    others: listContentLanguages(site)
      .filter((other) => other !== language)
      .map((other) => ({ language: other, href: buildAddress(`${path}/feed.atom`, other) })),
    entries: rows.map((row) => formatEntry(row, buildAddress(`${path}/${row.number}`))),
  })
}

const readChanged = ({ editedAt, publishedAt, submittedAt }: ContributionRow): Date => editedAt ?? publishedAt ?? submittedAt

const formatEntry = (row: ContributionRow, link: string): string =>
  [
    `<entry xml:lang="${row.language}">`,
    `<id>urn:uuid:${row.id}</id>`,
    `<title>${escapeXml(row.title)}</title>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(link)}"/>`,
    `<published>${(row.publishedAt ?? row.submittedAt).toISOString()}</published>`,
    `<updated>${readChanged(row).toISOString()}</updated>`,
    ...(row.shownName ? [`<author><name>${escapeXml(row.shownName)}</name></author>`] : []),
    `<content type="text">${escapeXml(row.body)}</content>`,
    '</entry>',
  ].join('\n')

export async function serveActivityFeed({
  context: { ctx },
  params,
}: {
  context: RequestContext
  params: { slug: string; activity: string }
}): Promise<Response> {
  try {
    const feed = await buildActivityFeed(ctx, { project: params.slug, activity: params.activity })
    return new Response(feed, { headers: { 'content-type': 'application/atom+xml; charset=utf-8' } })
  } catch (error) {
    return createRefusedFileResponse(ctx, error)
  }
}
