import { and, eq, lt } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import { responseDrafts } from '#app/server/db/schema/responses.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { limitByAddress, countAttempt, type Limit } from '#app/server/limits/limits.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { DRAFT_DAYS } from '../questionnaire/answer-limits.ts'

/** Kilobytes one address may add to the drafts of one survey: what a few hundred people at a library or a school write. */
const MAX_KILOBYTES = 5000
const MAX_KILOBYTES_A_DAY = 50_000
/** Minimum charge for a new draft, however small. */
const NEW_DRAFT_KILOBYTES = 10
const DAY_MINUTES = 24 * 60
const DAY_MS = DAY_MINUTES * 60_000

/** How often one address may save drafts. */
export const limitDraftSaves = (ctx: Ctx): Limit[] => limitByAddress(ctx, { name: 'survey-step', most: 1500, minutes: 15 })

/** @throws {AppError} `too-many-requests` */
export const countDraftSave = (ctx: Ctx): Promise<void> => countAttempt(ctx, limitDraftSaves(ctx))

/**
 * What limits how much one address may keep for one survey. Overwriting a draft counts only the growth.
 * @param bytes the draft's new size
 * @param bytesBefore its size until now; undefined for a new draft
 */
export function limitDraftGrowth(ctx: Ctx, surveyId: string, bytes: number, bytesBefore: number | undefined): Limit[] {
  const added = Math.ceil((bytes - (bytesBefore ?? 0)) / 1000)
  const cost = bytesBefore === undefined ? Math.max(NEW_DRAFT_KILOBYTES, added) : added
  if (cost <= 0) return []
  return [
    ...limitByAddress(ctx, { name: 'survey-drafts', most: MAX_KILOBYTES, minutes: 15, cost, within: surveyId }),
    ...limitByAddress(ctx, { name: 'survey-drafts-day', most: MAX_KILOBYTES_A_DAY, minutes: DAY_MINUTES, cost, within: surveyId }),
  ]
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
