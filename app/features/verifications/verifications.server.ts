import { and, asc, count, eq, gt, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import { loadPeopleById } from '#app/features/accounts/people.list.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import type { VerificationLevel } from '#app/lib/vocabulary/verifications.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { codeBatches, eligibilityLists, verifications } from '#app/server/db/schema/verifications.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { limitGuesses } from '#app/server/limits/guesses.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { deleteCode } from './code-batches.server.ts'
import { normaliseField, type TypedFields } from './eligibility-fields.server.ts'
import { findEntry, selectUsable } from './eligibility-lists.server.ts'
import { findHeld, hashConfirmedAccount, type VerificationRow } from './held-verifications.server.ts'
import {
  listTryLimits,
  type NewVerification,
  NO_ORIGIN,
  type Prover,
  requireNoGuest,
  storeForViewer,
  storeVerification,
} from './store-verification.server.ts'
import { deleteExpiredTexts } from './verify-by-text.server.ts'
import type { verificationShape } from './verifications.api.schema.ts'

const isOne = (ctx: Ctx, id: string) => and(eq(verifications.siteId, ctx.site.id), eq(verifications.id, id))
export interface ListLookup extends Prover {
  listId: string
  fields: TypedFields
}

/**
 * Verifies the viewer by a list of the organisation: their account, or their browser without one. Doing it again gives the same verification.
 * @throws {AppError} `invalid`: `required` or `not-a-date` at a field, which says nothing of the list; `not-on-list` for anything that differs;
 * `not-found` at `/list`; `too-many-requests`; `forbidden` for a guest of the platform
 */
export async function verifyByList(ctx: Ctx, { listId, fields, browserToken, secret }: ListLookup): Promise<NewVerification> {
  requireNoGuest(ctx)
  const [list] = isId(listId) ? await ctx.db.read((tx) => selectUsable(ctx, tx, [listId])) : []
  if (!list) throw new AppError('invalid', { faults: [{ code: 'not-found', pointer: '/list' }] })
  const faults = list.fields.flatMap((field) => {
    const typed = fields[field]?.trim() ?? ''
    if (normaliseField(field, typed) !== undefined) return []
    return [{ code: typed && field === 'birth-date' ? ('not-a-date' as const) : ('required' as const), pointer: `/fields/${field}` }]
  })
  if (faults.length > 0) throw new AppError('invalid', { faults })
  const card = list.fields.includes('card-number') ? normaliseField('card-number', fields['card-number'] ?? '') : undefined
  const limits = listTryLimits(ctx, browserToken, card && `${listId} ${card}`)
  const subjectHash = await limitGuesses(ctx, limits, async () => {
    const found = await ctx.db.read((tx) => findEntry(ctx, tx, list, fields))
    if (!found) throw new AppError('invalid', { faults: [{ code: 'not-on-list', pointer: '/fields' }] })
    return found
  })
  const { level, validUntil } = list
  return ctx.db.tx((tx) => storeForViewer(ctx, tx, { ...NO_ORIGIN, subjectHash, method: 'list', level, listId, validUntil }, secret))
}

/**
 * Records that an administrator has met a person. Confirming the person again replaces the level and the end date.
 * @throws {AppError} `forbidden`; `invalid`: `required`, `moment-passed`, `not-found` at `/user`
 */
export async function confirmInPerson(
  ctx: Ctx,
  input: { userId: string; level: VerificationLevel | undefined; validUntil: Date | undefined },
): Promise<VerificationRow> {
  requirePermission(ctx, 'verifications.confirm')
  const { userId, level, validUntil } = input
  const faults = [
    ...(level ? [] : [{ code: 'required' as const, pointer: '/level' }]),
    ...(validUntil ? [] : [{ code: 'required' as const, pointer: '/validUntil' }]),
    ...(validUntil && validUntil <= ctx.now() ? [{ code: 'moment-passed' as const, pointer: '/validUntil' }] : []),
    ...((await loadPeopleById(ctx, [userId])).length > 0 ? [] : [{ code: 'not-found' as const, pointer: '/user' }]),
  ]
  if (!level || !validUntil || faults.length > 0) throw new AppError('invalid', { faults })
  const subjectHash = hashConfirmedAccount(ctx, userId)
  const createdBy = findOwnId(ctx) ?? null
  return ctx.db.tx((tx) =>
    storeVerification(ctx, tx, {
      ...NO_ORIGIN,
      method: 'in_person',
      userId,
      browserHash: null,
      subjectHash,
      level,
      validUntil,
      createdBy,
    }),
  )
}

/** Ends a verification of the viewer or, for those who may confirm people, of an account. @throws {AppError} `not-found` */
export async function endVerification(ctx: Ctx, row: VerificationRow): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const gone = await tx.delete(verifications).where(isOne(ctx, row.id)).returning({ id: verifications.id })
    if (gone.length === 0) throw new AppError('not-found')
    // People who remove their own verification may use their letter again. If an administrator removes it, the code is void.
    if (row.batchId && row.userId && row.userId !== findOwnId(ctx)) await deleteCode(ctx, tx, row.subjectHash)
    await recordAudit(ctx, tx, {
      action: 'verifications.end',
      subject: { type: 'verifications', id: row.id },
      detail: { ...(row.userId && row.userId !== findOwnId(ctx) && { user: row.userId }) },
    })
  })
}

