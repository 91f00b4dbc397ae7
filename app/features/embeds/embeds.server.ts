import { and, asc, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { readSiteFeatures } from '#app/features/feature-switches/feature-switches.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { isOpenSql } from '#app/features/surveys/surveys.state.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { lockForTransaction } from '#app/server/db/transaction-lock.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { embedDomains } from '#app/server/db/schema/sites.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { titleContains } from '#app/server/db/title-contains.ts'
import { readPublic } from '#app/server/public-reads.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import type { Embeddable, EmbedDomain, EmbedSettings } from './embeds.schema.ts'

const MAX_DOMAINS = 200
/** Of each kind, in a list that one can search. */
const OFFERED_OF_A_KIND = 10

/** What a browser says of the frame that a page is for. */
export interface FramingRequest {
  /** The Sec-Fetch-Dest header. */
  destination: string | null | undefined
  referer: string | null | undefined
  host: string | null | undefined
}

/** Domains, and what can be embedded on them. @throws {AppError} `unauthenticated`, `forbidden`; `not-found` if the site has no embeds */
export async function readEmbedSettings(ctx: Ctx): Promise<EmbedSettings> {
  await requireEmbedManager(ctx)
  return {
    domains: await listDomains(ctx),
    embeddables: (await findEmbeddables(ctx, '')).embeddables,
    origin: buildSiteUrl(ctx, '/').replace(/\/$/, ''),
  }
}

/** Adds a domain or changes its rights. @throws {AppError} `conflict` beyond 200 domains */
export async function allowDomain(ctx: Ctx, domain: EmbedDomain): Promise<void> {
  await requireEmbedManager(ctx)
  const { site, viewer } = ctx
  const { host, mayFrame, showsHere } = domain
  await ctx.db.tx(async (tx) => {
    await lockForTransaction(tx, site.id, 'embed domains')
    const [kept] = await tx
      .select({ all: sql<number>`count(*)`.mapWith(Number) })
      .from(embedDomains)
      .where(and(eq(embedDomains.siteId, site.id), ne(embedDomains.host, host)))
    if ((kept?.all ?? 0) >= MAX_DOMAINS) throw new AppError('conflict')
    await tx
      .insert(embedDomains)
      .values({ siteId: site.id, host, mayFrame, showsHere, createdBy: viewer.kind === 'user' ? viewer.id : null })
      .onConflictDoUpdate({ target: [embedDomains.siteId, embedDomains.host], set: { mayFrame, showsHere } })
    await recordAudit(ctx, tx, { action: 'embed-domains.update', detail: { host, mayFrame, showsHere } })
  })
}

/** Removes a domain. From the next request on, its pages cannot frame ours; in other processes, once these hear of the change. @throws {AppError} `not-found` */
export async function removeDomain(ctx: Ctx, host: string): Promise<void> {
  await requireEmbedManager(ctx)
  await ctx.db.tx(async (tx) => {
    const gone = await tx
      .delete(embedDomains)
      .where(and(eq(embedDomains.siteId, ctx.site.id), eq(embedDomains.host, host)))
      .returning({ host: embedDomains.host })
    if (gone.length === 0) throw new AppError('not-found')
    await recordAudit(ctx, tx, { action: 'embed-domains.delete', detail: { host } })
  })
}

/**
 * Sources that may frame the requested page, for `frame-ancestors`, the site itself first; undefined if the referrer is not allowed. If the
 * referrer is hidden, the browser enforces the same list.
 */
export async function findAllowedFramers(ctx: Ctx, { destination, referer, host }: FramingRequest): Promise<string[] | undefined> {
  if (!(await readSiteFeatures(ctx)).includes('whitelist-embed')) return undefined
  const hosts = (await readPublic(ctx, ['domains of frames'], listDomains)).filter(({ mayFrame }) => mayFrame).map((one) => one.host)
  const isFramed = /^(iframe|frame|embed|object)$/.test(destination ?? '')
  const framer = isFramed ? URL.parse(referer ?? '') : null
  if (framer && framer.host !== host && !hosts.some((listed) => isOnHost(framer, listed))) return undefined
  return ["'self'", ...hosts.flatMap(toPolicySources)]
}

const isOnHost = ({ hostname, protocol }: URL, host: string): boolean =>
  (protocol === 'https:' || isLocalHost(host)) && (hostname === host || hostname.endsWith(`.${host}`))

/** A local development host, which has no certificate. */
const isLocalHost = (host: string): boolean => host.endsWith('.localhost')

const toPolicySources = (host: string): string[] => (isLocalHost(host) ? [`http://${host}:*`] : [`https://${host}`, `https://*.${host}`])

async function requireEmbedManager(ctx: Ctx): Promise<void> {
  requirePermission(ctx, 'site.edit')
  if (!(await readSiteFeatures(ctx)).includes('whitelist-embed')) throw new AppError('not-found')
}

const listDomains = (ctx: Ctx): Promise<EmbedDomain[]> =>
  ctx.db.read((tx) =>
    tx
      .select({ host: embedDomains.host, mayFrame: embedDomains.mayFrame, showsHere: embedDomains.showsHere })
      .from(embedDomains)
      .where(eq(embedDomains.siteId, ctx.site.id))
      .orderBy(asc(embedDomains.host)),
  )

/**
 * Public surveys that accept responses, published activities of public projects, and the projects, newest first: those whose title or
 * project's title contains the words, some of each kind.
 * @throws {AppError} `unauthenticated`, `forbidden`; `not-found` if the site has no embeds
 */
export async function findEmbeddables(ctx: Ctx, words: string): Promise<{ embeddables: Embeddable[]; total: number }> {
  await requireEmbedManager(ctx)
  const found = (...titles: AnyPgColumn[]) => (words ? or(...titles.map((title) => titleContains(title, words))) : undefined)
  return listEmbeddables(ctx, {
    surveys: found(surveys.title, projects.title),
    activities: found(activities.title, projects.title),
    projects: found(projects.title),
  })
}

/** What is embedded by this path, or null. @throws {AppError} `unauthenticated`, `forbidden`; `not-found` if the site has no embeds */
export async function findEmbeddable(ctx: Ctx, path: string): Promise<Embeddable | null> {
  await requireEmbedManager(ctx)
  const [, survey, project, activity] = /^\/embed\/(?:surveys\/([^/]+)|projects\/([^/]+)(?:\/([^/]+))?)$/.exec(path) ?? []
  const { embeddables } = await listEmbeddables(ctx, {
    surveys: isId(survey) ? eq(surveys.id, survey) : sql`false`,
    activities: project && activity ? and(eq(projects.slug, project), eq(activities.slug, activity)) : sql`false`,
    projects: project && !activity ? eq(projects.slug, project) : sql`false`,
  })
  return embeddables[0] ?? null
}

async function listEmbeddables(
  ctx: Ctx,
  where: Record<'surveys' | 'activities' | 'projects', SQL | undefined>,
): Promise<{ embeddables: Embeddable[]; total: number }> {
  const { site, contentLanguage } = ctx
  const shown = and(eq(projects.siteId, site.id), eq(projects.visibility, 'public'), inArray(projects.status, ['published', 'archived']))
  const localiseTitle = (text: typeof projects.$inferSelect.title) => getTranslation(text, contentLanguage, site.locale)
  const total = sql<number>`count(*) over ()`.mapWith(Number)
  return ctx.db.read(async (tx) => {
    const open = await tx
      .select({ id: surveys.id, title: surveys.title, project: projects.title, total })
      .from(surveys)
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .where(and(shown, isOpenSql(ctx.now()), where.surveys))
      .orderBy(sql`${projects.publishedAt} desc`, surveys.position)
      .limit(OFFERED_OF_A_KIND)
    const published = await tx
      .select({ slug: activities.slug, title: activities.title, project: projects.title, projectSlug: projects.slug, total })
      .from(activities)
      .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
      .where(and(shown, eq(activities.status, 'published'), where.activities))
      .orderBy(sql`${projects.publishedAt} desc`, activities.position)
      .limit(OFFERED_OF_A_KIND)
    const found = await tx
      .select({ slug: projects.slug, title: projects.title, total })
      .from(projects)
      .where(and(shown, where.projects))
      .orderBy(sql`${projects.publishedAt} desc`)
      .limit(OFFERED_OF_A_KIND)
    const embeddables: Embeddable[] = [
      ...open.map((row) => ({
        kind: 'survey' as const,
        path: `/embed/surveys/${row.id}`,
        title: `${localiseTitle(row.title)} (${localiseTitle(row.project)})`,
      })),
      ...published.map((row) => ({
        kind: 'activity' as const,
        path: `/embed/projects/${row.projectSlug}/${row.slug}`,
        title: `${localiseTitle(row.title)} (${localiseTitle(row.project)})`,
      })),
      ...found.map((row) => ({ kind: 'project' as const, path: `/embed/projects/${row.slug}`, title: localiseTitle(row.title) })),
    ]
    return { embeddables, total: [open, published, found].reduce((sum, [first]) => sum + (first?.total ?? 0), 0) }
  })
}
