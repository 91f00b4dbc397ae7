import { and, eq, max, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import type { CreateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { hasText, type Translated } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { AnswerVisibility } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, contributionStatuses, officialResponses } from '#app/server/db/schema/contributions.ts'
import { lockContributions } from '../record/contribution-counts.server.ts'
import { type PlacedContribution, requireContributionFor } from '../record/loading.server.ts'
import { closeCases } from '../moderation/cases.server.ts'
import { mailOfficialResponse } from '../moderation/decision-mails.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { isAnswer } from '../questions/question-state.server.ts'
import type { officialResponseShape } from './official-responses.api.schema.ts'

export type OfficialResponseRow = typeof officialResponses.$inferSelect

/**
 * Answers a contribution in the organisation's name. The next answer follows it: former ones stay readable.
 * @returns its id
 * @throws {AppError} `not-found`, `forbidden`; `conflict` if the contribution is not published, unless only its author is answered; `invalid`
 * with `required` at `/textTranslations` if the status needs a text, or `not-a-choice` at `/status` for an archived one or one of another activity, at
 * `/visibility` for a private answer to what is no question
 */
export async function createOfficialResponse(ctx: Ctx, input: Omit<CreateInput<typeof officialResponseShape>, 'id'>): Promise<string> {
  const id = createId()
  await ctx.db.tx(async (tx) => {
    // Two answers get two versions, and what was taken off the site meanwhile gets none.
    await lockContributions(tx, ctx.site.id, [input.contribution])
    const placed = await requireContributionFor(ctx, tx, 'contributions.answer', input.contribution)
    const { contribution, activity, project } = placed
    const { tools } = readActivitySettings(activity)
    const { visibility = 'public' } = input
    if (!tools.answers) throw new AppError('forbidden')
    if (contribution.state !== 'published' && !(visibility === 'private' && contribution.state === 'held')) throw new AppError('conflict')
    const text = input.textTranslations ?? {}
    const status = await requireStatus(ctx, tx, placed, { id: input.status, text, visibility })
    const answers = tools.question !== undefined && isAnswer(status.code)
    await tx
      .update(contributions)
      .set({
        statusId: status.id,
        ...(answers && { answered: visibility === 'public' ? visibility : sql`coalesce(${contributions.answered}, 'private')` }),
      })
      .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, contribution.id)))
    const [last] = await tx
      .select({ version: max(officialResponses.version) })
      .from(officialResponses)
      .where(and(eq(officialResponses.siteId, ctx.site.id), eq(officialResponses.contributionId, contribution.id)))
    await tx.insert(officialResponses).values({
      siteId: ctx.site.id,
      id,
      contributionId: contribution.id,
      statusId: status.id,
      text,
      team: input.teamTranslations ?? {},
      version: (last?.version ?? 0) + 1,
      visibility,
      createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
      createdAt: ctx.now(),
    })
    await mailOfficialResponse(ctx, tx, placed, { status: status.title, text, visibility })
    // A question that is answered to its author only no longer waits for a moderator.
    if (answers && contribution.state === 'held') await closeCases(ctx, tx, { contributionId: contribution.id, replyId: null })
    await recordAudit(ctx, tx, {
      action: 'contributions.answer',
      subject: { type: 'contributions', id: contribution.id },
      hubId: project.hubId,
      projectId: project.id,
      detail: { number: contribution.number, status: status.title, ...(tools.question && { visibility }) },
    })
  })
  return id
}

/** The status that a response gives. @throws {AppError} `invalid` */
async function requireStatus(
  ctx: Ctx,
  tx: Tx,
  { activity }: PlacedContribution,
  { id, text, visibility }: { id: string; text: Translated; visibility: AnswerVisibility },
): Promise<typeof contributionStatuses.$inferSelect> {
  const [status] = await tx
    .select()
    .from(contributionStatuses)
    .where(
      and(
        eq(contributionStatuses.siteId, ctx.site.id),
        eq(contributionStatuses.id, id),
        eq(contributionStatuses.activityId, activity.id),
        eq(contributionStatuses.archived, false),
      ),
    )
    .for('share')
  const isPrivate = visibility === 'private'
  const faults: Fault[] = [
    ...(status ? [] : [{ code: 'not-a-choice' as const, pointer: '/status' }]),
    ...(isPrivate && !readActivitySettings(activity).tools.question ? [{ code: 'not-a-choice' as const, pointer: '/visibility' }] : []),
    ...((status?.needsText || isPrivate) && !hasText(text) ? [{ code: 'required' as const, pointer: '/textTranslations' }] : []),
  ]
  if (!status || faults.length > 0) throw new AppError('invalid', { faults })
  return status
}
