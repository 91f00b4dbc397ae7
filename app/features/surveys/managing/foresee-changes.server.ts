import { and, count, eq, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responseDrafts } from '#app/server/db/schema/responses.ts'
import { type ChangeEffect, listChangeEffects } from '../questionnaire/change-effects.ts'
import { loadSurveyTallies } from '../responses/response-counts.server.ts'
import type { Tally } from '../responses/tallies.ts'
import { requireSurveyFor } from '../surveys.policy.server.ts'
import { loadEveryVersion, loadVersion, readDefinition } from '../questionnaire/versions.server.ts'

/** One effect of publishing, and how many existing answers it affects. */
interface ForeseenEffect extends ChangeEffect {
  answers: number
}

export interface ForeseenChanges {
  id: string
  effects: ForeseenEffect[]
  /** Drafts of responses, which stay on the version they were started on. */
  unfinished: number
}

/**
 * What publishing the stored draft would do to existing answers; empty for a survey that was never published.
 * @throws {AppError} `not-found`; `forbidden` if the viewer may not edit the survey
 */
export async function foreseeChanges(ctx: Ctx, surveyId: string): Promise<ForeseenChanges> {
  return ctx.db.tx(async (tx) => {
    const { survey } = await requireSurveyFor(ctx, tx, 'projects.edit', surveyId)
    if (survey.publishedVersion === null) return { id: surveyId, effects: [], unfinished: 0 }
    const published = await loadVersion(tx, ctx.site.id, surveyId, survey.publishedVersion)
    const asked = await loadAskedQuestions(tx, ctx.site.id, surveyId)
    const effects = listChangeEffects(published, readDefinition(survey.definition)).map((effect): ChangeEffect => {
      const isBack = effect.kind === 'added' && effect.of === 'question' && asked.has(effect.question ?? '')
      return isBack ? { ...effect, kind: 'returned' } : effect
    })
    const tallies = survey.responsesCount > 0 ? await loadSurveyTallies(tx, ctx.site.id, surveyId) : []
    return {
      id: surveyId,
      effects: effects.map((effect) => ({ ...effect, answers: countAffectedAnswers(effect, tallies) })),
      unfinished: await countUnfinished(tx, ctx.site.id, surveyId),
    }
  })
}

/** Ids of the questions that any version asked, which may have answers although the newest does not ask them. */
async function loadAskedQuestions(tx: Tx, siteId: string, surveyId: string): Promise<ReadonlySet<string>> {
  const { versions } = await loadEveryVersion(tx, siteId, surveyId)
  return new Set([...versions.values()].flatMap(({ pages }) => pages.flatMap(({ questions }) => questions.map(({ id }) => id))))
}

/** Answers to the question, or those that chose the option or filled in the row. */
function countAffectedAnswers({ of, question, item = '' }: ChangeEffect, tallies: readonly Tally[]): number {
  if (question === undefined) return 0
  const own = tallies.filter((tally) => tally.question === question)
  if (of === 'question') return own.find((tally) => tally.value === '')?.count ?? 0
  const whole = own.find((tally) => tally.value === item || tally.value === `${item}.`)
  if (whole) return whole.count
  // Columns of a grid are counted per row, items of a ranking per rank.
  const parts = own.filter((tally) => tally.value.startsWith(`${item}.`) || tally.value.endsWith(`.${item}`))
  return parts.reduce((sum, tally) => sum + tally.count, 0)
}

async function countUnfinished(tx: Tx, siteId: string, surveyId: string): Promise<number> {
  const [row] = await tx
    .select({ drafts: count() })
    .from(responseDrafts)
    .where(and(eq(responseDrafts.siteId, siteId), eq(responseDrafts.surveyId, surveyId), sql`${responseDrafts.version} > 0`))
  return row?.drafts ?? 0
}
