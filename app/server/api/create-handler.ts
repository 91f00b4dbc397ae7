import { AppError, isAppError } from '../../lib/app-error.ts'
import {
  type ContentLanguage,
  type Language,
  LANGUAGES,
  listContentLanguages,
  matchLanguage,
  toInterfaceLanguage,
} from '../../lib/languages.ts'
import { createCtx, type Ctx, withApiViewer } from '../context.ts'
import { type KeptBodies, keepCompressedForms } from '../kept-bodies.ts'
import { readPublic } from '../public-reads.ts'
import type { SiteDb } from '../db/client.ts'
import type { Site } from '../site-directory.ts'
import type { Runtime } from '../runtime.ts'
import { createWholeResponse } from '../whole-response.ts'
import type { ApiAnswer } from './api-call.ts'
import { encodeDocument } from './encode-document.ts'
import type { Registry } from './create-registry.ts'
import { listAllowedMethods, type Endpoint, findEndpoint, normaliseMethod, requireRunner } from './endpoints.ts'
import { toErrorAnswer } from './errors.ts'
import { Loader } from './loader.ts'
import { findPreferredLanguage } from '../accept-language.ts'
import { acceptsJsonApi } from './negotiation.ts'
import { API_BASE, JSONAPI, MEDIA_TYPE } from './protocol.ts'

interface RequestMeta {
  /** The client's network address, for rate limits and the audit trail. */
  address: string | null
  requestId?: string
  /** The handle of the page that asks: all that it reads then comes from one snapshot, over one connection. */
  db?: SiteDb
}

export type ApiHandler = (request: Request, runtime: Runtime, meta: RequestMeta) => Promise<Response>

/** Called for each signed-in request that is refused. */
type OnRefusal = (ctx: Ctx, request: { method: string; path: string }) => Promise<void>

export const isApiPath = (pathname: string): boolean => pathname === API_BASE || pathname.startsWith(`${API_BASE}/`)

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
const BEARER_TOKEN = /^Bearer +([\w.~+/-]{1,200}=*)$/i

/** A site that is moving to another installation is only read. @throws {AppError} `unavailable` */
function requireWritable({ status }: Pick<Site, 'status'>, method: string): void {
  if (status === 'moving' && !READING.has(method)) throw new AppError('unavailable')
}

/** The handler of `/api/v2` for a set of resources. It never throws and never reads a cookie. */
export function createApiHandler(registry: Registry, { onRefusal }: { onRefusal?: OnRefusal } = {}): ApiHandler {
  return async (request, runtime, meta) => {
    const url = new URL(request.url)
    const requestId = meta.requestId ?? crypto.randomUUID()
    const common = { 'x-request-id': requestId }
    let locale: Language = 'en'
    let language: ContentLanguage = selectLanguage(request, url, LANGUAGES) ?? locale
    let endpoint: Endpoint | undefined
    let asked: Ctx | undefined
    try {
      const site = await runtime.sites.find(request.headers.get('host') ?? url.host)
      if (!site) throw new AppError('no-such-site')
      requireWritable(site, request.method)
      locale = site.locale
      language = selectLanguage(request, url, listContentLanguages(site)) ?? locale
      endpoint = findEndpoint(url.pathname.slice(API_BASE.length), registry)
      if (request.method === 'OPTIONS' && endpoint)
        return toResponse({ status: 204, headers: { ...common, allow: listAllowedMethods(endpoint) } }, request, language)
      const run = requireRunner(endpoint, request)
      requireAcceptable(endpoint, request)
      const sender = { language, address: meta.address, userAgent: request.headers.get('user-agent'), requestId }
      const own = createCtx(runtime, site, sender)
      const unknown = meta.db?.siteId === site.id ? { ...own, db: meta.db } : own
      const ctx = await authenticateRequest(unknown, request, endpoint)
      asked = ctx
      const answerFor = (reader: Ctx) => run({ ctx: reader, request, url, registry, loader: new Loader(reader, registry) })
      const answer =
        endpoint && isRemembered(endpoint, request, url, ctx) ? await rememberAnswer(ctx, url, answerFor) : await answerFor(ctx)
      return toResponse({ ...answer, headers: { ...common, ...answer.headers } }, request, language, runtime.bodies)
    } catch (error) {
      if (asked && isAppError(error, 'forbidden')) await onRefusal?.(asked, { method: request.method, path: url.pathname })
      const { status, errors, headers } = toErrorAnswer(error, {
        language: toInterfaceLanguage(language, locale),
        requestId,
        log: runtime.log,
      })
      const allow: Record<string, string> = status === 405 && endpoint ? { allow: listAllowedMethods(endpoint) } : {}
      return toResponse({ status, document: { jsonapi: JSONAPI, errors }, headers: { ...common, ...headers, ...allow } }, request, language)
    }
  }
}

