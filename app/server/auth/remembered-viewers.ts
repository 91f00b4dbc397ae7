import { PLATFORM_SITE_ID } from '../db/tenancy.ts'
import { freezeDeeply } from '../public-reads.ts'
import { hashToken } from './tokens.ts'
import type { Viewer } from './viewer.ts'

/** How long a revoked right may still be read with in a process that does not hear of its revocation. */
const FORGET_ALL_EVERY_MS = 900

/**
 * Who the session tokens of the last second belong to, with what they may do: for requests that only read. Whatever this process writes for a
 * site, and what other processes tell of its people, makes it forget them, so that a right ends with the transaction that takes it away.
 */
export class RememberedViewers {
  /** By site, then by the hash of the token. */
  readonly #sites = new Map<string, Map<string, Promise<Viewer>>>()
  readonly #now: () => number
  #since = 0

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  async obtain(siteId: string, token: string, load: () => Promise<Viewer>): Promise<Viewer> {
    // All at once: so no more is kept than one second's requests brought.
    if (this.#now() - this.#since >= FORGET_ALL_EVERY_MS) this.forget()
    const viewers = this.#openSite(siteId)
    const key = hashToken(token).toString('base64url')
    const known = viewers.get(key)
    if (known) return known
    const viewer = load().then(freezeDeeply)
    viewers.set(key, viewer)
    const forget = () => {
      if (viewers.get(key) === viewer) viewers.delete(key)
    }
    // Strangers' tokens are not remembered, nor what failed; a session that was just prolonged learns that once.
    viewer.then((found) => (isLasting(found) ? undefined : forget()), forget)
    return viewer
  }

  /** @param siteId whose people changed; those of the platform may act on every site */
  forget(siteId?: string): void {
    if (siteId && siteId !== PLATFORM_SITE_ID) {
      this.#sites.delete(siteId)
      return
    }
    this.#sites.clear()
    this.#since = this.#now()
  }

  #openSite(siteId: string): Map<string, Promise<Viewer>> {
    const known = this.#sites.get(siteId)
    if (known) return known
    const viewers = new Map<string, Promise<Viewer>>()
    this.#sites.set(siteId, viewers)
    return viewers
  }
}

const isLasting = (viewer: Viewer): boolean => viewer.kind === 'user' && !viewer.prolonged
