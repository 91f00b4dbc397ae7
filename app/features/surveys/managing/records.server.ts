import { and, asc, count, eq, getTableColumns, inArray, ne, not, or, type SQL, sql } from 'drizzle-orm'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { knownWhere, projectColumns, type ProjectRow, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { collateFor } from '#app/server/db/collation.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys, surveyVersions } from '#app/server/db/schema/surveys.ts'
import { titleContains } from '#app/server/db/title-contains.ts'
import { freezeDeeply } from '#app/server/public-reads.ts'
import type { SurveyKeywords } from '../sms/by-text.schema.ts'
import type { surveyShape, surveyVersionShape } from '../surveys.api.schema.ts'
import type { SurveyRow } from '../surveys.policy.server.ts'
import type { Definition } from '../surveys.schema.ts'
import { closesAtSql } from '../surveys.state.server.ts'
import { readDefinition } from '../questionnaire/versions.server.ts'

const { definition: _definition, searchTitle: _title, searchText: _text, ...surveyColumns } = getTableColumns(surveys)

/** What a survey's state and the permissions on it depend on, without the project's texts. */
const { id, hubId, status, visibility, opensAt, closesAt, publishedAt } = projectColumns
const placeColumns = { id, hubId, status, visibility, opensAt, closesAt, publishedAt }

interface FoundSurvey extends Omit<SurveyRow, 'definition' | 'searchTitle' | 'searchText'> {
  project: Pick<ProjectRow, keyof typeof placeColumns>
  hasChanges: boolean
  smsKeywords: SurveyKeywords
  definitionHash: string
}

/** A survey as the API returns it. */
export interface SurveyRecord extends FoundSurvey {
  /** Only for viewers who may edit the survey. */
  definition: StoredDefinition | undefined
}

/** A survey's definition as it is stored. */
interface StoredDefinition {
  readonly id: string
  readonly stored: unknown
}

const checkedDefinitions = new WeakMap<StoredDefinition, Definition>()

/** The definition, which is checked once for as long as it is remembered. @throws {Error} if it is not one */
export function checkDefinition(remembered: StoredDefinition): Definition {
  const known = checkedDefinitions.get(remembered)
  if (known) return known
  const checked = freezeDeeply(readDefinition(remembered.stored))
  checkedDefinitions.set(remembered, checked)
  return checked
}

/** Surveys of projects the viewer may know of; drafts only for people who may see the projects' drafts. */
function whereKnown(ctx: Ctx): SQL | undefined {
  const drafts = scopeWhere(ctx.viewer, 'projects.see-draft', { hub: projects.hubId, project: projects.id })
  return and(eq(surveys.siteId, ctx.site.id), knownWhere(ctx), drafts === undefined ? undefined : or(ne(surveys.status, 'draft'), drafts))
}

const hashOfDefinition = sql<string>`encode(sha256(convert_to(${surveys.definition}::text, 'UTF8')), 'hex')`

const selectSurveys = (tx: Tx) =>
  tx
    .select({
      ...surveyColumns,
      definitionHash: hashOfDefinition,
      project: placeColumns,
      hasChanges: sql<boolean>`${surveyVersions.definition} is distinct from ${surveys.definition}`,
      smsKeywords: sql<SurveyKeywords>`coalesce((
        select jsonb_object_agg(k.language, k.keyword) from survey_keywords k
        where k.site_id = ${surveys.siteId} and k.survey_id = ${surveys.id}), '{}')`,
    })
    .from(surveys)
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
    .leftJoin(
      surveyVersions,
      and(
        eq(surveyVersions.siteId, surveys.siteId),
        eq(surveyVersions.surveyId, surveys.id),
        eq(surveyVersions.number, surveys.publishedVersion),
      ),
    )

const hasKeywordsSql = sql`exists (select 1 from survey_keywords k where k.site_id = ${surveys.siteId} and k.survey_id = ${surveys.id})`

export function loadSurveys(ctx: Ctx, ids: readonly string[]): Promise<SurveyRecord[]> {
  return ctx.db.readTogether(async (tx) => {
    const found = await selectSurveys(tx).where(and(whereKnown(ctx), inArray(surveys.id, [...ids])))
    return addDefinitions(ctx, tx, found)
  })
}

/** Adds the definitions of surveys that the viewer may edit. Long ones take milliseconds to read and check, so each is read once. */
async function addDefinitions({ site, viewer, runtime }: Ctx, tx: Tx, found: readonly FoundSurvey[]): Promise<SurveyRecord[]> {
  const editable = found.filter(({ project }) => checkPermission(viewer, 'projects.edit', toPermissionTarget(project)).ok)
  const known = new Map<string, StoredDefinition>()
  for (const { id, definitionHash } of editable) {
    const definition = runtime.rows?.find(nameDefinition(site.id, id, definitionHash)) as StoredDefinition | undefined
    if (definition) known.set(id, definition)
  }
  const missing = editable.flatMap(({ id }) => (known.has(id) ? [] : [id]))
  if (missing.length > 0) {
    const rows = await tx
      .select({ id: surveys.id, hash: hashOfDefinition, stored: surveys.definition })
      .from(surveys)
      .where(and(eq(surveys.siteId, site.id), inArray(surveys.id, missing)))
    for (const { id, hash, stored } of rows) {
      const definition = { id, stored }
      known.set(id, definition)
      runtime.rows?.add(nameDefinition(site.id, id, hash), definition)
    }
  }
  return found.map((survey) => ({ ...survey, definition: known.get(survey.id) }))
}

const nameDefinition = (siteId: string, surveyId: string, hash: string): string => `definitions/${siteId}/${surveyId}/${hash}`

export function listSurveys(ctx: Ctx, { filter, sort, page }: ListQuery<typeof surveyShape>): Promise<ListResult<SurveyRecord>> {
  const title = sql`coalesce(nullif(${surveys.title} ->> ${ctx.language}, ''), ${surveys.title} ->> ${ctx.site.locale})`
  const editable = scopeWhere(ctx.viewer, 'projects.edit', { hub: projects.hubId, project: projects.id })
  const where = and(
    whereKnown(ctx),
    filter.managed === undefined ? undefined : filter.managed ? editable : editable ? not(editable) : sql`false`,
    filter.project && inArray(surveys.projectId, filter.project),
    filter.status && inArray(surveys.status, filter.status),
    filter.byText === undefined ? undefined : filter.byText ? hasKeywordsSql : not(hasKeywordsSql),
    filter.q ? titleContains(surveys.title, filter.q) : undefined,
  )
  const columns: Record<(typeof sort)[number]['by'], SQL> = {
    title: collateFor(ctx.language, title),
    updatedAt: sql`${surveys.updatedAt}`,
    closesAt: closesAtSql,
    responses: sql`${surveys.responsesCount}`,
  }
  const order = sort.map(({ by, descending }) => sql`${columns[by]} ${sql.raw(descending ? 'desc' : 'asc')} nulls last`)
  return ctx.db.read(async (tx) => {
    const [counted] = await tx
      .select({ total: count() })
      .from(surveys)
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .where(where)
    const found = await selectSurveys(tx)
      .where(where)
      .orderBy(...order, asc(surveys.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: await addDefinitions(ctx, tx, found), total: counted?.total ?? 0 }
  })
}

/** A published version as the API returns it; its id consists of the survey's id and the version number. */
export interface VersionRecord {
  id: string
  surveyId: string
  number: number
  definition: Definition
  publishedAt: Date
}

export const buildVersionId = (surveyId: string, number: number): string => `${surveyId}.${number}`

const selectVersions = (tx: Tx) =>
  tx
    .select({
      surveyId: surveyVersions.surveyId,
      number: surveyVersions.number,
      definition: surveyVersions.definition,
      publishedAt: surveyVersions.publishedAt,
    })
    .from(surveyVersions)
    .innerJoin(surveys, and(eq(surveys.siteId, surveyVersions.siteId), eq(surveys.id, surveyVersions.surveyId)))
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))

