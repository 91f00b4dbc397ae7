import { and, eq, lt, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import { responseDrafts } from '#app/server/db/schema/responses.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { limitByAddress, countAttempt } from '#app/server/limits/limits.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { DRAFT_DAYS } from '../questionnaire/answer-limits.ts'

/** Kilobytes one address may add to the drafts of one survey: what a few hundred people at a library or a school write. */
const MAX_KILOBYTES = 5000
const MAX_KILOBYTES_A_DAY = 50_000
/** Minimum charge for a new draft, however small. */
const NEW_DRAFT_KILOBYTES = 10
const DAY_MINUTES = 24 * 60
const DAY_MS = DAY_MINUTES * 60_000

/** Rate limit for saving drafts. @throws {AppError} `too-many-requests` */
export const countDraftSave = (ctx: Ctx): Promise<void> =>
  countAttempt(ctx, limitByAddress(ctx, { name: 'survey-step', most: 1500, minutes: 15 }))

/**
 * Counts how much a draft grows against what one address may keep for one survey. Overwriting a draft counts only the growth.
 * @param draft `bytes` is its new size
 * @throws {AppError} `too-many-requests`
 */
export async function countDraftGrowth(ctx: Ctx, draft: { id: string; surveyId: string; bytes: number }): Promise<void> {
  if (ctx.address === null) return
  const [before] = await ctx.db.read((tx) =>
    tx
      .select({ bytes: sql<number>`octet_length(${responseDrafts.answers}::text)`.mapWith(Number) })
      .from(responseDrafts)
      .where(and(eq(responseDrafts.siteId, ctx.site.id), eq(responseDrafts.id, draft.id))),
  )
  const added = Math.ceil((draft.bytes - (before?.bytes ?? 0)) / 1000)
  const cost = before ? added : Math.max(NEW_DRAFT_KILOBYTES, added)
  if (cost <= 0) return
  const limits = [
    { name: 'survey-drafts', most: MAX_KILOBYTES, minutes: 15 },
    { name: 'survey-drafts-day', most: MAX_KILOBYTES_A_DAY, minutes: DAY_MINUTES },
  ]
  await countAttempt(
    ctx,
    limits.flatMap((limit) => limitByAddress(ctx, { ...limit, cost, within: draft.surveyId })),
  )
}

/** Deletes abandoned drafts on every site, anonymous or not. Run by a job. @returns how many */
export function sweepDrafts(runtime: Runtime): Promise<number> {
  const before = new Date(runtime.now().getTime() - DRAFT_DAYS * DAY_MS)
  return runOnEachSite(runtime, async (ctx) => {
    const gone = await ctx.db.tx((tx) =>
      tx
        .delete(responseDrafts)
        .where(and(eq(responseDrafts.siteId, ctx.site.id), lt(responseDrafts.updatedAt, before)))
        .returning({ id: responseDrafts.id }),
    )
    return gone.length
  })
}
