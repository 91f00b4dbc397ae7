import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { knownWhere, knowsAllProjects } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { lookUpRows } from '#app/server/db/look-up-rows.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { isOpenCase, moderationCases, moderationDecisions, moderationReports, moderationRules } from '#app/server/db/schema/moderation.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { isInActivities } from '../record/activities.policy.server.ts'
import { type CaseRow, type DecisionRow, findLastDecision } from './cases.server.ts'
import { decideOnContribution, decideOnReply, keepAsItIs } from './decide.server.ts'
import { maskSubject, unmaskSubject } from './masking/mask.server.ts'
import type { moderationCaseShape, moderationDecisionShape } from './moderation.api.schema.ts'
import { requireReplyFor } from '../record/loading.server.ts'

const buildScope = (ctx: Ctx): SQL | undefined =>
  scopeWhere(ctx.viewer, 'contributions.moderate', { hub: projects.hubId, project: projects.id })

/** Cases of projects that the viewer moderates, for statements that look up a few cases and join their projects. */
export const isModerated = (ctx: Ctx): SQL | undefined => and(eq(moderationCases.siteId, ctx.site.id), knownWhere(ctx), buildScope(ctx))

const moderatesSite = (ctx: Ctx): boolean => buildScope(ctx) === undefined && knowsAllProjects(ctx.viewer)

/** The same for lists, by the contribution's id; undefined if the viewer moderates the whole site. */
export const isModeratedContribution = (ctx: Ctx, id: AnyPgColumn): SQL | undefined =>
  moderatesSite(ctx) ? undefined : isOfProjects(ctx, id, and(knownWhere(ctx), buildScope(ctx)))

/** The same by the case's id. */
export const isModeratedCase = (ctx: Ctx, id: AnyPgColumn): SQL | undefined =>
  moderatesSite(ctx) ? undefined : isCaseOfProjects(ctx, id, and(knownWhere(ctx), buildScope(ctx)))

/**
 * Whether a contribution belongs to these projects. The set of their contributions is built once and probed: a join with all contributions of
 * the site would compare each pair in a plan for a site of average size.
 */
const isOfProjects = (ctx: Ctx, id: AnyPgColumn, where: SQL | undefined): SQL =>
  sql`(${id} in (select ${contributions.id} from ${contributions}
    where ${contributions.siteId} = ${ctx.site.id} and ${isInActivities(ctx, where)})) is true`

/** The same by the case's id. */
export const isCaseOfProjects = (ctx: Ctx, id: AnyPgColumn, where: SQL | undefined): SQL =>
  sql`(${id} in (select ${moderationCases.id} from ${moderationCases}
    where ${moderationCases.siteId} = ${ctx.site.id} and ${isOfProjects(ctx, moderationCases.contributionId, where)})) is true`

export type CaseRecord = CaseRow & { reports: number; assigneeName: string | null }

const selectCases = (tx: Tx, found: typeof moderationCases) =>
  tx
    .select({
      row: moderationCases,
      reports: sql<number>`(select count(*)::int from ${moderationReports} r
        where r.site_id = ${moderationCases.siteId} and r.case_id = ${moderationCases.id})`,
      assigneeName: users.login,
    })
    .from(found)
    .innerJoin(contributions, and(eq(contributions.siteId, moderationCases.siteId), eq(contributions.id, moderationCases.contributionId)))
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .leftJoin(users, and(eq(users.siteId, moderationCases.siteId), eq(users.id, moderationCases.assigneeId)))

export const loadCases = (ctx: Ctx, ids: readonly string[]): Promise<CaseRecord[]> =>
  ctx.db.read(async (tx) =>
    (await selectCases(tx, lookUpRows(moderationCases, ctx.site.id, ids)).where(isModerated(ctx))).map(toCaseRecord),
  )

const toCaseRecord = ({ row, ...rest }: { row: CaseRow } & Pick<CaseRecord, 'reports' | 'assigneeName'>): CaseRecord => ({
  ...row,
  ...rest,
})

type CaseFilter = ListQuery<typeof moderationCaseShape>['filter']

/** Filters the viewer's cases; needs no table but `moderation_cases`. */
export function buildCaseFilter(ctx: Ctx, filter: CaseFilter): SQL | undefined {
  const hasReports = sql`exists (select from ${moderationReports} r
    where r.site_id = ${moderationCases.siteId} and r.case_id = ${moderationCases.id})`
  const isOverdue = lt(moderationCases.dueAt, ctx.now())
  const isWaiting = filter.state?.length === 1 && filter.state[0] === 'open'
  return and(
    eq(moderationCases.siteId, ctx.site.id),
    isModeratedContribution(ctx, moderationCases.contributionId),
    filter.project ? isOfProjects(ctx, moderationCases.contributionId, eq(projects.id, filter.project)) : undefined,
    // Written out, so that every plan may use the index of what waits.
    isWaiting ? isOpenCase : filter.state && inArray(moderationCases.state, filter.state),
    filter.openedBy ? inArray(moderationCases.openedBy, filter.openedBy) : undefined,
    filter.contribution ? eq(moderationCases.contributionId, filter.contribution) : undefined,
    filter.reported === undefined ? undefined : filter.reported ? hasReports : sql`not ${hasReports}`,
    filter.assignee ? eq(moderationCases.assigneeId, filter.assignee) : undefined,
    filter.assigned === undefined
      ? undefined
      : filter.assigned
        ? isNotNull(moderationCases.assigneeId)
        : isNull(moderationCases.assigneeId),
    filter.overdue === undefined ? undefined : filter.overdue ? isOverdue : sql`not ${isOverdue}`,
  )
}

