import { and, eq } from 'drizzle-orm'
import { localiseText } from '#app/lib/localised-text.ts'
import { readFeatures } from '#app/features/feature-switches/feature-switches.server.ts'
import { type Ctx, within } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects, surveys } from '#app/server/db/schema.ts'
import { findDraft } from './responses/drafts.server.ts'
import { withCarried } from './questionnaire/logic.ts'
import { hasAnswered, type PlacedSurvey, refusalOf, seeSurvey } from './surveys.policy.server.ts'
import type { Sending } from './responses/submit-response.server.ts'
import type { SurveyAccess, SurveyVariant } from './surveys.schema.ts'
import { stepKind } from './questionnaire/variants.ts'
import { stateAt, timesOf } from './surveys.state.server.ts'
import { readDefinition, versionOf } from './questionnaire/versions.server.ts'
import { definitionIn, type SurveyForAnswering, type SurveyView } from './surveys.views.ts'

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

/** What the browser brings: its own secret, by which `anyone_once` knows it again, its invitation, and the sending it has begun. */
interface Brought {
  browserToken?: string | undefined
  invitation?: ((surveyId: string) => string | undefined) | undefined
  sending?: Sending | ((surveyId: string) => Sending | undefined) | undefined
  /** The version its page was made from, where there is no draft that says it. */
  version?: number | undefined
}

/** A survey as its page puts it to the viewer: open or not, whether they may answer, the version to be answered and what they have so far. */
export async function getSurveyForAnswering(
  ctx: Ctx,
  address: SurveyAddress,
  brought: Brought = {},
): Promise<SurveyForAnswering & { sending: Sending | undefined }> {
  const revised = (await readFeatures(ctx)).show_revised_survey.enabled
  return ctx.db.tx(async (tx) => {
    const placed = await seeSurveyAt(ctx, tx, address)
    const { survey } = placed
    const sending = typeof brought.sending === 'function' ? brought.sending(survey.id) : brought.sending
    const draft = sending && (await findDraft(within(ctx, tx), sending))
    const own = draft?.surveyId === survey.id ? draft : undefined
    const published = survey.status === 'draft' ? 0 : (survey.publishedVersion ?? 0)
    const asked = own?.version ?? brought.version ?? published
    const version = asked >= 1 && asked <= published ? asked : published
    const definition = version === 0 ? withCarried(readDefinition(survey.definition)) : await versionOf(tx, ctx.site.id, survey.id, version)
    const changing = survey.changeable && own !== undefined && own.replaces !== null
    const knownBy = { browserToken: brought.browserToken, invitation: brought.invitation?.(survey.id) }
    const refusal = (await refusalOf(ctx, tx, placed, knownBy)) ?? ((await hasAnswered(ctx, tx, survey, knownBy)) ? 'answered' : null)
    return {
      survey: { ...viewOf(ctx, placed), refusal: changing ? null : refusal, changing },
      version,
      definition: definitionIn(definition, ctx.language, ctx.site.locale),
      steps: stepKind(survey.variant as SurveyVariant, revised, definition),
      draft: own?.answers ?? null,
      sending: own && sending,
    }
  })
}

export function viewOf(ctx: Ctx, { survey, project }: PlacedSurvey): SurveyView {
  const words = (from: typeof survey.title) => localiseText(from, ctx.language, ctx.site.locale)
  return {
    id: survey.id,
    slug: survey.slug,
    title: words(survey.title),
    intro: words(survey.intro),
    thanks: words(survey.thanks),
    access: survey.access as SurveyAccess,
    anonymous: survey.anonymous,
    minutes: survey.minutes,
    ...timesOf({ survey, project }),
    responses: survey.responsesCount,
    resultsPublic: survey.resultsPublic,
    listed: survey.status !== 'draft' && project.status !== 'draft' && project.visibility === 'public',
    state: stateAt(ctx.now(), { survey, project }),
    refusal: null,
    changing: false,
    project: { id: project.id, slug: project.slug, title: words(project.title) },
  }
}
