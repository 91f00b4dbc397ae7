import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database } from './db/client.ts'
import { prepareOnce } from './db/prepare-once.ts'
import { contentChanges, siteDomains, sites } from './db/schema/sites.ts'
import { PLATFORM_SITE_ID } from './db/tenancy.ts'
import { type ContentChange, ContentChanges } from './memory/content-changes.ts'

export type Site = typeof sites.$inferSelect & {
  /** The host name of the request. */
  host: string
  /** The host name for links that leave the product, as in mails. */
  primaryHost: string
}

/** Cache lifetime if no notification of a change arrives. For as long again, the cached answer is used while the database is asked. */
const FRESH_MS = 900
/** During a database outage, a cached site is served for up to this long. */
const STALE_MS = 60 * 60_000
/** How often all cached sites are read again, so that one that was closed before an outage stays closed although nobody asked for it since. */
const REREAD_EVERY_MS = 10_000
/** If the database takes longer than this, a cached answer is used instead. */
const OVERDUE_MS = 500
const MAX_NAMES = 5000
/** A site that is moving can be read, but takes no writes. */
const OPEN_STATES = ['active', 'moving']
/** A process that has missed more counts everything as changed. */
const MAX_CHANGES = 500
const LOCAL_HOST = 'localhost'

interface CachedSite {
  until: number
  site: Promise<Site | undefined>
  /** The database's last answer, when it came, and when the site was last known to be active. */
  known: { site: Site | undefined; at: number; activeAt: number } | undefined
  /** The database is slow to answer: the cached answer is used until it answers or fails. */
  overdue: boolean
}

interface DirectoryOptions {
  kept?: Map<string, CachedSite>
  moved?: Map<string, string>
  changes?: ContentChanges
  among?: () => Promise<readonly string[]>
}

/** Finds the site for a host name. Answers are cached for a second, so that a busy page costs no query. */
export class SiteDirectory {
  readonly #database: Database
  readonly #kept: Map<string, CachedSite>
  /** By host, the origins of sites that moved away. */
  readonly #moved: Map<string, string>
  readonly #among: (() => Promise<readonly string[]>) | undefined
  /** What changed of the content of the sites that were found. */
  readonly changes: ContentChanges

  constructor(database: Database, options: DirectoryOptions = {}) {
    this.#database = database
    this.#kept = options.kept ?? new Map()
    this.#moved = options.moved ?? new Map()
    this.changes = options.changes ?? new ContentChanges()
    this.#among = options.among
  }