const toVersionRecord = (row: Omit<VersionRecord, 'id' | 'definition'> & { definition: unknown }): VersionRecord => ({
  ...row,
  id: buildVersionId(row.surveyId, row.number),
  definition: readDefinition(row.definition),
})

export async function loadVersions(ctx: Ctx, ids: readonly string[]): Promise<VersionRecord[]> {
  const wanted = sql.join(
    ids.map((id) => sql`(${id.slice(0, 36)}::uuid, ${Number(id.slice(37))}::int)`),
    sql`, `,
  )
  const rows = await ctx.db.read((tx) =>
    selectVersions(tx).where(and(whereKnown(ctx), sql`(${surveyVersions.surveyId}, ${surveyVersions.number}) in (${wanted})`)),
  )
  return rows.map(toVersionRecord)
}

export function listVersions(ctx: Ctx, { filter, sort, page }: ListQuery<typeof surveyVersionShape>): Promise<ListResult<VersionRecord>> {
  const where = and(whereKnown(ctx), filter.survey ? eq(surveyVersions.surveyId, filter.survey) : undefined)
  const direction = sql.raw(sort[0]?.descending ? 'desc' : 'asc')
  return ctx.db.read(async (tx) => {
    const [counted] = await tx
      .select({ total: count() })
      .from(surveyVersions)
      .innerJoin(surveys, and(eq(surveys.siteId, surveyVersions.siteId), eq(surveys.id, surveyVersions.surveyId)))
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .where(where)
    const rows = await selectVersions(tx)
      .where(where)
      .orderBy(sql`${surveyVersions.number} ${direction}`, asc(surveyVersions.surveyId))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.map(toVersionRecord), total: counted?.total ?? 0 }
  })
}

/** Ids of each survey's versions, newest first. */
export async function loadVersionIds(ctx: Ctx, rows: readonly { id: string }[]): Promise<Map<string, string[]>> {
  const ids = rows.map((row) => row.id)
  const found = await ctx.db.read((tx) =>
    tx
      .select({ surveyId: surveyVersions.surveyId, number: surveyVersions.number })
      .from(surveyVersions)
      .where(and(eq(surveyVersions.siteId, ctx.site.id), inArray(surveyVersions.surveyId, ids)))
      .orderBy(sql`${surveyVersions.number} desc`),
  )
  return new Map(ids.map((id) => [id, found.filter((row) => row.surveyId === id).map((row) => buildVersionId(id, row.number))]))
}
