import { createHmac } from 'node:crypto'
import { and, asc, count, countDistinct, eq, gt, inArray, notExists, sql } from 'drizzle-orm'
import { mailSiteAdmins } from '#app/features/accounts/security-mails.server.ts'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { createInvitationSecret } from '#app/features/invitations/invitation-secrets.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { codeBatches, verificationCodes, verifications } from '#app/server/db/schema/verifications.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { maySeeLists } from './eligibility-lists.server.ts'
import type { codeBatchShape } from './verifications.api.schema.ts'
import { MIN_TOLD } from './verifications.schema.ts'

export type CodeBatchRow = typeof codeBatches.$inferSelect
export interface CodeBatch extends CodeBatchRow {
  /** Number of used codes. Null while it is so low that it could identify people. */
  used: number | null
  /** Only for the administrator who makes them, and only once. */
  made?: { codes: string[]; address: string }
}

const CODES_AT_ONCE = 1000

const isBatch = (ctx: Ctx, id: string) => and(eq(codeBatches.siteId, ctx.site.id), eq(codeBatches.id, id))
const isOfBatch = (ctx: Ctx, id: string) => and(eq(verificationCodes.siteId, ctx.site.id), eq(verificationCodes.batchId, id))
/** Batches whose time is not over. */
const isUsable = (ctx: Ctx) => and(eq(codeBatches.siteId, ctx.site.id), gt(codeBatches.validUntil, ctx.now()))

/** Codes are stored as this hash, which also identifies the person who uses the code. */
export const hashLetterCode = (
  { runtime, site }: { runtime: Pick<Ctx['runtime'], 'secret'>; site: Pick<Ctx['site'], 'id'> },
  code: string,
) => createHmac('sha256', runtime.secret).update(`letter/${site.id}/${code}`).digest()

export const loadCodeBatches = async (ctx: Ctx, ids: readonly string[]): Promise<CodeBatch[]> =>
  maySeeLists(ctx)
    ? ctx.db.read(async (tx) =>
        addUses(
          ctx,
          tx,
          await tx
            .select()
            .from(codeBatches)
            .where(and(isUsable(ctx), inArray(codeBatches.id, [...ids]))),
        ),
      )
    : []

/** @throws {AppError} `unauthenticated`, `forbidden` */
export async function listCodeBatches(ctx: Ctx, { page }: ListQuery<typeof codeBatchShape>): Promise<ListResult<CodeBatch>> {
  requirePermission(ctx, 'eligibility-lists.see')
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(codeBatches).where(isUsable(ctx))
    const rows = await tx
      .select()
      .from(codeBatches)
      .where(isUsable(ctx))
      .orderBy(asc(codeBatches.createdAt), asc(codeBatches.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: await addUses(ctx, tx, rows), total: counted?.total ?? 0 }
  })
}

async function addUses(ctx: Ctx, tx: Tx, rows: readonly CodeBatchRow[]): Promise<CodeBatch[]> {
  const ids = rows.map(({ id }) => id)
  const uses = ids.length
    ? await tx
        .select({ batchId: verifications.batchId, people: countDistinct(verifications.subjectHash) })
        .from(verifications)
        .where(and(eq(verifications.siteId, ctx.site.id), inArray(verifications.batchId, ids)))
        .groupBy(verifications.batchId)
    : []
  return rows.map((row) => {
    const people = uses.find(({ batchId }) => batchId === row.id)?.people ?? 0
    return { ...row, used: people < MIN_TOLD ? null : people }
  })
}

/** Makes codes for letters. They are in this result only: the database keeps hashes. @throws {AppError} `forbidden`, `invalid` */
export async function createCodeBatch(ctx: Ctx, input: Omit<CreateInput<typeof codeBatchShape>, 'id'>): Promise<CodeBatch> {
  requirePermission(ctx, 'eligibility-lists.edit')
  requireFuture(ctx, input.validUntil)
  const codes = Array.from({ length: input.count }, () => createInvitationSecret('codes'))
  const { name, level, validUntil } = input
  const id = await ctx.db.tx((tx) => storeCodeBatch(ctx, tx, { name, level, validUntil }, codes))
  const row = { siteId: ctx.site.id, id, name, level, validUntil, total: codes.length, endedAt: null, createdAt: ctx.now() }
  return { ...row, used: null, made: { codes, address: buildSiteUrl(ctx, '/verify?code=') } }
}

/** Stores a batch of codes as hashes, and tells the administrators of the site. @returns its id */
export async function storeCodeBatch(
  ctx: Ctx,
  tx: Tx,
  { name, level, validUntil }: Pick<CodeBatchRow, 'name' | 'level' | 'validUntil'>,
  codes: readonly string[],
): Promise<string> {
  const { siteId, id } = { siteId: ctx.site.id, id: createId() }
  const hashes = codes.map((code) => ({ siteId, batchId: id, hash: hashLetterCode(ctx, code) }))
  await tx.insert(codeBatches).values({ siteId, id, name, level, validUntil, total: codes.length, createdAt: ctx.now() })
  for (let from = 0; from < hashes.length; from += CODES_AT_ONCE)
    await tx.insert(verificationCodes).values(hashes.slice(from, from + CODES_AT_ONCE))
  await recordAudit(ctx, tx, {
    action: 'code-batches.create',
    subject: { type: 'code-batches', id },
    detail: { name, level, codes: codes.length },
  })
  await mailSiteAdmins(ctx, tx, { kind: 'codes-made', name, count: codes.length })
  return id
}

