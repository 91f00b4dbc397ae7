import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeRequest } from 'srvx/node'
import type { SignedInViewer } from '../server/auth/viewer.ts'
import { createCtx, type Ctx, withLanguage, withReader } from '../server/context.ts'
import { isApiPath } from '../server/api/create-handler.ts'
import { toErrorAnswer } from '../server/api/errors.ts'
import { JSONAPI, MEDIA_TYPE } from '../server/api/protocol.ts'
import { toNetwork } from '../server/limits/limits.ts'
import { createProxyWatch } from '../server/untrusted-proxy.ts'
import type { Runtime } from '../server/runtime.ts'
import type { Site } from '../server/site-directory.ts'
import { findWholeAnswer } from '../server/whole-response.ts'
import { findAllowedFramers } from '../features/embeds/embeds.server.ts'
import type { ReachCounter } from '../features/reach/reach.counter.server.ts'
import { describeError } from '../server/log.ts'
import { AppError } from '../lib/app-error.ts'
import { isEmbedPath } from '../lib/embed-path.ts'
import { TOKEN_ITEM } from '../lib/stored-items.ts'
import { MAX_FILE_FORM_BYTES, canTakeFiles } from '../lib/file-forms.ts'
import type { ContentLanguage } from '../lib/languages.ts'
import { parseConsent, CONSENT_COOKIE } from '../shell/consent.ts'
import { LANGUAGE_COOKIE } from '../shell/language.ts'
import { logWhenDone, type LoggedRequest } from './access-log.ts'
import { closeUnlessRead } from './close-unless-read.ts'
import { findOfferedLanguage } from './language-offer.ts'
import { buildCommonHeaders } from './content-policy.ts'
import { finishPage, type PageAdditions } from './finish-page.ts'
import { reportFailure } from './report-failure.ts'
import { type Requester, QueueFull } from './fair-queue.ts'
import type { CheckHealth } from './health.ts'
import { findAdminLanguage } from './admin-language.ts'
import { buildPageKey, findFormPath, findStorablePath, hasSharedCookies, isAdminPath, isSharedAdminPage } from './page-key.ts'
import type { StoredPage, PageStore, RenderedPage } from './page-store.ts'
import type { Stylesheet } from './page-styles.ts'
import { isHtml, renderForEveryone, renderForMany, type SharedRequest } from './render-page.ts'
import { sendPage } from './send-page.ts'
import { PLAIN_STATUS, buildPlainHeaders, type PlainPage, renderPlainPage } from './plain-pages.ts'
import { countClick, countVisit, isSeenPath, handleSeenBeacon } from './count-visit.ts'
import { createPolicyReportReceiver, isPolicyReport, type PolicyReportReceiver } from './policy-reports.ts'
import { selectQueue, type Queues } from './queues.ts'
import { readClientAddress, isSecure, detectLanguageWithoutSite, createRequestId, type RequestFacts } from './request-facts.ts'
import { isFunctionCall } from './read-call.ts'
import type { CountRequest } from './request-metrics.ts'
import type { TraceRequest } from './request-traces.ts'
import type { ReadSearch } from './route-search.ts'
import type { AnsweredRequest } from './respond.ts'
import { sendResponse } from './send-response.ts'
import { isPlainAdministrator, isPlainParticipant, type ReaderPages } from './reader-pages.ts'
import { buildCookieLine, renameFormerCookies } from './site-cookies.ts'
import { readIncomingRequest, type SiteRequest } from './site-request.ts'
import type { StaticFiles } from './static-files.ts'