export function listCases(ctx: Ctx, { filter, sort, page }: ListQuery<typeof moderationCaseShape>): Promise<ListResult<CaseRecord>> {
  return ctx.db.read(async (tx) => {
    const where = buildCaseFilter(ctx, filter)
    const [counted] = await tx.select({ total: count() }).from(moderationCases).where(where)
    const order = [...sort.map(({ by, descending }) => (descending ? desc : asc)(moderationCases[by])), asc(moderationCases.id)]
    const shown = tx
      .select({ id: moderationCases.id })
      .from(moderationCases)
      .where(where)
      .orderBy(...order)
      .limit(page.limit)
      .offset(page.offset)
    const rows = await selectCases(tx, lookUpRows(moderationCases, ctx.site.id, sql`array(${shown})`)).orderBy(...order)
    return { rows: rows.map(toCaseRecord), total: counted?.total ?? 0 }
  })
}

export type DecisionRecord = DecisionRow & { rule: string | null; contributionId: string; replyId: string | null }

const selectDecisions = (tx: Tx, found: typeof moderationDecisions) =>
  tx
    .select({
      row: moderationDecisions,
      rule: moderationRules.code,
      contributionId: moderationCases.contributionId,
      replyId: moderationCases.replyId,
    })
    .from(found)
    .innerJoin(
      moderationCases,
      and(eq(moderationCases.siteId, moderationDecisions.siteId), eq(moderationCases.id, moderationDecisions.caseId)),
    )
    .innerJoin(contributions, and(eq(contributions.siteId, moderationCases.siteId), eq(contributions.id, moderationCases.contributionId)))
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .leftJoin(
      moderationRules,
      and(eq(moderationRules.siteId, moderationDecisions.siteId), eq(moderationRules.id, moderationDecisions.ruleId)),
    )

const toRecord = ({
  row,
  ...rest
}: Pick<DecisionRecord, 'rule' | 'contributionId' | 'replyId'> & { row: DecisionRow }): DecisionRecord => ({ ...row, ...rest })

export const loadDecisions = (ctx: Ctx, ids: readonly string[]): Promise<DecisionRecord[]> =>
  ctx.db.read(async (tx) =>
    (await selectDecisions(tx, lookUpRows(moderationDecisions, ctx.site.id, ids)).where(isModerated(ctx))).map(toRecord),
  )

export function listDecisions(
  ctx: Ctx,
  { filter, sort, page }: ListQuery<typeof moderationDecisionShape>,
): Promise<ListResult<DecisionRecord>> {
  return ctx.db.read(async (tx) => {
    const where = and(
      eq(moderationDecisions.siteId, ctx.site.id),
      isModeratedCase(ctx, moderationDecisions.caseId),
      filter.case ? eq(moderationDecisions.caseId, filter.case) : undefined,
      filter.decision ? inArray(moderationDecisions.decision, filter.decision) : undefined,
    )
    const [counted] = await tx.select({ total: count() }).from(moderationDecisions).where(where)
    const order = [(sort[0]?.descending === false ? asc : desc)(moderationDecisions.decidedAt), asc(moderationDecisions.id)]
    const shown = tx
      .select({ id: moderationDecisions.id })
      .from(moderationDecisions)
      .where(where)
      .orderBy(...order)
      .limit(page.limit)
      .offset(page.offset)
    const rows = await selectDecisions(tx, lookUpRows(moderationDecisions, ctx.site.id, sql`array(${shown})`)).orderBy(...order)
    return { rows: rows.map(toRecord), total: counted?.total ?? 0 }
  })
}

/**
 * Decides about the text of a case, or about any contribution or reply.
 * @returns the decision's id @throws {AppError} `not-found`, `conflict` if it is decided or the text has changed, `invalid`
 */
export async function createDecision(ctx: Ctx, input: NewDecision): Promise<string> {
  const subject = await requireSubject(ctx, input)
  const { decision } = input
  const reason = { ...(input.rule && { rule: input.rule }), words: input.reason ?? '' }
  if (decision === 'restore') throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/decision' }] })
  if (decision === 'mask') await maskSubject(ctx, subject, readMasking(input))
  else if (decision === 'unmask') await unmaskSubject(ctx, subject, reason.words)
  else if (decision === 'keep') await keepAsItIs(ctx, subject)
  else if (subject.replyId) await decideOnReply(ctx, subject.replyId, decision, reason)
  else await decideOnContribution(ctx, subject.contributionId, decision, reason)
  const made = await ctx.db.read((tx) => findLastDecision(tx, ctx.site.id, subject))
  if (!made) throw new AppError('conflict')
  return made.id
}

type NewDecision = Omit<CreateInput<typeof moderationDecisionShape>, 'id'>

/** What is decided about: the text of an open case, or any text. */
async function requireSubject(ctx: Ctx, input: NewDecision): Promise<Pick<CaseRow, 'contributionId' | 'replyId'>> {
  if (input.case) {
    const [found] = await loadCases(ctx, [input.case])
    if (!found) throw new AppError('not-found')
    if (found.state !== 'open') throw new AppError('conflict')
    return found
  }
  if (input.reply) {
    const { reply } = await ctx.db.read((tx) => requireReplyFor(ctx, tx, 'contributions.moderate', input.reply ?? ''))
    return { contributionId: reply.contributionId, replyId: reply.id }
  }
  if (input.contribution) return { contributionId: input.contribution, replyId: null }
  throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/case' }] })
}

function readMasking({ textVersion, passages, photos, rule, reason }: NewDecision) {
  if (textVersion === undefined) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/textVersion' }] })
  return { version: textVersion, passages: passages ?? [], photos: photos ?? [], rule: rule ?? undefined, words: reason ?? '' }
}
