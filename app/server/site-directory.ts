import { and, eq } from 'drizzle-orm'
import type { Database } from './db/client.ts'
import { siteDomains, sites } from './db/schema.ts'

export type Site = typeof sites.$inferSelect & {
  /** The name the request came to. */
  host: string
  /** The name links lead to that leave the product, as in mails. */
  primaryHost: string
}

const FRESH_MS = 1000
const LOCAL = 'localhost'

/** Finds the site a host name belongs to. Answers are kept for a second, so that a busy page costs no query. */
export class SiteDirectory {
  readonly #database: Database
  readonly #kept = new Map<string, { until: number; site: Promise<Site | undefined> }>()

  constructor(database: Database) {
    this.#database = database
  }

  /** @param host a Host header, with or without port. Unknown or suspended: undefined, never another site. */
  find(host: string | null | undefined): Promise<Site | undefined> {
    const name = normaliseHost(host)
    if (!name) return Promise.resolve(undefined)
    const kept = this.#kept.get(name)
    if (kept && kept.until > Date.now()) return kept.site
    if (this.#kept.size > 5000) this.#kept.clear()
    const site = this.#read(name)
    this.#kept.set(name, { until: Date.now() + FRESH_MS, site })
    site.catch(() => this.#kept.delete(name))
    return site
  }

  /** Every active site under its primary name, for work that no request asked for. */
  async active(): Promise<Site[]> {
    const rows = await this.#database.global
      .select({ site: sites, host: siteDomains.host })
      .from(sites)
      .leftJoin(siteDomains, and(eq(siteDomains.siteId, sites.id), siteDomains.isPrimary))
      .where(eq(sites.status, 'active'))
      .orderBy(sites.slug)
    return rows.map(({ site, host }) => ({ ...site, host: host ?? '', primaryHost: host ?? '' }))
  }

  /** Forget what was kept: the next request reads anew. */
  refresh(): void {
    this.#kept.clear()
  }

  async #read(name: string): Promise<Site | undefined> {
    const [row] = await this.#database.global
      .select({ site: sites })
      .from(siteDomains)
      .innerJoin(sites, eq(sites.id, siteDomains.siteId))
      .where(eq(siteDomains.host, name))
    if (row?.site.status !== 'active') return undefined
    const [primary] = await this.#database.global
      .select({ host: siteDomains.host })
      .from(siteDomains)
      .where(and(eq(siteDomains.siteId, row.site.id), siteDomains.isPrimary))
      .orderBy(siteDomains.host)
    return { ...row.site, host: name, primaryHost: primary?.host ?? name }
  }
}

function normaliseHost(host: string | null | undefined): string | undefined {
  if (!host || host.length > 260) return undefined
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')
  if (name === '127.0.0.1' || name === '[::1]') return LOCAL
  return /^[a-z0-9.-]+$/.test(name) ? name : undefined
}
