import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { budgetBallots, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { events, eventSignUps } from '#app/server/db/schema/events.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { hashReceiptCode } from './receipt-code.server.ts'
import type { LastReceipt } from './last-receipts.schema.ts'

interface FoundReceipt {
  hash: Buffer | null
  title: Translated
  at: Date
}

/** What these codes stand for, in their order; those that stand for nothing any more are left out. It says no more than the code's holder may see. */
export function listLastReceipts(ctx: Ctx, codes: readonly string[]): Promise<LastReceipt[]> {
  if (codes.length === 0) return Promise.resolve([])
  const hashes = codes.map((code) => hashReceiptCode(ctx.site.id, code))
  return ctx.db.read(async (tx) => {
    const siteId = ctx.site.id
    const answers: FoundReceipt[] = await tx
      .select({ hash: responses.receiptHash, title: surveys.title, at: responses.submittedAt })
      .from(responses)
      .innerJoin(surveys, and(eq(surveys.siteId, responses.siteId), eq(surveys.id, responses.surveyId)))
      .where(and(eq(responses.siteId, siteId), inArray(responses.receiptHash, hashes), isNull(responses.withdrawnAt)))
    const sent: FoundReceipt[] = await tx
      .select({ hash: contributions.receiptHash, title: activities.title, at: contributions.submittedAt })
      .from(contributions)
      .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
      .where(and(eq(contributions.siteId, siteId), inArray(contributions.receiptHash, hashes)))
    const ballots: FoundReceipt[] = await tx
      .select({ hash: budgetBallots.receiptHash, title: budgetRounds.title, at: budgetBallots.castAt })
      .from(budgetBallots)
      .innerJoin(budgetRounds, and(eq(budgetRounds.siteId, budgetBallots.siteId), eq(budgetRounds.id, budgetBallots.roundId)))
      .where(and(eq(budgetBallots.siteId, siteId), inArray(budgetBallots.receiptHash, hashes)))
    const signUps: FoundReceipt[] = await tx
      .select({ hash: eventSignUps.receiptHash, title: events.title, at: eventSignUps.createdAt })
      .from(eventSignUps)
      .innerJoin(events, and(eq(events.siteId, eventSignUps.siteId), eq(events.id, eventSignUps.eventId)))
      .where(and(eq(eventSignUps.siteId, siteId), inArray(eventSignUps.receiptHash, hashes), ne(eventSignUps.state, 'cancelled')))
    const found = [...answers, ...sent, ...ballots, ...signUps]
    return codes.flatMap((code, at) => {
      const receipt = found.find(({ hash }) => hash && hashes[at]?.equals(hash))
      return receipt
        ? [{ code, title: localiseText(receipt.title, ctx.contentLanguage, ctx.site.locale), at: receipt.at.toISOString() }]
        : []
    })
  })
}
