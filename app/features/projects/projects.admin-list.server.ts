import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projectDates, projects } from '#app/server/db/schema/projects.ts'
import { searchTexts, toSearchWords } from '#app/server/db/text-search.ts'
import type { projectShape } from './projects.api.schema.ts'
import { knownWhere, type ProjectRow } from './projects.policy.server.ts'
import type { Phase } from './projects.schema.ts'
import { phaseSql } from './project-cards.server.ts'

export type ProjectRecord = ProjectRow & { phase: Phase; dates: (typeof projectDates.$inferSelect)[] }

/** Projects for the API: those the viewer may know of, including drafts in their scope. */
export function listKnownProjects(ctx: Ctx, query: ListQuery<typeof projectShape>): Promise<ListResult<ProjectRecord>> {
  const { filter } = query
  const words = filter.q ? toSearchWords(filter.q) : []
  const narrowed = and(
    knownWhere(ctx),
    filter.status && inArray(projects.status, filter.status),
    filter.visibility && inArray(projects.visibility, filter.visibility),
    filter.hub && inArray(projects.hubId, filter.hub),
    filter.topic && inArray(projects.topicId, filter.topic),
  )
  const title = sql`coalesce(nullif(${projects.title} ->> ${ctx.language}, ''), ${projects.title} ->> ${ctx.site.locale})`
  const columns: Record<(typeof query.sort)[number]['by'], SQL> = {
    title: sql`lower(${title})`,
    updatedAt: sql`${projects.updatedAt}`,
    publishedAt: sql`${projects.publishedAt}`,
    closesAt: sql`${projects.closesAt}`,
    participants: sql`${projects.participants}`,
  }
  const sorted = query.sort.map(({ by, descending }, at) => ({ name: `sort_${at}`, value: columns[by], descending }))
  return ctx.db.tx(async (tx) => {
    const search = words.length ? await searchTexts(tx, ctx.site.id, words) : undefined
    // Scan all matches once with only the columns that sorting needs, then load the full rows of the page.
    const found = tx.$with('found').as(
      tx
        .select({
          id: projects.id,
          ...(search ? { score: search.score(projects.id).as('score') } : {}),
          ...Object.fromEntries(sorted.map(({ name, value }) => [name, value.as(name)])),
        })
        .from(projects)
        .where(and(narrowed, search?.where(projects.id))),
    )
    const order = sorted.map(({ name, descending }) => sql`${sql.identifier(name)} ${sql.raw(descending ? 'desc' : 'asc')} nulls last`)
    const page = tx
      .select({ id: found.id })
      .from(found)
      .orderBy(...(search ? [sql`score desc`] : []), ...order, asc(found.id))
      .limit(query.page.limit)
      .offset(query.page.offset)
    const [counted] = await tx
      .with(found)
      .select({ total: count(), ids: sql<string[]>`array${page}` })
      .from(found)
    const ids = counted?.ids ?? []
    const rows = await tx
      .select({ project: projects, phase: phaseSql(ctx.now()) })
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), inArray(projects.id, ids)))
    const byId = new Map(rows.map((row) => [row.project.id, row]))
    return {
      rows: await addDates(
        ctx,
        tx,
        ids.flatMap((id) => byId.get(id) ?? []),
      ),
      total: counted?.total ?? 0,
    }
  })
}

/** The given projects that the viewer may know of, with their key dates. */
export function loadKnownProjects(ctx: Ctx, ids: readonly string[]): Promise<ProjectRecord[]> {
  return ctx.db.tx(async (tx) => {
    const rows = await tx
      .select({ project: projects, phase: phaseSql(ctx.now()) })
      .from(projects)
      .where(and(knownWhere(ctx), inArray(projects.id, [...ids])))
    return addDates(ctx, tx, rows)
  })
}

async function addDates(ctx: Ctx, tx: Tx, rows: { project: ProjectRow; phase: Phase }[]): Promise<ProjectRecord[]> {
  const ids = rows.map(({ project }) => project.id)
  const dates = ids.length
    ? await tx
        .select()
        .from(projectDates)
        .where(and(eq(projectDates.siteId, ctx.site.id), inArray(projectDates.projectId, ids)))
        .orderBy(asc(projectDates.position))
    : []
  return rows.map(({ project, phase }) => ({ ...project, phase, dates: dates.filter((date) => date.projectId === project.id) }))
}