/** Deletes a batch of codes and all that they have proven, with what they were made for. */
export const deleteCodesOf = async (ctx: Ctx, tx: Tx, id: string): Promise<void> =>
  void (await tx.delete(codeBatches).where(isBatch(ctx, id)))

/**
 * Changes a batch and the verifications made with its codes. Ending a batch voids its unused codes.
 * @throws {AppError} `forbidden`; `invalid` with `moment-passed` at `/validUntil`; `conflict` for starting it again: the codes are gone
 */
export async function updateCodeBatch(ctx: Ctx, row: CodeBatchRow, input: UpdateInput<typeof codeBatchShape>): Promise<void> {
  requirePermission(ctx, 'eligibility-lists.edit')
  const { isEnded, ...plain } = input
  if (plain.validUntil) requireFuture(ctx, plain.validUntil)
  if (isEnded === false && row.endedAt) throw new AppError('conflict', { pointer: '/isEnded' })
  const ending = isEnded === true && !row.endedAt
  const changes = listChanges(row, plain)
  await ctx.db.tx(async (tx) => {
    const [now] = await tx
      .update(codeBatches)
      .set({ ...plain, ...(ending ? { endedAt: ctx.now() } : { endedAt: row.endedAt }) })
      .where(isBatch(ctx, row.id))
      .returning()
    if (!now) throw new AppError('not-found')
    await tx
      .update(verifications)
      .set({ level: now.level, validUntil: now.validUntil })
      .where(and(eq(verifications.siteId, ctx.site.id), eq(verifications.batchId, row.id)))
    const subject = { type: 'code-batches', id: row.id }
    if (ending) {
      await deleteUnusedCodes(ctx, tx, row.id)
      await recordAudit(ctx, tx, { action: 'code-batches.end', subject, detail: { name: now.name } })
    }
    if (Object.keys(changes).length > 0) await recordAudit(ctx, tx, { action: 'code-batches.update', subject, changes })
  })
}

const deleteUnusedCodes = (ctx: Ctx, tx: Tx, batchId: string) =>
  tx.delete(verificationCodes).where(
    and(
      isOfBatch(ctx, batchId),
      notExists(
        tx
          .select({ one: sql`1` })
          .from(verifications)
          .where(and(eq(verifications.siteId, ctx.site.id), eq(verifications.subjectHash, verificationCodes.hash))),
      ),
    ),
  )

/** Deletes a batch, its codes and everything that they have proven. @throws {AppError} `forbidden` */
export async function deleteCodeBatch(ctx: Ctx, { id, name }: CodeBatchRow): Promise<void> {
  requirePermission(ctx, 'eligibility-lists.edit')
  await ctx.db.tx(async (tx) => {
    await tx.delete(codeBatches).where(isBatch(ctx, id))
    await recordAudit(ctx, tx, { action: 'code-batches.delete', subject: { type: 'code-batches', id }, detail: { name } })
  })
}

function requireFuture(ctx: Ctx, validUntil: Date): void {
  if (validUntil <= ctx.now()) throw new AppError('invalid', { faults: [{ code: 'moment-passed', pointer: '/validUntil' }] })
}

/** Levels that codes of the site's letters prove now. */
export async function listCodeLevels(ctx: Ctx, tx: Tx): Promise<CodeBatchRow['level'][]> {
  const rows = await tx.selectDistinct({ level: codeBatches.level }).from(codeBatches).where(isUsable(ctx))
  return rows.map(({ level }) => level)
}

/** The batch of a code, which is locked until the transaction ends, so that two people cannot use it at the same moment. */
export async function lockCode(ctx: Ctx, tx: Tx, hash: Buffer): Promise<CodeBatchRow | undefined> {
  const [found] = await tx
    .select({ batch: codeBatches })
    .from(verificationCodes)
    .innerJoin(codeBatches, and(eq(codeBatches.siteId, verificationCodes.siteId), eq(codeBatches.id, verificationCodes.batchId)))
    .where(and(isUsable(ctx), eq(verificationCodes.siteId, ctx.site.id), eq(verificationCodes.hash, hash)))
    .for('update', { of: verificationCodes })
  return found?.batch
}

/** Voids one code. */
export async function deleteCode(ctx: Ctx, tx: Tx, hash: Buffer): Promise<void> {
  await tx.delete(verificationCodes).where(and(eq(verificationCodes.siteId, ctx.site.id), eq(verificationCodes.hash, hash)))
}
