import { isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { limitSignIns } from './limit-sign-ins.server.ts'
import { loadLogoutOrigins } from './openid/provider-metadata.server.ts'
import { endNamedSessions } from './provider-sessions.server.ts'
import { SignInFault } from './sign-in-fault.server.ts'
import { requireProvider } from './usable-providers.server.ts'

const LONGEST_SESSION = 255

/**
 * A page of the provider shows this address in a frame while somebody signs out there (OpenID Connect Front-Channel Logout 1.0). Browsers send
 * no cookies of ours into such a frame, so the session is found by the issuer and the session that the address names. Nothing is shown, and
 * only pages of the provider may frame it.
 */
export async function serveFrontChannelLogout({
  request,
  context: { ctx },
  params,
}: {
  request: Request
  context: RequestContext
  params: { provider: string }
}): Promise<Response> {
  try {
    const framers = await limitSignIns(ctx, () => endSessions(ctx, params.provider, new URL(request.url).searchParams))
    return buildAnswer(200, framers)
  } catch (error) {
    if (!(error instanceof SignInFault)) throw error
    const known = isId(params.provider) && { provider: params.provider }
    ctx.runtime.log.info('a logout of a provider was refused', { ...known, fault: error.message })
    return buildAnswer(error.code === 'too-many' ? 429 : error.code === 'not-active' ? 404 : error.code === 'unreachable' ? 503 : 400, [])
  }
}

/** @returns which origins may frame the answer @throws {SignInFault} */
async function endSessions(ctx: Ctx, provider: string, query: URLSearchParams): Promise<string[]> {
  const row = await requireProvider(ctx, provider)
  if (row.protocol !== 'openid') throw new SignInFault('not-active', 'its protocol has no such logout')
  const [issuer, session] = [query.get('iss'), query.get('sid')]
  if (!issuer || !session || session.length > LONGEST_SESSION) throw new SignInFault('not-understood', 'it names no issuer or no session')
  const known = await loadLogoutOrigins(ctx, row)
  if (issuer !== known.issuer) throw new SignInFault('wrong-issuer', 'it names another issuer')
  await ctx.db.tx((tx) => endNamedSessions(ctx, tx, row, { session }))
  return known.origins
}

function buildAnswer(status: number, framers: readonly string[]): Response {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache, no-store',
    'content-security-policy': `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors ${framers.join(' ') || "'none'"}`,
  }
  return new Response('<!doctype html><title>-</title>', { status, headers })
}
