import { and, eq } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { deriveReceiptCode, hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import type { ReplyRole } from '#app/lib/vocabulary/contributions.ts'
import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { replies } from '#app/server/db/schema/contributions.ts'
import { receiveOnce } from '#app/server/limits/receive-once.ts'
import type { ReadInvitation } from '#app/features/participation/access.policy.server.ts'
import { requireActivityAccess } from '../record/activities.policy.server.ts'
import { recountContributions } from '../record/contribution-counts.server.ts'
import { type PlacedContribution, type ReplyRow, lockPublishedContribution } from '../record/loading.server.ts'
import { openCaseOnArrival } from '../moderation/cases.server.ts'
import { chooseStateOnSubmission } from '../moderation/decide.server.ts'
import { NOTHING_FOUND, screenTexts } from '../moderation/screening.server.ts'
import { MAX_REPLY_LENGTH, MAX_SHOWN_NAME } from '../record/contributions.schema.ts'
import { findDoubt, requireOpenActivity, tidyText } from '../posting/submit-contribution.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { findPersonKey } from '#app/features/participation/person-hash.server.ts'

const MAX_REPLIES = 20
const REPLIED_WITHIN_MINUTES = 10

export interface ReplyInput extends Sending {
  contributionId: string
  body: string
  /** Empty to stay anonymous. */
  shownName: string
  browserToken?: BrowserToken | undefined
  invitation?: ReadInvitation | undefined
  /** For somebody of the project's team, in its name. */
  official?: boolean
}

/**
 * Replies to a contribution, or to nobody else's reply: there is one level. Stored exactly once per id.
 * @throws {AppError} `not-found`, `vanished`, `activity-not-open`, `activity-closed`, the refusal of the activity's access rule, `invalid`,
 * `too-many-requests`, `conflict` if the id belongs to another sending
 */
export async function submitReply(ctx: Ctx, input: ReplyInput): Promise<ReplyRow> {
  const receiptHash = hashReceiptCode(ctx.site.id, deriveReceiptCode(ctx.runtime.secret, ctx.site.id, input.id, input.sendKey))
  return receiveOnce(ctx, input.id, async (tx, charge) => {
    const known = await findStoredReply(ctx, tx, input.id, receiptHash)
    if (known) return known
    const placed = await lockPublishedContribution(ctx, tx, input.contributionId)
    if (!readActivitySettings(placed.activity).tools.replies) throw new AppError('forbidden')
    if (input.official) {
      if (!checkPermission(ctx.viewer, 'contributions.answer', toPermissionTarget(placed.project)).ok) throw new AppError('forbidden')
    } else {
      requireOpenActivity(ctx, placed, input.id)
      await requireActivityAccess(ctx, tx, 'contributions.post', placed, input.invitation)
    }
    const accepted = checkReply(input)
    const of = findPersonKey(ctx, input.browserToken)
    if (of) await charge([{ name: 'reply', of, most: MAX_REPLIES, minutes: REPLIED_WITHIN_MINUTES }])
    const role = input.official ? 'official' : 'person'
    const stored = await storeReply(ctx, tx, placed, { ...accepted, id: input.id, role, receiptHash })
    if (!stored) throw new AppError('conflict')
    return stored
  })
}

async function findStoredReply(ctx: Ctx, tx: Tx, id: string, receiptHash: Buffer): Promise<ReplyRow | undefined> {
  const [row] = await tx
    .select()
    .from(replies)
    .where(and(eq(replies.siteId, ctx.site.id), eq(replies.id, id)))
  if (row && !row.receiptHash.equals(receiptHash)) throw new AppError('conflict')
  return row
}

export function checkReply(input: { body: string; shownName: string }): { body: string; shownName: string } {
  const body = tidyText(input.body)
  const shownName = input.shownName.replace(/\s+/g, ' ').trim()
  const faults: Fault[] = [
    ...(body ? [] : [{ code: 'required' as const, pointer: '/body' }]),
    ...(Array.from(body).length > MAX_REPLY_LENGTH
      ? [{ code: 'too-long' as const, pointer: '/body', values: { max: MAX_REPLY_LENGTH } }]
      : []),
    ...(Array.from(shownName).length > MAX_SHOWN_NAME
      ? [{ code: 'too-long' as const, pointer: '/shownName', values: { max: MAX_SHOWN_NAME } }]
      : []),
  ]
  if (faults.length > 0) throw new AppError('invalid', { faults })
  return { body, shownName }
}

interface NewReply {
  id: string
  body: string
  shownName: string
  role: ReplyRole
  receiptHash: Buffer
}

/** @param placed locked, so that it is still as it was when it was checked @returns undefined if the id is stored already */
export async function storeReply(ctx: Ctx, tx: Tx, placed: PlacedContribution, reply: NewReply): Promise<ReplyRow | undefined> {
  const { contribution, activity, project } = placed
  // The team may give its own number.
  const screening = reply.role === 'official' ? NOTHING_FOUND : await screenTexts(ctx, tx, reply)
  const doubt = reply.role === 'person' ? await findDoubt(ctx, tx, activity.id) : null
  const state = reply.role === 'official' ? 'published' : chooseStateOnSubmission(activity, screening, doubt)
  const [row] = await tx
    .insert(replies)
    .values({
      ...reply,
      siteId: ctx.site.id,
      contributionId: contribution.id,
      authorId: findOwnId(ctx) ?? null,
      language: ctx.contentLanguage,
      state,
      createdAt: ctx.now(),
    })
    .onConflictDoNothing()
    .returning()
  if (!row) return undefined
  const subject = { contributionId: contribution.id, replyId: row.id, version: 1 }
  await openCaseOnArrival(ctx, tx, activity, { subject, state, screening, doubt })
  await recordAudit(ctx, tx, {
    action: 'replies.submit',
    subject: { type: 'replies', id: row.id },
    hubId: project.hubId,
    projectId: project.id,
    detail: { contribution: contribution.number, role: row.role, state },
  })
  if (state === 'published') {
    await recountContributions(tx, ctx.site.id, [contribution.id])
  }
  return row
}
