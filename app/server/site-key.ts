import { randomBytes } from 'node:crypto'
import { getSealingKeys, sealSecret, unsealSecret } from './crypto/seal.ts'
import type { Runtime } from './runtime.ts'

type Keys = Pick<Runtime, 'keys' | 'secret'>
interface KeptSite {
  id: string
  sealedKey: string | null
}

interface SiteKey {
  key: string
  /** The key of the installation that the site came from: it signs for other sites too, and opens their credentials. */
  isShared: boolean
}

const KEY_BYTES = 32
/** Before a shared key, inside the seal. */
const SHARED = 'shared '

export const buildSiteKeyPlace = (siteId: string): string => `sites/${siteId}/signing-key`

/** A new site's own key: links and receipts that it signs can move with it, and say nothing of other sites. */
export const createSiteKey = (keys: Keys, siteId: string): string =>
  sealSiteKey(keys, siteId, { key: randomBytes(KEY_BYTES).toString('hex'), isShared: false })

export const sealSiteKey = (keys: Keys, siteId: string, { key, isShared }: SiteKey): string =>
  sealSecret(getSealingKeys(keys), buildSiteKeyPlace(siteId), isShared ? SHARED + key : key)

/** The key that signs for a site, if it is not the installation's. Undefined also if none of the installation's keys opens it. */
export function openSiteKey(keys: Keys, { id, sealedKey }: KeptSite): SiteKey | undefined {
  const text = sealedKey === null ? undefined : unsealSecret(getSealingKeys(keys), buildSiteKeyPlace(id), sealedKey)
  if (text === undefined) return undefined
  return text.startsWith(SHARED) ? { key: text.slice(SHARED.length), isShared: true } : { key: text, isShared: false }
}

/** The runtime that each of these was made from. */
const originals = new WeakMap<Runtime, Runtime>()
/** By sealed key, so that a busy site opens its key once. */
const signing = new WeakMap<Runtime, Map<string, Runtime>>()

/** The runtime as this site sees it: `secret` is the key that signs for it. A site from before 1046 has none but the installation's. */
export function withSigningKey(runtime: Runtime, site: KeptSite): Runtime {
  const original = originals.get(runtime) ?? runtime
  // Tests make up sites with fewer columns.
  if (!site.sealedKey) return original
  const known = signing.get(original) ?? new Map<string, Runtime>()
  signing.set(original, known)
  const found = known.get(site.sealedKey)
  if (found) return found
  const secret = openSiteKey(original, site)?.key
  if (secret === undefined) {
    original.log.error('the signing key of a site opens with none of the keys: its links and receipts stop working', { siteId: site.id })
  }
  const made: Runtime = { ...original, secret: secret ?? original.secret, keys: original.keys ?? [original.secret] }
  originals.set(made, original)
  known.set(site.sealedKey, made)
  return made
}
