import { and, eq } from 'drizzle-orm'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import { hashReceiptCode } from './receipt-code.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { budgetBallots, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { events, eventSignUps } from '#app/server/db/schema/events.ts'
import { projects } from '#app/server/db/schema/projects.ts'

/**
 * Finds the page of a receipt that is not a survey's: a contribution's, a ballot's or a sign-up's. That page decides whether the reader may see it.
 * @param typed the code as people type it
 * @returns its path, without a language
 */
export async function findReceiptPage(ctx: Ctx, typed: string): Promise<{ page: string; code: string } | undefined> {
  const found = await findActivityByCode(ctx, typed)
  if (found) return { page: `/projects/${found.project}/${found.activity}/receipt`, code: found.code }
  const code = parseReceiptCode(typed)
  if (!code) return undefined
  const [ballot] = await ctx.db.read((tx) =>
    tx
      .select({ project: projects.slug, round: budgetRounds.slug })
      .from(budgetBallots)
      .innerJoin(budgetRounds, and(eq(budgetRounds.siteId, budgetBallots.siteId), eq(budgetRounds.id, budgetBallots.roundId)))
      .innerJoin(projects, and(eq(projects.siteId, budgetRounds.siteId), eq(projects.id, budgetRounds.projectId)))
      .where(and(eq(budgetBallots.siteId, ctx.site.id), eq(budgetBallots.receiptHash, hashReceiptCode(ctx.site.id, code)))),
  )
  if (ballot) return { page: `/projects/${ballot.project}/budgets/${ballot.round}/receipt`, code }
  const [signUp] = await ctx.db.read((tx) =>
    tx
      .select({ project: projects.slug, event: events.slug })
      .from(eventSignUps)
      .innerJoin(events, and(eq(events.siteId, eventSignUps.siteId), eq(events.id, eventSignUps.eventId)))
      .innerJoin(projects, and(eq(projects.siteId, events.siteId), eq(projects.id, events.projectId)))
      .where(and(eq(eventSignUps.siteId, ctx.site.id), eq(eventSignUps.receiptHash, hashReceiptCode(ctx.site.id, code)))),
  )
  return signUp && { page: `/projects/${signUp.project}/events/${signUp.event}/receipt`, code }
}

/**
 * Finds the activity that a receipt code belongs to, on whose receipt page the contribution is. That page decides whether the reader may see it.
 * @param typed the code as people type it
 */
export async function findActivityByCode(
  ctx: Ctx,
  typed: string,
): Promise<{ project: string; activity: string; code: string } | undefined> {
  const code = parseReceiptCode(typed)
  if (!code) return undefined
  const [found] = await ctx.db.read((tx) =>
    tx
      .select({ project: projects.slug, activity: activities.slug })
      .from(contributions)
      .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
      .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
      .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.receiptHash, hashReceiptCode(ctx.site.id, code)))),
  )
  return found && { ...found, code }
}
