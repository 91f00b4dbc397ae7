import type { ContentLanguage } from '../lib/languages.ts'
import { TOKEN_ITEM } from '../lib/stored-items.ts'
import type { SharedRendering } from '../server/shared-rendering.ts'
import type { Runtime } from '../server/runtime.ts'
import type { Site } from '../server/site-directory.ts'
import { type Consent, CONSENT_COOKIE } from '../shell/consent.ts'
import { LANGUAGE_COOKIE } from '../shell/language.ts'
import { buildContentPolicy, hashInlineScripts, hashInlineStyles } from './content-policy.ts'
import { finishPage, type PageAdditions } from './finish-page.ts'
import type { RenderedPage } from './page-store.ts'
import type { Stylesheet } from './page-styles.ts'
import type { RequestFacts } from './request-facts.ts'
import type { AnsweredRequest } from './respond.ts'
import { buildCookieLine } from './site-cookies.ts'
import type { SiteRequest } from './site-request.ts'

/** Everything of a request that a page for many may depend on. */
export interface SharedRequest {
  site: Site
  language: ContentLanguage
  /** A language that the page offers at its top. */
  offered: ContentLanguage | undefined
  consent: Consent | null
  /** With the parameters that the page reads. */
  path: string
  /** The page has a form that is sent once, with an id of its own for each reader. */
  hasForm: boolean
  secure: boolean
  /** Of the request that the page is rendered for first. */
  requestId: string
}

export interface PageRenderer {
  runtime: Runtime
  /** Undefined in development. */
  stylesheet: Stylesheet | undefined
  answer: (request: Request, facts: RequestFacts) => Promise<AnsweredRequest>
}

/** Headers of one response only, which a page for many must not repeat. */
const NOT_SHARED = new Set(['set-cookie', 'content-length', 'date', 'x-request-id'])

/** Renders the page that every visitor gets. */
export async function renderForEveryone(renderer: PageRenderer, shared: SharedRequest): Promise<RenderedPage> {
  const { request, asked } = buildRequest(renderer, shared)
  const { response, pagePolicy } = await renderer.answer(request, { id: shared.requestId, address: null, forEveryone: true, asked })
  const page = await readPage(response, { ...shared, stylesheet: renderer.stylesheet, nonce: undefined })
  if (isHtml(page.headers)) {
    const { PUBLIC_URL, API_ENDPOINT } = renderer.runtime.env
    const html = page.body.toString('utf8')
    page.headers['content-security-policy'] ??= buildContentPolicy(
      { PUBLIC_URL, API_ENDPOINT, ...pagePolicy?.thirdParties },
      { path: shared.path, hashes: hashInlineScripts(html), styleHashes: hashInlineStyles(html), frames: pagePolicy?.frames ?? null },
    )
  }
  const isPersonal = response.headers.getSetCookie().length > 0 || /private|no-store/i.test(page.headers['cache-control'] ?? '')
  return { ...page, shareable: !isPersonal }
}

/** Renders the page that many people get, with placeholders for what is their own. */
export async function renderForMany(renderer: PageRenderer, shared: SharedRequest, rendering: SharedRendering): Promise<RenderedPage> {
  const { viewer, placeholders } = rendering
  const { request, asked } = buildRequest(renderer, shared, viewer.kind === 'user' ? placeholders.token : undefined)
  const facts = { id: shared.requestId, address: null, forEveryone: false, asked, sharedRendering: rendering }
  const { response } = await renderer.answer(request, facts)
  const stylesheet = viewer.kind === 'visitor' ? renderer.stylesheet : undefined
  const page = await readPage(response, { ...shared, stylesheet, nonce: placeholders.nonce })
  return { ...page, shareable: isHtml(page.headers) && response.headers.getSetCookie().length === 0 }
}

/** A request that says nothing else about its sender. */
function buildRequest(
  { runtime }: PageRenderer,
  { site, language, consent, path, secure }: SharedRequest,
  token?: string,
): { request: Request; asked: SiteRequest } {
  const port = /(^|\.)localhost$/.test(site.host) ? `:${runtime.env.PORT}` : ''
  const values = new Map<string, string>([[LANGUAGE_COOKIE, language]])
  if (consent) values.set(CONSENT_COOKIE, consent)
  if (token) values.set(TOKEN_ITEM.name, token)
  const cookies = { values, former: [] }
  const request = new Request(`${secure ? 'https' : 'http'}://${site.host}${port}${path}`, {
    headers: { host: `${site.host}${port}`, accept: 'text/html,*/*', cookie: buildCookieLine(cookies) },
  })
  return { request, asked: { site, language, cookies } }
}

async function readPage(response: Response, additions: PageAdditions): Promise<Omit<RenderedPage, 'shareable'>> {
  const headers: Record<string, string> = {}
  for (const [name, value] of response.headers) if (!NOT_SHARED.has(name)) headers[name] = value
  const body = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers, body: isHtml(headers) ? Buffer.concat(finishPage(body.toString('utf8'), additions)) : body }
}

export const isHtml = (headers: Record<string, string>): boolean => headers['content-type']?.startsWith('text/html') ?? false
