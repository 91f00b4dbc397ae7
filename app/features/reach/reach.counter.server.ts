import { createHmac, randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Tx } from '#app/server/db/client.ts'
import { reachSalts } from '#app/server/db/schema/reach.ts'
import { isDatabaseDown } from '#app/server/db/database-down.ts'
import { describeError } from '#app/server/log.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type LinkClicks, storeLinkClicks } from './link-clicks.server.ts'
import { toCalendarDay } from './reach.days.server.ts'
import { storeVisits, type Visit } from './reach.visits.server.ts'
import { isBot, isMailScanner, type Origin, type SeenPage, findSeenPage } from './reach.visit.ts'

/** What a request reveals about a visit. */
export interface VisitRequest {
  site: Site
  pathname: string
  language: ContentLanguage
  /** Undefined if the visitor came from a page of the site itself. */
  origin: Origin | undefined
  address: string | null
  userAgent: string | undefined
  /** The browser sends Do Not Track or Global Privacy Control. */
  refuses: boolean
}

/** A link of a message that was opened. */
export interface ClickRequest extends Pick<VisitRequest, 'site' | 'address' | 'userAgent' | 'refuses'> {
  /** In its short address. It exists: there are never more of them than links. */
  code: string
}

const FLUSH_MS = 3000
/** Flood protection: anything above this is not counted until the next flush. */
const MAX_WAITING = 50_000
const MAX_CAMPAIGNS = 100
const MAX_SALTS = 2000

/**
 * Counts visits without delaying requests: they are buffered in memory and written every few seconds. A visitor is a hash of address and
 * browser with the site's salt of the day; neither is stored. Bots, and browsers that ask not to be tracked, are left out.
 */
export class ReachCounter {
  readonly #runtime: Runtime
  readonly #salts = new Map<string, Promise<{ id: string; salt: Buffer }>>()
  readonly #campaigns = new Map<string, Set<string>>()
  #waiting = new Map<string, Visit>()
  #clicks = new Map<string, LinkClicks & { siteId: string }>()
  #hashing = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  start(): this {
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS)
    this.#timer.unref()
    return this
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  /** Counts a visit if possible. Never throws and never blocks. */
  count(hit: VisitRequest): void {
    const seen = findSeenPage(hit.pathname)
    if (!seen || hit.refuses || !hit.address || isBot(hit.userAgent) || this.#waiting.size >= MAX_WAITING) return
    const day = toCalendarDay(hit.site.timeZone, this.#runtime.now())
    const hashing = this.#hash(hit, day, seen)
      .catch((error: unknown) => this.#complain('a visit was not counted', error))
      .finally(() => this.#hashing.delete(hashing))
    this.#hashing.add(hashing)
  }

  /** Counts that a link of a message was opened. Unlike visits, each counts, and those that could not be stored are tried again. */
  countClick({ site, code, address, userAgent, refuses }: ClickRequest): void {
    if (refuses || !address || isBot(userAgent) || isMailScanner(userAgent)) return
    this.#addClicks({ siteId: site.id, code, day: toCalendarDay(site.timeZone, this.#runtime.now()), clicks: 1 })
  }

  #addClicks(given: LinkClicks & { siteId: string }): void {
    const key = `${given.siteId} ${given.day} ${given.code}`
    const known = this.#clicks.get(key)
    if (known) known.clicks += given.clicks
    else this.#clicks.set(key, given)
  }

  async #hash({ site, language, origin, address, userAgent }: VisitRequest, day: string, seen: SeenPage): Promise<void> {
    const { id, salt } = await this.#salt(site, day)
    this.#add({
      siteId: site.id,
      day,
      saltId: id,
      visitor: createHmac('sha256', salt).update(`${site.id} ${address} ${userAgent}`).digest().subarray(0, 16),
      seen,
      language,
      source: origin?.source ?? null,
      campaign: this.#campaign(`${site.id} ${day}`, origin?.campaign ?? null),
    })
  }

  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write()).then(() => this.#writeClicks())
    return this.#flushing
  }

  async #write(): Promise<void> {
    await Promise.all(this.#hashing)
    const waiting = this.#waiting
    if (waiting.size === 0) return
    this.#waiting = new Map()
    const bySalt = Map.groupBy(waiting.values(), ({ siteId, day }) => `${siteId} ${day}`)
    for (const [key, visits] of bySalt) {
      const [{ siteId, day }] = visits as [Visit]
      try {
        const stored = await this.#runtime.database.site(siteId).tx((tx) => storeVisits(tx, siteId, day, visits))
        // The day is over, or the database lost its salt in a crash: the next visit gets a new one.
        if (!stored) this.#salts.delete(key)
      } catch (error) {
        this.#complain('visits were not counted', error)
      }
    }
  }

  async #writeClicks(): Promise<void> {
    const waiting = [...this.#clicks.values()]
    this.#clicks = new Map()
    for (const [siteId, clicks] of Map.groupBy(waiting, (one) => one.siteId)) {
      try {
        await this.#runtime.database.site(siteId).tx((tx) => storeLinkClicks(tx, siteId, clicks))
      } catch (error) {
        for (const one of clicks) this.#addClicks(one)
        this.#complain('clicks were not counted yet', error)
      }
    }
  }

  #add(visit: Visit): void {
    const key = `${visit.siteId} ${visit.day} ${visit.visitor.toString('base64')} ${JSON.stringify(visit.seen)}`
    const known = this.#waiting.get(key)
    if (known) known.source ??= visit.source
    else this.#waiting.set(key, visit)
  }

  #salt(site: Site, day: string): Promise<{ id: string; salt: Buffer }> {
    const key = `${site.id} ${day}`
    let salt = this.#salts.get(key)
    if (!salt) {
      if (this.#salts.size > MAX_SALTS) this.#salts.clear()
      for (const old of this.#salts.keys()) if (old.startsWith(site.id)) this.#salts.delete(old)
      salt = this.#runtime.database.site(site.id).tx((tx) => ensureDailySalt(tx, site.id, day))
      salt.catch(() => this.#salts.delete(key))
      this.#salts.set(key, salt)
    }
    return salt
  }

  /** Accepts as many codes as a city would use, so that nobody can fill the table with made-up ones. */
  #campaign(key: string, campaign: string | null): string | null {
    if (!campaign) return null
    const known = this.#campaigns.get(key) ?? new Set()
    if (!this.#campaigns.has(key)) {
      if (this.#campaigns.size > MAX_SALTS) this.#campaigns.clear()
      this.#campaigns.set(key, known)
    }
    if (known.size < MAX_CAMPAIGNS) known.add(campaign)
    return known.has(campaign) ? campaign : null
  }

  #complain(what: string, error: unknown): void {
    if (isDatabaseDown(error)) this.#runtime.log.debug(`${what}: database unreachable`)
    else this.#runtime.log.error(what, describeError(error))
  }
}

/** The site's salt of the day, created on first use. */
async function ensureDailySalt(tx: Tx, siteId: string, day: string): Promise<{ id: string; salt: Buffer }> {
  await tx
    .insert(reachSalts)
    .values({ siteId, day, id: createId(), salt: randomBytes(32) })
    .onConflictDoNothing()
  const [row] = await tx
    .select({ id: reachSalts.id, salt: reachSalts.salt })
    .from(reachSalts)
    .where(and(eq(reachSalts.siteId, siteId), eq(reachSalts.day, day)))
  if (!row) throw new Error('The salt of the day was not found')
  return row
}
