import { and, eq, isNotNull, lte, ne, not, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { isClosedSql } from '#app/features/surveys/surveys.state.server.ts'
import { toExcerpt } from '#app/lib/rich-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { activities, contributions, isPublished } from '#app/server/db/schema/contributions.ts'
import { events } from '#app/server/db/schema/events.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import { findTexts, toSearchWords } from '#app/server/db/text-search.ts'
import { SEARCH_KINDS, type SearchHit, type SearchKind, type SearchView } from './search.schema.ts'

const HITS_PER_KIND = 15
/** Hits below this share of the best score are coincidental. */
const MIN_SCORE_SHARE = 0.4
const EXCERPT_LETTERS = 180

/** Where texts of one kind are found, and what a hit shows of them. */
interface SearchSource {
  id: AnyPgColumn
  slug: SQLWrapper
  projectSlug?: SQLWrapper
  activitySlug?: SQLWrapper
  /** Each in its languages. */
  title: SQLWrapper
  text: SQLWrapper
  from: SQL
  where: SQL | undefined
}

interface FoundText extends Record<string, unknown> {
  kind: SearchKind
  slug: string
  project_slug: string | null
  /** Of a contribution. */
  activity_slug: string | null
  title: Translated
  text: Translated
}

/** Everything the viewer may find, best match first. */
export function searchSite(ctx: Ctx, input: { q?: string | undefined }): Promise<SearchView> {
  const words = toSearchWords(input.q ?? '')
  const asked = input.q?.trim() ?? ''
  if (words.length === 0) return Promise.resolve({ words: asked, hits: [] })
  return ctx.db.read(async (tx) => {
    const found = await findTexts(tx, ctx.site.id, words)
    if (!found) return { words: asked, hits: [] }
    const sources = listSources(ctx)
    const hits = SEARCH_KINDS.map((kind, place) => selectHits(kind, place, sources[kind]))
    const { rows } = await tx.execute<FoundText>(sql`
      with found as materialized (select ${found.ids}::uuid[] as ids, ${found.scores}::jsonb as scores),
        hits as (${sql.join(hits, sql` union all `)}),
        ranked as (select *, max(score) over () as best from hits)
      select kind, slug, project_slug, activity_slug, title, text from ranked where score >= best * ${MIN_SCORE_SHARE}::real
      order by score desc, place, id desc`)
    return { words: asked, hits: rows.map((row) => toHit(ctx, row)) }
  })
}

function toHit({ contentLanguage, site }: Ctx, row: FoundText): SearchHit {
  const text = localiseText(row.text, contentLanguage, site.locale)
  return {
    kind: row.kind,
    slug: row.slug,
    projectSlug: row.project_slug,
    ...(row.activity_slug !== null && { activitySlug: row.activity_slug }),
    title: localiseText(row.title, contentLanguage, site.locale),
    excerpt: { ...text, text: toExcerpt(text.text, EXCERPT_LETTERS) },
  }
}

const nothing = sql`null::text`
const isFound = (id: AnyPgColumn): SQL => sql`${id} = any ((select ids from found)::uuid[])`

/** The best matches of a kind, and the newest of equal ones, so that the order is the same each time. */
function selectHits(kind: SearchKind, place: number, source: SearchSource): SQL {
  const { id, slug, projectSlug = nothing, activitySlug = nothing, title, text, from, where } = source
  return sql`(select ${kind}::text as kind, ${place}::int as place, ${id} as id, ${slug} as slug, ${projectSlug} as project_slug,
    ${activitySlug} as activity_slug, ${title} as title, ${text} as text, ((select scores from found) ->> ${id}::text)::real as score
    from ${from} where ${where} order by score desc, id desc limit ${HITS_PER_KIND})`
}

function listSources(ctx: Ctx): Record<SearchKind, SearchSource> {
  const { site } = ctx
  const now = ctx.now()
  const listed = listedWhere(ctx)
  // Closed surveys with published results: these are what people look for.
  const hasResults = sql`(${surveys.resultsPublic} and ${isClosedSql(now)})`
  const survey = {
    id: surveys.id,
    slug: surveys.slug,
    projectSlug: projects.slug,
    title: surveys.title,
    text: surveys.intro,
    from: sql`${surveys} join ${projects} on ${projects.siteId} = ${surveys.siteId} and ${projects.id} = ${surveys.projectId}`,
  }
  const isAsked = and(eq(surveys.siteId, site.id), ne(surveys.status, 'draft'), listed, isFound(surveys.id))
  const isOut = (publishedAt: AnyPgColumn) => and(isNotNull(publishedAt), lte(publishedAt, now))
  return {
    project: {
      id: projects.id,
      slug: projects.slug,
      title: projects.title,
      text: projects.summary,
      from: sql`${projects}`,
      where: and(listed, isFound(projects.id)),
    },
    survey: { ...survey, where: and(isAsked, not(hasResults)) },
    results: { ...survey, where: and(isAsked, hasResults) },
    hub: {
      id: hubs.id,
      slug: hubs.slug,
      title: hubs.title,
      text: hubs.summary,
      from: sql`${hubs}`,
      where: and(eq(hubs.siteId, site.id), isNotNull(hubs.publishedAt), isFound(hubs.id)),
    },
    page: {
      id: pages.id,
      slug: pages.slug,
      title: pages.title,
      text: pages.body,
      from: sql`${pages}`,
      where: and(eq(pages.siteId, site.id), isOut(pages.publishedAt), isFound(pages.id)),
    },
    update: {
      id: projectUpdates.id,
      slug: projectUpdates.slug,
      projectSlug: projects.slug,
      title: projectUpdates.title,
      text: projectUpdates.body,
      from: sql`${projectUpdates} join ${projects} on ${projects.siteId} = ${projectUpdates.siteId} and ${projects.id} = ${projectUpdates.projectId}`,
      where: and(eq(projectUpdates.siteId, site.id), isOut(projectUpdates.publishedAt), listed, isFound(projectUpdates.id)),
    },
    event: {
      id: events.id,
      slug: events.slug,
      projectSlug: projects.slug,
      title: events.title,
      text: events.description,
      from: sql`${events} join ${projects} on ${projects.siteId} = ${events.siteId} and ${projects.id} = ${events.projectId}`,
      where: and(eq(events.siteId, site.id), eq(events.status, 'published'), listed, isFound(events.id)),
    },
    contribution: {
      id: contributions.id,
      slug: sql`${contributions.number}::text`,
      projectSlug: projects.slug,
      activitySlug: activities.slug,
      // Each has the one language it was written in.
      title: sql`jsonb_build_object(${contributions.language}, ${contributions.title})`,
      text: sql`jsonb_build_object(${contributions.language}, ${contributions.body})`,
      // `offset 0` finds them before they are joined. PostgreSQL would otherwise compare all contributions of each activity with what matches.
      from: sql`(select * from ${contributions} where ${contributions.siteId} = ${site.id} and ${isFound(contributions.id)} offset 0) as ${contributions}
        join ${activities} on ${activities.siteId} = ${contributions.siteId} and ${activities.id} = ${contributions.activityId}
        join ${projects} on ${projects.siteId} = ${activities.siteId} and ${projects.id} = ${activities.projectId}`,
      where: and(isPublished, ne(activities.status, 'draft'), listed),
    },
  }
}
