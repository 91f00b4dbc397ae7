import { AppError } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { findRuleLabel } from '../rules.server.ts'
import { findOpenAppealEnd } from './appealable.server.ts'
import type { AppealPageView, AppealView, KnownDecision } from './appeals.schema.ts'
import { type AppealKeys, type AppealRow, findAppeal, findSide, type PlacedDecision, requirePlacedDecision } from './find-appeal.server.ts'

/** A decision's page: for its author and for those who reported it; others learn nothing from it. @throws {AppError} `not-found` */
export function loadAppealPage(ctx: Ctx, decisionId: string, keys: AppealKeys): Promise<AppealPageView> {
  return ctx.db.read(async (tx) => {
    const found = await requirePlacedDecision(ctx, tx, decisionId)
    if (found.decision.decision === 'hold') throw new AppError('not-found')
    return { decisionId, known: await describeDecision(ctx, tx, found, keys) }
  })
}

async function describeDecision(ctx: Ctx, tx: Tx, found: PlacedDecision, keys: AppealKeys): Promise<KnownDecision | null> {
  const side = await findSide(ctx, tx, found, keys)
  if (!side) return null
  const { decision, opened, placed, reply } = found
  const { contribution, activity, project } = placed
  const localise = (text: Parameters<typeof localiseText>[0]) => localiseText(text, ctx.contentLanguage, ctx.site.locale)
  const label = await findRuleLabel(tx, ctx.site.id, decision)
  const appeal = await findAppeal(tx, opened, side)
  return {
    side,
    decision: decision.decision,
    decidedAt: decision.decidedAt.toISOString(),
    number: contribution.number,
    title: side === 'author' ? contribution.title : '',
    lang: contribution.language,
    isReply: reply !== null,
    rule: label ? localise(label) : null,
    words: decision.words,
    activity: { title: localise(activity.title), slug: activity.slug, project: project.slug },
    appealUntil: (await findOpenAppealEnd(ctx, tx, { side, decision, opened }))?.toISOString() ?? null,
    appeal: appeal?.decisionId === decision.id ? describeAppeal(ctx, appeal) : null,
  }
}

function describeAppeal({ viewer }: Ctx, appeal: AppealRow): AppealView {
  const isOwn = appeal.appellant === 'author' || (viewer.kind === 'user' && viewer.id === appeal.appellantId)
  return { words: isOwn ? appeal.words : '', state: appeal.state, answer: appeal.answer, sentAt: appeal.createdAt.toISOString() }
}
