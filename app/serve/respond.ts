import { randomBytes } from 'node:crypto'
import { type ApiHandler, isApiPath } from '../server/api/create-handler.ts'
import { createTokenCookie } from '../server/auth/token-cookie.ts'
import { createCtx, withViewer } from '../server/context.ts'
import { findAllowedFramers } from '../features/embeds/embeds.server.ts'
import { isEmbedPath } from '../lib/embed-path.ts'
import { loadThirdParties } from '../features/libraries/third-parties.server.ts'
import { FRAMES_HEADER, THIRD_PARTIES_HEADER } from '../lib/policy-headers.ts'
import type { RequestContext } from '../server/request-context.ts'
import type { Runtime } from '../server/runtime.ts'
import { isHttps } from '../server/site-url.ts'
import { detectLanguage, LANGUAGE_COOKIE } from '../shell/language.ts'
import { SEEN_PATH } from '../shell/seen-path.ts'
import { buildContentPolicy } from './content-policy.ts'
import { reportFailure } from './report-failure.ts'
import { selectPlainPage, createPlainResponse, RETRY_AFTER_SECONDS } from './plain-pages.ts'
import { isFunctionCall, hasFunctionName, readCall } from './read-call.ts'
import { findPreferredLanguage } from '../server/accept-language.ts'
import { detectLanguageWithoutSite, readCookies, type RequestFacts } from './request-facts.ts'
import { findRequestSite } from './find-site.ts'

export interface Answering {
  handleApi: ApiHandler
  /** Start: routes, server functions and forms. */
  render: (request: Request, context: RequestContext) => Promise<Response> | Response
}

/**
 * Answers a request through the API or Start: finds the site, the viewer and the language once and passes them on explicitly. Never throws:
 * every error becomes a page.
 */
export async function respondToRequest(request: Request, runtime: Runtime, facts: RequestFacts, answering: Answering): Promise<Response> {
  const url = new URL(request.url)
  // Before any cookie is read: only `x-api-token` identifies the viewer to the API.
  if (isApiPath(url.pathname)) return answering.handleApi(request, runtime, { address: facts.address, requestId: facts.id })
  // In production the front handles this path; the development server counts no visits.
  if (url.pathname === SEEN_PATH) return new Response(null, { status: 204 })
  try {
    return await respondWithPage(request, url, runtime, facts, answering)
  } catch (error) {
    const page = reportFailure(runtime.log, error, facts.id)
    const language = detectLanguageWithoutSite(url.pathname, request.headers.get('accept-language'))
    return createPlainResponse(page, language, facts.id)
  }
}

async function respondWithPage(
  request: Request,
  url: URL,
  runtime: Runtime,
  facts: RequestFacts,
  { handleApi, render }: Answering,
): Promise<Response> {
  const site = await findRequestSite(runtime, request.headers.get('host') ?? url.host, url.pathname)
  if (!site) return createPlainResponse('no-site', detectLanguageWithoutSite(url.pathname, request.headers.get('accept-language')))
  // Embedded pages are anonymous: cookies are neither read nor set.
  const isEmbed = isEmbedPath(url.pathname)
  const cookies = readCookies(isEmbed ? '' : request.headers.get('cookie'))
  const { language, redirect, setCookie } = detectLanguage({
    pathname: url.pathname,
    search: url.searchParams,
    cookie: cookies.get(LANGUAGE_COOKIE),
    preferred: findPreferredLanguage(request.headers.get('accept-language'), site.languages),
    fetchSite: request.headers.get('sec-fetch-site'),
    site,
  })
  if (redirect) return new Response(null, { status: 307, headers: { location: redirect } })
  const userAgent = facts.forEveryone ? null : request.headers.get('user-agent')
  const ctx = await withViewer(
    createCtx(runtime, site, { language, address: facts.address, userAgent, requestId: facts.id }),
    cookies.get('token'),
  )
  const framers = isEmbed ? await findAllowedFramers(ctx, request.headers) : undefined
  if (isEmbed && !framers) return createPlainResponse('no-embed', language, facts.id)
  const nonce = facts.forEveryone ? undefined : randomBytes(16).toString('base64')
  if (isFunctionCall(url.pathname) && !hasFunctionName(url.pathname)) return createPlainResponse('bad-request', language)
  const { request: read, refusal } = isFunctionCall(url.pathname) ? await readCall(ctx, request, url) : { request, refusal: undefined }
  const rendered = await render(read, { ctx, handleApi, nonce, form: undefined, call: { hasArrived: false, refusal } })
  const response = isBareError(request, url, rendered)
    ? createPlainResponse(selectPlainPage(rendered.status), language, facts.id, rendered.status)
    : new Response(rendered.body, rendered)
  const { headers, status } = response
  const frames = headers.get(FRAMES_HEADER)
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  if (setCookie && isPage && !isEmbed) headers.append('set-cookie', setCookie)
  if (nonce && isPage && !import.meta.env.DEV) {
    setDefaultHeader(
      headers,
      'content-security-policy',
      buildContentPolicy({ ...runtime.env, ...(await loadThirdParties(ctx)) }, { nonce, path: url.pathname, frames, framers }),
    )
  }
  // A page for everybody gets its policy when it is stored.
  if (!nonce && isPage) headers.set(THIRD_PARTIES_HEADER, encodeURIComponent(JSON.stringify(await loadThirdParties(ctx))))
  if (nonce) headers.delete(FRAMES_HEADER)
  const token = cookies.get('token')
  const signedIn = ctx.viewer.kind === 'user' ? ctx.viewer : undefined
  if (token && signedIn?.prolonged && !headers.getSetCookie().some((cookie) => cookie.startsWith('token='))) {
    headers.append('set-cookie', createTokenCookie(token, isHttps(ctx)))
  }
  if (status === 503) setDefaultHeader(headers, 'retry-after', String(RETRY_AFTER_SECONDS))
  if (!facts.forEveryone) setDefaultHeader(headers, 'cache-control', signedIn || status >= 400 ? 'private, no-store' : 'private, no-cache')
  return response
}

/** True for an error that people would see as an empty page, a bare word or raw JSON: a form refused early, or a defect. */
function isBareError(request: Request, url: URL, response: Response): boolean {
  if (response.status < 400 || url.pathname.startsWith('/_serverFn/')) return false
  if (!request.headers.get('accept')?.includes('text/html')) return false
  return !/^(text\/html|image\/)/.test(response.headers.get('content-type') ?? '')
}

function setDefaultHeader(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value)
}