export interface FrontDependencies {
  runtime: Runtime
  files: StaticFiles
  /** Undefined in development. */
  stylesheet: Stylesheet | undefined
  store: PageStore
  /** Pages with a query: there are many, so they have a separate store and never evict other pages. */
  filteredStore: PageStore
  readerPages: ReaderPages
  queues: Queues
  /** False if this process is too close to its memory limit for another piece of work. */
  hasRoom: (isIdle: boolean) => boolean
  readSearch: ReadSearch
  health: CheckHealth
  /** True for path segments that are safe to log. */
  isPathWord: (part: string) => boolean
  reach: ReachCounter
  /** Only if metrics are on. */
  countRequest?: CountRequest | undefined
  /** Only if traces are on. */
  traceRequest?: TraceRequest | undefined
  /** Renders whatever is neither a file nor stored. */
  answer: (request: Request, facts: RequestFacts) => Promise<AnsweredRequest>
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
export const MAX_ADDRESS_LENGTH = 4096
export const MAX_BODY_BYTES = 2_000_000
/** What none of our links contain: control characters and backslashes. */
const BROKEN_PATH = /\\|%([01][\da-f]|7f|5c)/i

/** Answers a request: health checks, files, stored pages, and everything else by rendering. No request can make it throw. */
export function createFrontHandler(parts: FrontDependencies): (request: IncomingMessage, response: ServerResponse) => void {
  const { runtime } = parts
  const common = buildCommonHeaders(runtime.env)
  const watchProxies = createProxyWatch(runtime.env, runtime.log)
  const receivePolicyReport = createPolicyReportReceiver(runtime.log)
  return (request, response) => {
    const logged: LoggedRequest = {
      id: createRequestId(),
      method: request.method ?? '',
      path: (request.url ?? '').split('?', 1)[0] ?? '',
      source: 'own',
      startedAt: performance.now(),
    }
    const headers = { ...common, 'x-request-id': logged.id }
    logWhenDone(response, runtime.log, logged, parts.isPathWord)
    parts.countRequest?.(response, logged)
    closeUnlessRead(request, response)
    watchProxies(request.headers)
    const target = request.url ?? '/'
    const at = target.indexOf('?')
    const [pathname, search] = at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at)]
    const handle = () => {
      handleRequest({ parts, request, response, headers, logged, pathname, search, receivePolicyReport }).catch((error: unknown) => {
        if (error instanceof QueueFull && logged.source === 'api') return refuseApiCall(parts, request, response, headers, logged)
        sendPlainPage(request, response, reportFailure(runtime.log, error, logged.id), headers, logged)
      })
    }
    if (parts.traceRequest) parts.traceRequest(request, response, logged, handle)
    else handle()
  }
}

/** A request and its response, as they pass through the steps. */
interface Exchange {
  parts: FrontDependencies
  request: IncomingMessage
  response: ServerResponse
  headers: Record<string, string>
  logged: LoggedRequest
  pathname: string
  /** With its question mark, or empty. */
  search: string
  receivePolicyReport: PolicyReportReceiver
}

/** @returns true if it answered: the steps after it are skipped then */
type Step = (exchange: Exchange) => boolean | Promise<boolean>

/** What is the same on every site, in this order; pages of a site come last. */
const STEPS: readonly Step[] = [
  refuseMalformedRequest,
  redirectDoubleSlash,
  answerHealthCheck,
  answerWithFile,
  refuseLargeBody,
  answerApiCall,
  answerForSite,
]

async function handleRequest(exchange: Exchange): Promise<void> {
  for (const step of STEPS) {
    const answered = step(exchange)
    // Most steps answer at once: a pause at each would cost more than the step.
    if (typeof answered === 'boolean' ? answered : await answered) return
  }
}

function answerPlain({ request, response, headers, logged }: Exchange, page: PlainPage): true {
  sendPlainPage(request, response, page, headers, logged)
  return true
}

function refuseMalformedRequest(exchange: Exchange): boolean {
  const { request, pathname, search } = exchange
  if (hasTwoHosts(request) || (!isApiPath(pathname) && !isWellFormedAddress(pathname, search))) return answerPlain(exchange, 'bad-request')
  if (!METHODS.has(request.method ?? '')) return answerPlain(exchange, 'method')
  return false
}

function redirectDoubleSlash({ response, headers, pathname, search }: Exchange): boolean {
  if (!pathname.startsWith('//')) return false
  response.writeHead(308, { ...headers, location: `/${pathname.replace(/^\/+/, '')}${search}` }).end()
  return true
}

function answerHealthCheck(exchange: Exchange): boolean | Promise<boolean> {
  const { pathname } = exchange
  return (pathname === '/healthz' || pathname === '/readyz') && sendHealth(exchange, pathname)
}

async function sendHealth({ parts, response, headers, logged }: Exchange, pathname: '/healthz' | '/readyz'): Promise<true> {
  logged.source = 'health'
  const { status, body } = await parts.health(pathname)
  response.writeHead(status, { ...headers, 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body))
  return true
}

function answerWithFile({ parts, request, response, headers, logged, pathname, search }: Exchange): boolean {
  if (!parts.files.answer(request, response, pathname, headers)) return false
  logged.source = 'file'
  countVisit(parts, request, response, { pathname, search })
  return true
}

