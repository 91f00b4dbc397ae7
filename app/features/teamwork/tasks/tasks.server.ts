import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Translated } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { teamTasks } from '#app/server/db/schema/teamwork.ts'
import {
  isAboutOwnWork,
  listColleagues,
  localiseTargetTitle,
  type PlacedTarget,
  requireTarget,
  selectTargetTitle,
} from '../targets.server.ts'
import type { taskShape } from './tasks.api.schema.ts'

type TaskRow = typeof teamTasks.$inferSelect

export interface TaskRecord extends TaskRow {
  owner: string | null
  maker: string | null
  finisher: string | null
  targetTitle: string
}

/** `selectTargetTitle` names its rows so. */
const t = alias(teamTasks, 't')
const makers = alias(users, 'makers')
const finishers = alias(users, 'finishers')

const isVisible = (ctx: Ctx, more: SQL | undefined): SQL | undefined => and(eq(t.siteId, ctx.site.id), isAboutOwnWork(ctx, t), more)

const isOfProject = and(eq(projects.siteId, t.siteId), eq(projects.id, t.projectId))

const selectTasks = (tx: Tx) =>
  tx
    .select({
      task: t,
      owner: users.login,
      maker: makers.login,
      finisher: finishers.login,
      targetTitle: sql<Translated | null>`${selectTargetTitle}`,
    })
    .from(t)
    .leftJoin(projects, isOfProject)
    .leftJoin(users, and(eq(users.siteId, t.siteId), eq(users.id, t.ownerId)))
    .leftJoin(makers, and(eq(makers.siteId, t.siteId), eq(makers.id, t.createdBy)))
    .leftJoin(finishers, and(eq(finishers.siteId, t.siteId), eq(finishers.id, t.doneBy)))

const toRecord = (ctx: Ctx, { task, targetTitle, ...names }: Awaited<ReturnType<typeof selectTasks>>[number]): TaskRecord => ({
  ...task,
  ...names,
  targetTitle: localiseTargetTitle(ctx, targetTitle),
})

export const loadTasks = (ctx: Ctx, ids: readonly string[]): Promise<TaskRecord[]> =>
  ctx.db.read(async (tx) => (await selectTasks(tx).where(isVisible(ctx, inArray(t.id, [...ids])))).map((row) => toRecord(ctx, row)))

const readTaskDay = ({ site, now }: Ctx): string => toCalendarDay(site.timeZone, now())

const isLate = (ctx: Ctx) => and(isNull(t.doneAt), lt(t.dueOn, readTaskDay(ctx)))

export const isOverdue = (ctx: Ctx, { doneAt, dueOn }: Pick<TaskRow, 'doneAt' | 'dueOn'>): boolean =>
  doneAt === null && dueOn !== null && dueOn < readTaskDay(ctx)

/** Tasks about what the viewer works on, with the number that is overdue. */
export function listTasks(ctx: Ctx, { filter, sort, page }: ListQuery<typeof taskShape>): Promise<ListResult<TaskRecord>> {
  const where = and(
    filter.targetKind && eq(t.targetKind, filter.targetKind),
    filter.targetId ? eq(t.targetId, filter.targetId) : undefined,
    filter.project ? eq(t.projectId, filter.project) : undefined,
    filter.mine ? eq(t.ownerId, findOwnId(ctx) ?? sql`null`) : undefined,
    filter.state && (filter.state === 'open' ? isNull(t.doneAt) : isNotNull(t.doneAt)),
  )
  return ctx.db.read(async (tx) => {
    const order = sort[0]?.descending ? desc : asc
    const by = sort[0]?.by === 'createdAt' ? t.createdAt : t.dueOn
    const rows = await selectTasks(tx)
      .where(isVisible(ctx, where))
      .orderBy(sql`${order(by)} nulls last`, asc(t.createdAt), asc(t.id))
      .limit(page.limit)
      .offset(page.offset)
    const countWhere = async (more?: SQL) => {
      const [counted] = await tx
        .select({ total: count() })
        .from(t)
        .leftJoin(projects, isOfProject)
        .where(isVisible(ctx, and(where, more)))
      return counted?.total ?? 0
    }
    return { rows: rows.map((row) => toRecord(ctx, row)), total: await countWhere(), meta: { overdue: await countWhere(isLate(ctx)) } }
  })
}

/** Open tasks of a project that the viewer may see, and how many of these are overdue. */
export async function countOpenTasks(ctx: Ctx, tx: Tx, projectId: string): Promise<{ open: number; overdue: number }> {
  const [counted] = await tx
    .select({ open: count(), overdue: sql<number>`(count(*) filter (where ${isLate(ctx)}))::int` })
    .from(t)
    .leftJoin(projects, isOfProject)
    .where(isVisible(ctx, and(eq(t.projectId, projectId), isNull(t.doneAt))))
  return counted ?? { open: 0, overdue: 0 }
}

