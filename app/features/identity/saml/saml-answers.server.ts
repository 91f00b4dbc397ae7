import { and, eq, gt, lte } from 'drizzle-orm'
import { createId, isId } from '#app/lib/uuid.ts'
import { SIGN_IN_FAULTS } from '#app/lib/vocabulary/identity.ts'
import type { Ctx } from '#app/server/context.ts'
import { getSealingKeys, sealSecret, unsealSecret } from '#app/server/crypto/seal.ts'
import { samlAnswers } from '#app/server/db/schema/identity.ts'
import { type Challenge, checkClaims, type ProviderAnswer } from '../provider-claims.server.ts'
import type { ProviderRow } from '../providers.server.ts'
import { consumeSignInKey } from '../sign-in-cookies.server.ts'
import { SignInFault } from '../sign-in-fault.server.ts'
import type { CheckedAssertion } from './check-assertion.server.ts'
import { buildRequestId } from './saml-provider.server.ts'

const ANSWER_SECONDS = 120

/** Keeps a checked answer until the browser's own request. @returns its id @throws {SignInFault} `used-before` */
export async function storeAnswer(ctx: Ctx, row: ProviderRow, checked: CheckedAssertion): Promise<string> {
  const id = createId()
  const now = ctx.now().getTime()
  const sealedAnswer = sealSecret(getSealingKeys(ctx.runtime), buildAnswerPlace(id), JSON.stringify(checked))
  await ctx.db.tx(async (tx) => {
    await consumeSignInKey(ctx, tx, `assertion ${row.id} ${checked.id}`, new Date(checked.until))
    await tx.delete(samlAnswers).where(and(eq(samlAnswers.siteId, ctx.site.id), lte(samlAnswers.expiresAt, new Date(now))))
    const expiresAt = new Date(now + ANSWER_SECONDS * 1000)
    await tx.insert(samlAnswers).values({ siteId: ctx.site.id, id, providerId: row.id, sealedAnswer, expiresAt })
  })
  return id
}

const buildAnswerPlace = (id: string): string => `saml-answers/${id}/answer`

/** The stored answer to the request that this browser began. It can be read once. @throws {SignInFault} */
export async function readSamlAnswer(ctx: Ctx, row: ProviderRow, query: URLSearchParams, challenge: Challenge): Promise<ProviderAnswer> {
  const fault = SIGN_IN_FAULTS.find((code) => code === query.get('fault'))
  if (fault) throw new SignInFault(fault, 'refused when it arrived')
  const checked = await consumeAnswer(ctx, row, query.get('answer') ?? '')
  if (checked.inResponseTo !== buildRequestId(challenge)) throw new SignInFault('started-elsewhere', 'it answers another request')
  return checkClaims(row, checked.claims)
}

async function consumeAnswer(ctx: Ctx, row: ProviderRow, id: string): Promise<CheckedAssertion> {
  if (!isId(id)) throw new SignInFault('not-understood', 'no answer')
  const [kept] = await ctx.db.tx((tx) =>
    tx
      .delete(samlAnswers)
      .where(
        and(
          eq(samlAnswers.siteId, ctx.site.id),
          eq(samlAnswers.id, id),
          eq(samlAnswers.providerId, row.id),
          gt(samlAnswers.expiresAt, ctx.now()),
        ),
      )
      .returning({ sealedAnswer: samlAnswers.sealedAnswer }),
  )
  const text = kept && unsealSecret(getSealingKeys(ctx.runtime), buildAnswerPlace(id), kept.sealedAnswer)
  if (!text) throw new SignInFault('used-before', 'no such answer, or not any more')
  return JSON.parse(text) as CheckedAssertion
}