function getMaxBodyBytes({ request, pathname }: Exchange): number {
  return request.method === 'POST' && canTakeFiles(pathname, request.headers['content-type']) ? MAX_FILE_FORM_BYTES : MAX_BODY_BYTES
}

/** The API and server functions know bounds of their own. */
function refuseLargeBody(exchange: Exchange): boolean {
  const { request, pathname } = exchange
  if (isApiPath(pathname) || isFunctionCall(pathname)) return false
  return Number(request.headers['content-length'] ?? 0) > getMaxBodyBytes(exchange) && answerPlain(exchange, 'too-large')
}

function answerApiCall(exchange: Exchange): boolean | Promise<boolean> {
  return isApiPath(exchange.pathname) && sendApiAnswer(exchange)
}

async function sendApiAnswer(exchange: Exchange): Promise<true> {
  const { parts, request, logged } = exchange
  logged.source = 'api'
  // Without a site, the API itself says what is wrong.
  const site = await parts.runtime.sites.find(request.headers.host).catch(() => undefined)
  if (!site && redirectToNewInstallation(exchange)) return true
  await renderAndSend(exchange, { compress: true, site })
  return true
}

async function answerForSite(exchange: Exchange): Promise<boolean> {
  const { parts, request, response, headers, logged, pathname, search } = exchange
  const asked = await readIncomingRequest(parts.runtime, request, { pathname, search })
  if (!asked) return redirectToNewInstallation(exchange) || answerPlain(exchange, 'no-site')
  if (asked.site.status === 'moving' && !isReading(request)) return answerPlain(exchange, 'moving')
  logged.site = asked.site.slug
  if (isSeenPath(pathname)) {
    await handleSeenBeacon(parts, request, response, headers, asked)
    return true
  }
  if (isPolicyReport(request.method, pathname)) {
    await exchange.receivePolicyReport(request, response, headers)
    return true
  }
  countVisit(parts, request, response, { pathname, search }, asked)
  countClick(parts, request, response, { pathname, site: asked.site })
  const { redirect, setCookie } = asked
  const token = asked.cookies.values.get(TOKEN_ITEM.name)
  const shared = findSharedRequest(exchange, asked)
  if (shared && redirect) response.writeHead(307, { ...headers, location: redirect, 'cache-control': 'no-cache' }).end()
  else if (shared && token === undefined && !shared.hasForm) await answerWithStoredPage(exchange, shared, setCookie)
  else if (!shared || !(await answerWithFilledPage(exchange, shared, token ?? '', setCookie)))
    await renderAndSend(exchange, { compress: token === undefined, site: asked.site, asked })
  return true
}

const isReading = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

/** For a site that moved away. A request to its new address itself is here only because a proxy still sends it here. */
function redirectToNewInstallation(exchange: Exchange): boolean {
  const { parts, request, response, headers, pathname, search } = exchange
  const origin = parts.runtime.sites.findMove(request.headers.host)
  if (origin === undefined) return false
  if (new URL(origin).host === request.headers.host?.toLowerCase()) return answerPlain(exchange, 'moving')
  response.writeHead(308, { ...headers, location: `${origin}${pathname}${search}`, 'cache-control': 'no-cache' }).end()
  return true
}

/** Answers with the page that everybody gets, which is rendered first if it is not stored. */
async function answerWithStoredPage(exchange: Exchange, shared: SharedRequest, cookie: string | undefined): Promise<void> {
  const { parts, request, response, headers, logged } = exchange
  const { site, language, offered, consent, path } = shared
  const key = buildPageKey(site, offered ? `${language}, offered ${offered}` : language, consent ?? '', path)
  const store = path.includes('?') ? parts.filteredStore : parts.store
  let page: StoredPage | RenderedPage | undefined = store.get(key, site)
  logged.source = page ? 'kept' : 'rendered'
  if (!page) {
    const obtainPage = () => store.obtain(key, site, () => renderForEveryone(parts, shared))
    try {
      page = await (store.isRendering(key, site)
        ? obtainPage()
        : runInTurn(exchange, site, async () => store.get(key, site) ?? obtainPage()))
    } catch (error) {
      page = store.getLast(key)
      if (!page) throw error
    }
    if (page.status === 503) page = store.getLast(key) ?? page
  }
  sendPage(request, response, page, cookie && isHtml(page.headers) ? { ...headers, 'set-cookie': cookie } : headers)
}

