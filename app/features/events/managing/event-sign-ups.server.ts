import { and, asc, count, desc, eq, inArray, type SQL } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { type ProjectRow, projectColumns } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { events, eventSignUps } from '#app/server/db/schema/events.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { type EventRow, lockEvent, requireEventFor } from '../events.policy.server.ts'
import { cancelRow, findByReceipt } from '../signing-up/cancel-sign-up.server.ts'
import type { SignUpRow } from '../signing-up/event-mails.server.ts'
import { giveFreePlaces } from '../signing-up/places.server.ts'
import type { eventAttendanceShape, eventSignUpShape } from './event-sign-ups.api.schema.ts'

export interface SignUpRecord {
  id: string
  signUp: SignUpRow
  event: EventRow
  project: ProjectRow
}

/** Only for those who may change the event. */
const isVisible = (ctx: Ctx, more: SQL | undefined): SQL | undefined =>
  and(eq(eventSignUps.siteId, ctx.site.id), scopeWhere(ctx.viewer, 'events.edit', { hub: projects.hubId, project: projects.id }), more)

const selectSignUps = (tx: Tx) =>
  tx
    .select({ signUp: eventSignUps, event: events, project: projectColumns })
    .from(eventSignUps)
    .innerJoin(events, and(eq(events.siteId, eventSignUps.siteId), eq(events.id, eventSignUps.eventId)))
    .innerJoin(projects, and(eq(projects.siteId, events.siteId), eq(projects.id, events.projectId)))

const toRecord = (row: Awaited<ReturnType<typeof selectSignUps>>[number]): SignUpRecord => ({ ...row, id: row.signUp.id })

export const loadSignUps = (ctx: Ctx, ids: readonly string[]): Promise<SignUpRecord[]> =>
  ctx.db.read(async (tx) => (await selectSignUps(tx).where(isVisible(ctx, inArray(eventSignUps.id, [...ids])))).map(toRecord))

export const listSignUps = (ctx: Ctx, { filter, sort, page }: ListQuery<typeof eventSignUpShape>): Promise<ListResult<SignUpRecord>> =>
  ctx.db.read(async (tx) => {
    const where = isVisible(
      ctx,
      and(
        filter.event ? eq(eventSignUps.eventId, filter.event) : undefined,
        filter.state ? inArray(eventSignUps.state, [...filter.state]) : undefined,
      ),
    )
    const [counted] = await tx
      .select({ total: count() })
      .from(eventSignUps)
      .innerJoin(events, and(eq(events.siteId, eventSignUps.siteId), eq(events.id, eventSignUps.eventId)))
      .innerJoin(projects, and(eq(projects.siteId, events.siteId), eq(projects.id, events.projectId)))
      .where(where)
    const order = sort[0]?.descending ? desc : asc
    const rows = await selectSignUps(tx)
      .where(where)
      .orderBy(order(sort[0]?.by === 'name' ? eventSignUps.name : eventSignUps.createdAt), asc(eventSignUps.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.map(toRecord), total: counted?.total ?? 0 }
  })

/** Records whether a person came. @throws {AppError} `not-found`, `forbidden` */
export async function updateSignUp(
  ctx: Ctx,
  { id, event }: SignUpRecord,
  { attended }: UpdateInput<typeof eventSignUpShape>,
): Promise<void> {
  if (attended === undefined) return
  await ctx.db.tx(async (tx) => {
    await requireEventFor(ctx, tx, event.id)
    await recordAttendance(ctx, tx, id, attended)
  })
}

async function recordAttendance(ctx: Ctx, tx: Tx, id: string, attended: boolean): Promise<void> {
  await tx
    .update(eventSignUps)
    .set({ attendedAt: attended ? ctx.now() : null })
    .where(and(eq(eventSignUps.siteId, ctx.site.id), eq(eventSignUps.id, id)))
}

/**
 * Records that a person came, by the code of their receipt.
 * @throws {AppError} `not-found`, `forbidden`; `invalid` with `wrong-format` or `not-found` at `/code`, or with `no-place` if it was cancelled or
 * its holder is on the waiting list
 */
export async function attendByCode(ctx: Ctx, input: CreateInput<typeof eventAttendanceShape>) {
  const code = parseReceiptCode(input.code)
  if (!code) throw new AppError('invalid', { faults: [{ code: 'wrong-format', pointer: '/code' }] })
  return ctx.db.tx(async (tx) => {
    const { event } = await requireEventFor(ctx, tx, input.event)
    const signUp = await findByReceipt(ctx, tx, event, code)
    if (!signUp) throw new AppError('invalid', { faults: [{ code: 'not-found', pointer: '/code' }] })
    if (signUp.state !== 'going') throw new AppError('invalid', { faults: [{ code: 'no-place', pointer: '/code' }] })
    if (!signUp.attendedAt) await recordAttendance(ctx, tx, signUp.id, true)
    return { id: signUp.id, name: signUp.name, isAgain: signUp.attendedAt !== null, eventId: event.id }
  })
}

/** Cancels a sign-up on behalf of its person. The next on the waiting list moves up. @throws {AppError} `not-found`, `forbidden` */
export async function removeSignUp(ctx: Ctx, { id, event: seen }: SignUpRecord): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const { project } = await requireEventFor(ctx, tx, seen.id)
    const event = await lockEvent(tx, seen)
    await cancelRow(ctx, tx, id)
    await giveFreePlaces(ctx, tx, event, project)
    await recordAudit(ctx, tx, {
      action: 'events.cancel-sign-up',
      subject: { type: 'events', id: event.id },
      hubId: project.hubId,
      projectId: project.id,
    })
  })
}
