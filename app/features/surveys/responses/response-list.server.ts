import { and, asc, count, eq, getTableColumns, gte, inArray, isNotNull, isNull, lt, not, or, type SQL, sql } from 'drizzle-orm'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { loadOptionCondition } from '#app/features/profile-answers/profile-answers.server.ts'
import { toPermissionTarget, type ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { asTable, lookUpRows } from '#app/server/db/look-up-rows.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { isCounted, responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { AppError } from '#app/lib/app-error.ts'
import { toLikePattern } from '#app/lib/like-pattern.ts'
import type { responseShape } from '../surveys.api.schema.ts'
import type { StoredResponse } from './submit-response.server.ts'
import type { Answers } from '../surveys.schema.ts'

type ResponseRow = typeof responses.$inferSelect

/** A response as the API returns it; its participant only for people who may see personal data. */
export interface ResponseRecord extends StoredResponse {
  participant?: { login: string; email: string } | null
  /** Only for people who may see responses. */
  doubt?: 'rate' | 'haste' | null
  /** Returned once, to the sender. */
  receiptCode?: string
}

/** Responses of projects whose responses the viewer may see, plus their own. */
function whereVisible(ctx: Ctx): SQL | undefined {
  const inScope = scopeWhere(ctx.viewer, 'responses.see', { hub: projects.hubId, project: projects.id })
  const own = ctx.viewer.kind === 'user' ? eq(responses.userId, ctx.viewer.id) : undefined
  return and(eq(responses.siteId, ctx.site.id), isNull(responses.withdrawnAt), inScope && or(inScope, own))
}

const joins = {
  survey: and(eq(surveys.siteId, responses.siteId), eq(surveys.id, responses.surveyId)),
  project: and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)),
  user: and(eq(users.siteId, responses.siteId), eq(users.id, responses.userId)),
}

const selectResponses = (tx: Tx, found: typeof responses = responses) =>
  tx
    .select({ response: responses, project: projects, login: users.login, email: users.email })
    .from(found)
    .innerJoin(surveys, joins.survey)
    .innerJoin(projects, joins.project)
    .leftJoin(users, joins.user)

type SelectedResponse = { response: ResponseRow; project: ProjectRow; login: string | null; email: string | null }

function toResponseRecord(ctx: Ctx, { response, project, login, email }: SelectedResponse): ResponseRecord {
  const { id, surveyId, version, language, source, submittedAt, seconds, counted } = response
  const tellsWho = checkPermission(ctx.viewer, 'responses.export-personal', toPermissionTarget(project)).ok
  return {
    id,
    surveyId,
    version,
    language,
    source,
    submittedAt,
    seconds,
    counted,
    answers: response.answers as Answers,
    ...(checkPermission(ctx.viewer, 'responses.see', toPermissionTarget(project)).ok && { doubt: response.doubt }),
    ...(tellsWho && { participant: login !== null && email !== null ? { login, email } : null }),
  }
}

export async function loadResponses(ctx: Ctx, ids: readonly string[]): Promise<ResponseRecord[]> {
  const rows = await ctx.db.read((tx) => selectResponses(tx, lookUpRows(responses, ctx.site.id, ids)).where(whereVisible(ctx)))
  return rows.map((row) => toResponseRecord(ctx, row))
}

type Filter = ListQuery<typeof responseShape>['filter']

/** Matches responses of projects whose responses the viewer may see and whose people they manage; undefined if these are all. */
function buildManagedScope({ viewer, site }: Ctx): SQL | undefined {
  const seen = scopeWhere(viewer, 'responses.see', { hub: projects.hubId, project: projects.id })
  const scope = and(seen, scopeWhere(viewer, 'participants.manage', { hub: projects.hubId }))
  return (
    scope &&
    sql`${responses.surveyId} in (select ${surveys.id} from ${surveys} inner join ${projects} on ${joins.project}
      where ${surveys.siteId} = ${site.id} and ${scope})`
  )
}

/** Matches responses by people who chose the given option when asked about themselves, as `loadOptionCondition` does, among those who answered the survey. */
async function loadSentByCondition(ctx: Ctx, tx: Tx, surveyId: string, filter: string): Promise<SQL> {
  const managed = buildManagedScope(ctx)
  const within = and(eq(responses.siteId, ctx.site.id), eq(responses.surveyId, surveyId), isCounted, managed)
  const column = responses.userId
  const people = sql`select ${column} from ${responses} where ${within} and ${column} is not null`
  const said = await loadOptionCondition(tx, { siteId: ctx.site.id, now: ctx.now(), filter, column, people })
  return and(managed, said) ?? sql`false`
}