/**
 * Answers with a page that others get too, completed with what is this reader's own.
 * @param token empty for a visitor
 * @returns false if the page has to be rendered for this reader
 */
async function answerWithFilledPage(
  exchange: Exchange,
  shared: SharedRequest,
  token: string,
  cookie: string | undefined,
): Promise<boolean> {
  const { parts, request, response, headers, logged } = exchange
  const { runtime, readerPages } = parts
  const { site, language, offered, consent, path } = shared
  const unknown = createCtx(runtime, site, { language, requestId: logged.id })
  if (isEmbedPath(path) && !(await mayBeFramed(unknown, request))) return false
  const buildKey = (seenBy: string, spoken: ContentLanguage = language) =>
    buildPageKey(site, offered ? `${spoken}, offered ${offered}` : spoken, `${consent} ${seenBy}`, path)
  const obtainPage = async () => {
    const { viewer } = token ? await withReader(unknown, token) : unknown
    const own = { ...shared, language: findAdminLanguage({ pathname: path, search: '', viewer, site }) ?? language }
    const reader = withLanguage({ ...unknown, viewer }, own.language)
    const audience = isSharedAdminPage(path) ? 'administration' : 'everybody'
    const mayShare = (signedIn: SignedInViewer) =>
      isPlainAdministrator(signedIn, site.id) || (audience === 'everybody' && isPlainParticipant(signedIn, site.id))
    // A token that is no longer good for anything is taken away by the page that is rendered for it.
    if (viewer.kind === 'visitor' ? token : !mayShare(viewer)) return undefined
    const seenBy =
      viewer.kind === 'visitor' ? 'visitor' : `${viewer.memberOf?.join()} ${viewer.roles.length > 0 ? JSON.stringify(viewer.roles) : ''}`
    const key = buildKey(seenBy, own.language)
    return readerPages.obtain(key, reader, token, (rendering) => renderForMany(parts, own, rendering), audience)
  }
  const page =
    (token ? undefined : readerPages.findForVisitor(buildKey('visitor'), unknown)) ?? (await runInTurn(exchange, site, obtainPage))
  if (!page) return false
  logged.source = page.isKept ? 'kept' : 'rendered'
  sendPage(request, response, page, cookie && !isAdminPath(path) ? { ...headers, 'set-cookie': cookie } : headers)
  return true
}

const mayBeFramed = async (ctx: Ctx, { headers: { host, referer, 'sec-fetch-dest': destination } }: IncomingMessage): Promise<boolean> =>
  (await findAllowedFramers(ctx, { host, referer, destination: destination?.toString() })) !== undefined

/** What a page for many may depend on; undefined if this page cannot be shared. */
function findSharedRequest(exchange: Exchange, asked: SiteRequest): SharedRequest | undefined {
  const { site, language } = asked
  const { values, former } = asked.cookies
  const { parts, request, logged, pathname, search } = exchange
  // A page that renames cookies is for one browser.
  const mayShare = isReading(request) && former.length === 0 && hasSharedCookies(values.keys(), pathname)
  const isAdminPage = values.has(TOKEN_ITEM.name) && isSharedAdminPage(pathname + search)
  const formPath = mayShare ? findFormPath(pathname, search) : undefined
  const path = formPath ?? (mayShare ? (isAdminPage ? pathname : findStorablePath(pathname, search, parts.readSearch)) : undefined)
  if (path === undefined) return undefined
  return {
    site,
    language,
    offered: findOffer(exchange, asked),
    consent: site.consentRequired ? parseConsent(values.get(CONSENT_COOKIE)) : null,
    path,
    hasForm: formPath !== undefined,
    secure: isSecure(request, parts.runtime.env),
    requestId: logged.id,
  }
}

function findOffer({ request, pathname, search }: Exchange, { site, cookies }: SiteRequest): ContentLanguage | undefined {
  const cookie = cookies.values.get(LANGUAGE_COOKIE)
  return findOfferedLanguage({ pathname, search, cookie, acceptLanguage: request.headers['accept-language'], site })
}

