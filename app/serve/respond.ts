import { randomBytes } from 'node:crypto'
import { isApiPath } from '../server/api/create-handler.ts'
import { handleApi } from '../server/api/handler.ts'
import { tokenCookie } from '../server/auth/token-cookie.ts'
import { createCtx, withViewer } from '../server/context.ts'
import type { RequestContext } from '../server/request-context.ts'
import type { Runtime } from '../server/runtime.ts'
import { isHttps } from '../server/site-url.ts'
import { detectLanguage, LANGUAGE_COOKIE } from '../shell/language.ts'
import { contentPolicy } from './content-policy.ts'
import { failurePage } from './failure.ts'
import { plainResponse, RETRY_AFTER } from './plain-pages.ts'
import { languageWithoutSite, readCookies, type RequestFacts } from './request-facts.ts'
import { siteOf } from './site-of.ts'

type Render = (request: Request, context: RequestContext) => Promise<Response> | Response

/**
 * Answers a request by the API or by Start: finds the site, the viewer and the language once, and passes them on explicitly. Whatever
 * breaks becomes a page; nothing is thrown.
 */
export async function respond(request: Request, runtime: Runtime, facts: RequestFacts, render: Render): Promise<Response> {
  const url = new URL(request.url)
  // Before anything looks at cookies: the API knows its viewer by `x-api-token` alone.
  if (isApiPath(url.pathname)) return handleApi(request, runtime, { address: facts.address, requestId: facts.id })
  try {
    return await respondWithPage(request, url, runtime, facts, render)
  } catch (error) {
    const page = failurePage(runtime.log, error, facts.id)
    const language = languageWithoutSite(url.pathname, request.headers.get('accept-language'))
    return plainResponse(page, language, facts.id)
  }
}

async function respondWithPage(request: Request, url: URL, runtime: Runtime, facts: RequestFacts, render: Render): Promise<Response> {
  const site = await siteOf(runtime, request.headers.get('host') ?? url.host, url.pathname)
  if (!site) return plainResponse('no-site', languageWithoutSite(url.pathname, request.headers.get('accept-language')))
  const cookies = readCookies(request.headers.get('cookie'))
  const { language, redirect, setCookie } = detectLanguage({
    pathname: url.pathname,
    search: url.searchParams,
    cookie: cookies.get(LANGUAGE_COOKIE),
    acceptLanguage: request.headers.get('accept-language'),
    fetchSite: request.headers.get('sec-fetch-site'),
    site,
  })
  if (redirect) return new Response(null, { status: 307, headers: { location: redirect } })
  const userAgent = facts.forEveryone ? null : request.headers.get('user-agent')
  const ctx = await withViewer(
    createCtx(runtime, site, { language, address: facts.address, userAgent, requestId: facts.id }),
    cookies.get('token'),
  )
  const nonce = facts.forEveryone ? undefined : randomBytes(16).toString('base64')
  const response = await render(request, { ctx, nonce, form: undefined })
  const own = new Response(response.body, response)
  const isPage = own.headers.get('content-type')?.startsWith('text/html') ?? false
  if (setCookie && isPage) own.headers.append('set-cookie', setCookie)
  if (nonce && isPage && !import.meta.env.DEV)
    setDefault(own.headers, 'content-security-policy', contentPolicy(runtime.env, { nonce, path: url.pathname }))
  const token = cookies.get('token')
  if (
    token &&
    ctx.viewer.kind === 'user' &&
    ctx.viewer.prolonged &&
    !own.headers.getSetCookie().some((cookie) => cookie.startsWith('token='))
  )
    own.headers.append('set-cookie', tokenCookie(token, isHttps(ctx)))
  if (own.status === 503) setDefault(own.headers, 'retry-after', String(RETRY_AFTER))
  if (!facts.forEveryone)
    setDefault(own.headers, 'cache-control', ctx.viewer.kind === 'user' || own.status >= 400 ? 'private, no-store' : 'private, no-cache')
  return own
}

function setDefault(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value)
}
