import { eq } from 'drizzle-orm'
import type { ContentAt, ContentChanges } from './memory/content-changes.ts'
import { ContentMemory } from './memory/content-memory.ts'
import { MemoryBudget } from './memory/memory-budget.ts'
import { createSampleParticipant, VISITOR, type Viewer } from './auth/viewer.ts'
import type { Ctx } from './context.ts'
import { sites } from './db/schema/sites.ts'
import { readPersonal, readRoleHolder } from './shared-rendering.ts'

interface PublicReadsOptions {
  budget?: MemoryBudget
  /** In the metrics. */
  name?: string
  changes?: ContentChanges
  now?: () => number
}

/** Most bytes of one memory, about. */
const MAX_BYTES = 32_000_000
/** What is shown may depend on the time, for example whether a survey is open. */
const TTL_MS = 15_000
/** Estimated memory of an entry besides its value. */
const ENTRY_OVERHEAD_BYTES = 500
/** A parsed value takes more memory than its JSON text. */
const BYTES_PER_LETTER = 3

/** Remembers what everybody sees alike until it changes, so that pages of signed-in people do not read it again. */
export class PublicReads {
  readonly #reads: ContentMemory<{ shown: unknown }>

  constructor({ budget = new MemoryBudget(MAX_BYTES), name = 'public reads', changes, now }: PublicReadsOptions = {}) {
    this.#reads = new ContentMemory({ budget, name, maxBytes: MAX_BYTES, ttlMs: TTL_MS, changes, now })
  }

  get bytes(): number {
    return this.#reads.bytes
  }

  async obtain<T>(site: ContentAt, key: string, read: () => Promise<T>): Promise<T> {
    const { shown } = await this.#reads.obtain(site, key, async () => {
      const value = freezeDeeply(await read())
      return { value: { shown: value }, bytes: ENTRY_OVERHEAD_BYTES + (JSON.stringify(value)?.length ?? 0) * BYTES_PER_LETTER }
    })
    return shown as T
  }
}

/** Stands for everybody to whom the site shows the same as to `viewer`; undefined for people with a role, who may see more. */
function findSampleViewer(viewer: Viewer): Viewer | undefined {
  if (viewer.kind === 'visitor') return VISITOR
  return viewer.roles.length === 0 && viewer.memberOf ? createSampleParticipant(viewer.memberOf) : undefined
}

/**
 * Reads something that is the same for many: until it changes, once for all visitors, and once for all participants
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
  const { runtime, site, contentLanguage: language } = ctx
  const viewer = findSampleViewer(readRoleHolder(ctx))
  // A preview looks at another moment.
  if (ctx.now !== runtime.now) return read(ctx)
  if (!memory || !viewer) {
    const reader = ctx.sharedRendering ? { ...ctx, viewer: ctx.sharedRendering.sample } : ctx
    return ctx.db.readOnce(JSON.stringify([language, reader.viewer.kind === 'user' && reader.viewer.id, ...name]), () => read(reader))
  }
  const seenBy = viewer.kind === 'visitor' ? null : viewer.memberOf
  const key = JSON.stringify([site.id, site.host, language, seenBy, ...name])
  return memory.obtain(site, key, () => read({ ...ctx, viewer, address: null, userAgent: null }))
}

/**
 * Reads what a site shows to everybody alike, whatever their account and roles, once until it changes. People with a role
 * see at once what they have just saved, in every process: what is remembered is used if the content version in their own snapshot is
 * the one that the request began with.
 * @param name as for `readPublic`
 */
export async function readSiteWide<T>(ctx: Ctx, name: readonly unknown[], read: (ctx: Ctx) => Promise<T>): Promise<T> {
  const { runtime, site, contentLanguage: language } = ctx
  const memory = runtime.publicReads
  // What a transaction reads may never be committed.
  if (!memory || ctx.now !== runtime.now || ctx.db.isJoined || !(await isUpToDate(ctx))) return readPublic(ctx, name, read)
  const key = JSON.stringify([site.id, site.host, language, 'site-wide', ...name])
  // Remembered by itself, so it does not make a page personal that is rendered for many.
  const db = ctx.sharedRendering ? runtime.database.site(site.id) : ctx.db
  return memory.obtain(site, key, () => read({ ...ctx, db, viewer: VISITOR, address: null, userAgent: null }))
}

/** Only checked for people with a role, who would notice. */
async function isUpToDate(ctx: Ctx): Promise<boolean> {
  const viewer = readRoleHolder(ctx)
  return viewer.kind === 'visitor' || viewer.roles.length === 0 || (await readPersonal(ctx, ['content is current'], isContentCurrent))
}

/** Whether the site's content is, in the request's own snapshot, what the process last knew. */
export const isContentCurrent = ({ db, site }: Ctx): Promise<boolean> =>
  db.readOnce('content is current', () =>
    db.read(async (tx) => {
      const [found] = await tx.select({ version: sites.contentVersion }).from(sites).where(eq(sites.id, site.id))
      return found?.version === site.contentVersion
    }),
  )

/** A shared value that somebody changes would change for everybody. */
export function freezeDeeply<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) freezeDeeply(part)
  return value
}
