import { and, eq, inArray, isNull } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import { isId } from '#app/lib/uuid.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import { type Ctx, findOwnId } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, replies } from '#app/server/db/schema/contributions.ts'
import { moderationReports } from '#app/server/db/schema/moderation.ts'
import { receiveOnce } from '#app/server/limits/receive-once.ts'
import { lockContributions } from '../../record/contribution-counts.server.ts'
import { findPersonKey, hashParticipant } from '#app/features/participation/person-hash.server.ts'
import { type PlacedContribution, type ReplyRow, requirePlacedContribution } from '../../record/loading.server.ts'
import { type CaseSubject, openCase } from '../cases.server.ts'
import { requireRule } from '../rules.server.ts'
import { holdIfReported } from './hold-reported.server.ts'
import { MAX_REPORT_WORDS } from './reports.schema.ts'

const MAX_REPORTS = 10
const REPORTED_WITHIN_MINUTES = 10

export type ReportRow = typeof moderationReports.$inferSelect

export interface ReportInput {
  /** Made by the sender: sending it twice stores it once. */
  id: string
  contributionId: string
  replyId: string | null
  /** The code of the rule that the text breaks. */
  rule: string
  words: string
  browserToken?: BrowserToken | undefined
}

/** A contribution or a reply to it. */
export interface ReportSubject {
  placed: PlacedContribution
  reply: ReplyRow | null
}

export const toCaseSubject = ({ placed, reply }: ReportSubject): CaseSubject => ({
  contributionId: placed.contribution.id,
  replyId: reply?.id ?? null,
  version: reply ? 1 : placed.contribution.version,
})

/**
 * Says that a text breaks a rule. A person counts once for each version: the report that they already made is returned. Reports open a case;
 * from a number of confirmed accounts on, which the site chooses, the text is off the site for up to 48 hours.
 * @throws {AppError} `not-found`, `vanished` if it is no longer public, `invalid`, `browser-or-account-needed`, `too-many-requests`
 */
export async function submitReport(ctx: Ctx, input: ReportInput): Promise<ReportRow> {
  return receiveOnce(ctx, input.id, async (tx, charge) => {
    // Reports of one text wait for each other, so that each counts those before it, and for a moderator who decides about it.
    await lockContributions(tx, ctx.site.id, [input.contributionId])
    const now = await requireReportable(ctx, tx, input)
    const person = hashParticipant(ctx, now.placed.activity.id, input.browserToken)
    const { own } = person
    if (!own) throw new AppError('browser-or-account-needed', { faults: [{ code: 'browser-or-account-needed', pointer: '/browserToken' }] })
    const about = toCaseSubject(now)
    const earlier = await findReport(tx, ctx.site.id, about, person.all)
    if (earlier) return earlier
    const words = checkWords(input.words)
    const of = findPersonKey(ctx, input.browserToken)
    if (of) await charge([{ name: 'report', of, most: MAX_REPORTS, minutes: REPORTED_WITHIN_MINUTES }])
    const rule = await requireRule(ctx, tx, input.rule)
    const opened = await openCase(ctx, tx, now.placed.activity, { subject: about, openedBy: 'report' })
    const [row] = await tx
      .insert(moderationReports)
      .values({
        ...about,
        siteId: ctx.site.id,
        id: input.id,
        caseId: opened.id,
        personHash: own,
        byAccount: person.byAccount,
        reporterId: findOwnId(ctx) ?? null,
        ruleId: rule.id,
        ruleVersion: rule.version,
        words,
        createdAt: ctx.now(),
      })
      .onConflictDoNothing()
      .returning()
    if (!row) throw new AppError('conflict')
    // Who reported is in the report alone: more people read the trail than moderate.
    const unnamed = { ...ctx, viewer: VISITOR, address: null }
    await recordAudit(unnamed, tx, {
      action: 'moderation-reports.create',
      subject: { type: 'moderation-cases', id: opened.id },
      hubId: now.placed.project.hubId,
      projectId: now.placed.project.id,
      detail: { number: now.placed.contribution.number, rule: rule.code, ...(now.reply && { reply: true }) },
    })
    await holdIfReported(unnamed, tx, now, opened)
    return row
  })
}

function checkWords(typed: string): string {
  const words = typed.replace(/\r\n?/g, '\n').trim()
  if (Array.from(words).length > MAX_REPORT_WORDS)
    throw new AppError('invalid', { faults: [{ code: 'too-long', pointer: '/words', values: { max: MAX_REPORT_WORDS } }] })
  return words
}

/** What can be reported: what everybody can read. @throws {AppError} `not-found`, `vanished` */
async function requireReportable(
  ctx: Ctx,
  tx: Tx,
  { contributionId, replyId }: Pick<ReportInput, 'contributionId' | 'replyId'>,
): Promise<ReportSubject> {
  if (!isId(contributionId)) throw new AppError('not-found')
  const placed = await requirePlacedContribution(ctx, tx, eq(contributions.id, contributionId))
  requireReadable(placed.contribution.state)
  if (replyId === null) return { placed, reply: null }
  const reply = await findReplyTo(ctx, tx, contributionId, replyId)
  if (!reply) throw new AppError('not-found')
  requireReadable(reply.state)
  return { placed, reply }
}

function requireReadable(state: ReplyRow['state']): void {
  if (READABLE_STATES.includes(state)) return
  throw new AppError(state === 'held' ? 'not-found' : 'vanished')
}

export async function findReplyTo(ctx: Ctx, tx: Tx, contributionId: string, id: string): Promise<ReplyRow | undefined> {
  if (!isId(id)) return undefined
  const [reply] = await tx
    .select()
    .from(replies)
    .where(and(eq(replies.siteId, ctx.site.id), eq(replies.contributionId, contributionId), eq(replies.id, id)))
  return reply
}

/** A person's report of one version. */
export async function findReport(
  tx: Tx,
  siteId: string,
  { contributionId, replyId, version }: CaseSubject,
  hashes: readonly Buffer[],
): Promise<ReportRow | undefined> {
  if (hashes.length === 0) return undefined
  const [row] = await tx
    .select()
    .from(moderationReports)
    .where(
      and(
        eq(moderationReports.siteId, siteId),
        eq(moderationReports.contributionId, contributionId),
        replyId === null ? isNull(moderationReports.replyId) : eq(moderationReports.replyId, replyId),
        eq(moderationReports.version, version),
        inArray(moderationReports.personHash, [...hashes]),
      ),
    )
    .limit(1)
  return row
}
