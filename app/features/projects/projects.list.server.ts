import { and, asc, count, desc, eq, inArray, isNotNull, notInArray, type SQL, sql } from 'drizzle-orm'
import { loadAreaFacets, buildInAreaCondition } from '#app/features/areas/areas.server.ts'
import type { Translated } from '#app/lib/translated.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { hubs, projects, topics } from '#app/server/db/schema/projects.ts'
import { searchTexts, type TextSearch, toSearchWords } from '#app/server/db/text-search.ts'
import { readPublic } from '#app/server/public-reads.ts'
import { listedWhere } from './projects.policy.server.ts'
import {
  type FacetView,
  type Phase,
  PHASES,
  type ProjectCardView,
  type ProjectListView,
  PROJECTS_PER_PAGE,
  type ProjectSearch,
} from './projects.schema.ts'
import { toCardView, phaseSql, selectCards } from './project-cards.server.ts'

/** A page of the projects listed for the viewer, with the count behind each filter. Always two queries, however many projects there are. */
export const listProjects = (ctx: Ctx, asked: ProjectSearch): Promise<ProjectListView> =>
  asked.q ? loadProjectList(ctx, asked) : readPublic(ctx, ['projects', asked], (reader) => loadProjectList(reader, asked))

function loadProjectList(ctx: Ctx, asked: ProjectSearch): Promise<ProjectListView> {
  const now = ctx.now()
  return ctx.db.read(async (tx) => {
    const words = asked.q ? toSearchWords(asked.q) : []
    const found = words.length ? await searchTexts(tx, ctx.site.id, words) : undefined
    const areas = await loadAreaFacets(ctx, tx)
    const area = areas.find(({ slug }) => slug === asked.area)?.slug
    const groups = await countGroups(ctx, tx, found, area, now)
    const search = { ...dropUnknownFilters(asked, groups), ...(area ? { area } : {}) }
    const total = sumGroups(groups, search)
    const pages = Math.max(1, Math.ceil(total / PROJECTS_PER_PAGE))
    const page = Math.min(search.page ?? 1, pages)
    const rows = await selectCards(tx, now)
      .where(
        and(
          listedWhere(ctx),
          found?.where(projects.id),
          search.status && eq(phaseSql(now), search.status),
          search.hub ? eq(hubs.slug, search.hub) : undefined,
          search.topic ? eq(topics.slug, search.topic) : undefined,
          area ? buildInAreaCondition(ctx, area) : undefined,
        ),
      )
      .orderBy(...buildOrder(search, found, now), desc(projects.id))
      .limit(PROJECTS_PER_PAGE)
      .offset((page - 1) * PROJECTS_PER_PAGE)
    return {
      projects: rows.map((row) => toCardView(ctx, row)),
      total,
      page,
      pages,
      search,
      phases: countByPhase(groups, search),
      hubs: buildFacets(ctx, groups, search, 'hub'),
      topics: buildFacets(ctx, groups, search, 'topic'),
      areas: areas.map(({ slug, name, count }) => ({ slug, title: { text: name }, count })),
      now: now.toISOString(),
    }
  })
}

/** Projects of one phase as cards, soonest closing or most recently opened first: for homepages, hubs and empty pages. */
export function loadProjectCards(
  ctx: Ctx,
  wanted: { phase?: Phase; hubId?: string; ids?: readonly string[]; without?: readonly string[]; newest?: boolean; limit: number },
): Promise<ProjectCardView[]> {
  if (wanted.ids?.length === 0) return Promise.resolve([])
  const now = ctx.now()
  return ctx.db.read(async (tx) => {
    const rows = await selectCards(tx, now)
      .where(
        and(
          listedWhere(ctx),
          wanted.phase && eq(phaseSql(now), wanted.phase),
          wanted.hubId ? eq(projects.hubId, wanted.hubId) : undefined,
          wanted.ids && inArray(projects.id, [...wanted.ids]),
          wanted.without?.length ? notInArray(projects.id, [...wanted.without]) : undefined,
        ),
      )
      .orderBy(...buildOrder(wanted.newest ? { sort: 'newest' } : {}, undefined, now), desc(projects.id))
      .limit(wanted.limit)
    return rows.map((row) => toCardView(ctx, row))
  })
}

const MOST_OTHERS = 3

/** Where somebody may take part next. */
export async function listOtherOpenProjects(ctx: Ctx, slug: string): Promise<Pick<ProjectCardView, 'slug' | 'title'>[]> {
  const cards = await loadProjectCards(ctx, { phase: 'open', limit: MOST_OTHERS + 1 })
  return cards
    .filter((card) => card.slug !== slug)
    .slice(0, MOST_OTHERS)
    .map((card) => ({ slug: card.slug, title: card.title }))
}

