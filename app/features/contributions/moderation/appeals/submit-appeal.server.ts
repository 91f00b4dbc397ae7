import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { moderationAppeals, moderationCases } from '#app/server/db/schema/moderation.ts'
import { limitGuesses, limitGuessesByAddress } from '#app/server/limits/guesses.ts'
import { lockContributions } from '../../record/contribution-counts.server.ts'
import { findOpenAppealEnd } from './appealable.server.ts'
import { APPEALABLE_DECISIONS, getAppealEnd, MAX_APPEAL_WORDS } from './appeals.schema.ts'
import { type AppealKeys, type AppealRow, findSide, type PlacedDecision, requirePlacedDecision } from './find-appeal.server.ts'

export interface AppealInput extends AppealKeys {
  /** Made by the sender: sending it twice stores it once. */
  id: string
  decisionId: string
  words: string
}

/**
 * Asks somebody else to look at a decision again: the author against not publishing or removing, somebody who reported against keeping.
 * @throws {AppError} `not-found` for anyone else, `invalid`, `appeal-over` after 30 days, `conflict` if that side has appealed already, or
 * the decision is not the last one, `too-many-requests`
 */
export async function submitAppeal(ctx: Ctx, input: AppealInput): Promise<AppealRow> {
  return limitReceiptGuesses(ctx, input, () => ctx.db.tx((tx) => storeAppeal(ctx, tx, input)))
}

/** Codes of receipts cannot be guessed one after another. @throws {AppError} `too-many-requests` */
export const limitReceiptGuesses = <T>(ctx: Ctx, { receipt }: AppealKeys, work: () => Promise<T>): Promise<T> =>
  receipt === undefined ? work() : limitGuesses(ctx, limitGuessesByAddress(ctx, 'receipt'), work)

async function storeAppeal(ctx: Ctx, tx: Tx, input: AppealInput): Promise<AppealRow> {
  const siteId = ctx.site.id
  const known = await requirePlacedDecision(ctx, tx, input.decisionId)
  // Two appeals of one side wait for each other, and for an author who takes the text back.
  await lockContributions(tx, siteId, [known.placed.contribution.id])
  await tx
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .where(and(eq(moderationCases.siteId, siteId), eq(moderationCases.id, known.opened.id)))
    .for('update')
  const found = await requirePlacedDecision(ctx, tx, input.decisionId)
  const side = await findSide(ctx, tx, found, input)
  if (!side) throw new AppError('not-found')
  const [sent] = await tx
    .select()
    .from(moderationAppeals)
    .where(and(eq(moderationAppeals.siteId, siteId), eq(moderationAppeals.id, input.id)))
  if (sent?.decisionId === found.decision.id) return sent
  const { decision, opened } = found
  if (APPEALABLE_DECISIONS[side].includes(decision.decision) && ctx.now() >= getAppealEnd(decision.decidedAt))
    throw new AppError('appeal-over')
  if (!(await findOpenAppealEnd(ctx, tx, { side, decision, opened }))) throw new AppError('conflict')
  const words = requireAppealWords(input.words, '/words')
  const { viewer } = ctx
  const [row] = await tx
    .insert(moderationAppeals)
    .values({
      siteId,
      id: input.id,
      caseId: opened.id,
      decisionId: decision.id,
      appellant: side,
      appellantId: viewer.kind === 'user' && viewer.siteId === siteId ? viewer.id : null,
      words,
      createdAt: ctx.now(),
    })
    .onConflictDoNothing()
    .returning()
  if (!row) throw new AppError('conflict')
  await tx
    .update(moderationCases)
    .set({ state: 'appealed' })
    .where(and(eq(moderationCases.siteId, siteId), eq(moderationCases.id, opened.id)))
  await recordAppealAudit(side === 'reporter' ? { ...ctx, viewer: VISITOR, address: null } : ctx, tx, found, {
    action: 'moderation-appeals.create',
    appealId: row.id,
    detail: { by: side },
  })
  return row
}

/** @throws {AppError} `invalid` */
export function requireAppealWords(typed: string, pointer: '/words' | '/answer'): string {
  const words = typed.replace(/\r\n?/g, '\n').trim()
  if (!words) throw new AppError('invalid', { faults: [{ code: 'required', pointer }] })
  if (Array.from(words).length > MAX_APPEAL_WORDS)
    throw new AppError('invalid', { faults: [{ code: 'too-long', pointer, values: { max: MAX_APPEAL_WORDS } }] })
  return words
}

interface AppealEvent {
  action: 'moderation-appeals.create' | 'moderation-appeals.uphold' | 'moderation-appeals.overturn'
  appealId: string
  detail: Record<string, unknown>
}

export const recordAppealAudit = (
  ctx: Ctx,
  tx: Tx,
  { placed, reply }: Pick<PlacedDecision, 'placed' | 'reply'>,
  { action, appealId, detail }: AppealEvent,
): Promise<void> =>
  recordAudit(ctx, tx, {
    action,
    subject: { type: 'moderation-appeals', id: appealId },
    hubId: placed.project.hubId,
    projectId: placed.project.id,
    detail: { number: placed.contribution.number, ...(reply && { reply: true }), ...detail },
  })
