import type { IncomingMessage, ServerResponse } from 'node:http'
import { acceptsGzip, chooseEncoding } from './encoding.ts'
import { selectBody, matchesEntityTag, type StoredPage } from './page-store.ts'
import type { FilledPage } from './page-template.ts'

/** Sends a page that is finished, from the store or for one reader. */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: StoredPage | FilledPage,
  headers: Record<string, string>,
): void {
  if (!('bodies' in page)) {
    const own = { 'cache-control': 'no-cache', ...page.headers, ...VARY, ...headers }
    const gzip = acceptsGzip(request.headers['accept-encoding']) ? page.gzip : undefined
    const body = gzip ?? page.body
    const ofBody = { ...(gzip ? { 'content-encoding': 'gzip' } : {}), 'content-length': body.length }
    response.writeHead(page.status, { ...own, 'cache-control': 'private, no-store', ...ofBody })
    response.end(request.method === 'HEAD' ? undefined : body)
    return
  }
  const own = [...listSharedHeaders(page, headers)]
  for (const name in headers) own.push(name, headers[name] ?? '')
  if (page.status === 200 && matchesEntityTag(request.headers['if-none-match'], page.etag)) {
    response.writeHead(304, own).end()
    return
  }
  const { body, encoding } = selectBody(page, chooseEncoding(request.headers['accept-encoding']))
  if (encoding !== 'identity') own.push('content-encoding', encoding)
  own.push('content-length', String(body.length))
  response.writeHead(page.status, own)
  response.end(request.method === 'HEAD' ? undefined : body)
}

const VARY = { vary: 'Cookie, Accept-Encoding, Accept-Language' }
const sharedHeaders = new WeakMap<StoredPage, readonly string[]>()

/** Names and values that every answer with this page has, in turn: put together once. What the answer itself says goes before. */
function listSharedHeaders(page: StoredPage, own: Record<string, string>): readonly string[] {
  const known = sharedHeaders.get(page)
  if (known) return known
  const headers = { 'cache-control': 'no-cache', ...page.headers, ...VARY, ...(page.status === 200 ? { etag: page.etag } : {}) }
  const listed = Object.entries(headers).flatMap(([name, value]) => (name in own ? [] : [name, value]))
  sharedHeaders.set(page, listed)
  return listed
}