/** @throws {AppError} `not-found`, `forbidden`; `invalid` with `may-not-see` at `/ownerId` */
export function createTask(ctx: Ctx, input: CreateInput<typeof taskShape>): Promise<string> {
  return ctx.db.tx(async (tx) => {
    const target = await requireTarget(ctx, tx, { kind: input.targetKind, id: input.targetId })
    const ownerId = input.ownerId ?? null
    await requireColleague(ctx, tx, target, ownerId)
    const id = createId()
    const own = findOwnId(ctx) ?? null
    await tx.insert(teamTasks).values({
      siteId: ctx.site.id,
      id,
      targetKind: target.kind,
      targetId: target.id,
      projectId: target.projectId,
      title: input.title,
      ...toAssignment(ctx, ownerId),
      dueOn: input.dueOn ?? null,
      createdBy: own,
      createdAt: ctx.now(),
    })
    await recordOnTask(ctx, tx, id, target, 'tasks.add')
    return id
  })
}

/** @throws {AppError} `not-found`, `forbidden`, `stale`; `invalid` with `may-not-see` at `/ownerId` */
export async function updateTask(ctx: Ctx, { id }: TaskRecord, input: UpdateInput<typeof taskShape>, lockVersion: number): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const { row, target } = await lockTask(ctx, tx, id)
    if (row.lockVersion !== lockVersion) throw new AppError('stale')
    const isAssignedAnew = input.ownerId !== undefined && input.ownerId !== row.ownerId
    if (isAssignedAnew) await requireColleague(ctx, tx, target, input.ownerId ?? null)
    const isDoneAnew = input.isDone !== undefined && input.isDone !== (row.doneAt !== null)
    await tx
      .update(teamTasks)
      .set({
        lockVersion: row.lockVersion + 1,
        ...(input.title !== undefined && { title: input.title }),
        ...(input.dueOn !== undefined && { dueOn: input.dueOn }),
        ...(isAssignedAnew && toAssignment(ctx, input.ownerId ?? null)),
        ...(isDoneAnew && { doneAt: input.isDone ? ctx.now() : null, doneBy: input.isDone ? (findOwnId(ctx) ?? null) : null }),
      })
      .where(isTask(ctx, id))
    await recordOnTask(ctx, tx, id, target, isDoneAnew ? (input.isDone ? 'tasks.finish' : 'tasks.reopen') : 'tasks.edit')
  })
}

/** @throws {AppError} `not-found`, `forbidden` */
export async function removeTask(ctx: Ctx, { id }: TaskRecord): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const { target } = await lockTask(ctx, tx, id)
    await tx.delete(teamTasks).where(isTask(ctx, id))
    await recordOnTask(ctx, tx, id, target, 'tasks.delete')
  })
}

const isTask = (ctx: Ctx, id: string) => and(eq(teamTasks.siteId, ctx.site.id), eq(teamTasks.id, id))

const toAssignment = (ctx: Ctx, ownerId: string | null) => ({
  ownerId,
  assignedBy: ownerId === null ? null : (findOwnId(ctx) ?? null),
  assignedAt: ownerId === null ? null : ctx.now(),
})

async function lockTask(ctx: Ctx, tx: Tx, id: string): Promise<{ row: TaskRow; target: PlacedTarget }> {
  const [row] = await tx.select().from(teamTasks).where(isTask(ctx, id)).for('update')
  if (!row) throw new AppError('not-found')
  return { row, target: await requireTarget(ctx, tx, { kind: row.targetKind, id: row.targetId }) }
}

async function requireColleague(ctx: Ctx, tx: Tx, target: PlacedTarget, id: string | null): Promise<void> {
  if (id === null) return
  const isColleague = (await listColleagues(ctx, tx, target)).some((person) => person.id === id)
  if (!isColleague) throw new AppError('invalid', { faults: [{ code: 'may-not-see', pointer: '/ownerId' }] })
}

/** The trail says what happened to which task, not what it is. */
const recordOnTask = (
  ctx: Ctx,
  tx: Tx,
  id: string,
  { kind, id: targetId, hubId, projectId }: PlacedTarget,
  action: `tasks.${'add' | 'edit' | 'finish' | 'reopen' | 'delete'}`,
): Promise<void> => recordAudit(ctx, tx, { action, subject: { type: 'tasks', id }, hubId, projectId, detail: { kind, target: targetId } })

/** For the file of a person's own data: tasks that they have, made, gave or finished. */
export async function readOwnTasks(tx: Tx, siteId: string, userId: string) {
  return tx
    .select({
      targetKind: teamTasks.targetKind,
      targetId: teamTasks.targetId,
      title: teamTasks.title,
      dueOn: teamTasks.dueOn,
      createdAt: teamTasks.createdAt,
      doneAt: teamTasks.doneAt,
    })
    .from(teamTasks)
    .where(
      and(
        eq(teamTasks.siteId, siteId),
        sql`${userId} in (${teamTasks.ownerId}, ${teamTasks.createdBy}, ${teamTasks.assignedBy}, ${teamTasks.doneBy})`,
      ),
    )
    .orderBy(asc(teamTasks.createdAt))
}
