import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReachCounter } from '../features/reach/reach.counter.server.ts'
import { type Origin, findOrigin, findSeenPage } from '../features/reach/reach.visit.ts'
import { listContentLanguages, splitLanguage } from '../lib/languages.ts'
import { collectBody } from '../server/bounded-body.ts'
import type { Runtime } from '../server/runtime.ts'
import type { Site } from '../server/site-directory.ts'
import { detectLanguage, LANGUAGE_COOKIE } from '../shell/language.ts'
import { SEEN_PATH } from '../shell/seen-path.ts'
import { readClientAddress, readCookies } from './request-facts.ts'

interface VisitDependencies {
  runtime: Runtime
  reach: ReachCounter
}

/** A path without a query. */
export const MAX_PATHNAME_LENGTH = 400

/** Counts a visit once a page or document has been answered: from the page store, rendered, or from a file. */
export function countVisit(
  parts: VisitDependencies,
  request: IncomingMessage,
  response: ServerResponse,
  asked: { pathname: string; search: string; site?: Site },
): void {
  const seen = request.method === 'GET' ? findSeenPage(asked.pathname) : undefined
  if (!seen || (!asked.site && seen.kind !== 'document') || !isDocumentNavigation(request) || /[?&]preview=/.test(asked.search)) return
  response.once('finish', () => {
    if (response.statusCode !== 200 && response.statusCode !== 304) return
    void recordVisit(parts, request, asked, (site) => findOrigin(asked.search, request.headers.referer, site.host))
  })
}

export const isSeenPath = (pathname: string): boolean => pathname === SEEN_PATH

/** Handles the beacon that a page sends when its reader navigates within the site. */
export async function handleSeenBeacon(
  parts: VisitDependencies,
  request: IncomingMessage,
  response: ServerResponse,
  headers: Record<string, string>,
): Promise<void> {
  const from = request.headers['sec-fetch-site'] ?? 'same-origin'
  const isCounted = request.method === 'POST' && from === 'same-origin'
  const body = isCounted ? await collectBody(request, MAX_PATHNAME_LENGTH).catch(() => undefined) : undefined
  const pathname = body?.toString() ?? ''
  response.writeHead(204, { ...headers, 'cache-control': 'no-store' }).end()
  if (!pathname.startsWith('/')) return
  await recordVisit(parts, request, { pathname, search: '' }, () => undefined)
}

async function recordVisit(
  { runtime, reach }: VisitDependencies,
  request: IncomingMessage,
  asked: { pathname: string; search: string; site?: Site },
  originFor: (site: Site) => Origin | undefined,
): Promise<void> {
  const site = asked.site ?? (await runtime.sites.find(request.headers.host).catch(() => undefined))
  if (!site) return
  const prefix = splitLanguage(asked.pathname).language
  const { language } = detectLanguage({
    pathname: asked.pathname,
    search: asked.search,
    cookie: readCookies(request.headers.cookie).get(LANGUAGE_COOKIE),
    site,
  })
  reach.count({
    site,
    pathname: asked.pathname,
    language: prefix && listContentLanguages(site).includes(prefix) ? prefix : language,
    origin: originFor(site),
    address: readClientAddress(request, runtime.env.TRUSTED_PROXIES),
    userAgent: request.headers['user-agent'],
    refuses: request.headers.dnt === '1' || request.headers['sec-gpc'] === '1',
  })
}

/** True for a document that somebody opens, rather than one fetched, framed or prefetched by a page. */
function isDocumentNavigation({ headers }: IncomingMessage): boolean {
  if (/prefetch|prerender|preview/.test(`${String(headers['sec-purpose'])} ${String(headers['purpose'])} ${String(headers['x-moz'])}`))
    return false
  return headers['sec-fetch-dest'] === undefined || headers['sec-fetch-dest'] === 'document'
}
