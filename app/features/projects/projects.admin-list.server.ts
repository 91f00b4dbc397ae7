import { and, asc, count, eq, inArray, not, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { Language } from '#app/lib/languages.ts'
import type { PROJECT_CHANGES } from '#app/lib/vocabulary/projects.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { collateFor } from '#app/server/db/collation.ts'
import { prepareOnce } from '#app/server/db/prepare-once.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { projectDates, projects } from '#app/server/db/schema/projects.ts'
import { searchTexts, toSearchWords } from '#app/server/db/text-search.ts'
import type { projectShape } from './projects.api.schema.ts'
import { knownWhere, knowsAllProjects, projectColumns, type ProjectRow } from './projects.policy.server.ts'
import type { Phase } from './projects.schema.ts'
import { phaseSql } from './project-cards.server.ts'

type ProjectChanges = (typeof PROJECT_CHANGES)[number] | null

export type ProjectRecord = ProjectRow & {
  phase: Phase
  /** Renewed with every change of the row or its dates. */
  version: string
  /** Left out for viewers who may not see drafts. */
  changes?: ProjectChanges
  dates: Pick<typeof projectDates.$inferSelect, 'id' | 'title' | 'detail' | 'happensAt' | 'precision'>[]
}

type ProjectQuery = ListQuery<typeof projectShape>

/** Projects for the API: those the viewer may know of, including drafts in their scope. */
export function listKnownProjects(ctx: Ctx, query: ProjectQuery): Promise<ListResult<ProjectRecord>> {
  const { filter, sort, page } = query
  const filtered = nameFilterValues(query)
  const places = filtered.flatMap(({ named }) => named)
  const values = {
    site: ctx.site.id,
    now: ctx.now(),
    language: ctx.language,
    locale: ctx.site.locale,
    ...page,
    ...Object.fromEntries(places.map(({ place, value }) => [place, value])),
  }
  const words = filter.q ? toSearchWords(filter.q) : []
  const managed = buildManagedCondition(ctx, filter.managed)
  const readPage = async (tx: Tx): Promise<ListResult<ProjectRecord>> => {
    const search = words.length ? await searchTexts(tx, ctx.site.id, words) : undefined
    const where = and(
      whereKnown(ctx),
      ...filtered.map(({ column, named }) =>
        inArray(
          column,
          named.map(({ place }) => sql.placeholder(place)),
        ),
      ),
      search?.where(projects.id),
      managed,
    )
    const build = () => selectPage(tx, ctx.language, query, where, search?.score(projects.id)).prepare('')
    const name = JSON.stringify(['projects', ctx.language, sort, places.map(({ place }) => place), filtered.length])
    const rows = await (knowsAllProjects(ctx.viewer) && !search && !managed ? prepareOnce(tx, name, build) : build()).execute(values)
    const total = rows[0]?.total ?? (page.offset === 0 ? 0 : await countMatches(tx, where, values))
    return {
      rows: await loadRecords(
        ctx,
        tx,
        rows.map((row) => hideChanges(ctx, row)),
      ),
      total,
    }
  }
  return words.length ? ctx.db.read(readPage) : ctx.db.readTogether(readPage)
}

/** Undefined if all projects match. */
function buildManagedCondition({ viewer }: Ctx, managed: boolean | undefined): SQL | undefined {
  if (managed === undefined) return undefined
  const own = scopeWhere(viewer, 'projects.edit', { hub: projects.hubId, project: projects.id })
  if (managed) return own
  return own ? not(own) : sql`false`
}

const ofSite = eq(projects.siteId, sql.placeholder('site'))

/** As `knownWhere`, with the site as a placeholder for those who know all of its projects. */
const whereKnown = (ctx: Ctx): SQL | undefined => (knowsAllProjects(ctx.viewer) ? ofSite : knownWhere(ctx))

const FILTERED: Record<'status' | 'visibility' | 'hub' | 'topic', AnyPgColumn> = {
  status: projects.status,
  visibility: projects.visibility,
  hub: projects.hubId,
  topic: projects.topicId,
}

/** The filters in use, except the search words, with a placeholder name for each value. */
const nameFilterValues = ({ filter }: ProjectQuery) =>
  (Object.keys(FILTERED) as (keyof typeof FILTERED)[]).flatMap((name) => {
    const values: readonly string[] | undefined = filter[name]
    return values ? [{ column: FILTERED[name], named: values.map((value, at) => ({ place: `${name} ${at}`, value })) }] : []
  })

function selectPage(tx: Tx, language: Language, { sort }: ProjectQuery, where: SQL | undefined, score: SQL | undefined) {
  const title = sql`coalesce(nullif(${projects.title} ->> ${sql.placeholder('language')}, ''), ${projects.title} ->> ${sql.placeholder('locale')})`
  const columns: Record<(typeof sort)[number]['by'], SQL> = {
    title: collateFor(language, title),
    updatedAt: sql`${projects.updatedAt}`,
    publishedAt: sql`${projects.publishedAt}`,
    closesAt: sql`${projects.closesAt}`,
    participants: sql`${projects.participants}`,
  }
  const sorted = sort.map(({ by, descending }, at) => ({ name: `sort_${at}`, value: columns[by], descending }))
  // Scan all matches once with only the columns that sorting needs, then load the versions of the page.
  const found = tx.$with('found').as(
    tx
      .select({
        id: projects.id,
        ...(score ? { score: score.as('score') } : {}),
        ...Object.fromEntries(sorted.map(({ name, value }) => [name, value.as(name)])),
      })
      .from(projects)
      .where(where),
  )
  const order = sorted.map(({ name, descending }) => sql`${sql.identifier(name)} ${sql.raw(descending ? 'desc' : 'asc')} nulls last`)
  const sorting = [...(score ? [sql`score desc`] : []), ...order]
  const page = tx
    .select()
    .from(found)
    .orderBy(...sorting, asc(found.id))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .as('page')
  return tx
    .with(found)
    .select({ ...versionColumns, total: sql<number>`(select count(*)::int from ${found})` })
    .from(page)
    .innerJoin(projects, and(ofSite, eq(projects.id, page.id)))
    .orderBy(...sorting, asc(page.id))
}

/** For a page beyond the end, whose rows cannot say how many there are. */
async function countMatches(tx: Tx, where: SQL | undefined, values: Record<string, unknown>): Promise<number> {
  const [counted] = await tx.select({ total: count() }).from(projects).where(where).execute(values)
  return counted?.total ?? 0
}

/** The given projects that the viewer may know of, with their key dates. */
export async function loadKnownProjects(ctx: Ctx, ids: readonly string[]): Promise<ProjectRecord[]> {
  return ctx.db.readTogether(async (tx) => {
    const [first] = ids
    if (first === undefined) return []
    // A single id uses `=`: PostgreSQL replans `= any ($1)` on every execution.
    const isOne = ids.length === 1
    const build = () =>
      tx
        .select(versionColumns)
        .from(projects)
        .where(and(whereKnown(ctx), isOne ? eq(projects.id, sql.placeholder('id')) : inArray(projects.id, [...ids])))
        .prepare('')
    const query = isOne && knowsAllProjects(ctx.viewer) ? prepareOnce(tx, 'one project', build) : build()
    const found = await query.execute({ site: ctx.site.id, now: ctx.now(), id: first })
    return loadRecords(
      ctx,
      tx,
      found.map((row) => hideChanges(ctx, row)),
    )
  })
}

const changesOfProject = sql`(
  select case when ${revisionHeads.reviewRequestedAt} is null then 'draft' else 'in_review' end from ${revisionHeads}
  where ${revisionHeads.siteId} = ${projects.siteId} and ${revisionHeads.subject} = 'project' and ${revisionHeads.scopeId} = ${projects.id}
    and ${revisionHeads.hasChanges})`

/** Which row it is, and in which state: all that a project's record depends on. */
const versionColumns = {
  id: projects.id,
  version: projects.rowVersion,
  phase: phaseSql(sql.placeholder('now')),
  changes: sql<ProjectChanges>`${changesOfProject}`,
  hubId: projects.hubId,
}

interface RecordVersion {
  id: string
  version: string
  phase: Phase
  changes?: ProjectChanges
}

/** What a record shows may depend on its version only: who may not see drafts gets another one. */
function hideChanges({ viewer }: Ctx, { changes, hubId, ...version }: RecordVersion & { hubId: string | null }): RecordVersion {
  const seesDrafts = checkPermission(viewer, 'projects.see-draft', { hubId, projectId: version.id }).ok
  return { ...version, ...(seesDrafts && changes !== undefined && { changes }) }
}

const nameRecord = ({ site }: Ctx, { id, version, phase }: RecordVersion) => `projects/${site.id}/${id}/${version}/${phase}`

/** The records of these projects, in order: those that the process does not remember are read, in the same transaction. */
async function loadRecords(ctx: Ctx, tx: Tx, versions: readonly RecordVersion[]): Promise<ProjectRecord[]> {
  const memory = ctx.runtime.rows
  const records = new Map<string, ProjectRecord>()
  for (const asked of versions) {
    const known = memory?.find(nameRecord(ctx, asked)) as ProjectRecord | undefined
    if (known) records.set(asked.id, known)
  }
  const missing = versions.filter(({ id }) => !records.has(id))
  if (missing.length > 0) {
    const ids = missing.map(({ id }) => id)
    const rows = await tx
      // Drizzle leaves out the table of columns that stand directly in a field of a query on one table.
      .select({ project: projectColumns, dates: sql<StoredDate[]>`${datesOfProject}` })
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), sql`${projects.id} = any (${sql.param(ids)}::uuid[])`))
    const read = new Map(rows.map((row) => [row.project.id, row]))
    for (const asked of missing) {
      const row = read.get(asked.id)
      if (!row) continue
      const record = toRecord({ ...row, version: asked.version, phase: asked.phase })
      records.set(asked.id, record)
      memory?.add(nameRecord(ctx, asked), record)
    }
  }
  return versions.flatMap((asked) => {
    const record = records.get(asked.id)
    return record ? [withChanges(ctx, asked, record)] : []
  })
}

