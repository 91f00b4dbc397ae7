import { randomBytes } from 'node:crypto'
import { type ApiHandler, isApiPath } from '../server/api/create-handler.ts'
import { createTokenCookie } from '../server/auth/token-cookie.ts'
import { createCtx, type Ctx, withLanguage, withReader, withSender, withViewer } from '../server/context.ts'
import { findAllowedFramers } from '../features/embeds/embeds.server.ts'
import { isEmbedPath } from '../lib/embed-path.ts'
import { loadThirdParties, type ThirdParties } from '../features/libraries/third-parties.server.ts'
import { TOKEN_ITEM } from '../lib/stored-items.ts'
import { FRAMES_HEADER } from '../lib/policy-headers.ts'
import { countUnlessUnavailable } from '../server/limits/unavailable.ts'
import type { RequestContext } from '../server/request-context.ts'
import { RETRY_AFTER_SECONDS } from '../server/retry-after.ts'
import type { Runtime } from '../server/runtime.ts'
import { isHttps } from '../server/site-url.ts'
import { SEEN_PATH } from '../shell/seen-path.ts'
import { findAdminLanguage } from './admin-language.ts'
import { buildContentPolicy } from './content-policy.ts'
import { reportFailure } from './report-failure.ts'
import { isAdminPath } from './page-key.ts'
import { TEXTS_MARK } from './page-texts.ts'
import { selectPlainPage, createPlainResponse } from './plain-pages.ts'
import { isFunctionCall, hasFunctionName, readCall } from './read-call.ts'
import { detectLanguageWithoutSite, type RequestFacts } from './request-facts.ts'
import { readSiteRequest } from './site-request.ts'

export interface Answering {
  handleApi: ApiHandler
  /** Start: routes, server functions and forms. */
  render: (request: Request, context: RequestContext) => Promise<Response> | Response
}

/** A response, and what the policy of a page for everybody needs: it is written when the page is stored. */
export interface AnsweredRequest {
  response: Response
  pagePolicy?: PagePolicy
}

export interface PagePolicy {
  /** Origins that the page frames, separated by spaces. */
  frames: string | null
  thirdParties: ThirdParties
}

/**
 * Answers a request through the API or Start: finds the site, the viewer and the language once and passes them on explicitly. Never throws:
 * every error becomes a page.
 */
export function respondToRequest(request: Request, runtime: Runtime, facts: RequestFacts, answering: Answering): Promise<AnsweredRequest> {
  return countUnlessUnavailable(
    facts.id,
    () => answerRequest(request, runtime, facts, answering),
    ({ response }) => response.status === 503,
  )
}

async function answerRequest(request: Request, runtime: Runtime, facts: RequestFacts, answering: Answering): Promise<AnsweredRequest> {
  const url = new URL(request.url)
  // Before any cookie is read: only `x-api-token` identifies the viewer to the API.
  if (isApiPath(url.pathname)) {
    return { response: await answering.handleApi(request, runtime, { address: facts.address, requestId: facts.id }) }
  }
  // In production the front handles this path; the development server counts no visits.
  if (url.pathname === SEEN_PATH) return { response: new Response(null, { status: 204 }) }
  try {
    const asked = await resolveRequest(request, url, runtime, facts)
    return asked instanceof Response ? { response: asked } : await renderPage(asked, facts, answering)
  } catch (error) {
    const page = reportFailure(runtime.log, error, facts.id)
    const language = detectLanguageWithoutSite(url.pathname, request.headers.get('accept-language'))
    return { response: createPlainResponse(page, language, facts.id) }
  }
}

/** A request whose site, language and viewer are known. */
interface ResolvedRequest {
  request: Request
  url: URL
  ctx: Ctx
  token: string | undefined
  /** Remembers the language, if the request chose one. */
  languageCookie: string | undefined
  /** Sites that may frame the page, if it is an embed. */
  framers: readonly string[] | undefined
}

