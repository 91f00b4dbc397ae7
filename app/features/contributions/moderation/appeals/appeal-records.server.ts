import { and, asc, count, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { type ProjectRow, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import { parseBrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { lookUpRows } from '#app/server/db/look-up-rows.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { moderationAppeals, moderationCases } from '#app/server/db/schema/moderation.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { isCaseOfProjects, isModerated, isModeratedCase } from '../case-records.server.ts'
import { type AppealDeciders, findDeciders } from './appeal-deciders.server.ts'
import type { moderationAppealShape } from './appeals.api.schema.ts'
import { decideAppeal } from './decide-appeal.server.ts'
import { type AppealRow, requirePlacedDecision } from './find-appeal.server.ts'
import { submitAppeal } from './submit-appeal.server.ts'

export interface AppealRecord extends AppealRow {
  contributionId: string
  replyId: string | null
  /** The viewer's role may decide it. */
  mayDecide: boolean
  /** For moderators, while it is pending. */
  deciders: AppealDeciders | null
}

interface SelectedAppeal {
  row: AppealRow
  contributionId: string
  replyId: string | null
  project: ProjectRow
}

const selectAppeals = (tx: Tx, found: typeof moderationAppeals) =>
  tx
    .select({ row: moderationAppeals, contributionId: moderationCases.contributionId, replyId: moderationCases.replyId, project: projects })
    .from(found)
    .innerJoin(moderationCases, and(eq(moderationCases.siteId, moderationAppeals.siteId), eq(moderationCases.id, moderationAppeals.caseId)))
    .innerJoin(contributions, and(eq(contributions.siteId, moderationCases.siteId), eq(contributions.id, moderationCases.contributionId)))
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))

const isOwn = ({ viewer }: Ctx): SQL | undefined => (viewer.kind === 'user' ? eq(moderationAppeals.appellantId, viewer.id) : undefined)

async function toRecord(ctx: Ctx, tx: Tx, { row, contributionId, replyId, project }: SelectedAppeal): Promise<AppealRecord> {
  const target = toPermissionTarget(project)
  const isPending = row.state === 'pending'
  const isTold = isPending && checkPermission(ctx.viewer, 'contributions.moderate', target).ok
  return {
    ...row,
    contributionId,
    replyId,
    mayDecide: isPending && checkPermission(ctx.viewer, 'moderation.appeals', target).ok,
    deciders: isTold ? await findDeciders(ctx, tx, row, { project }) : null,
  }
}

async function toRecords(ctx: Ctx, tx: Tx, rows: readonly SelectedAppeal[]): Promise<AppealRecord[]> {
  const records: AppealRecord[] = []
  for (const row of rows) records.push(await toRecord(ctx, tx, row))
  return records
}

/** Appeals about what the viewer moderates, and their own. */
export const loadAppeals = (ctx: Ctx, ids: readonly string[]): Promise<AppealRecord[]> =>
  ctx.db.read(async (tx) =>
    toRecords(ctx, tx, await selectAppeals(tx, lookUpRows(moderationAppeals, ctx.site.id, ids)).where(or(isModerated(ctx), isOwn(ctx)))),
  )

export function listAppeals(ctx: Ctx, { filter, sort, page }: ListQuery<typeof moderationAppealShape>): Promise<ListResult<AppealRecord>> {
  return ctx.db.read(async (tx) => {
    const isModerators = isModeratedCase(ctx, moderationAppeals.caseId)
    const where = and(
      eq(moderationAppeals.siteId, ctx.site.id),
      isModerators && or(isModerators, isOwn(ctx)),
      filter.state ? inArray(moderationAppeals.state, filter.state) : undefined,
      filter.project ? isCaseOfProjects(ctx, moderationAppeals.caseId, eq(projects.id, filter.project)) : undefined,
    )
    const [counted] = await tx.select({ total: count() }).from(moderationAppeals).where(where)
    const order = [(sort[0]?.descending ? desc : asc)(moderationAppeals.createdAt), asc(moderationAppeals.id)]
    const shown = tx
      .select({ id: moderationAppeals.id })
      .from(moderationAppeals)
      .where(where)
      .orderBy(...order)
      .limit(page.limit)
      .offset(page.offset)
    const rows = await selectAppeals(tx, lookUpRows(moderationAppeals, ctx.site.id, sql`array(${shown})`)).orderBy(...order)
    return { rows: await toRecords(ctx, tx, rows), total: counted?.total ?? 0 }
  })
}

/** @throws as `submitAppeal` */
export async function createAppeal(ctx: Ctx, input: CreateInput<typeof moderationAppealShape>): Promise<AppealRecord> {
  const { id, decision, words, receipt } = input
  const browserToken = parseBrowserToken(ctx, input.browserToken)
  try {
    const row = await submitAppeal(ctx, { id, decisionId: decision, words, receipt, browserToken })
    return await ctx.db.read(async (tx) => {
      const { placed, reply } = await requirePlacedDecision(ctx, tx, decision)
      const { contribution, project } = placed
      return toRecord(ctx, tx, { row, contributionId: contribution.id, replyId: reply?.id ?? null, project })
    })
  } catch (error) {
    // Whose decision it is stays unsaid: it is as if there were none.
    if (error instanceof AppError && error.code === 'not-found')
      throw new AppError('invalid', { faults: [{ code: 'not-found', pointer: '/decision' }] })
    throw error
  }
}

/** @throws as `decideAppeal`; `invalid` for a state that no decision leads to */
export async function updateAppeal(
  ctx: Ctx,
  { id }: AppealRecord,
  { state, answer = '', rule }: UpdateInput<typeof moderationAppealShape>,
): Promise<void> {
  if (state !== 'upheld' && state !== 'overturned')
    throw new AppError('invalid', { faults: [{ code: state ? 'not-a-choice' : 'required', pointer: '/state' }] })
  await decideAppeal(ctx, id, { state, answer, rule })
}
