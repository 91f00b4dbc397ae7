import { createHash } from 'node:crypto'
import { type Encoding, fromBrotli, isCompressible, toBrotli, toGzip } from './encoding.ts'

/** What rendering a page for everybody gave. */
export interface RenderedPage {
  status: number
  /** Without Set-Cookie, lengths and encodings. */
  headers: Record<string, string>
  body: Buffer
  /** False where it holds something of one request: it is answered once and neither kept nor shared. */
  shareable: boolean
}

/** A finished page: compressed bodies, entity tag, headers. */
export interface StoredPage {
  status: number
  headers: Record<string, string>
  etag: string
  /** Compressed where the type gains from it, else the bytes themselves. */
  bodies: { br: Buffer; gzip: Buffer } | { identity: Buffer }
  bytes: number
  expires: number
}

export interface StoreOptions {
  /** Most bytes of finished pages that are kept. */
  maxBytes: number
  /** How long a page is served before it is rendered anew: its text may speak of time ("closes in 9 days"). */
  ttlMs: number
  now?: () => number
}

const PAGE_QUALITY = 5
/** What an entry costs besides its bodies. */
const ENTRY_OVERHEAD_BYTES = 1024
const LARGEST_SHARE = 8
/** How long a page past its time is still better than none. */
const STALE_MS = 5 * 60_000

/**
 * Finished pages by key, the least recently asked-for dropped first. The key holds the site's content version, so a page of an older
 * version is never found again; nothing is purged. Several requests that miss one key wait for one rendering.
 */
export class PageStore {
  readonly #options: StoreOptions
  readonly #pages = new Map<string, StoredPage>()
  readonly #rendering = new Map<string, Promise<StoredPage | RenderedPage>>()
  #bytes = 0

  constructor(options: StoreOptions) {
    this.#options = options
  }

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#pages.size
  }

  /** The page if it is here and fresh. */
  get(key: string): StoredPage | undefined {
    const page = this.getStale(key)
    return page && page.expires > this.#now() ? page : undefined
  }

  /** The page if it is here, fresh or a few minutes past its time: for when it cannot be rendered anew. */
  getStale(key: string): StoredPage | undefined {
    const page = this.#pages.get(key)
    if (!page) return undefined
    this.#pages.delete(key)
    if (page.expires + STALE_MS <= this.#now()) {
      this.#bytes -= page.bytes
      return undefined
    }
    this.#pages.set(key, page)
    return page
  }

  /** Whether somebody waits for the page already: who joins them adds no work. */
  isRendering(key: string): boolean {
    return this.#rendering.has(key)
  }

  /**
   * Renders the page, once for all who ask for it meanwhile, and keeps it if it is whole (200) and may be kept.
   * @returns the finished page, or what was rendered where that is not to be shared
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
    if (page.bytes > this.#options.maxBytes / LARGEST_SHARE) return page
    this.#keep(key, page)
    return page
  }

  #keep(key: string, page: StoredPage): void {
    const older = this.#pages.get(key)
    if (older) this.#bytes -= older.bytes
    this.#pages.delete(key)
    this.#pages.set(key, page)
    this.#bytes += page.bytes
    for (const [oldest, { bytes }] of this.#pages) {
      if (this.#bytes <= this.#options.maxBytes) break
      this.#pages.delete(oldest)
      this.#bytes -= bytes
    }
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now()
  }
}

/** The body in the encoding asked for. */
export async function selectBody(page: StoredPage, encoding: Encoding): Promise<{ body: Buffer; encoding: Encoding }> {
  if ('identity' in page.bodies) return { body: page.bodies.identity, encoding: 'identity' }
  if (encoding === 'identity') return { body: await fromBrotli(page.bodies.br), encoding }
  return { body: page.bodies[encoding], encoding }
}

/** Entity tags are weak, since one stands for every encoding of the page. */
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