/** @throws {AppError} `invalid-parameter` for `filter[profile]` without `filter[survey]`: small numbers are counted by survey */
export function listResponses(ctx: Ctx, { filter, sort, page }: ListQuery<typeof responseShape>): Promise<ListResult<ResponseRecord>> {
  const { survey, profile, ...rest } = filter
  if (profile !== undefined && !survey) throw new AppError('invalid-parameter', { parameter: 'filter[survey]' })
  // `submitted_at` is never null, and `nulls last` would rule out an index scan.
  const order = sort.map(({ by, descending }) => {
    const direction = descending ? 'desc' : 'asc'
    return by === 'submittedAt'
      ? sql`${responses.submittedAt} ${sql.raw(direction)}`
      : sql`${responses[by]} ${sql.raw(direction)} nulls last`
  })
  return ctx.db.read(async (tx) => {
    const sentBy = survey && profile !== undefined ? await loadSentByCondition(ctx, tx, survey, profile) : undefined
    const where = and(whereVisible(ctx), survey ? eq(responses.surveyId, survey) : undefined, whereMatches(rest), sentBy)
    const total = sentBy || whereMatches(rest) ? await countRows(tx, where) : await sumCounts(ctx, tx, survey)
    // Skips responses before they are joined. Without a scope, every response of the site is shown, whatever its project.
    const all = tx.select(getTableColumns(responses)).from(responses).$dynamic()
    const inScope = scopeWhere(ctx.viewer, 'responses.see', { hub: projects.hubId, project: projects.id })
    const shown = (inScope ? all.innerJoin(surveys, joins.survey).innerJoin(projects, joins.project) : all)
      .where(where)
      .orderBy(...order, asc(responses.id))
      .limit(page.limit)
      .offset(page.offset)
    const rows = await selectResponses(tx, asTable(responses, shown.getSQL())).orderBy(...order, asc(responses.id))
    return { rows: rows.map((row) => toResponseRecord(ctx, row)), total }
  })
}

async function countRows(tx: Tx, where: SQL | undefined): Promise<number> {
  const [counted] = await tx
    .select({ total: count() })
    .from(responses)
    .innerJoin(surveys, joins.survey)
    .innerJoin(projects, joins.project)
    .where(where)
  return counted?.total ?? 0
}

/**
 * Counts the responses that the viewer may see, or those to one survey, from the count that each survey keeps. Only those that do not count, and
 * the viewer's own outside their scope, are counted row by row.
 */
async function sumCounts({ site, viewer }: Ctx, tx: Tx, survey: string | undefined): Promise<number> {
  const inScope = scopeWhere(viewer, 'responses.see', { hub: projects.hubId, project: projects.id })
  const isAsked = and(eq(surveys.siteId, site.id), survey ? eq(surveys.id, survey) : undefined)
  const counted = tx
    .select({ total: sql<number>`coalesce(sum(${surveys.responsesCount}), 0)::int`.as('total') })
    .from(surveys)
    .innerJoin(projects, joins.project)
    .where(and(isAsked, inScope))
  const uncounted = tx
    .select({ total: sql<number>`count(*)::int`.as('total') })
    .from(responses)
    .innerJoin(surveys, joins.survey)
    .innerJoin(projects, joins.project)
    .where(
      and(
        isAsked,
        inScope,
        eq(responses.siteId, site.id),
        isNotNull(responses.crowdId),
        not(responses.counted),
        isNull(responses.withdrawnAt),
      ),
    )
  const selectOwn = (userId: string) =>
    tx
      .select({ total: sql<number>`count(*)::int`.as('total') })
      .from(responses)
      .innerJoin(surveys, joins.survey)
      .innerJoin(projects, joins.project)
      .where(and(isAsked, isNull(responses.withdrawnAt), eq(responses.userId, userId), sql`(${inScope}) is not true`))
  const all = counted.unionAll(uncounted)
  const parts = await (inScope && viewer.kind === 'user' ? all.unionAll(selectOwn(viewer.id)) : all)
  return parts.reduce((sum, { total }) => sum + total, 0)
}

/** Undefined if there is no filter besides the survey. */
const whereMatches = (filter: Omit<Filter, 'survey' | 'profile'>): SQL | undefined =>
  and(
    filter.language && inArray(responses.language, filter.language),
    filter.version === undefined ? undefined : eq(responses.version, filter.version),
    filter.source === undefined ? undefined : eq(responses.source, filter.source),
    filter.from ? gte(responses.submittedAt, new Date(filter.from)) : undefined,
    filter.to ? lt(responses.submittedAt, new Date(filter.to)) : undefined,
    filter.doubtful === undefined ? undefined : filter.doubtful ? isNotNull(responses.doubt) : isNull(responses.doubt),
    filter.answer ? whereChose(filter.answer) : undefined,
    filter.q ? whereWrote(filter.q) : undefined,
  )

/** Chose this option or step: `mode:bus`. */
function whereChose(answer: string): SQL {
  const [question = '', value = ''] = answer.split(':')
  const given = sql`${responses.answers} -> ${question}`
  return sql`(${given} ->> 'choice' = ${value} or ${given} -> 'choices' ? ${value} or ${responses.answers} ->> ${question} = ${value})`
}

/** Typed these words in any answer, ignoring case. */
function whereWrote(words: string): SQL {
  return sql`exists (
    select 1 from jsonb_each(${responses.answers}) given
    where (jsonb_typeof(given.value) = 'string' and given.value #>> '{}' ilike ${toLikePattern(words)}) or given.value ->> 'other' ilike ${toLikePattern(words)})`
}
