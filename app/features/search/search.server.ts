import { and, eq, inArray, isNotNull, lte, ne, not, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { isClosedSql } from '#app/features/surveys/surveys.state.server.ts'
import { toExcerpt } from '#app/lib/rich-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { asTable } from '#app/server/db/look-up-rows.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { activities, contributions, isPublished } from '#app/server/db/schema/contributions.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import { searchTexts, type TextSearch, toSearchWords } from '#app/server/db/text-search.ts'
import type { SearchHit, SearchKind, SearchView } from './search.schema.ts'

const HITS_PER_KIND = 15
/** Hits below this share of the best score are coincidental. */
const MIN_SCORE_SHARE = 0.4
const EXCERPT_LETTERS = 180

interface FoundText {
  slug: string
  projectSlug: string | null
  /** Of a contribution. */
  activitySlug?: string
  title: Translated
  text: Translated
  score: number
}

/** Everything the viewer may find, best match first: one query per kind of content. */
export function searchSite(ctx: Ctx, input: { q?: string | undefined }): Promise<SearchView> {
  const words = toSearchWords(input.q ?? '')
  if (words.length === 0) return Promise.resolve({ words: input.q?.trim() ?? '', hits: [] })
  return ctx.db.read(async (tx) => {
    const search = await searchTexts(tx, ctx.site.id, words)
    const found: [SearchKind, FoundText[]][] = [
      ['project', await findProjects(ctx, tx, search)],
      ['survey', await findSurveys(ctx, tx, search)],
      ['results', await findResults(ctx, tx, search)],
      ['hub', await findHubs(ctx, tx, search)],
      ['page', await findPages(ctx, tx, search)],
      ['update', await findUpdates(ctx, tx, search)],
      ['contribution', await findContributions(ctx, tx, search)],
    ]
    const ranked = found.flatMap(([kind, rows]) => rows.map((row) => ({ kind, row }))).sort((a, b) => b.row.score - a.row.score)
    const best = ranked[0]?.row.score ?? 0
    const hits = ranked.filter(({ row }) => row.score >= best * MIN_SCORE_SHARE).map(({ kind, row }) => toHit(ctx, kind, row))
    return { words: input.q?.trim() ?? '', hits }
  })
}

function toHit({ language, site }: Ctx, kind: SearchKind, row: FoundText): SearchHit {
  const text = localiseText(row.text, language, site.locale)
  return {
    kind,
    slug: row.slug,
    projectSlug: row.projectSlug,
    ...(row.activitySlug ? { activitySlug: row.activitySlug } : {}),
    title: localiseText(row.title, language, site.locale),
    excerpt: { ...text, text: toExcerpt(text.text, EXCERPT_LETTERS) },
  }
}

const noProject = sql<null>`null`
/** Best matches first, and the newest of equal ones, so that the order is the same each time. */
const orderByScore = (score: SQL<number>, id: AnyPgColumn): SQL => sql`${score} desc, ${id} desc`

function findProjects(ctx: Ctx, tx: Tx, search: TextSearch): Promise<FoundText[]> {
  const score = search.score(projects.id)
  return tx
    .select({ slug: projects.slug, projectSlug: noProject, title: projects.title, text: projects.summary, score })
    .from(projects)
    .where(and(listedWhere(ctx), search.where(projects.id)))
    .orderBy(orderByScore(score, projects.id))
    .limit(HITS_PER_KIND)
}

/** Surveys that are open or upcoming, and closed ones without published results. */
const findSurveys = (ctx: Ctx, tx: Tx, search: TextSearch) => findSurveysWhere(ctx, tx, search, not(isClosedWithResults(ctx)))

/** Closed surveys with published results: these are what people look for. */
const findResults = (ctx: Ctx, tx: Tx, search: TextSearch) => findSurveysWhere(ctx, tx, search, isClosedWithResults(ctx))

const isClosedWithResults = (ctx: Ctx): SQL => sql`(${surveys.resultsPublic} and ${isClosedSql(ctx.now())})`

function findSurveysWhere(ctx: Ctx, tx: Tx, search: TextSearch, which: SQL): Promise<FoundText[]> {
  const score = search.score(surveys.id)
  return tx
    .select({ slug: surveys.slug, projectSlug: projects.slug, title: surveys.title, text: surveys.intro, score })
    .from(surveys)
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
    .where(and(eq(surveys.siteId, ctx.site.id), ne(surveys.status, 'draft'), listedWhere(ctx), which, search.where(surveys.id)))
    .orderBy(orderByScore(score, surveys.id))
    .limit(HITS_PER_KIND)
}

function findHubs(ctx: Ctx, tx: Tx, search: TextSearch): Promise<FoundText[]> {
  const score = search.score(hubs.id)
  return tx
    .select({ slug: hubs.slug, projectSlug: noProject, title: hubs.title, text: hubs.summary, score })
    .from(hubs)
    .where(and(eq(hubs.siteId, ctx.site.id), isNotNull(hubs.publishedAt), search.where(hubs.id)))
    .orderBy(orderByScore(score, hubs.id))
    .limit(HITS_PER_KIND)
}

function findPages(ctx: Ctx, tx: Tx, search: TextSearch): Promise<FoundText[]> {
  const score = search.score(pages.id)
  return tx
    .select({ slug: pages.slug, projectSlug: noProject, title: pages.title, text: pages.body, score })
    .from(pages)
    .where(and(eq(pages.siteId, ctx.site.id), isNotNull(pages.publishedAt), lte(pages.publishedAt, ctx.now()), search.where(pages.id)))
    .orderBy(orderByScore(score, pages.id))
    .limit(HITS_PER_KIND)
}

function findUpdates(ctx: Ctx, tx: Tx, search: TextSearch): Promise<FoundText[]> {
  const score = search.score(projectUpdates.id)
  const listed = tx.select({ id: projects.id }).from(projects).where(listedWhere(ctx))
  return tx
    .select({ slug: projectUpdates.slug, projectSlug: projects.slug, title: projectUpdates.title, text: projectUpdates.body, score })
    .from(projectUpdates)
    .innerJoin(projects, and(eq(projects.siteId, projectUpdates.siteId), eq(projects.id, projectUpdates.projectId)))
    .where(
      and(
        eq(projectUpdates.siteId, ctx.site.id),
        isNotNull(projectUpdates.publishedAt),
        lte(projectUpdates.publishedAt, ctx.now()),
        inArray(projectUpdates.projectId, listed),
        search.where(projectUpdates.id),
      ),
    )
    .orderBy(orderByScore(score, projectUpdates.id))
    .limit(HITS_PER_KIND)
}

/** Published contributions; each has the one language it was written in. */
async function findContributions(ctx: Ctx, tx: Tx, search: TextSearch): Promise<FoundText[]> {
  const score = search.score(contributions.id)
  const isFound = and(eq(contributions.siteId, ctx.site.id), search.where(contributions.id))
  const rows = await tx
    .select({
      number: contributions.number,
      activitySlug: activities.slug,
      projectSlug: projects.slug,
      language: contributions.language,
      title: contributions.title,
      text: contributions.body,
      score,
    })
    // `offset 0` finds them before they are joined. PostgreSQL would otherwise compare all contributions of each activity with what matches.
    .from(asTable(contributions, sql`select * from ${contributions} where ${isFound} offset 0`))
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .where(and(isPublished, ne(activities.status, 'draft'), listedWhere(ctx)))
    .orderBy(orderByScore(score, contributions.id))
    .limit(HITS_PER_KIND)
  return rows.map(({ number, language, title, text, ...row }) => ({
    ...row,
    slug: String(number),
    title: { [language]: title },
    text: { [language]: text },
  }))
}
