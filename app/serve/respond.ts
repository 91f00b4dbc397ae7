import { randomBytes } from 'node:crypto'
import { isApiPath } from '../server/api/create-handler.ts'
import { handleApi } from '../server/api/handler.ts'
import { createCtx, withViewer } from '../server/context.ts'
import type { RequestContext } from '../server/request-context.ts'
import { runtime } from '../server/runtime.ts'
import { detectLanguage, LANGUAGE_COOKIE } from '../shell/language.ts'
import { startRuntime } from './start-runtime.ts'

/** Prepares a request for Start: finds the site, the viewer and the language once, and passes them on explicitly. */
export async function respond(
  request: Request,
  render: (request: Request, context: RequestContext) => Promise<Response> | Response,
): Promise<Response> {
  await startRuntime()
  const shared = runtime()
  const url = new URL(request.url)
  const address = request.headers.get('x-parley-address')
  // Before anything looks at cookies: the API knows its viewer by `x-api-token` alone.
  if (isApiPath(url.pathname)) return handleApi(request, shared, { address })
  const site = await shared.sites.find(request.headers.get('host') ?? url.host)
  if (!site)
    return new Response('There is no site at this address.', { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } })
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
  const ctx = await withViewer(
    createCtx(shared, site, { language, address, userAgent: request.headers.get('user-agent') }),
    cookies.get('token'),
  )
  const response = await render(request, { ctx, nonce: randomBytes(16).toString('base64'), form: undefined })
  if (setCookie && response.headers.get('content-type')?.startsWith('text/html')) response.headers.append('set-cookie', setCookie)
  return response
}

function readCookies(header: string | null): Map<string, string> {
  const cookies = new Map<string, string>()
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0) cookies.set(part.slice(0, at).trim(), part.slice(at + 1).trim())
  }
  return cookies
}
