import { and, eq, isNull } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { contributionLinks } from '#app/server/db/schema/contributions.ts'
import { requireContributionFor } from '../record/loading.server.ts'
import { mailObjectionAnswer } from './merge-mails.server.ts'
import { MAX_LINK_REASON } from '../record/merging.schema.ts'
import { loadMergedInto } from '../record/merge-trees.server.ts'

/**
 * Keeps a merge that its author objected to, and tells them why. Only once: to undo the merge afterwards is always possible.
 * @throws {AppError} `not-found`, `forbidden`; `conflict` if nobody objected, somebody answered already or the merge was undone; `invalid`
 */
export async function answerObjection(ctx: Ctx, linkId: string, typed: string): Promise<void> {
  const answer = typed.replace(/\r\n?/g, '\n').trim()
  const pointer = '/objectionAnswer'
  if (!answer) throw new AppError('invalid', { faults: [{ code: 'required', pointer }] })
  if (Array.from(answer).length > MAX_LINK_REASON)
    throw new AppError('invalid', { faults: [{ code: 'too-long', pointer, values: { max: MAX_LINK_REASON } }] })
  await ctx.db.tx(async (tx) => {
    const isLink = and(eq(contributionLinks.siteId, ctx.site.id), eq(contributionLinks.id, linkId))
    const [link] = await tx.select().from(contributionLinks).where(isLink)
    if (!link) throw new AppError('not-found')
    const placed = await requireContributionFor(ctx, tx, 'contributions.moderate', link.contributionId)
    if (!link.objectedAt || link.endedAt) throw new AppError('conflict')
    const answered = await tx
      .update(contributionLinks)
      .set({ objectionAnswer: answer, objectionAnsweredAt: ctx.now() })
      .where(and(isLink, isNull(contributionLinks.objectionAnsweredAt), isNull(contributionLinks.endedAt)))
      .returning({ id: contributionLinks.id })
    if (answered.length === 0) throw new AppError('conflict')
    const [into] = await loadMergedInto(tx, ctx.site.id, link.contributionId)
    await recordAudit(ctx, tx, {
      action: 'contributions.answer-objection',
      subject: { type: 'contributions', id: link.contributionId },
      hubId: placed.project.hubId,
      projectId: placed.project.id,
      detail: { number: placed.contribution.number, answer },
    })
    await mailObjectionAnswer(ctx, tx, placed, { into: into?.number ?? 0, reason: answer })
  })
}
