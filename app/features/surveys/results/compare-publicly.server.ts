import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { CombinedQuestion } from '../questionnaire/check-definition.ts'
import { loadEveryVersion } from '../questionnaire/versions.server.ts'
import { loadCohortTallies } from '../responses/response-bitmaps.server.ts'
import type { PlacedSurvey } from '../surveys.policy.server.ts'
import { getSurveyState } from '../surveys.state.server.ts'
import { countGroups } from './compare-groups.server.ts'
import { computeFigures, type SurveyFigures } from './figures.ts'
import { type GroupComparison, hasOneAnswer } from './group-comparison.schema.ts'

/** Why the answers are not compared in public: the survey may still be answered, or its published figures are of other answers. */
export type NotCompared = 'open' | 'changed'

/**
 * Whether public figures may be compared by a question. Not by one about people: its groups have published figures of their own, from which
 * numbers that a comparison hides could be computed.
 */
export const canGroupPublicly = ({ type, profile }: Pick<CombinedQuestion, 'type' | 'profile'>): boolean =>
  hasOneAnswer(type) && profile === undefined

/**
 * The answers to one question by those to another, for the public: to the nearest five, with small numbers and groups hidden as in reports.
 * Only once a survey is closed, and only of exactly the answers that its published figures count. Otherwise a reader could find
 * a single answer by comparing two counts.
 * @param published the survey's public figures
 * @returns undefined if the survey has no such groups, or too few people are in them
 */
export async function comparePublicly(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedSurvey,
  { question, by, published }: { question: string; by: string; published: SurveyFigures },
): Promise<GroupComparison | NotCompared | undefined> {
  // A preview may look at another moment.
  if (getSurveyState(ctx.runtime.now(), placed) !== 'closed') return 'open'
  const key = { siteId: ctx.site.id, id: placed.survey.id }
  const marks = await loadCohortTallies(tx, key)
  const whole = computeFigures({ ...(await loadEveryVersion(tx, key.siteId, key.id)), marks })
  if (whole.responses !== published.responses) return 'changed'
  const grouping = whole.questions.find((figures) => figures.question.id === by)?.question
  if (!grouping || !canGroupPublicly(grouping) || by === question) return undefined
  const compared = await countGroups(ctx, tx, { key, by: { kind: 'question', question: by }, marks, whole, isExact: false, question })
  return compared.questions.length > 0 ? compared : undefined
}
