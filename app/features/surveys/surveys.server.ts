import { and, eq } from 'drizzle-orm'
import { wordsIn } from '#app/lib/words.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects, surveys } from '#app/server/db/schema.ts'
import { hasAnswered, type PlacedSurvey, refusalOf, seeSurvey } from './surveys.policy.server.ts'
import type { SurveyAccess } from './surveys.schema.ts'
import { readDefinition, versionOf } from './surveys.versions.server.ts'
import { definitionIn, stateAt, type SurveyForAnswering, type SurveyView } from './surveys.views.ts'

export interface SurveyAddress {
  /** Slugs, as in the address of the page. */
  project: string
  survey: string
  /** Token of a preview link, which shows the drafts of one project. */
  preview?: string | undefined
}

/** @throws {AppError} `not-found`, also for what the viewer may not see */
export const seeSurveyAt = (ctx: Ctx, tx: Tx, address: SurveyAddress): Promise<PlacedSurvey> =>
  seeSurvey(ctx, tx, and(eq(projects.slug, address.project), eq(surveys.slug, address.survey)), address.preview)

/**
 * A survey as its page puts it to the viewer: open or not, whether they may answer, and the version to be answered.
 * @param browserToken the browser's own secret, by which `anyone_once` knows it again
 */
export async function getSurveyForAnswering(ctx: Ctx, address: SurveyAddress, browserToken?: string): Promise<SurveyForAnswering> {
  return ctx.db.tx(async (tx) => {
    const placed = await seeSurveyAt(ctx, tx, address)
    const { survey } = placed
    const version = survey.status === 'draft' ? 0 : (survey.publishedVersion ?? 0)
    const definition = version === 0 ? readDefinition(survey.definition) : await versionOf(tx, ctx.site.id, survey.id, version)
    const refusal = (await refusalOf(ctx, tx, placed)) ?? ((await hasAnswered(ctx, tx, survey, browserToken)) ? 'answered' : null)
    return {
      survey: { ...viewOf(ctx, placed), refusal },
      version,
      definition: definitionIn(definition, ctx.language, ctx.site.locale),
    }
  })
}

export function viewOf(ctx: Ctx, { survey, project }: PlacedSurvey): SurveyView {
  const words = (from: typeof survey.title) => wordsIn(from, ctx.language, ctx.site.locale)
  return {
    id: survey.id,
    slug: survey.slug,
    title: words(survey.title),
    intro: words(survey.intro),
    thanks: words(survey.thanks),
    access: survey.access as SurveyAccess,
    anonymous: survey.anonymous,
    minutes: survey.minutes,
    opensAt: survey.opensAt,
    closesAt: survey.closesAt,
    responses: survey.responsesCount,
    resultsPublic: survey.resultsPublic,
    state: stateAt(ctx.now(), survey, { survey: survey.status, project: project.status }),
    refusal: null,
    project: { id: project.id, slug: project.slug, title: words(project.title) },
  }
}
