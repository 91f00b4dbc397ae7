import { setImmediate } from 'node:timers/promises'
import { PLATFORM_SITE_ID } from '../db/tenancy.ts'
import { freezeDeeply } from '../public-reads.ts'
import { hashToken } from './tokens.ts'
import type { Viewer } from './viewer.ts'

/** How long a revoked right may still be read with in a process that does not hear of its revocation. */
const FORGET_ALL_EVERY_MS = 900

interface Lookup {
  viewer: Promise<Viewer>
  hasBegun: boolean
  /** The one after it, for requests that have come since it began. */
  next: Promise<Viewer> | undefined
}

/**
 * Who the session tokens of the last second belong to, with what they may do: for requests that only read. Whatever this process writes for a
 * site, and what other processes tell of its people, makes it forget them, so that a right ends with the transaction that takes it away.
 */
export class RememberedViewers {
  /** By site, then by the hash of the token. */
  readonly #sites = new Map<string, Map<string, Promise<Viewer>>>()
  /** Lookups that are not remembered, by site and token. */
  readonly #lookups = new Map<string, Lookup>()
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
    // Strangers' tokens are not remembered, nor what failed; a session that was just prolonged is told so once.
    viewer.then((found) => (isLasting(found) ? undefined : forget()), forget)
    return viewer
  }

  /**
   * Looks up who the token belongs to now. Requests that arrive in one turn of the event loop share a lookup, and those that arrive while it is
   * under way share the next one, so none is told what was read before it arrived.
   */
  lookUp(siteId: string, token: string, load: () => Promise<Viewer>): Promise<Viewer> {
    const key = `${siteId} ${hashToken(token).toString('base64url')}`
    const current = this.#lookups.get(key)
    if (!current) return this.#startLookup(key, load)
    if (!current.hasBegun) return current.viewer
    const startNext = () => this.#startLookup(key, load)
    return (current.next ??= current.viewer.then(startNext, startNext))
  }

  #startLookup(key: string, load: () => Promise<Viewer>): Promise<Viewer> {
    const runLookup = async () => {
      await setImmediate()
      lookup.hasBegun = true
      return freezeDeeply(await load())
    }
    const lookup: Lookup = { viewer: runLookup(), hasBegun: false, next: undefined }
    this.#lookups.set(key, lookup)
    const forget = () => {
      if (!lookup.next) this.#lookups.delete(key)
    }
    lookup.viewer.then(forget, forget)
    return lookup.viewer
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
