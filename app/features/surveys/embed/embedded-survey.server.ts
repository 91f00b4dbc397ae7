import { and, eq } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import { sealSecret, getSealingKeys, unsealSecret } from '#app/server/crypto/seal.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { hasRandomOrder, isAnswerDependent } from '../questionnaire/walk-survey.ts'
import { type PlacedSurvey, requireVisibleSurvey } from '../surveys.policy.server.ts'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { openSending } from '#app/features/participation/sending.server.ts'
import { getSurveyForAnswering } from '../surveys.server.ts'

const RECEIPT_SHOWN_MS = 20 * 60_000

/**
 * A survey for another site's frame. A frame has no cookies and recognises nobody, so it accepts answers only to surveys that anyone may
 * answer and that ask everyone the same; it links to the others.
 * @param done the sealed receipt in the URL after answering
 * @param version the version of a form that was refused
 * @throws {AppError} `not-found`, also if visitors may not see it
 */
export async function getEmbeddedSurvey(ctx: Ctx, id: string, done: string | undefined, version?: number) {
  const { survey, project } = await ctx.db.read((tx) => requireFramedSurvey(ctx, tx, id))
  const page = await getSurveyForAnswering(ctx, { project: project.slug, survey: survey.slug }, { version })
  const { state, access, refusal } = page.survey
  const receipt = done === undefined ? undefined : (unsealReceipt(ctx, id, done) ?? null)
  const takesAnswers = state === 'open' && access === 'anyone' && refusal === null && !isAnswerDependent(page.definition)
  return {
    survey: page.survey,
    version: page.version,
    definition: page.definition,
    isOpen: state === 'open',
    takesAnswers,
    receipt,
    counted: receipt ? await isReceiptCounted(ctx, receipt) : true,
    sending: openSending(ctx, takesAnswers && hasRandomOrder(page.definition)),
    now: ctx.now(),
    address: buildSiteUrl(ctx, `/${ctx.contentLanguage}/projects/${project.slug}/surveys/${survey.slug}`),
    receiptAddress: buildSiteUrl(ctx, `/${ctx.contentLanguage}/receipt`),
  }
}

async function isReceiptCounted(ctx: Ctx, code: string): Promise<boolean> {
  const [row] = await ctx.db.read((tx) =>
    tx
      .select({ counted: responses.counted })
      .from(responses)
      .where(and(eq(responses.siteId, ctx.site.id), eq(responses.receiptHash, hashReceiptCode(ctx.site.id, code)))),
  )
  return row?.counted ?? true
}

export type EmbeddedSurveyView = Awaited<ReturnType<typeof getEmbeddedSurvey>>

/** The survey for a form from a frame. @throws {AppError} `not-found`; `forbidden` unless anyone may answer it */
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

/** Encrypts a receipt code for the URL of the thank-you page: only that page can read it, and only for a while. */
export const sealReceipt = (ctx: Ctx, surveyId: string, code: string): string =>
  sealSecret(getSealingKeys(ctx.runtime), buildSealContext(ctx, surveyId), `${ctx.now().getTime()} ${code}`)

function unsealReceipt(ctx: Ctx, surveyId: string, sealed: string): string | undefined {
  const [at, code] = unsealSecret(getSealingKeys(ctx.runtime), buildSealContext(ctx, surveyId), sealed)?.split(' ') ?? []
  return code && ctx.now().getTime() - Number(at) < RECEIPT_SHOWN_MS ? code : undefined
}
