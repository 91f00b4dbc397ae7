import { and, eq } from 'drizzle-orm'
import { listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { getSurveyState } from '#app/features/surveys/surveys.state.server.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { HomeBlock } from '../../homepage.schema.ts'
import type { SurveyTeaserData } from './survey-teaser.block.ts'

/** Finds the survey if it is published and its project is listed for the viewer. */
export async function lookUpSurveyTeaser(ctx: Ctx, { surveyId }: HomeBlock<'survey_teaser'>): Promise<SurveyTeaserData> {
  if (!surveyId) return { survey: null }
  const [row] = await ctx.db.read((tx) =>
    tx
      .select({ survey: surveys, project: projects })
      .from(surveys)
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .where(and(listedWhere(ctx), eq(surveys.id, surveyId), eq(surveys.status, 'published'))),
  )
  if (!row) return { survey: null }
  const { survey, project } = row
  const localise = (text: typeof survey.title) => localiseText(text, ctx.contentLanguage, ctx.site.locale)
  return {
    survey: {
      slug: survey.slug,
      project: project.slug,
      title: localise(survey.title),
      intro: localise(survey.intro),
      minutes: survey.minutes,
      isOpen: getSurveyState(ctx.now(), row) === 'open',
    },
  }
}
