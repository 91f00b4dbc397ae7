import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReachCounter } from '../features/reach/reach.counter.server.ts'
import { type Origin, findLinkCode, findOrigin, findSeenPage } from '../features/reach/reach.visit.ts'
import { collectBody } from '../server/bounded-body.ts'
import type { Runtime } from '../server/runtime.ts'
import type { Site } from '../server/site-directory.ts'
import { SEEN_PATH } from '../shell/seen-path.ts'
import { readClientAddress } from './request-facts.ts'
import { readIncomingRequest, readNextPage, type SiteRequest } from './site-request.ts'

interface VisitDependencies {
  runtime: Runtime
  reach: ReachCounter
}

/** A path without a query. */
export const MAX_PATHNAME_LENGTH = 400

/** Counts that a link of a message was opened, once it has led on. Programs that ask for its head or prefetch it do not count. */
export function countClick(
  { runtime, reach }: VisitDependencies,
  request: IncomingMessage,
  response: ServerResponse,
  { pathname, site }: { pathname: string; site: Site },
): void {
  const code = request.method === 'GET' ? findLinkCode(pathname) : undefined
  if (code === undefined || !isDocumentNavigation(request)) return
  response.once('finish', () => {
    if (response.statusCode !== 302) return
    reach.countClick({ site, code, ...describeSender(runtime, request) })
  })
}

const describeSender = (runtime: Runtime, request: IncomingMessage) => ({
  address: readClientAddress(request, runtime.env.TRUSTED_PROXIES),
  userAgent: request.headers['user-agent'],
  refuses: request.headers.dnt === '1' || request.headers['sec-gpc'] === '1',
})

/** Counts a visit once a page or document has been answered: from the page store, rendered, or from a file. */
export function countVisit(
  parts: VisitDependencies,
  request: IncomingMessage,
  response: ServerResponse,
  page: { pathname: string; search: string },
  asked?: SiteRequest,
): void {
  const seen = request.method === 'GET' ? findSeenPage(page.pathname) : undefined
  if (!seen || (!asked && seen.kind !== 'document') || !isDocumentNavigation(request) || /[?&]preview=/.test(page.search)) return
  response.once('finish', () => {
    if (response.statusCode !== 200 && response.statusCode !== 304) return
    void recordDocumentVisit(parts, request, page, asked)
  })
}

export const isSeenPath = (pathname: string): boolean => pathname === SEEN_PATH

/** Handles the beacon that a page sends when its reader navigates within the site. */
export async function handleSeenBeacon(
  parts: VisitDependencies,
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string>,
  asked: SiteRequest,
): Promise<void> {
  const from = request.headers['sec-fetch-site'] ?? 'same-origin'
  const isCounted = request.method === 'POST' && from === 'same-origin'
  const body = isCounted ? await collectBody(request, MAX_PATHNAME_LENGTH).catch(() => undefined) : undefined
  const pathname = body?.toString() ?? ''
  response.writeHead(204, { ...headers, 'cache-control': 'no-store' }).end()
  if (pathname.startsWith('/')) recordVisit(parts, request, pathname, readNextPage(asked, { pathname, search: '' }), undefined)
}

/** @param known undefined for a file, which is the same on every site */
async function recordDocumentVisit(
  parts: VisitDependencies,
  request: IncomingMessage,
  page: { pathname: string; search: string },
  known: SiteRequest | undefined,
): Promise<void> {
  const asked = known ?? (await readIncomingRequest(parts.runtime, request, page).catch(() => undefined))
  if (!asked) return
  recordVisit(parts, request, page.pathname, asked, findOrigin(page.search, request.headers.referer, asked.site.host))
}

function recordVisit(
  { runtime, reach }: VisitDependencies,
  request: IncomingMessage,
  pathname: string,
  { site, language }: SiteRequest,
  origin: Origin | undefined,
): void {
  reach.count({
    site,
    pathname,
    language,
    origin,
    ...describeSender(runtime, request),
  })
}

/** True for a document that somebody opens, rather than one fetched, framed or prefetched by a page. */
function isDocumentNavigation({ headers }: IncomingMessage): boolean {
  if (/prefetch|prerender|preview/.test(`${String(headers['sec-purpose'])} ${String(headers['purpose'])} ${String(headers['x-moz'])}`))
    return false
  return headers['sec-fetch-dest'] === undefined || headers['sec-fetch-dest'] === 'document'
}
