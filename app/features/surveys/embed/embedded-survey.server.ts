import { eq } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import { sealSecret, getSealingKeys, unsealSecret } from '#app/server/crypto/seal.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { surveys } from '#app/server/db/schema.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { loadChallenge } from '../responses/access/unusual-answers.server.ts'
import { isAnswerDependent } from '../questionnaire/walk-survey.ts'
import { type PlacedSurvey, requireVisibleSurvey } from '../surveys.policy.server.ts'
import { createSending } from '../responses/submit-response.server.ts'
import { getSurveyForAnswering } from '../surveys.server.ts'

const RECEIPT_SHOWN_MS = 20 * 60_000

/**
 * A survey as another site's page frames it. A frame has no cookies, so it knows nobody again: it takes answers to surveys that anyone may
 * answer and that ask everyone the same; to the others it leads.
 * @param done what the answered form led to
 * @param version the one that a form which comes back was made from
 * @throws {AppError} `not-found`, also for what a visitor may not see
 */
export async function getEmbeddedSurvey(ctx: Ctx, id: string, done: string | undefined, version?: number) {
  const { survey, project } = await ctx.db.tx((tx) => requireFramedSurvey(ctx, tx, id))
  const page = await getSurveyForAnswering(ctx, { project: project.slug, survey: survey.slug }, { version })
  const { state, access, refusal } = page.survey
  const now = ctx.now()
  return {
    survey: page.survey,
    version: page.version,
    definition: page.definition,
    isOpen: state === 'open',
    takesAnswers: state === 'open' && access === 'anyone' && refusal === null && !isAnswerDependent(page.definition),
    receipt: done === undefined ? undefined : (unsealReceipt(ctx, id, done) ?? null),
    sending: createSending(now),
    challenge: await loadChallenge(ctx, survey.id),
    now,
    address: buildSiteUrl(ctx, `/${ctx.language}/projects/${project.slug}/surveys/${survey.slug}`),
    receiptAddress: buildSiteUrl(ctx, `/${ctx.language}/receipt`),
  }
}

export type EmbeddedSurveyView = Awaited<ReturnType<typeof getEmbeddedSurvey>>

/** The survey for a form that came out of a frame. @throws {AppError} `not-found`; `forbidden` where not anyone may answer it */
export async function requireEmbeddableSurvey(ctx: Ctx, tx: Tx, id: string): Promise<PlacedSurvey> {
  const placed = await requireFramedSurvey(ctx, tx, id)
  if (placed.survey.access !== 'anyone') throw new AppError('forbidden')
  return placed
}

function requireFramedSurvey(ctx: Ctx, tx: Tx, id: string): Promise<PlacedSurvey> {
  if (!isId(id)) throw new AppError('not-found')
  return requireVisibleSurvey(ctx, tx, eq(surveys.id, id))
}

const buildSealContext = (ctx: Ctx, surveyId: string) => `embeds/${ctx.site.id}/${surveyId}/receipt`

/** A receipt's code for the address of the page that thanks: readable there alone, and for a while. */
export const sealReceipt = (ctx: Ctx, surveyId: string, code: string): string =>
  sealSecret(getSealingKeys(ctx.runtime), buildSealContext(ctx, surveyId), `${ctx.now().getTime()} ${code}`)

function unsealReceipt(ctx: Ctx, surveyId: string, sealed: string): string | undefined {
  const [at, code] = unsealSecret(getSealingKeys(ctx.runtime), buildSealContext(ctx, surveyId), sealed)?.split(' ') ?? []
  return code && ctx.now().getTime() - Number(at) < RECEIPT_SHOWN_MS ? code : undefined
}