function requireAcceptable(endpoint: Endpoint | undefined, request: Request): void {
  if (endpoint?.plain || acceptsJsonApi(request.headers.get('accept'), endpoint?.extensions)) return
  throw new AppError('not-acceptable', { detail: { key: 'response-format', values: { format: MEDIA_TYPE } } })
}

const selectLanguage = (request: Request, url: URL, offered: readonly ContentLanguage[]): ContentLanguage | undefined =>
  matchLanguage(url.searchParams.get('lng'), offered) ?? findPreferredLanguage(request.headers.get('accept-language'), offered)

/** No token means a visitor. A malformed, unknown, expired or revoked token is refused, not taken for a visitor. */
async function authenticateRequest(ctx: Ctx, request: Request, endpoint: Endpoint | undefined): Promise<Ctx> {
  const method = normaliseMethod(request)
  const tokenless = endpoint?.tokenless.includes(method) ?? false
  const does = method === 'GET' ? 'reads' : endpoint?.sending?.includes(method) ? 'sends' : 'writes'
  const header = request.headers.get('x-api-token')
  if (header === null) return ctx
  const known = await withApiViewer(ctx, BEARER_TOKEN.exec(header)?.[1], does)
  if (known.viewer.kind === 'visitor' && !tokenless)
    throw new AppError('unauthenticated', { detail: { key: 'token-invalid' }, meta: { token: 'invalid' } })
  return known
}

/** Searches are not: there are as many as there are words. */
const isRemembered = (endpoint: Endpoint, request: Request, url: URL, { viewer }: Ctx): boolean =>
  endpoint.remembered === true && viewer.kind === 'visitor' && normaliseMethod(request) === 'GET' && !url.searchParams.has('filter[q]')

/** An answer as text, ready to be sent to every visitor who asks the same. */
async function rememberAnswer(ctx: Ctx, url: URL, answerFor: (reader: Ctx) => Promise<ApiAnswer>): Promise<ApiAnswer> {
  const read = async (reader: Ctx) => {
    const { document, ...answer } = await answerFor(reader)
    return { ...answer, text: encodeDocument(document).toString() }
  }
  const answer = await readPublic(ctx, [url.pathname, url.search], read, ctx.runtime.publicAnswers)
  let bytes = rememberedBytes.get(answer)
  if (!bytes) rememberedBytes.set(answer, (bytes = keepCompressedForms(Buffer.from(answer.text))))
  return { ...answer, bytes }
}

const rememberedBytes = new WeakMap<object, Buffer>()

function toResponse(answer: ApiAnswer, request: Request, language: ContentLanguage, bodies?: KeptBodies): Response {
  const headers: Record<string, string> = {
    vary: 'Accept, Accept-Language, x-api-token',
    'cache-control': request.headers.has('x-api-token') ? 'private, no-store' : 'no-cache',
    'content-language': language,
    'x-content-type-options': 'nosniff',
    ...answer.headers,
  }
  const body = answer.bytes ?? (answer.document === undefined ? undefined : encodeDocument(answer.document, bodies))
  if (!body) return new Response(null, { status: answer.status, headers })
  headers['content-type'] = answer.contentType ?? MEDIA_TYPE
  headers['content-length'] = String(body.byteLength)
  return request.method === 'HEAD'
    ? new Response(null, { status: answer.status, headers })
    : createWholeResponse(answer.status, headers, body)
}