/** Number of projects listed for the viewer, on the whole site or in a hub. */
export async function countListedProjects(ctx: Ctx, hubId?: string | null): Promise<number> {
  const [row] = await ctx.db.read((tx) =>
    tx
      .select({ total: count() })
      .from(projects)
      .where(and(listedWhere(ctx), hubId ? eq(projects.hubId, hubId) : undefined)),
  )
  return row?.total ?? 0
}

interface CountGroup {
  phase: Phase
  hub: { slug: string; title: Translated } | null
  topic: { slug: string; title: Translated } | null
  count: number
}

/**
 * Number of projects matching the search, by phase, hub and topic; every count on the page is a sum of these. Groups without a match are
 * included, so that a filter that finds nothing still has a name.
 */
function countGroups(ctx: Ctx, tx: Tx, found: TextSearch | undefined, area: string | undefined, now: Date): Promise<CountGroup[]> {
  const matching =
    (found || area) &&
    tx
      .select({ id: projects.id })
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), found?.where(projects.id), area ? buildInAreaCondition(ctx, area) : undefined))
  return tx
    .select({
      phase: phaseSql(now).as('phase'),
      hub: { slug: hubs.slug, title: hubs.title },
      topic: { slug: topics.slug, title: topics.title },
      count: matching ? sql<number>`count(*) filter (where ${projects.id} in ${matching})`.mapWith(Number) : count(),
    })
    .from(projects)
    .leftJoin(hubs, and(eq(hubs.siteId, projects.siteId), eq(hubs.id, projects.hubId), isNotNull(hubs.publishedAt)))
    .leftJoin(topics, and(eq(topics.siteId, projects.siteId), eq(topics.id, projects.topicId)))
    .where(listedWhere(ctx))
    .groupBy(sql`phase`, hubs.slug, hubs.title, topics.slug, topics.title)
}

type Facet = 'status' | 'hub' | 'topic'

function sumGroups(groups: readonly CountGroup[], search: ProjectSearch, but?: Facet): number {
  return groups.reduce((sum, group) => {
    const fits =
      (but === 'status' || !search.status || group.phase === search.status) &&
      (but === 'hub' || !search.hub || group.hub?.slug === search.hub) &&
      (but === 'topic' || !search.topic || group.topic?.slug === search.topic)
    return fits ? sum + group.count : sum
  }, 0)
}

const countByPhase = (groups: readonly CountGroup[], search: ProjectSearch): Record<Phase, number> =>
  Object.fromEntries(PHASES.map((phase) => [phase, sumGroups(groups, { ...search, status: phase })])) as Record<Phase, number>

function buildFacets(
  { language, contentLanguage, site }: Ctx,
  groups: readonly CountGroup[],
  search: ProjectSearch,
  kind: 'hub' | 'topic',
): FacetView[] {
  const named = new Map(groups.flatMap((group) => (group[kind] ? [[group[kind].slug, group[kind].title] as const] : [])))
  return [...named]
    .map(([slug, title]) => ({
      slug,
      title: localiseText(title, contentLanguage, site.locale),
      count: sumGroups(groups, { ...search, [kind]: slug }),
    }))
    .sort((a, b) => a.title.text.localeCompare(b.title.text, language))
}

/** Drops a hub or topic that no project has: it comes from a stale address. */
function dropUnknownFilters(asked: ProjectSearch, groups: readonly CountGroup[]): ProjectSearch {
  const { hub, topic, area: _, ...rest } = asked
  return {
    ...rest,
    ...(hub && groups.some((group) => group.hub?.slug === hub) ? { hub } : {}),
    ...(topic && groups.some((group) => group.topic?.slug === topic) ? { topic } : {}),
  }
}

function buildOrder(search: ProjectSearch, found: TextSearch | undefined, now: Date): SQL[] {
  if (search.sort === 'newest') return [sql`${projects.publishedAt} desc nulls last`]
  if (search.sort === 'people') return [desc(projects.participants)]
  if (found && !search.sort) return [sql`${found.score(projects.id)} desc`]
  const phase = phaseSql(now)
  return [
    sql`array_position(array['open', 'upcoming', 'results', 'closed'], ${phase})`,
    sql`case ${phase} when 'open' then ${projects.closesAt} when 'upcoming' then ${projects.opensAt} end asc nulls last`,
    sql`${projects.closesAt} desc nulls last`,
    asc(projects.slug),
  ]
}
