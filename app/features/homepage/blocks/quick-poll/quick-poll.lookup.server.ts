import { and, eq } from 'drizzle-orm'
import { listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { findPollResults, singleQuestionDefinition, toPollView } from '#app/features/surveys/poll/poll.server.ts'
import { getSurveyState } from '#app/features/surveys/surveys.state.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { HomeBlock } from '../../homepage.schema.ts'
import type { QuickPollData } from './quick-poll.block.ts'

/** Finds the poll if its survey is published, asks a single choice, and its project is listed for the viewer. */
export async function lookUpQuickPoll(ctx: Ctx, { surveyId }: HomeBlock<'quick_poll'>): Promise<QuickPollData> {
  const none = { poll: null, results: null }
  if (!surveyId) return none
  const [row] = await ctx.db.read((tx) =>
    tx
      .select({ survey: surveys, project: projects, definition: singleQuestionDefinition })
      .from(surveys)
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .where(and(listedWhere(ctx), eq(surveys.id, surveyId), eq(surveys.status, 'published'))),
  )
  if (!row) return none
  const poll = toPollView(ctx, { ...row, open: getSurveyState(ctx.now(), row) === 'open' })
  if (!poll) return none
  const results = poll.open ? null : await findPollResults(ctx, { project: poll.project, survey: poll.survey })
  return { poll, results }
}
