import { isAppError } from '#app/lib/app-error.ts'
import { readBoundedBody } from '#app/server/bounded-body.ts'
import type { Ctx } from '#app/server/context.ts'
import { seeOther } from '#app/server/forms.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { limitSignIns } from '../limit-sign-ins.server.ts'
import { SignInFault } from '../sign-in-fault.server.ts'
import { findSamlProvider, requireProvider } from '../usable-providers.server.ts'
import { checkAssertion } from './check-assertion.server.ts'
import { storeAnswer } from './saml-answers.server.ts'
import { buildMetadata } from './saml-provider.server.ts'

/** Of a form that holds an answer, encrypted and in base 64. */
export const MAX_ANSWER_BYTES = 400_000

interface SamlRequest {
  request: Request
  context: RequestContext
  params: { provider: string }
}

/**
 * Takes a provider's answer. Browsers send no cookies with a form that another site sends, so the answer is checked and stored, and the browser
 * is sent on to the callback, which knows by its cookie who began what.
 */
export async function receiveAssertion({ request, context: { ctx }, params: { provider } }: SamlRequest): Promise<Response> {
  // Before the body is read: only providers of the site may send one.
  if (!(await findSamlProvider(ctx, provider))) return new Response(null, { status: 404 })
  try {
    const form = new URLSearchParams((await readBoundedBody(request, MAX_ANSWER_BYTES)).toString())
    const query = new URLSearchParams({ state: form.get('RelayState') ?? '', ...(await keepAnswer(ctx, provider, form)) })
    const headers = { 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' }
    return seeOther(`/sign-in/${provider}/callback?${query.toString()}`, headers)
  } catch (error) {
    if (isAppError(error)) return new Response(null, { status: error.status, headers: { 'cache-control': 'no-store' } })
    throw error
  }
}

/** @returns what the callback's address says: which answer is stored, or why none is */
async function keepAnswer(ctx: Ctx, provider: string, form: URLSearchParams): Promise<{ answer: string } | { fault: string }> {
  try {
    return await limitSignIns(ctx, async () => {
      const row = await requireProvider(ctx, provider)
      const checked = await checkAssertion(ctx, row, form.get('SAMLResponse') ?? '')
      return { answer: await storeAnswer(ctx, row, checked) }
    })
  } catch (error) {
    if (!(error instanceof SignInFault)) throw error
    ctx.runtime.log.info('an answer by SAML was refused', { reference: ctx.requestId, fault: error.code })
    return { fault: error.code }
  }
}

/** The site's description for the provider. It tells nothing secret. */
export async function serveSamlMetadata({ context: { ctx }, params: { provider } }: SamlRequest): Promise<Response> {
  const row = await findSamlProvider(ctx, provider)
  if (!row) return new Response(null, { status: 404 })
  return new Response(buildMetadata(ctx, row), {
    headers: { 'content-type': 'application/samlmetadata+xml; charset=utf-8', 'cache-control': 'public, max-age=300' },
  })
}
