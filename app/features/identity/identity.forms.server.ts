import { getCookie } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { signOut } from '#app/features/accounts/sessions.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { readChoiceParam } from '#app/lib/search-params.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { requireValid } from '#app/lib/validate.ts'
import { DEVICE_COOKIE, createKnownDeviceCookie } from '#app/server/auth/known-device.ts'
import { createTokenCookie } from '#app/server/auth/token-cookie.ts'
import type { Ctx } from '#app/server/context.ts'
import { createFormHandler, redirectWithCookies } from '#app/server/forms.ts'
import { createRefusedFileResponse } from '#app/server/refused-file.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { isHttps } from '#app/server/site-url.ts'
import { confirmSignIn } from './confirm-sign-in.server.ts'
import { loadIdentitiesById, unlinkIdentity } from './identities.server.ts'
import { listPublicKeys } from './provider-secrets.server.ts'
import { createExpiredAttemptCookie } from './sign-in-cookies.server.ts'
import { SignInFault } from './sign-in-fault.server.ts'
import { requireProvider } from './usable-providers.server.ts'
import { beginSignIn, completeSignIn, findAttempt, recordRefusedSignIn, type SignInStep } from './sign-in.server.ts'

interface ProviderRequest {
  request: Request
  context: RequestContext
  params: { provider: string }
}

/** Sends the browser to the provider that its address names. */
export const serveProviderStart = ({ request, context: { ctx }, params: { provider } }: ProviderRequest): Promise<Response> =>
  respondWithStep(ctx, provider, ctx.language, () => {
    const query = new URL(request.url).searchParams
    const purpose = readChoiceParam(query.get('for') ?? undefined, ['link', 'test'] as const) ?? 'sign-in'
    return beginSignIn(ctx, { provider, purpose, next: query.get('next') })
  })

/** Takes the browser back from the provider. */
export const serveProviderCallback = ({ request, context: { ctx }, params: { provider } }: ProviderRequest): Promise<Response> => {
  const query = new URL(request.url).searchParams
  const attempt = findAttempt(ctx, getCookie, provider, query)
  const used = attempt ? [createExpiredAttemptCookie(ctx, attempt.state)] : []
  return respondWithStep(ctx, provider, attempt?.language ?? ctx.language, () => completeSignIn(ctx, attempt, query), used)
}

/** The keys with which the site signs what it sends to the provider. */
export async function serveProviderKeys({ context: { ctx }, params: { provider } }: ProviderRequest): Promise<Response> {
  try {
    const keys = listPublicKeys(ctx, await requireProvider(ctx, provider))
    return Response.json(keys, { headers: { 'cache-control': 'public, max-age=300' } })
  } catch (error) {
    if (error instanceof SignInFault) return new Response(null, { status: 404 })
    throw error
  }
}

/** The person says yes to what the page showed. */
export const confirmSignInForm = createFormHandler({ by: 'anyone' }, ({ ctx, values }) =>
  respondWithStep(ctx, '', ctx.language, () => confirmSignIn(ctx, getCookie, { keepsAnswers: values['keepsAnswers'] === 'yes' })),
)

/** Unlinks one of the viewer's identities. */
export const identitiesForm = createFormHandler({ by: 'account' }, async ({ ctx, values, path }) => {
  const { identity } = requireValid(v.object({ identity: idSchema }), values)
  const [own] = await loadIdentitiesById(ctx, [identity])
  if (!own) throw new AppError('not-found')
  await unlinkIdentity(ctx, own)
  return path('/account/sign-in-methods?done=unlinked')
})

async function respondWithStep(
  ctx: Ctx,
  provider: string,
  language: string,
  take: () => Promise<SignInStep>,
  cookies: readonly string[] = [],
): Promise<Response> {
  try {
    const step = await take()
    return redirectFromProvider(step.location, [...cookies, ...step.cookies, ...(await enterSession(ctx, step))])
  } catch (error) {
    if (isAppError(error, 'fresh-sign-in-required')) return createRefusedFileResponse(ctx, error)
    if (!(error instanceof SignInFault)) throw error
    await recordRefusedSignIn(ctx, provider, error)
    const query = new URLSearchParams({ fault: error.code, reference: ctx.requestId })
    return redirectFromProvider(`/${language}/sign-in/failed?${query.toString()}`, cookies)
  }
}

/** The session that the browser had before ends. */
async function enterSession(ctx: Ctx, { session }: SignInStep): Promise<string[]> {
  if (!session) return []
  await signOut(ctx)
  const account = { siteId: session.siteId, id: session.userId }
  return [createTokenCookie(session.token, isHttps(ctx)), createKnownDeviceCookie(ctx, getCookie(DEVICE_COOKIE), account)]
}

/** Without a referrer, so that what a provider put into the address goes no further. */
const redirectFromProvider = (location: string, cookies: readonly string[]): Response =>
  redirectWithCookies(location, cookies, { 'referrer-policy': 'no-referrer' })
