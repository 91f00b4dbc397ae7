import { DESCRIPTION_LETTERS, toExcerpt } from '#app/lib/rich-text.ts'
import { and, eq } from 'drizzle-orm'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import { DEFAULT_VERIFICATION_RULE, type VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import { readFeatures } from '#app/features/feature-switches/feature-switches.server.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import { findDraft } from './responses/drafts.server.ts'
import { readPersonal } from '#app/server/shared-rendering.ts'
import { findSavedMeanwhile } from './responses/saved-meanwhile.server.ts'
import { expandCarriedOptions } from './questionnaire/carried-options.ts'
import { getInvitationOwner, hasAnswered, type PlacedSurvey, findRefusal, requireVisibleSurvey } from './surveys.policy.server.ts'
import type { Sending } from '#app/features/participation/sending.schema.ts'
import { chooseStepKind } from './questionnaire/variants.ts'
import { findTextStart } from './sms/text-start.server.ts'
import { getSurveyState, getAnsweringTimes } from './surveys.state.server.ts'
import { readDefinition, loadVersion, resolveForDay } from './questionnaire/versions.server.ts'
import { localiseDefinition, type SurveyForAnswering, type SurveyView } from './surveys.views.ts'

export interface SurveyAddress {
  /** Slugs, as in the page's URL. */
  project: string
  survey: string
  /** Preview link token, which shows the drafts of one project. */
  preview?: string | undefined
}

/** @throws {AppError} `not-found`, also if the viewer may not see it */
export const requireSurveyAt = (ctx: Ctx, tx: Tx, address: SurveyAddress): Promise<PlacedSurvey> =>
  requireVisibleSurvey(ctx, tx, and(eq(projects.slug, address.project), eq(surveys.slug, address.survey)), address.preview)

/** What the browser sends: its secret for `anyone_once`, its invitation, and the submission it has started. */
interface BrowserState {
  browserToken?: BrowserToken | undefined
  invitation?: ((ownerId: string) => string | undefined) | undefined
  sending?: Sending | ((surveyId: string) => Sending | undefined) | undefined
  /** The version its page was built from, if no draft says so. */
  version?: number | undefined
}

/** A survey as its page needs it: whether it is open and the viewer may answer, the version to answer and the answers so far. */
export async function getSurveyForAnswering(
  ctx: Ctx,
  address: SurveyAddress,
  brought: BrowserState = {},
): Promise<SurveyForAnswering & { sending: Sending | undefined }> {
  const revised = (await readFeatures(ctx)).show_revised_survey.enabled
  return ctx.db.read(async (tx) => {
    const placed = await requireSurveyAt(ctx, tx, address)
    const { survey } = placed
    const sending = typeof brought.sending === 'function' ? brought.sending(survey.id) : brought.sending
    const draft = sending && (await findDraft(withTx(ctx, tx), sending))
    const own = draft?.surveyId === survey.id ? draft : undefined
    const published = survey.status === 'draft' ? 0 : (survey.publishedVersion ?? 0)
    const version = chooseVersion(own?.version ?? brought.version, published)
    const asWritten =
      version === 0 ? expandCarriedOptions(readDefinition(survey.definition)) : await loadVersion(tx, ctx.site.id, survey.id, version)
    const definition = resolveForDay(ctx, asWritten)
    const changing = survey.changeable && own !== undefined && own.replaces !== null
    const knownBy = { browserToken: brought.browserToken, invitation: brought.invitation?.(getInvitationOwner(ctx, survey)) }
    const refusal = await readPersonal(ctx, ['refusal', survey.id], (reader) =>
      reader.db.read(
        async (own) =>
          (await findRefusal(reader, own, placed, knownBy)) ?? ((await hasAnswered(reader, own, survey, knownBy)) ? 'answered' : null),
      ),
    )
    const view = toSurveyView(ctx, placed)
    const byText = await findTextStart(ctx, tx, view)
    return {
      survey: { ...view, refusal: changing ? null : refusal, changing, byText },
      version,
      definition: localiseDefinition(definition, ctx.contentLanguage, ctx.site.locale),
      steps: chooseStepKind(survey.variant, revised, definition),
      draft: own?.answers ?? null,
      meanwhile: changing ? await findSavedMeanwhile(tx, ctx.site.id, own.id) : null,
      sending: own && sending,
    }
  })
}

/** The version that was started with or requested, if it exists; otherwise the published one. */
const chooseVersion = (asked: number | undefined, published: number): number =>
  asked !== undefined && asked >= 1 && asked <= published ? asked : published

export function toSurveyView(ctx: Ctx, { survey, project }: PlacedSurvey): SurveyView {
  const localise = (from: typeof survey.title) => localiseText(from, ctx.contentLanguage, ctx.site.locale)
  const intro = localise(survey.intro)
  return {
    id: survey.id,
    slug: survey.slug,
    title: localise(survey.title),
    intro,
    description: toExcerpt(intro.text || localise(project.title).text, DESCRIPTION_LETTERS),
    thanks: localise(survey.thanks),
    access: survey.access,
    anonymous: survey.anonymous,
    minutes: survey.minutes,
    ...getAnsweringTimes({ survey, project }),
    responses: survey.responsesCount,
    resultsPublic: survey.resultsPublic,
    listed: survey.status !== 'draft' && project.status !== 'draft' && project.visibility === 'public',
    state: getSurveyState(ctx.now(), { survey, project }),
    refusal: null,
    changing: false,
    byText: null,
    project: { id: project.id, slug: project.slug, title: localise(project.title) },
  }
}

/** What a survey asks of people who are to be verified; null if it asks for no verification. @throws {AppError} `not-found`, `gone` */
export async function findVerifiedSurvey(
  ctx: Ctx,
  tx: Tx,
  address: SurveyAddress,
): Promise<{ title: Translated; rule: VerificationRule } | null> {
  const { survey } = await requireSurveyAt(ctx, tx, address)
  return survey.access === 'verified' ? { title: survey.title, rule: survey.verification ?? DEFAULT_VERIFICATION_RULE } : null
}
