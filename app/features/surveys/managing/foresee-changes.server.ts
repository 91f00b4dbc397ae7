import { and, count, eq, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responseDrafts } from '#app/server/db/schema.ts'
import { type ChangeEffect, changeEffects } from '../questionnaire/change-effects.ts'
import { keptCounts } from '../responses/response-counts.server.ts'
import type { Mark } from '../responses/tallies.ts'
import { seeSurveyAs } from '../surveys.policy.server.ts'
import { readDefinition, versionOf } from '../questionnaire/versions.server.ts'

/** One thing that publishing would do, and how many answers already given it is about. */
interface ForeseenEffect extends ChangeEffect {
  answers: number
}

export interface ForeseenChanges {
  id: string
  effects: ForeseenEffect[]
  /** Half-finished responses, which stay on the version they were begun on. */
  unfinished: number
}

/**
 * What publishing the stored draft would do to answers already given; nothing for a survey that was never published.
 * @throws {AppError} `not-found`; `forbidden` for who may not edit the survey
 */
export async function foreseeChanges(ctx: Ctx, surveyId: string): Promise<ForeseenChanges> {
  return ctx.db.tx(async (tx) => {
    const { survey } = await seeSurveyAs(ctx, tx, 'projects.edit', surveyId)
    if (survey.publishedVersion === null) return { id: surveyId, effects: [], unfinished: 0 }
    const published = await versionOf(tx, ctx.site.id, surveyId, survey.publishedVersion)
    const effects = changeEffects(published, readDefinition(survey.definition))
    const marks = survey.responsesCount > 0 ? await keptCounts(tx, ctx.site.id, surveyId) : []
    return {
      id: surveyId,
      effects: effects.map((effect) => ({ ...effect, answers: answersOf(effect, marks) })),
      unfinished: await unfinishedOf(tx, ctx.site.id, surveyId),
    }
  })
}

/** Answers to the question, or those that chose the option or said something of the row. */
function answersOf({ of, question, item = '' }: ChangeEffect, marks: readonly Mark[]): number {
  if (question === undefined) return 0
  const own = marks.filter((mark) => mark.question === question)
  if (of === 'question') return own.find((mark) => mark.value === '')?.count ?? 0
  const whole = own.find((mark) => mark.value === item || mark.value === `${item}.`)
  if (whole) return whole.count
  // A column of a grid is counted row by row, an item of a ranking place by place.
  const parts = own.filter((mark) => mark.value.startsWith(`${item}.`) || mark.value.endsWith(`.${item}`))
  return parts.reduce((sum, mark) => sum + mark.count, 0)
}

async function unfinishedOf(tx: Tx, siteId: string, surveyId: string): Promise<number> {
  const [row] = await tx
    .select({ drafts: count() })
    .from(responseDrafts)
    .where(and(eq(responseDrafts.siteId, siteId), eq(responseDrafts.surveyId, surveyId), sql`${responseDrafts.version} > 0`))
  return row?.drafts ?? 0
}
