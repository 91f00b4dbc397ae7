import { PLATFORM_SITE_ID } from '../db/tenancy.ts'
import { freezeDeeply } from '../public-reads.ts'
import { hashToken } from './tokens.ts'
import type { Viewer } from './viewer.ts'

/** How long a revoked right may still be read with in a process that does not hear of its revocation. */
const TTL_MS = 900
const MAX_VIEWERS = 5000

interface RememberedViewer {
  viewer: Promise<Viewer>
  until: number
}

/**
 * Who the tokens of a process's last second belong to, with what they may: for requests that only read. Whatever this process writes for a
 * site, and what others tell of its people, makes it forget them, so that a right ends with the transaction that takes it away.
 */
export class RememberedViewers {
  readonly #sites = new Map<string, Map<string, RememberedViewer>>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  async obtain(siteId: string, token: string, load: () => Promise<Viewer>): Promise<Viewer> {
    const key = hashToken(token).toString('base64url')
    const known = this.#sites.get(siteId)?.get(key)
    if (known && known.until > this.#now()) return known.viewer
    const viewers = this.#openSite(siteId)
    const viewer = load().then(freezeDeeply)
    const entry = { viewer, until: this.#now() + TTL_MS }
    viewers.set(key, entry)
    const forget = () => {
      if (viewers.get(key) === entry) viewers.delete(key)
    }
    // Strangers' tokens are not remembered, nor what failed; a session that was just prolonged is told so once.
    viewer.then((found) => (isLasting(found) ? undefined : forget()), forget)
    return viewer
  }

  /** @param siteId whose people changed; those of the platform may act on every site */
  forget(siteId?: string): void {
    if (!siteId || siteId === PLATFORM_SITE_ID) this.#sites.clear()
    else this.#sites.delete(siteId)
  }

  #openSite(siteId: string): Map<string, RememberedViewer> {
    const known = this.#sites.get(siteId)
    if (known && known.size < MAX_VIEWERS) return known
    const viewers = new Map<string, RememberedViewer>()
    this.#sites.set(siteId, viewers)
    return viewers
  }
}

const isLasting = (viewer: Viewer): boolean => viewer.kind === 'user' && !viewer.prolonged
