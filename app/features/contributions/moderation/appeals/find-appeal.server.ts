import { and, eq } from 'drizzle-orm'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import { APPELLANTS, type Appellant } from '#app/lib/vocabulary/moderation.ts'
import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, replies } from '#app/server/db/schema/contributions.ts'
import { moderationAppeals, moderationCases, moderationDecisions, moderationReports } from '#app/server/db/schema/moderation.ts'
import { hashParticipant } from '#app/features/participation/person-hash.server.ts'
import { selectPlacedContributions } from '../../record/loading.server.ts'
import type { CaseRow, DecisionRow } from '../cases.server.ts'
import type { ReportSubject } from '../reports/submit-report.server.ts'
import { APPEALABLE_DECISIONS } from './appeals.schema.ts'

export type AppealRow = typeof moderationAppeals.$inferSelect

/** What recognises somebody without an account. */
export interface AppealKeys {
  /** The code of the author's receipt. */
  receipt?: string | undefined
  /** The browser that reported. */
  browserToken?: BrowserToken | undefined
}

/** A decision with what it was about. */
export interface PlacedDecision extends ReportSubject {
  decision: DecisionRow
  opened: CaseRow
}

/** @throws {AppError} `not-found` */
export async function requirePlacedDecision(ctx: Ctx, tx: Tx, decisionId: string): Promise<PlacedDecision> {
  if (!isId(decisionId)) throw new AppError('not-found')
  const [found] = await tx
    .select({ decision: moderationDecisions, opened: moderationCases })
    .from(moderationDecisions)
    .innerJoin(
      moderationCases,
      and(eq(moderationCases.siteId, moderationDecisions.siteId), eq(moderationCases.id, moderationDecisions.caseId)),
    )
    .where(and(eq(moderationDecisions.siteId, ctx.site.id), eq(moderationDecisions.id, decisionId)))
  if (!found) throw new AppError('not-found')
  return { ...found, ...(await requireCaseSubject(ctx, tx, found.opened)) }
}

/** What a case is about. @throws {AppError} `not-found` */
export async function requireCaseSubject(ctx: Ctx, tx: Tx, { contributionId, replyId }: CaseRow): Promise<ReportSubject> {
  const [placed] = await selectPlacedContributions(tx).where(
    and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, contributionId)),
  )
  const [reply = null] = replyId
    ? await tx
        .select()
        .from(replies)
        .where(and(eq(replies.siteId, ctx.site.id), eq(replies.id, replyId)))
    : []
  if (!placed) throw new AppError('not-found')
  return { placed, reply }
}

/** Whether the viewer wrote what was decided about, or reported it; the side that may appeal, if they did both. */
export async function findSide(ctx: Ctx, tx: Tx, found: PlacedDecision, keys: AppealKeys): Promise<Appellant | undefined> {
  const sides: Appellant[] = [
    ...(isAuthor(ctx, found, keys) ? ['author' as const] : []),
    ...((await hasReported(ctx, tx, found, keys)) ? ['reporter' as const] : []),
  ]
  return (
    sides.find((side) => APPEALABLE_DECISIONS[side].includes(found.decision.decision)) ?? APPELLANTS.find((side) => sides.includes(side))
  )
}

function isAuthor({ site, viewer }: Ctx, { placed, reply }: ReportSubject, { receipt }: AppealKeys): boolean {
  const { authorId, receiptHash } = reply ?? placed.contribution
  if (viewer.kind === 'user' && viewer.id === authorId) return true
  const code = receipt === undefined ? undefined : parseReceiptCode(receipt)
  return code !== undefined && hashReceiptCode(site.id, code).equals(receiptHash)
}

async function hasReported(ctx: Ctx, tx: Tx, { placed, opened }: PlacedDecision, { browserToken }: AppealKeys): Promise<boolean> {
  const { all } = hashParticipant(ctx, placed.activity.id, browserToken)
  if (all.length === 0) return false
  const rows = await tx
    .select({ hash: moderationReports.personHash })
    .from(moderationReports)
    .where(and(eq(moderationReports.siteId, ctx.site.id), eq(moderationReports.caseId, opened.id)))
  return rows.some(({ hash }) => all.some((own) => own.equals(hash)))
}

/** The appeal of a side in a case. */
export async function findAppeal(
  tx: Tx,
  { siteId, id }: Pick<CaseRow, 'siteId' | 'id'>,
  appellant: Appellant,
): Promise<AppealRow | undefined> {
  const [row] = await tx
    .select()
    .from(moderationAppeals)
    .where(and(eq(moderationAppeals.siteId, siteId), eq(moderationAppeals.caseId, id), eq(moderationAppeals.appellant, appellant)))
  return row
}