/** The record with what its draft says, for viewers who may see that. */
function withChanges(ctx: Ctx, asked: RecordVersion, record: ProjectRecord): ProjectRecord {
  const { changes } = asked
  if (changes === undefined) return record
  const memory = ctx.runtime.rows
  const name = `${nameRecord(ctx, asked)}/${changes}`
  const known = memory?.find(name) as ProjectRecord | undefined
  if (known) return known
  const changed = { ...record, changes }
  memory?.add(name, changed)
  return changed
}

type StoredDate = Omit<ProjectRecord['dates'][number], 'happensAt'> & { happensAt: string }

const datesOfProject = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('id', ${projectDates.id}, 'title', ${projectDates.title}, 'detail', ${projectDates.detail},
    'happensAt', ${projectDates.happensAt}, 'precision', ${projectDates.precision}) order by ${projectDates.position}), '[]')
  from ${projectDates} where ${projectDates.siteId} = ${projects.siteId} and ${projectDates.projectId} = ${projects.id})`

interface StoredRecord {
  project: ProjectRow
  version: string
  phase: Phase
  dates: StoredDate[]
}

const toRecord = ({ project, version, phase, dates }: StoredRecord): ProjectRecord => ({
  ...project,
  version,
  phase,
  dates: dates.map((date) => ({ ...date, happensAt: new Date(date.happensAt) })),
})
