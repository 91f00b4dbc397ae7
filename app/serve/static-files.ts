import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, posix } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Memory, MemoryBudget } from '../server/memory/memory-budget.ts'
import { chooseEncoding, isCompressible, toBrotli, toGzip } from './encoding.ts'
import { matchesEntityTag } from './page-store.ts'

const CONTENT_TYPES: Record<string, string> = {
  '.avif': 'image/avif',
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
}
const CACHE_FOREVER = 'public, max-age=31536000, immutable'
const CACHE_BRIEFLY = 'public, max-age=300, stale-while-revalidate=86400'
/** A drawing opened on its own is a document and must not run scripts. */
const INERT_HEADERS = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" }
/** What pages load is not a document, which is all that these headers are about: they would double the headers of each script. */
const LOADED_BY_PAGES = /^(text\/(javascript|css)|font\/)/
const withoutDocumentHeaders = ({
  'referrer-policy': _referrer,
  'permissions-policy': _permissions,
  'cross-origin-opener-policy': _opener,
  ...others
}: Record<string, string>): Record<string, string> => others
const LARGEST_CACHED_BYTES = 2_000_000
const MAX_CACHED_BYTES = 32_000_000
/** The build leaves the best encoding of each script and stylesheet beside it. */
const READY_ENCODING = '.br'
/** Smaller files take a fifth of a second at most to be compressed as well as Brotli can. */
const SMALL_FILE_BYTES = 50_000

interface ListedFile {
  path: string
  type: string
  cache: string
  size: number
  /** Path of its Brotli encoding, if the build made one. */
  encoded?: string
}

interface CachedFile {
  etag: string
  body: Buffer
  br: Buffer | undefined
  gzip: Buffer | undefined
}

/**
 * Serves the files of the given folders. The folders are listed once: an address matches a file in that list or nothing, so path traversal
 * is impossible. Small files are cached in memory and compressed at first use, unless the build has compressed them.
 */
export class StaticFiles {
  readonly #files = new Map<string, ListedFile>()
  readonly #kept: Memory<{ loading: Promise<CachedFile> }>
  readonly #folders: string[]

  /** @param folders folder for each address, e.g. `{ '/': 'dist/client', '/locales/': 'locales' }` */
  constructor(folders: Record<string, string>, budget = new MemoryBudget(MAX_CACHED_BYTES)) {
    this.#kept = budget.open('files', { maxBytes: MAX_CACHED_BYTES })
    this.#folders = Object.keys(folders).filter((address) => address !== '/')
    for (const [address, folder] of Object.entries(folders)) this.#list(address, folder)
  }

  /** Answers if the address is a file's or in a folder that holds only files. @returns false if it is neither */
  answer(request: IncomingMessage, response: ServerResponse, pathname: string, headers: Record<string, string>): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const file = this.#files.get(pathname)
    if (!file) {
      if (!pathname.startsWith('/assets/') && !this.#folders.some((folder) => pathname.startsWith(folder))) return false
      response.writeHead(404, { ...headers, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }).end('Not found')
      return true
    }
    void this.#send(file, request, response, headers).catch(() => response.destroy())
    return true
  }

  async #send(file: ListedFile, request: IncomingMessage, response: ServerResponse, common: Record<string, string>): Promise<void> {
    const headers = {
      ...(LOADED_BY_PAGES.test(file.type) ? withoutDocumentHeaders(common) : common),
      'content-type': file.type,
      'cache-control': file.cache,
      ...(file.type === CONTENT_TYPES['.svg'] ? INERT_HEADERS : {}),
    }
    if (file.size > LARGEST_CACHED_BYTES) {
      response.writeHead(200, { ...headers, 'content-length': file.size })
      if (request.method === 'HEAD') return void response.end()
      return pipeline(createReadStream(file.path), response)
    }
    const kept = await this.#load(file)
    const varied = { ...headers, etag: kept.etag, ...(kept.br ? { vary: 'Accept-Encoding' } : {}) }
    if (matchesEntityTag(request.headers['if-none-match'], kept.etag)) return void response.writeHead(304, varied).end()
    const wanted = kept.br ? chooseEncoding(request.headers['accept-encoding']) : 'identity'
    const body = (wanted === 'br' ? kept.br : wanted === 'gzip' ? kept.gzip : undefined) ?? kept.body
    const encoded = body === kept.body ? {} : { 'content-encoding': wanted }
    response.writeHead(200, { ...varied, ...encoded, 'content-length': body.length })
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  #load(file: ListedFile): Promise<CachedFile> {
    const known = this.#kept.find(file.path)
    if (known) return known.loading
    const cached = { loading: this.#read(file) }
    this.#kept.set(file.path, cached, file.size)
    cached.loading.then(
      ({ body, br, gzip }) => this.#kept.weigh(file.path, cached, body.length + (br?.length ?? 0) + (gzip?.length ?? 0)),
      () => this.#kept.delete(file.path, cached),
    )
    return cached.loading
  }

  async #read(file: ListedFile): Promise<CachedFile> {
    const body = await readFile(file.path)
    // It only tells versions of one file apart, and each script of a page brings one.
    const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 12)}"`
    if (!isCompressible(file.type) || body.length < 200) return { etag, body, br: undefined, gzip: undefined }
    const [br, gzip] = await Promise.all([this.#encode(file, body), toGzip(body)])
    return { etag, body, br, gzip }
  }

  #encode(file: ListedFile, body: Buffer): Promise<Buffer> {
    return file.encoded ? readFile(file.encoded) : toBrotli(body, body.length <= SMALL_FILE_BYTES ? 11 : 9)
  }

  #list(address: string, folder: string): void {
    if (!existsSync(folder)) return
    const entries = readdirSync(folder, { withFileTypes: true })
    const names = new Set(entries.map(({ name }) => name))
    for (const entry of entries) {
      const [path, at] = [join(folder, entry.name), posix.join(address, entry.name)]
      if (entry.name.startsWith('.') || entry.name.endsWith(READY_ENCODING)) continue
      if (entry.isDirectory()) this.#list(at, path)
      else if (entry.isFile()) {
        const type = CONTENT_TYPES[extname(entry.name).toLowerCase()] ?? 'application/octet-stream'
        this.#files.set(encodeURI(at), {
          path,
          type,
          size: statSync(path).size,
          cache: at.startsWith('/assets/') ? CACHE_FOREVER : CACHE_BRIEFLY,
          ...(names.has(entry.name + READY_ENCODING) && { encoded: path + READY_ENCODING }),
        })
      }
    }
  }
}
