import { and, asc, eq, inArray, or, sql, type SQL } from 'drizzle-orm'
import { checkPermission, isAdministrator, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage, Language } from '#app/lib/languages.ts'
import { normaliseText } from '#app/lib/normalise-text.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { hubs, projects, topics } from '#app/server/db/schema/projects.ts'
import { titleContains } from '#app/server/db/title-contains.ts'
import { toCalendarDay, listDaysUntil } from './reach.days.server.ts'
import { loadFiguresByPlace, loadPlaceFigures, loadOrigins } from './reach.figures.server.ts'
import { loadWhoTookPart } from './who-took-part.server.ts'
import type { Reach, ReachFigures, ReachLength, ReachPlace, ReachRow, ReachSummary } from './reach.schema.ts'

export interface ReachInput {
  /** Defaults to the widest place the viewer may see. */
  place?: ReachPlace | undefined
  days: ReachLength
  /** Maximum number of projects; a file contains all of them. */
  mostProjects?: number
}

type TitledPlace = ReachPlace & { title: string }
const NO_REACH: ReachFigures = { aware: 0, informed: 0, engaged: 0 }
const MAX_PROJECTS = 500
/** What a list of places offers before one types. */
const MAX_PLACES = 20

/**
 * Who a site, hub or project reached, and how far; everybody counts once a day.
 * @returns null for administrators without a site, hub or project to look at
 * @throws {AppError} `unauthenticated`, `forbidden`, `not-found` for a place whose responses the viewer may not see
 */
export async function readReach(ctx: Ctx, { place: asked, days: length, mostProjects = MAX_PROJECTS }: ReachInput): Promise<Reach | null> {
  const { site } = ctx
  requireAdministrator(ctx)
  const until = toCalendarDay(site.timeZone, ctx.now())
  const days = listDaysUntil(until, length)
  const from = days[0] ?? until
  return ctx.db.read(async (tx) => {
    const place = asked ? await requirePlace(ctx, tx, asked) : (await loadPlaces(ctx, tx)).places[0]
    if (!place) return null
    const figures = await loadPlaceFigures(ctx, tx, { kind: place.kind, from, places: [place.id] })
    const origins = await loadOrigins(ctx, tx, { kind: place.kind, places: [place.id], from })
    const { awareSeen } = figures.totals
    return {
      place,
      from,
      until,
      totals: pickFigures(figures.totals),
      days: days.map((day) => ({ day, ...(figures.days.get(day) ?? NO_REACH) })),
      languages: [...figures.languages].map(([language, row]) => ({ language, ...row })).toSorted((a, b) => b.aware - a.aware),
      ...origins,
      uncounted: figures.totals.aware - awareSeen,
      ...(await loadParts(ctx, tx, place, from, mostProjects)),
      answers: await loadWhoTookPart(ctx, tx, place, from),
    }
  })
}

/** Only the place and its figures, without its parts: what other pages show of it. @throws {AppError} as `readReach` */
export async function readReachSummary(ctx: Ctx, asked: ReachPlace | undefined, length: ReachLength): Promise<ReachSummary | null> {
  const { site } = ctx
  requireAdministrator(ctx)
  const days = listDaysUntil(toCalendarDay(site.timeZone, ctx.now()), length)
  return ctx.db.read(async (tx) => {
    const place = asked ? await requirePlace(ctx, tx, asked) : (findWholeSite(ctx) ?? (await loadPlaces(ctx, tx)).places[0])
    if (!place) return null
    const figures = await loadPlaceFigures(ctx, tx, { kind: place.kind, from: days[0] ?? '', places: [place.id] })
    return { place, totals: pickFigures(figures.totals), days: days.map((day) => ({ day, ...(figures.days.get(day) ?? NO_REACH) })) }
  })
}

const findWholeSite = ({ viewer, site }: Ctx): TitledPlace | undefined =>
  checkPermission(viewer, 'responses.see', {}).ok ? { kind: 'site', id: site.id, title: site.name } : undefined

const pickFigures = ({ aware, informed, engaged }: ReachFigures): ReachFigures => ({ aware, informed, engaged })

/** The parts of a place: hubs, topics and projects of a site, projects of a hub. */
async function loadParts(
  ctx: Ctx,
  tx: Tx,
  place: TitledPlace,
  from: string,
  most: number,
): Promise<Pick<Reach, 'hubs' | 'topics' | 'projects'>> {
  if (place.kind === 'project') return { hubs: [], topics: [], projects: [] }
  const inHub = place.kind === 'hub' ? eq(projects.hubId, place.id) : undefined
  const found = await tx
    .select({ id: projects.id, title: projects.title })
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), inArray(projects.status, ['published', 'archived']), inHub))
    .orderBy(asc(projects.publishedAt))
  const byProject = await loadFiguresByPlace(ctx, tx, {
    kind: 'project',
    from,
    step: 'month',
    ...(inHub ? { places: found.map(({ id }) => id) } : {}),
  })
  const rows = rankByReach(ctx, found, byProject).slice(0, most)
  if (place.kind === 'hub') return { hubs: [], topics: [], projects: rows }
  const allHubs = await tx.select({ id: hubs.id, title: hubs.title }).from(hubs).where(eq(hubs.siteId, ctx.site.id)).orderBy(hubs.position)
  const allTopics = await tx.select({ id: topics.id, title: topics.title }).from(topics).where(eq(topics.siteId, ctx.site.id))
  return {
    hubs: rankByReach(ctx, allHubs, await loadFiguresByPlace(ctx, tx, { kind: 'hub', from, step: 'month' })),
    topics: rankByReach(ctx, allTopics, await loadFiguresByPlace(ctx, tx, { kind: 'topic', from, step: 'month' })),
    projects: rows,
  }
}

