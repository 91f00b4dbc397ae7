import { createHash } from 'node:crypto'
import type { Memory } from '../server/memory/memory-budget.ts'
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
  /** Of the site's content when it was rendered. */
  version: number
  expires: number
}

export interface StoreOptions {
  /** Keeps the finished pages. */
  memory: Memory<StoredPage>
  /** How long a page is served before it is rendered again: its text may depend on time ("closes in 9 days"). */
  ttlMs: number
  now?: () => number
}

const PAGE_QUALITY = 5
/** Estimated memory of an entry besides its bodies. */
const ENTRY_OVERHEAD_BYTES = 1024
/** A page that takes a larger part of the memory than this is not kept. */
const LARGEST_SHARE = 8
/** How long past its expiry a page is still better than none. */
const LAST_RESORT_MS = 60 * 60_000

/**
 * Finished pages, each in the last version that was rendered. A page is found only in the present version of its site's content, so nothing needs
 * purging. Concurrent requests that miss the same page share one rendering.
 */
export class PageStore {
  readonly #options: StoreOptions
  readonly #pages: Memory<StoredPage>
  readonly #rendering = new Map<string, Promise<StoredPage | RenderedPage>>()

  constructor(options: StoreOptions) {
    this.#options = options
    this.#pages = options.memory
  }

  get bytes(): number {
    return this.#pages.bytes
  }

  get size(): number {
    return this.#pages.size
  }

  /** The page if it is stored in this version of the site's content, and fresh. */
  get(key: string, version: number): StoredPage | undefined {
    const page = this.#pages.find(key)
    return page && page.version === version && page.expires > this.#now() ? page : undefined
  }

  /** The page as it was last rendered, whatever has changed since, up to an hour past its expiry: used if it cannot be rendered again. */
  getLast(key: string): StoredPage | undefined {
    const page = this.#pages.find(key)
    if (page && page.expires + LAST_RESORT_MS > this.#now()) return page
    this.#pages.delete(key)
    return undefined
  }

  /** True if the page is being rendered already: joining adds no work. */
  isRendering(key: string, version: number): boolean {
    return this.#rendering.has(`${version} ${key}`)
  }

  /**
   * Renders the page once for all concurrent requests, and stores it if it is complete (200) and cacheable.
   * @returns the finished page, or the rendered one if it must not be shared
   */
  async obtain(key: string, version: number, render: () => Promise<RenderedPage>): Promise<StoredPage | RenderedPage> {
    const rendering = `${version} ${key}`
    const running = this.#rendering.get(rendering)
    if (running) {
      const result = await running
      if ('bodies' in result) return result
      return toFinishedPage(await render(), { version, expires: 0 })
    }
    const work = this.#render(key, version, render)
    this.#rendering.set(rendering, work)
    try {
      return await work
    } finally {
      this.#rendering.delete(rendering)
    }
  }

  async #render(key: string, version: number, render: () => Promise<RenderedPage>): Promise<StoredPage | RenderedPage> {
    const rendered = await render()
    const page = await toFinishedPage(rendered, { version, expires: this.#now() + this.#options.ttlMs })
    if (!('bodies' in page) || page.status !== 200 || !canStore(page.headers)) return page
    const isOutdated = (this.#pages.find(key)?.version ?? version) > version
    if (!isOutdated && page.bytes <= this.#pages.maxBytes / LARGEST_SHARE) this.#pages.set(key, page, page.bytes + 2 * key.length)
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

async function toFinishedPage(rendered: RenderedPage, when: Pick<StoredPage, 'version' | 'expires'>): Promise<StoredPage | RenderedPage> {
  if (!rendered.shareable) return rendered
  const { status, headers, body } = rendered
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const bodies = isCompressible(headers['content-type'])
    ? await Promise.all([toBrotli(body, PAGE_QUALITY), toGzip(body)]).then(([br, gzip]) => ({ br, gzip }))
    : { identity: body }
  const held = 'identity' in bodies ? bodies.identity.length : bodies.br.length + bodies.gzip.length
  return { status, headers, etag, bodies, ...when, bytes: held + ENTRY_OVERHEAD_BYTES + JSON.stringify(headers).length }
}
