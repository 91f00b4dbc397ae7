import { eq } from 'drizzle-orm'
import { createSampleParticipant, VISITOR, type Viewer } from './auth/viewer.ts'
import type { Ctx } from './context.ts'
import { sites } from './db/schema/sites.ts'
import { readPersonal } from './shared-rendering.ts'

interface StoredRead {
  value: Promise<unknown>
  until: number
  /** Approximate memory, known once the value is. */
  bytes: number
}

interface PublicReadsOptions {
  /** Most bytes to remember, about. */
  maxBytes?: number
  now?: () => number
}

const MAX_BYTES = 32_000_000
/** What is shown may depend on the time, for example whether a survey is open. */
const TTL_MS = 15_000
/** Estimated memory of an entry besides its value. */
const ENTRY_OVERHEAD_BYTES = 500
/** A parsed value takes more memory than its JSON text. */
const BYTES_PER_LETTER = 3

/**
 * Remembers what everybody sees alike, once for each version of a site's content, so that pages of signed-in people do not read it again.
 * The key includes the content version: outdated values are never found again.
 */
export class PublicReads {
  readonly #entries = new Map<string, StoredRead>()
  readonly #maxBytes: number
  readonly #now: () => number
  #bytes = 0

  constructor({ maxBytes = MAX_BYTES, now = Date.now }: PublicReadsOptions = {}) {
    this.#maxBytes = maxBytes
    this.#now = now
  }

  get bytes(): number {
    return this.#bytes
  }

  obtain<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#entries.get(key)
    if (known && known.until > this.#now()) {
      this.#entries.delete(key)
      this.#entries.set(key, known)
      return known.value as Promise<T>
    }
    if (known) this.#drop(key, known)
    const value = read().then(freezeDeeply)
    const entry: StoredRead = { value, until: this.#now() + TTL_MS, bytes: ENTRY_OVERHEAD_BYTES + key.length }
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
    value.then(
      (read) => this.#weigh(key, entry, read),
      () => this.#drop(key, entry),
    )
    return value
  }

  #weigh(key: string, entry: StoredRead, value: unknown): void {
    if (this.#entries.get(key) !== entry) return
    const bytes = (JSON.stringify(value)?.length ?? 0) * BYTES_PER_LETTER
    entry.bytes += bytes
    this.#bytes += bytes
    for (const [oldest, stored] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break
      this.#drop(oldest, stored)
    }
  }

  #drop(key: string, entry: StoredRead): void {
    if (this.#entries.get(key) !== entry) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
  }
}

/** Stands for everybody to whom the site shows the same as to `viewer`; undefined for people with a role, who may see more. */
function findSampleViewer(viewer: Viewer): Viewer | undefined {
  if (viewer.kind === 'visitor') return VISITOR
  return viewer.roles.length === 0 && viewer.memberOf ? createSampleParticipant(viewer.memberOf) : undefined
}

/**
 * Reads something that is the same for many: once for each version of the site's content for all visitors, and once for all participants
 * who were let into the same projects; for people with roles once for each request. What is shared is read with a context that belongs to
 * nobody, so that nothing of one person can reach another.
 * @param name names the reading, and everything besides site and language that changes its result
 */
export function readPublic<T>(
  ctx: Ctx,
  name: readonly unknown[],
  read: (ctx: Ctx) => Promise<T>,
  memory: PublicReads | undefined = ctx.runtime.publicReads,
): Promise<T> {
  const { runtime, site, language } = ctx
  const viewer = findSampleViewer(ctx.viewer)
  // A preview looks at another moment.
  if (ctx.now !== runtime.now) return read(ctx)
  if (!memory || !viewer)
    return ctx.db.readOnce(JSON.stringify([language, ctx.viewer.kind === 'user' && ctx.viewer.id, ...name]), () => read(ctx))
  const seenBy = viewer.kind === 'visitor' ? null : viewer.memberOf
  const key = JSON.stringify([site.id, site.contentVersion, site.host, language, seenBy, ...name])
  return memory.obtain(key, () => read({ ...ctx, viewer, address: null, userAgent: null }))
}

/**
 * Reads what a site shows to everybody alike, whatever their account and roles: once for each version of the site's content. People with a
 * role see at once what they have just saved, in every process: what is remembered is used if the content version in their own snapshot is
 * the one that the request began with.
 * @param name as for `readPublic`
 */
export async function readSiteWide<T>(ctx: Ctx, name: readonly unknown[], read: (ctx: Ctx) => Promise<T>): Promise<T> {
  const { runtime, site, language } = ctx
  const memory = runtime.publicReads
  // What a transaction reads may never be committed.
  if (!memory || ctx.now !== runtime.now || ctx.db.isJoined || !(await isUpToDate(ctx))) return readPublic(ctx, name, read)
  const key = JSON.stringify([site.id, site.contentVersion, site.host, language, 'site-wide', ...name])
  // Remembered by itself, so it does not make a page personal that is rendered for many.
  const db = ctx.sharedRendering ? runtime.database.site(site.id) : ctx.db
  return memory.obtain(key, () => read({ ...ctx, db, viewer: VISITOR, address: null, userAgent: null }))
}

/** Whether the site's content is what the process last knew. Only checked for people with a role, who would notice. */
async function isUpToDate(ctx: Ctx): Promise<boolean> {
  const { viewer, site } = ctx
  return (
    viewer.kind === 'visitor' ||
    viewer.roles.length === 0 ||
    (await readPersonal(ctx, ['content version'], readContentVersion)) === site.contentVersion
  )
}

const readContentVersion = ({ db, site }: Ctx): Promise<number | undefined> =>
  db.readOnce('content version', () =>
    db.read(async (tx) => {
      const [found] = await tx.select({ version: sites.contentVersion }).from(sites).where(eq(sites.id, site.id))
      return found?.version
    }),
  )

/** A shared value that somebody changes would change for everybody. */
export function freezeDeeply<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) freezeDeeply(part)
  return value
}
