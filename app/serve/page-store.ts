import { createHash } from 'node:crypto'
import type { ContentAt, ContentChanges } from '../server/memory/content-changes.ts'
import { ContentMemory } from '../server/memory/content-memory.ts'
import type { MemoryBudget } from '../server/memory/memory-budget.ts'
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
}

interface StoreOptions {
  budget: MemoryBudget
  /** In the metrics. */
  name: string
  maxBytes?: number
  changes?: ContentChanges
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

/** Finished pages, each as it was last rendered. Concurrent requests that miss the same page share one rendering. */
export class PageStore {
  readonly #pages: ContentMemory<StoredPage | RenderedPage>

  constructor(options: StoreOptions) {
    this.#pages = new ContentMemory({ ...options, keepMs: LAST_RESORT_MS })
  }

  get bytes(): number {
    return this.#pages.bytes
  }

  get size(): number {
    return this.#pages.size
  }

  /** The page if it is stored and fresh, and nothing has changed that it was rendered from. */
  get(key: string, site: ContentAt): StoredPage | undefined {
    return asStored(this.#pages.find(site, key))
  }

  /** The page as it was last rendered, whatever has changed since, up to an hour past its expiry: used if it cannot be rendered again. */
  getLast(key: string): StoredPage | undefined {
    return asStored(this.#pages.findLast(key))
  }

  /** True if the page is being rendered already: joining adds no work. */
  isRendering(key: string, site: ContentAt): boolean {
    return this.#pages.isMaking(site, key)
  }

  /**
   * Renders the page once for all concurrent requests, and stores it if it is complete (200) and cacheable.
   * @param site as the request found it
   * @returns the finished page, or the rendered one if it must not be shared
   */
  async obtain(key: string, site: ContentAt, render: () => Promise<RenderedPage>): Promise<StoredPage | RenderedPage> {
    const hasJoined = this.isRendering(key, site)
    const page = await this.#pages.obtain(site, key, async () => {
      const value = await toFinishedPage(await render())
      const isKept =
        'bodies' in value && value.status === 200 && canStore(value.headers) && value.bytes <= this.#pages.maxBytes / LARGEST_SHARE
      return { value, bytes: isKept ? value.bytes : undefined }
    })
    return hasJoined && !('bodies' in page) ? toFinishedPage(await render()) : page
  }
}

const asStored = (page: StoredPage | RenderedPage | undefined): StoredPage | undefined => (page && 'bodies' in page ? page : undefined)

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

async function toFinishedPage(rendered: RenderedPage): Promise<StoredPage | RenderedPage> {
  if (!rendered.shareable) return rendered
  const { status, headers, body } = rendered
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const bodies = isCompressible(headers['content-type'])
    ? await Promise.all([toBrotli(body, PAGE_QUALITY), toGzip(body)]).then(([br, gzip]) => ({ br, gzip }))
    : { identity: body }
  const held = 'identity' in bodies ? bodies.identity.length : bodies.br.length + bodies.gzip.length
  return { status, headers, etag, bodies, bytes: held + ENTRY_OVERHEAD_BYTES + JSON.stringify(headers).length }
}
