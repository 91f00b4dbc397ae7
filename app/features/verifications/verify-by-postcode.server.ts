import { findAreaByPostcode } from '#app/features/areas/areas.server.ts'
import { findPostcodePattern, normalisePostcode } from '#app/features/areas/postcodes.schema.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { limitGuesses } from '#app/server/limits/guesses.ts'
import { loadPostcodeSettings } from './postcode-settings.server.ts'
import {
  findYearFromNow,
  listTryLimits,
  type NewVerification,
  NO_ORIGIN,
  type Prover,
  requireNoGuest,
  storeForViewer,
} from './store-verification.server.ts'

/**
 * Verifies the viewer by a postcode that they say is theirs. It proves little, and cannot tell two people apart: the account or browser is
 * the person. Neither the postcode nor its area is stored.
 * @throws {AppError} `invalid` at `/postcode`: `required`, `wrong-format` for no postcode of the site's country, `postcode-unknown`;
 * `too-many-requests`; `forbidden` for a guest of the platform
 */
export async function verifyByPostcode(
  ctx: Ctx,
  { postcode: typed, browserToken, secret }: Prover & { postcode: string },
): Promise<NewVerification> {
  requireNoGuest(ctx)
  const postcode = normalisePostcode(typed)
  if (!postcode) throw createPostcodeFault('required')
  if (findPostcodePattern(ctx.site.region)?.test(postcode) === false) throw createPostcodeFault('wrong-format')
  return limitGuesses(ctx, listTryLimits(ctx, browserToken), () =>
    ctx.db.tx(async (tx) => {
      if (!(await isAccepted(ctx, tx, postcode))) throw createPostcodeFault('postcode-unknown')
      const proof = {
        ...NO_ORIGIN,
        subjectHash: 'hash-holder',
        method: 'postcode',
        level: 'contact',
        validUntil: findYearFromNow(ctx),
      } as const
      return storeForViewer(ctx, tx, proof, secret)
    }),
  )
}

async function isAccepted(ctx: Ctx, tx: Tx, postcode: string): Promise<boolean> {
  const { postcodes, usesAreas } = await loadPostcodeSettings(tx, ctx.site.id)
  if (postcodes.some((one) => postcode.startsWith(one))) return true
  return usesAreas && (await findAreaByPostcode(ctx, tx, postcode)) !== undefined
}

const createPostcodeFault = (code: 'required' | 'wrong-format' | 'postcode-unknown') =>
  new AppError('invalid', { faults: [{ code, pointer: '/postcode' }] })
