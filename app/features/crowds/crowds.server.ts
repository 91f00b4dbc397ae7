import { and, asc, desc, eq, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { lockContributions, recountContributions } from '#app/features/contributions/record/contribution-counts.server.ts'
import { requirePermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { knownWhere, type ProjectRow, projectColumns, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { countCrowd } from '#app/features/surveys/responses/count-crowd.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { CrowdDecision } from '#app/lib/vocabulary/crowds.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { activities, reactions } from '#app/server/db/schema/contributions.ts'
import { crowds } from '#app/server/db/schema/crowds.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { crowdShape } from './crowds.api.schema.ts'

/** For how long arrivals from one address join the same crowd, and its hash is kept. */
const ADDRESS_KEPT_MS = 2 * 86_400_000

type CrowdRow = typeof crowds.$inferSelect

export interface CrowdRecord extends CrowdRow {
  /** How many there are: those that were withdrawn since do not count. */
  number: number
  decidedByName: string | null
}

const size = sql<number>`case when ${crowds.surveyId} is null
  then (select count(*)::int from ${reactions} r where r.site_id = ${crowds.siteId} and r.crowd_id = ${crowds.id})
  else (select count(*)::int from ${responses} r where r.site_id = ${crowds.siteId} and r.crowd_id = ${crowds.id} and r.withdrawn_at is null)
  end`

const selectCrowds = (tx: Tx) =>
  tx
    .select({ row: crowds, number: size, decidedByName: users.login, project: projectColumns })
    .from(crowds)
    .leftJoin(surveys, and(eq(surveys.siteId, crowds.siteId), eq(surveys.id, crowds.surveyId)))
    .leftJoin(activities, and(eq(activities.siteId, crowds.siteId), eq(activities.id, crowds.activityId)))
    .innerJoin(
      projects,
      and(eq(projects.siteId, crowds.siteId), eq(projects.id, sql`coalesce(${surveys.projectId}, ${activities.projectId})`)),
    )
    .leftJoin(users, and(eq(users.siteId, crowds.siteId), eq(users.id, crowds.decidedBy)))

/** Crowds of surveys whose responses the viewer may see, and of activities that they moderate. */
function whereShown(ctx: Ctx): SQL | undefined {
  const columns = { hub: projects.hubId, project: projects.id }
  const whereScope = (action: 'responses.see' | 'contributions.moderate') => scopeWhere(ctx.viewer, action, columns) ?? sql`true`
  return and(
    eq(crowds.siteId, ctx.site.id),
    knownWhere(ctx),
    or(
      and(isNotNull(crowds.surveyId), whereScope('responses.see')),
      and(isNotNull(crowds.activityId), whereScope('contributions.moderate')),
    ),
  )
}

type SelectedCrowd = Awaited<ReturnType<typeof selectCrowds>>[number]
const toRecord = ({ row, number, decidedByName }: SelectedCrowd): CrowdRecord => ({ ...row, number, decidedByName })

export const loadCrowds = (ctx: Ctx, ids: readonly string[]): Promise<CrowdRecord[]> =>
  ctx.db.read(async (tx) =>
    (await selectCrowds(tx).where(and(whereShown(ctx), sql`${crowds.id} = any (${sql.param([...ids])}::uuid[])`))).map(toRecord),
  )

/** Undecided ones come first. */
export function listCrowds(ctx: Ctx, { filter, sort, page }: ListQuery<typeof crowdShape>): Promise<ListResult<CrowdRecord>> {
  return ctx.db.read(async (tx) => {
    const where = and(
      whereShown(ctx),
      filter.waiting === undefined ? undefined : filter.waiting ? isNull(crowds.decision) : isNotNull(crowds.decision),
      filter.survey ? eq(crowds.surveyId, filter.survey) : undefined,
      filter.activity ? eq(crowds.activityId, filter.activity) : undefined,
      // Nothing to decide about any more.
      sql`${size} > 0`,
    )
    const found = selectCrowds(tx).where(where)
    const [counted] = await tx.select({ total: sql<number>`count(*)::int` }).from(found.as('found'))
    const order = sort[0]?.descending === false ? asc(crowds.firstAt) : desc(crowds.firstAt)
    const rows = await selectCrowds(tx)
      .where(where)
      .orderBy(sql`${crowds.decision} is not null`, order, asc(crowds.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.map(toRecord), total: counted?.total ?? 0 }
  })
}

/**
 * Decides whether unusually many supports or answers from one place count. Can be changed at any time; the figures follow at once.
 * @throws {AppError} `not-found`, `forbidden`
 */
export function decideCrowd(ctx: Ctx, id: string, decision: CrowdDecision): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const [found] = await selectCrowds(tx).where(and(whereShown(ctx), eq(crowds.id, id)))
    if (!found) throw new AppError('not-found')
    const { row, project } = found
    requirePermission(ctx, row.surveyId ? 'responses.see' : 'contributions.moderate', toPermissionTarget(project))
    // What is counted is locked before the crowd, as by those who join it.
    const changed = row.surveyId
      ? await countCrowd(tx, ctx, { surveyId: row.surveyId, project, crowdId: id, isCounted: decision === 'counted' })
      : await countSupports(tx, ctx.site.id, id, decision === 'counted')
    const before = await lockCrowd(tx, ctx.site.id, id)
    if (before === decision) return
    await tx
      .update(crowds)
      .set({
        decision,
        decidedAt: ctx.now(),
        decidedBy: findOwnId(ctx) ?? null,
        ...(changed > 0 && { changedAt: ctx.now() }),
      })
      .where(and(eq(crowds.siteId, ctx.site.id), eq(crowds.id, id)))
    await recordDecision(ctx, tx, { row, project, before, decision, changed })
  })
}

async function lockCrowd(tx: Tx, siteId: string, id: string): Promise<CrowdDecision | null> {
  const [locked] = await tx
    .select({ decision: crowds.decision })
    .from(crowds)
    .where(and(eq(crowds.siteId, siteId), eq(crowds.id, id)))
    .for('update')
  return locked?.decision ?? null
}

interface Decided {
  row: CrowdRow
  project: ProjectRow
  before: CrowdDecision | null
  decision: CrowdDecision
  changed: number
}

const recordDecision = (ctx: Ctx, tx: Tx, { row, project, before, decision, changed }: Decided) =>
  recordAudit(ctx, tx, {
    action: row.surveyId ? 'surveys.decide-crowd' : 'activities.decide-crowd',
    subject: row.surveyId ? { type: 'surveys', id: row.surveyId } : { type: 'activities', id: row.activityId ?? '' },
    hubId: project.hubId,
    projectId: project.id,
    detail: { crowd: row.id, number: changed },
    changes: { decision: { before, after: decision } },
  })

/** Lets a crowd's supports count, or not, and counts what they are for again. @returns how many changed */
async function countSupports(tx: Tx, siteId: string, crowdId: string, isCounted: boolean): Promise<number> {
  const ofCrowd = and(eq(reactions.siteId, siteId), eq(reactions.crowdId, crowdId))
  const supported = await tx.selectDistinct({ id: reactions.contributionId }).from(reactions).where(ofCrowd)
  await lockContributions(
    tx,
    siteId,
    supported.map(({ id }) => id),
  )
  const changed = await tx
    .update(reactions)
    .set({ counted: isCounted })
    .where(and(ofCrowd, eq(reactions.counted, !isCounted)))
    .returning({ contributionId: reactions.contributionId })
  await recountContributions(
    tx,
    siteId,
    changed.map(({ contributionId }) => contributionId),
  )
  return changed.length
}

/** Forgets addresses that no arrival is compared with any more. Run by a job. */
export const sweepCrowds = (tx: Tx, siteId: string, now: Date) =>
  tx
    .update(crowds)
    .set({ addressHash: null })
    .where(and(eq(crowds.siteId, siteId), isNotNull(crowds.addressHash), lt(crowds.firstAt, new Date(now.getTime() - ADDRESS_KEPT_MS))))