/** Ends one of the viewer's own verifications, held by their account or browser. @throws {AppError} `not-found` */
export async function endOwnVerification(ctx: Ctx, id: string, secret: string | undefined): Promise<void> {
  const held = await ctx.db.read((tx) => findHeld(ctx, tx, secret))
  const row = held.find((one) => one.id === id)
  if (!row) throw new AppError('not-found')
  await endVerification(ctx, row)
}

/** People see the verifications of their own account; those who may confirm people see every account's. Nobody sees those held by a browser. */
const isVisible = (ctx: Ctx) => {
  const own = findOwnId(ctx)
  const mine = own ? eq(verifications.userId, own) : sql`false`
  return and(
    eq(verifications.siteId, ctx.site.id),
    gt(verifications.validUntil, ctx.now()),
    checkPermission(ctx.viewer, 'verifications.confirm').ok ? isNotNull(verifications.userId) : mine,
  )
}

export const loadVerifications = (ctx: Ctx, ids: readonly string[]): Promise<VerificationRow[]> =>
  ctx.db.read((tx) =>
    tx
      .select()
      .from(verifications)
      .where(and(isVisible(ctx), inArray(verifications.id, [...ids]))),
  )

export const listVerifications = (ctx: Ctx, { filter, page }: ListQuery<typeof verificationShape>): Promise<ListResult<VerificationRow>> =>
  ctx.db.read(async (tx) => {
    const where = and(isVisible(ctx), filter.user ? eq(verifications.userId, filter.user) : undefined)
    const [counted] = await tx.select({ total: count() }).from(verifications).where(where)
    const rows = await tx
      .select()
      .from(verifications)
      .where(where)
      .orderBy(asc(verifications.createdAt), asc(verifications.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows, total: counted?.total ?? 0 }
  })

/** For the file of a person's own data. */
export const readOwnVerifications = (_ctx: Ctx, tx: Tx, { siteId, userId }: { siteId: string; userId: string }) =>
  tx
    .select({
      method: verifications.method,
      level: verifications.level,
      list: eligibilityLists.name,
      validUntil: verifications.validUntil,
      createdAt: verifications.createdAt,
    })
    .from(verifications)
    .leftJoin(eligibilityLists, and(eq(eligibilityLists.siteId, verifications.siteId), eq(eligibilityLists.id, verifications.listId)))
    .where(and(eq(verifications.siteId, siteId), eq(verifications.userId, userId)))
    .orderBy(asc(verifications.createdAt))

/** Gives an account what another one holds; what both hold goes with the other account. */
export async function moveVerifications(tx: Tx, siteId: string, from: string, into: string): Promise<void> {
  await tx.execute(sql`update ${verifications} v set user_id = ${into} where v.site_id = ${siteId} and v.user_id = ${from}
    and not exists (select from ${verifications} own where own.site_id = v.site_id and own.user_id = ${into} and own.subject_hash = v.subject_hash)`)
}

/** Deletes verifications, lists and letters' codes whose time is over. Run by a job. @returns how many */
export const sweepVerifications = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, (ctx) =>
    ctx.db.tx(async (tx) => {
      const over = await tx
        .delete(verifications)
        .where(and(eq(verifications.siteId, ctx.site.id), lte(verifications.validUntil, ctx.now())))
        .returning({ id: verifications.id })
      const lists = await tx
        .delete(eligibilityLists)
        .where(and(eq(eligibilityLists.siteId, ctx.site.id), lte(eligibilityLists.validUntil, ctx.now())))
        .returning({ id: eligibilityLists.id })
      const batches = await tx
        .delete(codeBatches)
        .where(and(eq(codeBatches.siteId, ctx.site.id), lte(codeBatches.validUntil, ctx.now())))
        .returning({ id: codeBatches.id })
      return over.length + lists.length + batches.length + (await deleteExpiredTexts(ctx, tx))
    }),
  )
