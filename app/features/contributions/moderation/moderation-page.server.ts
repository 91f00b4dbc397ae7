import { and, count, eq, gte, inArray, sql } from 'drizzle-orm'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, replies } from '#app/server/db/schema/contributions.ts'
import { moderationDecisions } from '#app/server/db/schema/moderation.ts'
import { COUNT_STEP, type ModerationFacts, type ModerationPageView } from './moderation.schema.ts'
import { loadModerationFigures } from './moderation-figures.server.ts'
import { loadSiteRules } from './rules.server.ts'

const COUNTED_DAYS = 365
const REFUSALS = ['decline', 'remove'] as const
const COUNTED_DECISIONS = [...REFUSALS, 'mask'] as const

/** Rules, and what came of them. Public. */
export function loadModerationPage(ctx: Ctx): Promise<ModerationPageView> {
  return ctx.db.read(async (tx) => {
    const rules = await loadSiteRules(ctx.site.id, tx)
    const localise = (text: Translated) => localiseText(text, ctx.contentLanguage, ctx.site.locale)
    return {
      rules: rules
        .filter(({ archived }) => !archived)
        .map(({ code, label, explanation }) => ({ code, label: localise(label), explanation: localise(explanation) })),
      facts: await loadFacts(ctx, tx, new Map(rules.map(({ id, label }) => [id, localise(label)]))),
    }
  })
}

/** Counts move in steps of five, so that nobody can tell what was decided about one person by looking twice. */
const roundDown = (total: number): number => Math.floor(total / COUNT_STEP) * COUNT_STEP

async function loadFacts(
  { site, now }: Ctx,
  tx: Tx,
  labels: ReadonlyMap<string, ModerationFacts['byRule'][number]['label']>,
): Promise<ModerationFacts | null> {
  const since = new Date(now().getTime() - COUNTED_DAYS * 86_400_000)
  const [sent] = await tx
    .select({ total: count() })
    .from(contributions)
    .where(and(eq(contributions.siteId, site.id), gte(contributions.submittedAt, since)))
  const [replied] = await tx
    .select({ total: count() })
    .from(replies)
    .where(and(eq(replies.siteId, site.id), gte(replies.createdAt, since), eq(replies.role, 'person')))
  const received = roundDown((sent?.total ?? 0) + (replied?.total ?? 0))
  if (received === 0) return null
  const figures = await loadModerationFigures(tx, site.id, { since })
  const decided = await tx
    .select({ ruleId: moderationDecisions.ruleId, isMask: sql<boolean>`${moderationDecisions.decision} = 'mask'`, total: count() })
    .from(moderationDecisions)
    .where(
      and(
        eq(moderationDecisions.siteId, site.id),
        inArray(moderationDecisions.decision, [...COUNTED_DECISIONS]),
        gte(moderationDecisions.decidedAt, since),
      ),
    )
    .groupBy(moderationDecisions.ruleId, sql`2`)
  const refused = decided.filter(({ isMask }) => !isMask)
  const masked = decided.filter(({ isMask }) => isMask)
  const sumUp = (counted: typeof decided) => counted.reduce((sum, { total }) => sum + total, 0)
  const totals = new Map(refused.map(({ ruleId, total }) => [ruleId, total]))
  return {
    since: since.toISOString(),
    received,
    held: roundDown(figures.held),
    declined: roundDown(sumUp(refused)),
    masked: roundDown(sumUp(masked)),
    appealed: roundDown(figures.appealed),
    overturned: roundDown(figures.overturned),
    byRule: Array.from(labels, ([id, label]) => ({ label, count: roundDown(totals.get(id) ?? 0) })).filter((rule) => rule.count > 0),
    medianHours: figures.decided >= COUNT_STEP ? Math.max(1, Math.round(figures.medianHours ?? 0)) : null,
  }
}