function rankByReach(
  ctx: Ctx,
  things: readonly { id: string; title: Translated }[],
  figures: ReadonlyMap<string, ReachFigures>,
): ReachRow[] {
  return things
    .map(({ id, title }) => ({ id, title: localiseTitle(ctx, title), ...(figures.get(id) ?? NO_REACH) }))
    .toSorted((a, b) => b.aware - a.aware || b.engaged - a.engaged)
}

function requireAdministrator({ viewer }: Ctx): void {
  if (!isAdministrator(viewer)) throw new AppError(viewer.kind === 'visitor' ? 'unauthenticated' : 'forbidden')
}

const localiseTitle = ({ contentLanguage, site }: { contentLanguage: ContentLanguage; site: { locale: Language } }, title: Translated) =>
  getTranslation(title, contentLanguage, site.locale)

/** Requires that the viewer may see the responses given there, since reach reveals their number. */
async function requirePlace(ctx: Ctx, tx: Tx, { kind, id }: ReachPlace): Promise<TitledPlace> {
  const { site, viewer } = ctx
  const canSeeResponses = (place: Parameters<typeof checkPermission>[2]) => checkPermission(viewer, 'responses.see', place).ok
  if (kind === 'site') {
    if (id === site.id && canSeeResponses({})) return { kind, id, title: site.name }
  } else if (kind === 'hub') {
    const [hub] = await tx
      .select({ title: hubs.title })
      .from(hubs)
      .where(and(eq(hubs.siteId, site.id), eq(hubs.id, id)))
    if (hub && canSeeResponses({ hubId: id })) return { kind, id, title: localiseTitle(ctx, hub.title) }
  } else {
    const [project] = await tx
      .select({ title: projects.title, hubId: projects.hubId })
      .from(projects)
      .where(and(eq(projects.siteId, site.id), eq(projects.id, id)))
    if (project && canSeeResponses({ hubId: project.hubId, projectId: id })) return { kind, id, title: localiseTitle(ctx, project.title) }
  }
  throw new AppError('not-found')
}

/**
 * The places that the viewer can choose and whose titles contain the words: the site and its hubs, and projects assigned to them directly.
 * @throws {AppError} `unauthenticated`, `forbidden`
 */
export async function findReachPlaces(ctx: Ctx, words: string): Promise<{ places: TitledPlace[]; total: number }> {
  requireAdministrator(ctx)
  return ctx.db.read((tx) => loadPlaces(ctx, tx, words))
}

/** A place by itself. @throws {AppError} `unauthenticated`, `forbidden`, `not-found` */
export async function readReachPlace(ctx: Ctx, place: ReachPlace): Promise<TitledPlace> {
  requireAdministrator(ctx)
  return ctx.db.read((tx) => requirePlace(ctx, tx, place))
}

async function loadPlaces(ctx: Ctx, tx: Tx, words = ''): Promise<{ places: TitledPlace[]; total: number }> {
  const { site, viewer } = ctx
  const wholeSite = findWholeSite(ctx)
  const whole = wholeSite && normaliseText(wholeSite.title).includes(normaliseText(words)) ? [wholeSite] : []
  const ofHubs = and(
    eq(hubs.siteId, site.id),
    scopeWhere(viewer, 'responses.see', { hub: hubs.id }),
    words ? titleContains(hubs.title, words) : undefined,
  )
  const own: SQL | undefined = wholeSite ? sql`false` : scopeWhere(viewer, 'responses.see', { project: projects.id })
  const ofProjects = and(eq(projects.siteId, site.id), or(own, sql`false`), words ? titleContains(projects.title, words) : undefined)
  const found = [
    ...whole,
    ...toTitledPlaces(
      ctx,
      'hub',
      await tx.select({ id: hubs.id, title: hubs.title }).from(hubs).where(ofHubs).orderBy(hubs.position).limit(MAX_PLACES),
    ),
    ...toTitledPlaces(
      ctx,
      'project',
      await tx
        .select({ id: projects.id, title: projects.title })
        .from(projects)
        .where(ofProjects)
        .orderBy(projects.publishedAt)
        .limit(MAX_PLACES),
    ),
  ]
  const places = found.slice(0, MAX_PLACES)
  const total =
    found.length < MAX_PLACES ? found.length : whole.length + (await tx.$count(hubs, ofHubs)) + (await tx.$count(projects, ofProjects))
  return { places, total }
}

const toTitledPlaces = (ctx: Ctx, kind: 'hub' | 'project', rows: readonly { id: string; title: Translated }[]): TitledPlace[] =>
  rows.map(({ id, title }) => ({ kind, id, title: localiseTitle(ctx, title) }))
