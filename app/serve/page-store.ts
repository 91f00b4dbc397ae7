import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Encoding, fromGzip, isCompressible, toBrotli, toGzip } from './encoding.ts'

export interface RenderedPage {
  status: number
  /** Without Set-Cookie, lengths and encodings. */
  headers: Record<string, string>
  body: Buffer
  /** False if it contains something from one request: it is then answered once, and neither stored nor shared. */
  shareable: boolean
}

/** A finished page: compressed bodies, entity tag, headers. */
export interface StoredPage {
  status: number
  headers: Record<string, string>
  etag: string
  /** Compressed if the type benefits, else the plain bytes. */
  bodies: { br: Buffer; gzip: Buffer } | { identity: Buffer }
  bytes: number
  expires: number
}

export interface StoreOptions {
  /** Most bytes of finished pages to keep. */
  maxBytes: number
  /** How long a page is served before it is rendered again: its text may depend on time ("closes in 9 days"). */
  ttlMs: number
  now?: () => number
}

const PAGE_QUALITY = 5
/** Estimated memory of an entry besides its bodies. */
const ENTRY_OVERHEAD_BYTES = 1024
const LARGEST_SHARE = 8
/** How long past its expiry a page is still better than none. */
const STALE_MS = 5 * 60_000

/**
 * An LRU cache of finished pages. The key includes the site's content version, so an outdated page is never found again and nothing needs
 * purging. Concurrent requests that miss the same key share one rendering.
 */
export class PageStore {
  readonly #options: StoreOptions
  readonly #pages: LRUCache<string, StoredPage>
  readonly #rendering = new Map<string, Promise<StoredPage | RenderedPage>>()

  constructor(options: StoreOptions) {
    this.#options = options
    this.#pages = new LRUCache({
      maxSize: options.maxBytes,
      maxEntrySize: Math.floor(options.maxBytes / LARGEST_SHARE),
      sizeCalculation: ({ bytes }) => bytes,
    })
  }

  get bytes(): number {
    return this.#pages.calculatedSize
  }

  get size(): number {
    return this.#pages.size
  }

  /** The page if it is stored and fresh. */
  get(key: string): StoredPage | undefined {
    const page = this.getStale(key)
    return page && page.expires > this.#now() ? page : undefined
  }

  /** The page if it is stored, even a few minutes past its expiry: used if it cannot be rendered again. */
  getStale(key: string): StoredPage | undefined {
    const page = this.#pages.get(key)
    if (page && page.expires + STALE_MS > this.#now()) return page
    this.#pages.delete(key)
    return undefined
  }

  /** True if the page is being rendered already: joining adds no work. */
  isRendering(key: string): boolean {
    return this.#rendering.has(key)
  }

  /**
   * Renders the page once for all concurrent requests, and stores it if it is complete (200) and cacheable.
   * @returns the finished page, or the rendered one if it must not be shared
   */
  async obtain(key: string, render: () => Promise<RenderedPage>): Promise<StoredPage | RenderedPage> {
    const running = this.#rendering.get(key)
    if (running) {
      const result = await running
      if ('bodies' in result) return result
      return toFinishedPage(await render(), 0)
    }
    const work = this.#render(key, render)
    this.#rendering.set(key, work)
    try {
      return await work
    } finally {
      this.#rendering.delete(key)
    }
  }

  async #render(key: string, render: () => Promise<RenderedPage>): Promise<StoredPage | RenderedPage> {
    const rendered = await render()
    const page = await toFinishedPage(rendered, this.#now() + this.#options.ttlMs)
    if (!('bodies' in page) || page.status !== 200 || !canStore(page.headers)) return page
    this.#pages.set(key, page)
    return page
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now()
  }
}

/** The body in the requested encoding. */
export function selectBody(page: StoredPage, encoding: Encoding): { body: Buffer; encoding: Encoding } {
  if ('identity' in page.bodies) return { body: page.bodies.identity, encoding: 'identity' }
  if (encoding === 'identity') return { body: fromGzip(page.bodies.gzip), encoding }
  return { body: page.bodies[encoding], encoding }
}

/** Entity tags are weak, because one tag stands for every encoding of the page. */
export function matchesEntityTag(header: string | undefined, etag: string): boolean {
  return header !== undefined && header.split(',').some((tag) => tag.trim() === etag || tag.trim() === '*')
}

const canStore = (headers: Record<string, string>) => !/no-store|private/i.test(headers['cache-control'] ?? '')

async function toFinishedPage(rendered: RenderedPage, expires: number): Promise<StoredPage | RenderedPage> {
  if (!rendered.shareable) return rendered
  const { status, headers, body } = rendered
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const bodies = isCompressible(headers['content-type'])
    ? await Promise.all([toBrotli(body, PAGE_QUALITY), toGzip(body)]).then(([br, gzip]) => ({ br, gzip }))
    : { identity: body }
  const held = 'identity' in bodies ? bodies.identity.length : bodies.br.length + bodies.gzip.length
  return { status, headers, etag, bodies, expires, bytes: held + ENTRY_OVERHEAD_BYTES + JSON.stringify(headers).length }
}
