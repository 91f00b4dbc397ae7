import { eq } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import { seal, sealingKeys, unseal } from '#app/server/crypto/seal.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { surveys } from '#app/server/db/schema.ts'
import { siteUrl } from '#app/server/site-url.ts'
import { challengeFor } from '../responses/access/doubts.server.ts'
import { dependsOnAnswers } from '../questionnaire/logic.ts'
import { type PlacedSurvey, seeSurvey } from '../surveys.policy.server.ts'
import { newSending } from '../responses/submit-response.server.ts'
import { getSurveyForAnswering } from '../surveys.server.ts'

const SHOWN_MS = 20 * 60_000

/**
 * A survey as another site's page frames it. A frame has no cookies, so it knows nobody again: it takes answers to surveys that anyone may
 * answer and that ask everyone the same; to the others it leads.
 * @param done what the answered form led to
 * @param version the one that a form which comes back was made from
 * @throws {AppError} `not-found`, also for what a visitor may not see
 */
export async function getEmbeddedSurvey(ctx: Ctx, id: string, done: string | undefined, version?: number) {
  const { survey, project } = await ctx.db.tx((tx) => seeFramed(ctx, tx, id))
  const page = await getSurveyForAnswering(ctx, { project: project.slug, survey: survey.slug }, { version })
  const { state, access, refusal } = page.survey
  const now = ctx.now()
  return {
    survey: page.survey,
    version: page.version,
    definition: page.definition,
    isOpen: state === 'open',
    takesAnswers: state === 'open' && access === 'anyone' && refusal === null && !dependsOnAnswers(page.definition),
    receipt: done === undefined ? undefined : (openReceipt(ctx, id, done) ?? null),
    sending: newSending(now),
    challenge: await challengeFor(ctx, survey.id),
    now,
    address: siteUrl(ctx, `/${ctx.language}/projects/${project.slug}/surveys/${survey.slug}`),
    receiptAddress: siteUrl(ctx, `/${ctx.language}/receipt`),
  }
}

export type EmbeddedSurveyView = Awaited<ReturnType<typeof getEmbeddedSurvey>>

/** The survey for a form that came out of a frame. @throws {AppError} `not-found`; `forbidden` where not anyone may answer it */
export async function seeForFrame(ctx: Ctx, tx: Tx, id: string): Promise<PlacedSurvey> {
  const placed = await seeFramed(ctx, tx, id)
  if (placed.survey.access !== 'anyone') throw new AppError('forbidden')
  return placed
}

function seeFramed(ctx: Ctx, tx: Tx, id: string): Promise<PlacedSurvey> {
  if (!isId(id)) throw new AppError('not-found')
  return seeSurvey(ctx, tx, eq(surveys.id, id))
}

const placeOf = (ctx: Ctx, surveyId: string) => `embeds/${ctx.site.id}/${surveyId}/receipt`

/** A receipt's code for the address of the page that thanks: readable there alone, and for a while. */
export const sealReceipt = (ctx: Ctx, surveyId: string, code: string): string =>
  seal(sealingKeys(ctx.runtime), placeOf(ctx, surveyId), `${ctx.now().getTime()} ${code}`)

function openReceipt(ctx: Ctx, surveyId: string, sealed: string): string | undefined {
  const [at, code] = unseal(sealingKeys(ctx.runtime), placeOf(ctx, surveyId), sealed)?.split(' ') ?? []
  return code && ctx.now().getTime() - Number(at) < SHOWN_MS ? code : undefined
}
