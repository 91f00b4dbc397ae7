import { and, eq, max } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import type { CreateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { getTranslation, hasText } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { markContentChanged } from '#app/server/db/client.ts'
import { contributions, contributionStatuses, officialResponses } from '#app/server/db/schema/contributions.ts'
import { requireContributionFor } from '../reading/loading.server.ts'
import { mailOfficialResponse } from '../moderation/decision-mails.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import type { officialResponseShape } from './official-responses.api.schema.ts'

export type OfficialResponseRow = typeof officialResponses.$inferSelect

/**
 * Answers a contribution in the organisation's name. The next answer follows it: former ones stay readable.
 * @returns its id
 * @throws {AppError} `not-found`, `forbidden`; `conflict` if the contribution is not published; `invalid` with `required` at
 * `/textTranslations` if the status needs a text, or `not-a-choice` at `/status` for one of another activity
 */
export async function createOfficialResponse(ctx: Ctx, input: Omit<CreateInput<typeof officialResponseShape>, 'id'>): Promise<string> {
  const id = createId()
  await ctx.db.tx(async (tx) => {
    const placed = await requireContributionFor(ctx, tx, 'contributions.answer', input.contribution)
    const { contribution, activity, project } = placed
    if (!readActivitySettings(activity).tools.answers) throw new AppError('forbidden')
    if (contribution.state !== 'published') throw new AppError('conflict')
    const [status] = await tx
      .select()
      .from(contributionStatuses)
      .where(
        and(
          eq(contributionStatuses.siteId, ctx.site.id),
          eq(contributionStatuses.id, input.status),
          eq(contributionStatuses.activityId, activity.id),
        ),
      )
    const text = input.textTranslations ?? {}
    const faults: Fault[] = [
      ...(status ? [] : [{ code: 'not-a-choice' as const, pointer: '/status' }]),
      ...(status?.needsText && !hasText(text) ? [{ code: 'required' as const, pointer: '/textTranslations' }] : []),
    ]
    if (!status || faults.length > 0) throw new AppError('invalid', { faults })
    // Locks the contribution, so that two answers get two versions.
    await tx
      .update(contributions)
      .set({ statusId: status.id })
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
      createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
      createdAt: ctx.now(),
    })
    await mailOfficialResponse(ctx, tx, placed, getTranslation(status.title, ctx.language, ctx.site.locale))
    await recordAudit(ctx, tx, {
      action: 'contributions.answer',
      subject: { type: 'contributions', id: contribution.id },
      hubId: project.hubId,
      projectId: project.id,
      detail: { number: contribution.number, status: status.title },
    })
    await markContentChanged(tx, ctx.site.id)
  })
  return id
}