/** Queues the work for its client. */
async function runInTurn<T>({ parts, request, response, pathname }: Exchange, site: Site | undefined, work: () => Promise<T>): Promise<T> {
  const { runtime, queues } = parts
  const isIdle = queues.pages.running + queues.calls.running === 0
  if (!parts.hasRoom(isIdle)) throw new QueueFull('Memory is short')
  const address = readClientAddress(request, runtime.env.TRUSTED_PROXIES)
  const asker: Requester = { site: site?.id ?? '', client: address ? toNetwork(address) : '' }
  const gone = new AbortController()
  const leave = () => gone.abort()
  response.once('close', leave)
  try {
    return await selectQueue(queues, request.method, pathname).run(asker, work, gone.signal)
  } finally {
    // A request may wait in line twice: Node takes what is left listening for a leak, and says so in the log.
    response.off('close', leave)
  }
}

async function renderAndSend(
  exchange: Exchange,
  { compress, site, asked }: { compress: boolean; site: Site | undefined; asked?: SiteRequest },
): Promise<void> {
  const { parts, request: incoming, response, headers, logged } = exchange
  const { env, log } = parts.runtime
  if (logged.source === 'own') logged.source = 'rendered'
  const request = new NodeRequest({ req: incoming, res: response, maxRequestBodySize: getMaxBodyBytes(exchange) })
  if (isSecure(incoming, env))
    Object.defineProperty(request, 'url', { value: request.url.replace(/^http:/, 'https:'), configurable: true, enumerable: true })
  if (asked && incoming.headers.cookie !== undefined) request.headers.set('cookie', buildCookieLine(asked.cookies))
  const address = readClientAddress(incoming, env.TRUSTED_PROXIES)
  const offered = asked && incoming.method === 'GET' ? findOffer(exchange, asked) : undefined
  // Every page sets a cookie: a browser that sends none has not loaded the stylesheet yet.
  const stylesheet = incoming.method === 'GET' && incoming.headers.cookie === undefined ? parts.stylesheet : undefined
  const { answer, pieces } = await runInTurn(exchange, site, () =>
    parts
      .answer(request, { id: logged.id, address, forEveryone: false, ...(asked && { asked }) })
      .then(({ response: answered }) => takePage(answered, { path: exchange.pathname + exchange.search, offered, stylesheet })),
  )
  if (asked?.cookies.former.length) renameFormerCookies(answer.headers, asked.cookies.former)
  try {
    await sendResponse(incoming, response, answer, { headers, compress, pieces })
  } catch (error) {
    // The client disconnected, or rendering failed after the first bytes: nothing more can be sent on this connection.
    if (!incoming.destroyed) log.warn('answer cut short', { requestId: logged.id, ...describeError(error) })
    response.destroy()
  }
}

/** Collects a page, so that rendering finishes within its slot, however slowly the client reads. Anything else is sent as it comes. */
async function takePage(answer: Response, additions: Omit<PageAdditions, 'nonce'>): Promise<{ answer: Response; pieces?: Buffer[] }> {
  if (findWholeAnswer(answer) || !answer.headers.get('content-type')?.startsWith('text/html') || !answer.body) return { answer }
  const [, nonce] = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '') ?? []
  return { answer, pieces: finishPage(await answer.text(), { ...additions, nonce }) }
}

/** Answers an API caller that the server is too busy. */
function refuseApiCall(
  { runtime: { log } }: FrontDependencies,
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string>,
  logged: LoggedRequest,
): void {
  const language = detectLanguageWithoutSite('', request.headers['accept-language'])
  const refused = toErrorAnswer(new AppError('unavailable'), { language, requestId: logged.id, log })
  response.writeHead(refused.status, { ...headers, ...refused.headers, 'content-type': MEDIA_TYPE, 'cache-control': 'no-store' })
  response.end(request.method === 'HEAD' ? undefined : JSON.stringify({ jsonapi: JSONAPI, errors: refused.errors }))
}

function sendPlainPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: PlainPage,
  headers: Record<string, string>,
  logged: LoggedRequest,
): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  logged.source = 'plain'
  const language = detectLanguageWithoutSite(logged.path, request.headers['accept-language'])
  const body = renderPlainPage(page, language, logged.id)
  response.writeHead(PLAIN_STATUS[page], {
    ...headers,
    ...buildPlainHeaders(page, language),
    'content-length': Buffer.byteLength(body),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Proxies and caches in front may each have used a different one (RFC 9112, section 3.2). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}

function isWellFormedAddress(pathname: string, search: string): boolean {
  if (pathname.length + search.length > MAX_ADDRESS_LENGTH || !pathname.startsWith('/')) return false
  try {
    return !BROKEN_PATH.test(pathname) && !(decodeURIComponent(pathname) + decodeURIComponent(search)).includes('\0')
  } catch {
    return false
  }
}