/** @returns a response instead, if there is nothing to render */
async function resolveRequest(request: Request, url: URL, runtime: Runtime, facts: RequestFacts): Promise<ResolvedRequest | Response> {
  const { headers } = request
  const { pathname, search } = url
  const asked =
    facts.asked ??
    (await readSiteRequest(runtime, {
      pathname,
      search,
      host: headers.get('host') ?? url.host,
      cookie: headers.get('cookie'),
      acceptLanguage: headers.get('accept-language'),
      fetchSite: headers.get('sec-fetch-site'),
    }))
  if (!asked) return createPlainResponse('no-site', detectLanguageWithoutSite(pathname, headers.get('accept-language')))
  const { site, language, redirect, setCookie } = asked
  if (redirect) return new Response(null, { status: 307, headers: { location: redirect } })
  const isEmbed = isEmbedPath(pathname)
  const token = asked.cookies.values.get(TOKEN_ITEM.name)
  const userAgent = facts.forEveryone ? null : headers.get('user-agent')
  const reason = url.searchParams.get('reason')
  const unknown = createCtx(runtime, site, {
    language,
    address: facts.address,
    userAgent,
    requestId: facts.id,
    ...(reason !== null && { reason }),
  })
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  const { sharedRendering } = facts
  const identify = isReading ? withReader : isFunctionCall(url.pathname) ? withViewer : withSender
  const ctx = sharedRendering
    ? { ...unknown, viewer: sharedRendering.viewer, db: sharedRendering.guardDb(unknown.db), sharedRendering }
    : speakAdminLanguage(await identify(unknown, token), url)
  const framers = isEmbed
    ? await findAllowedFramers(ctx, {
        destination: headers.get('sec-fetch-dest'),
        referer: headers.get('referer'),
        host: headers.get('host'),
      })
    : undefined
  if (isEmbed && !framers) return createPlainResponse('no-embed', ctx.language, facts.id)
  if (isFunctionCall(url.pathname) && !hasFunctionName(url.pathname)) return createPlainResponse('bad-request', ctx.language)
  return { request, url, ctx, token, framers, languageCookie: isAdminPath(url.pathname) ? undefined : setCookie }
}

function speakAdminLanguage(ctx: Ctx, { pathname, searchParams }: URL): Ctx {
  const language = findAdminLanguage({ pathname, search: searchParams, viewer: ctx.viewer, site: ctx.site })
  return language ? withLanguage(ctx, language) : ctx
}

async function renderPage(asked: ResolvedRequest, facts: RequestFacts, { handleApi, render }: Answering): Promise<AnsweredRequest> {
  const { request, url, ctx } = asked
  const nonce = facts.forEveryone ? undefined : (facts.sharedRendering?.placeholders.nonce ?? randomBytes(16).toString('base64'))
  const { request: read, refusal } = isFunctionCall(url.pathname) ? await readCall(ctx, request, url) : { request, refusal: undefined }
  const rendered = await render(read, {
    ctx,
    handleApi,
    nonce,
    textsMark: import.meta.env.DEV ? undefined : TEXTS_MARK,
    form: undefined,
    call: { hasArrived: false, refusal },
  })
  const response = isBareError(request, url, rendered)
    ? createPlainResponse(selectPlainPage(rendered.status), ctx.language, facts.id, rendered.status)
    : new Response(rendered.body, rendered)
  const { headers } = response
  const frames = headers.get(FRAMES_HEADER)
  headers.delete(FRAMES_HEADER)
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false
  if (isPage && asked.languageCookie) headers.append('set-cookie', asked.languageCookie)
  setTokenAndCaching(asked, response, facts)
  if (!isPage) return { response }
  if (!nonce) return { response, pagePolicy: { frames, thirdParties: await loadThirdParties(ctx) } }
  if (!import.meta.env.DEV) {
    const origins = { ...ctx.runtime.env, ...(await loadThirdParties(ctx)) }
    const policy = buildContentPolicy(origins, { nonce, path: url.pathname, frames, framers: asked.framers })
    setDefaultHeader(headers, 'content-security-policy', policy)
  }
  return { response }
}

function setTokenAndCaching({ ctx, token }: ResolvedRequest, { headers, status }: Response, facts: RequestFacts): void {
  const signedIn = ctx.viewer.kind === 'user' ? ctx.viewer : undefined
  if (token && signedIn?.prolonged && !headers.getSetCookie().some((cookie) => cookie.startsWith('token='))) {
    headers.append('set-cookie', createTokenCookie(token, isHttps(ctx)))
  }
  if (status === 503) setDefaultHeader(headers, 'retry-after', String(RETRY_AFTER_SECONDS))
  if (!facts.forEveryone) setDefaultHeader(headers, 'cache-control', signedIn || status >= 400 ? 'private, no-store' : 'private, no-cache')
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
