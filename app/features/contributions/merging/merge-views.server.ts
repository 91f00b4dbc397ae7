import { and, eq, isNull, or } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { readWithin } from '#app/server/memory/content-reads.ts'
import { contributionLinks, contributions, isPublished } from '#app/server/db/schema/contributions.ts'
import type { ContributionRow, PlacedContribution } from '../record/loading.server.ts'
import { findActiveMerge, type LinkRow } from './links.server.ts'
import {
  type LinkedContributionView,
  MAX_LINK_REASON,
  type MergedIntoView,
  OBJECTION_DAYS,
  type OwnMergeView,
} from '../record/merging.schema.ts'
import { loadMergedInto } from '../record/merge-trees.server.ts'

const MAX_RELATED = 50

/** Where a merged contribution went: what it stands in now, also if that was merged in turn. */
export async function loadMergeView(ctx: Ctx, tx: Tx, id: string): Promise<MergedIntoView | null> {
  const { target, link } = await readWithin(
    ({ chain }) => ({ contribution: [id, ...chain.map((merged) => merged.id)] }),
    async () => {
      const chain = await loadMergedInto(tx, ctx.site.id, id)
      return { chain, target: chain.at(-1), link: await findActiveMerge(tx, ctx.site.id, id) }
    },
  )
  if (!target || !link) return null
  const isPublic = target.state === 'published'
  return { number: target.number, title: isPublic ? target.title : '', isPublic, reason: link.reason }
}

const findLastDay = ({ createdAt }: LinkRow) => new Date(createdAt.getTime() + OBJECTION_DAYS * 86_400_000)

/** The same for its author, with what they may still do. */
export async function loadOwnMerge(ctx: Ctx, tx: Tx, { id }: ContributionRow): Promise<OwnMergeView | null> {
  const view = await loadMergeView(ctx, tx, id)
  const link = await findActiveMerge(tx, ctx.site.id, id)
  if (!view || !link) return null
  const until = findLastDay(link)
  return {
    ...view,
    objectUntil: !link.objectedAt && ctx.now() < until ? until.toISOString() : null,
    objection: link.objection,
    objectionAnswer: link.objectionAnswer,
  }
}

/** Public contributions that a moderator named as related. */
export async function loadRelated(ctx: Ctx, tx: Tx, id: string): Promise<LinkedContributionView[]> {
  const isOtherEnd = or(
    and(eq(contributionLinks.contributionId, id), eq(contributions.id, contributionLinks.targetId)),
    and(eq(contributionLinks.targetId, id), eq(contributions.id, contributionLinks.contributionId)),
  )
  const rows = await readWithin(
    (found: { id: string }[]) => ({ contribution: [id, ...found.map((related) => related.id)] }),
    async () =>
      tx
        .select({ id: contributions.id, number: contributions.number, title: contributions.title, language: contributions.language })
        .from(contributionLinks)
        .innerJoin(contributions, and(eq(contributions.siteId, contributionLinks.siteId), isOtherEnd))
        .where(
          and(
            eq(contributionLinks.siteId, ctx.site.id),
            eq(contributionLinks.kind, 'related'),
            isNull(contributionLinks.endedAt),
            isPublished,
          ),
        )
        .orderBy(contributions.number)
        .limit(MAX_RELATED),
  )
  return rows.map(({ number, title, language }) => ({ number, title, ...(language === ctx.language ? {} : { lang: language }) }))
}

/**
 * The author says that their contribution is not the same as the one it was merged into. Moderators decide.
 * @throws {AppError} `conflict` if it is not merged or they objected already, `objection-over` after 14 days, `invalid`
 */
export async function objectToMerge(ctx: Ctx, tx: Tx, { contribution, project }: PlacedContribution, typed: string): Promise<void> {
  const link = contribution.state === 'merged' ? await findActiveMerge(tx, ctx.site.id, contribution.id) : undefined
  if (!link || link.objectedAt) throw new AppError('conflict')
  if (ctx.now() >= findLastDay(link)) throw new AppError('objection-over')
  const objection = typed.replace(/\r\n?/g, '\n').trim()
  if (!objection) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/objection' }] })
  if (Array.from(objection).length > MAX_LINK_REASON)
    throw new AppError('invalid', { faults: [{ code: 'too-long', pointer: '/objection', values: { max: MAX_LINK_REASON } }] })
  const changed = await tx
    .update(contributionLinks)
    .set({ objection, objectedAt: ctx.now() })
    .where(and(eq(contributionLinks.siteId, ctx.site.id), eq(contributionLinks.id, link.id), isNull(contributionLinks.objectedAt)))
    .returning({ id: contributionLinks.id })
  if (changed.length === 0) throw new AppError('conflict')
  await recordAudit(ctx, tx, {
    action: 'contributions.object',
    subject: { type: 'contributions', id: contribution.id },
    hubId: project.hubId,
    projectId: project.id,
    detail: { number: contribution.number },
  })
}
