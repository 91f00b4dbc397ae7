import { readFeatures } from '#app/features/feature-switches/feature-switches.server.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { eq } from 'drizzle-orm'
import type { SurveyVariant } from '#app/lib/vocabulary/surveys.ts'
import { requireVisibleSurvey } from '../surveys.policy.server.ts'
import type { Definition } from '../surveys.schema.ts'
import { toSurveyView } from '../surveys.server.ts'
import { readDefinition } from '../questionnaire/versions.server.ts'
import type { SurveyView } from '../surveys.views.ts'

/** A survey's draft as the preview starts with it, in every language. */
export interface SurveyPreview {
  survey: SurveyView
  texts: { title: Translated; intro: Translated; thanks: Translated }
  definition: Definition
  variant: SurveyVariant
  /** The site's default, if the survey has no variant of its own. */
  revised: boolean
}

/** The stored draft, for its editors. @throws {AppError} `not-found` for everyone else */
export async function getSurveyPreview(ctx: Ctx, surveyId: string): Promise<SurveyPreview> {
  if (!isId(surveyId)) throw new AppError('not-found')
  const revised = (await readFeatures(ctx)).show_revised_survey.enabled
  return ctx.db.read(async (tx) => {
    const placed = await requireVisibleSurvey(ctx, tx, eq(surveys.id, surveyId))
    const { survey, project } = placed
    if (!checkPermission(ctx.viewer, 'projects.edit', toPermissionTarget(project)).ok) throw new AppError('not-found')
    return {
      survey: { ...toSurveyView(ctx, placed), state: 'preview' },
      texts: { title: survey.title, intro: survey.intro, thanks: survey.thanks },
      definition: readDefinition(survey.definition),
      variant: survey.variant,
      revised,
    }
  })
}
