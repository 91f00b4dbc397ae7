import { createLocalJWKSet, jwtVerify, type JWTPayload } from 'jose'
import { isAppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import { readBoundedBody } from '#app/server/bounded-body.ts'
import type { Ctx } from '#app/server/context.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { CLOCK_SKEW_MS } from './clock-skew.ts'
import { loadProviderKeys } from './openid/provider-metadata.server.ts'
import { limitSignIns } from './limit-sign-ins.server.ts'
import { endNamedSessions } from './provider-sessions.server.ts'
import type { ProviderRow } from './providers.server.ts'
import { consumeSignInKey } from './sign-in-cookies.server.ts'
import { SignInFault } from './sign-in-fault.server.ts'
import { requireProvider } from './usable-providers.server.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const MAX_AGE_SECONDS = CLOCK_SKEW_MS / 1000
export const MAX_LOGOUT_BYTES = 20_000
const STATUS_BY_FAULT: Partial<Record<SignInFault['code'], number>> = { unreachable: 503, 'not-active': 404, 'too-many': 429 }

/** A provider says that somebody signed out there (OpenID Connect Back-Channel Logout 1.0). Authenticated by the token's signature. */
export async function handleBackChannelLogout({
  request,
  context: { ctx },
  params,
}: {
  request: Request
  context: RequestContext
  params: { provider: string }
}): Promise<Response> {
  const respond = (status: number) => new Response(null, { status, headers: { 'cache-control': 'no-store' } })
  try {
    await limitSignIns(ctx, async () => {
      const row = await requireProvider(ctx, params.provider)
      if (row.protocol !== 'openid') throw new SignInFault('not-active', 'its protocol has no such logout')
      const token = new URLSearchParams((await readBoundedBody(request, MAX_LOGOUT_BYTES)).toString()).get('logout_token')
      if (!token) throw new SignInFault('not-understood', 'no logout token')
      await endSessions(ctx, row, await verifyLogoutToken(ctx, row, token))
    })
    return respond(200)
  } catch (error) {
    if (error instanceof SignInFault) {
      const known = isId(params.provider) && { provider: params.provider }
      ctx.runtime.log.info('a logout of a provider was refused', { ...known, fault: error.message })
      return respond(STATUS_BY_FAULT[error.code] ?? 400)
    }
    if (isAppError(error)) return respond(error.status)
    throw error
  }
}

async function verifyLogoutToken(ctx: Ctx, row: ProviderRow, token: string): Promise<JWTPayload> {
  const { issuer, keys } = await loadProviderKeys(ctx, row)
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
    issuer,
    audience: row.clientId,
    algorithms: ALGORITHMS,
    maxTokenAge: MAX_AGE_SECONDS,
    clockTolerance: MAX_AGE_SECONDS,
    requiredClaims: ['iat', 'jti'],
  }).catch((error: unknown) => {
    throw new SignInFault('wrong-signature', 'the logout token does not hold', { cause: error })
  })
  const { events } = payload
  const isLogout = events !== null && typeof events === 'object' && EVENT in events
  // A token with a nonce is one for signing in.
  if (!isLogout || 'nonce' in payload || (!payload.sub && typeof payload['sid'] !== 'string'))
    throw new SignInFault('not-understood', 'no logout token')
  return payload
}

async function endSessions(ctx: Ctx, row: ProviderRow, { sub, sid, jti, exp }: JWTPayload): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const until = Math.max((exp ?? 0) * 1000, ctx.now().getTime() + 2 * MAX_AGE_SECONDS * 1000)
    await consumeSignInKey(ctx, tx, `logout ${row.id} ${jti ?? ''}`, new Date(until))
    await endNamedSessions(ctx, tx, row, { subject: sub, session: typeof sid === 'string' ? sid : undefined })
  })
}