  /** The same directory for work that only some sites have: `loadActive` then returns only those. */
  narrowTo(among: () => Promise<readonly string[]>): SiteDirectory {
    return new SiteDirectory(this.#database, { kept: this.#kept, moved: this.#moved, changes: this.changes, among })
  }

  /** @param host a Host header, with or without port. Unknown, suspended or moved away: undefined, never another site. */
  find(host: string | null | undefined): Promise<Site | undefined> {
    const name = normaliseHost(host)
    if (!name) return Promise.resolve(undefined)
    const kept = this.#kept.get(name)
    if (kept && (kept.until > Date.now() || kept.overdue)) return kept.site
    if (this.#kept.size > MAX_NAMES) this.#kept.clear()
    const known = kept?.known && Date.now() - kept.known.activeAt < STALE_MS ? kept.known : undefined
    const reading = this.#read(name, kept?.known?.site?.id)
    const fresh: CachedSite = { until: Date.now() + FRESH_MS, known, site: reading, overdue: false }
    const timer = known && setTimeout(() => (fresh.overdue = true), OVERDUE_MS)
    const read = reading
      .then(
        (site) => {
          fresh.known = { site, at: Date.now(), activeAt: Date.now() }
          return site
        },
        (error: unknown) => {
          if (known) return known.site
          this.#kept.delete(name)
          throw error
        },
      )
      .finally(() => {
        clearTimeout(timer)
        fresh.overdue = false
      })
    const isJustOver = kept !== undefined && kept.until > 0 && known !== undefined && Date.now() - known.at < 2 * FRESH_MS
    if (isJustOver) {
      // Nobody has said that it changed: a busy page does not wait for a connection that others hold.
      fresh.site = Promise.resolve(known.site)
      void read.then((site) => (fresh.site = Promise.resolve(site)))
    } else fresh.site = known ? Promise.race([read, wait(OVERDUE_MS, known.site, { ref: false })]) : read
    this.#kept.set(name, fresh)
    return fresh.site
  }

  /** Where a site is that moved away, once `find` has found none here. */
  findMove(host: string | null | undefined): string | undefined {
    const name = normaliseHost(host)
    return name === undefined ? undefined : this.#moved.get(name)
  }

  /** Reads all cached sites again every ten seconds, those that nobody asks for too. @returns a function that stops it */
  keepUpToDate(): () => void {
    const timer = setInterval(() => void this.rereadAll().catch(() => {}), REREAD_EVERY_MS)
    timer.unref()
    return () => clearInterval(timer)
  }

  /** Reads all cached sites again, in one statement. */
  async rereadAll(): Promise<void> {
    const asked = [...this.#kept].filter(([, { known }]) => known?.site)
    if (asked.length === 0) return
    const at = Date.now()
    const names = asked.map(([name]) => name)
    const found = await this.#database.global
      .select({ host: siteDomains.host, status: sites.status })
      .from(siteDomains)
      .innerJoin(sites, eq(sites.id, siteDomains.siteId))
      .where(and(inArray(siteDomains.host, names), inArray(sites.status, OPEN_STATES)))
    const active = new Set(found.map(({ host }) => host))
    for (const [name, kept] of asked) {
      if (!kept.known || kept.known.at > at || this.#kept.get(name) !== kept) continue
      if (active.has(name)) kept.known.activeAt = at
      else this.#kept.set(name, { ...kept, until: 0, known: { site: undefined, at, activeAt: at } })
    }
  }

  /** The platform's own site under a host that has no site: only to set it up. */
  async loadPlatformAt(host: string | null | undefined): Promise<Site | undefined> {
    const name = normaliseHost(host)
    if (!name) return undefined
    const [row] = await this.#database.global.select().from(sites).where(eq(sites.id, PLATFORM_SITE_ID))
    return row && { ...row, host: name, primaryHost: name }
  }

  /** Every active site under its primary name, for background work. */
  async loadActive(): Promise<Site[]> {
    const among = await this.#among?.()
    if (among?.length === 0) return []
    const rows = await this.#database.global
      .select({ site: sites, host: siteDomains.host })
      .from(sites)
      .leftJoin(siteDomains, and(eq(siteDomains.siteId, sites.id), siteDomains.isPrimary))
      .where(and(eq(sites.status, 'active'), among && inArray(sites.id, [...among])))
      .orderBy(sites.slug)
    return rows.map(({ site, host }) => ({ ...site, host: host ?? '', primaryHost: host ?? '' }))
  }

  /** Queries the database again at the next request: for one site, whose content or address changed, or for all. */
  forget(siteId?: string): void {
    for (const kept of this.#kept.values()) if (!siteId || !kept.known?.site || kept.known.site.id === siteId) kept.until = 0
  }

  refresh(): void {
    this.#kept.clear()
  }

  /** @param id of the site that it was last: only what changed since then is asked for */
  async #read(name: string, id: string | undefined): Promise<Site | undefined> {
    const { global } = this.#database
    const since = this.changes.findVersion(id)
    const asked = { host: name, since: since ?? Number.MAX_SAFE_INTEGER }
    const [row] = await prepareOnce(global, 'site of a host', () => selectSiteOf(global)).execute(asked)
    if (!row || !OPEN_STATES.includes(row.site.status)) {
      this.#noteMove(name, row?.site.movedTo)
      return undefined
    }
    this.changes.note(row.site, row.site.id === id ? since : undefined, row.changes)
    return { ...row.site, host: name, primaryHost: row.primaryHost ?? name }
  }

  #noteMove(name: string, origin: string | null | undefined): void {
    if (!origin) return void this.#moved.delete(name)
    if (this.#moved.size > MAX_NAMES) this.#moved.clear()
    this.#moved.set(name, origin)
  }
}

const primaryDomains = alias(siteDomains, 'primary_domains')

/** In the snapshot of the site's version: none of these is missed, and none is newer. */
const changesSince = sql<ContentChange[]>`(select coalesce(jsonb_agg(jsonb_build_array(c.version, c.table_name, c.scope_id)), '[]')
  from (select version, table_name, scope_id from ${contentChanges} where ${contentChanges.siteId} = ${sites.id}
    and ${contentChanges.version} > ${sql.placeholder('since')} order by version limit ${sql.raw(String(MAX_CHANGES))}) as c)`

/** Every process runs this again after each change of the site's content. */
const selectSiteOf = (global: Database['global']) =>
  global
    .select({ site: sites, primaryHost: primaryDomains.host, changes: changesSince })
    .from(siteDomains)
    .innerJoin(sites, eq(sites.id, siteDomains.siteId))
    .leftJoin(primaryDomains, and(eq(primaryDomains.siteId, sites.id), primaryDomains.isPrimary))
    .where(eq(siteDomains.host, sql.placeholder('host')))
    .orderBy(primaryDomains.host)
    .limit(1)
    .prepare('')

function normaliseHost(host: string | null | undefined): string | undefined {
  if (!host || host.length > 260) return undefined
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
  if (name === '127.0.0.1' || name === '[::1]') return LOCAL_HOST
  return /^[a-z0-9.-]+$/.test(name) ? name : undefined
}
