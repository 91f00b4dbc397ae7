import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Runtime } from '../runtime.ts'

/** Text sealed by the first version does not name its key. */
const FIRST_VERSION = 'v1'
const VERSION = 'v2'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_NAME_BYTES = 6

/** The installation's keys, newest first: the newest seals, and each opens what it sealed. */
export type SealingKeys = string | readonly string[]

export const getSealingKeys = ({ keys, secret }: Pick<Runtime, 'keys' | 'secret'>): SealingKeys => keys ?? secret

/**
 * Encrypts a short secret that must be read again, such as another service's token (AES-256-GCM, key derived from the installation's).
 * @param place where it is stored, e.g. `city-connectors/<id>/token`: it does not open anywhere else
 * @returns text that names its version and key, so that keys can be rotated
 */
export function sealSecret(keys: SealingKeys, place: string, text: string): string {
  const key = requireNewestKey(keys)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', deriveSealingKey(key), nonce)
  cipher.setAAD(Buffer.from(place))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `${VERSION}.${computeKeyName(key)}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

/** The original text, or undefined if it was sealed under none of these keys or for another place, or was changed. */
export function unsealSecret(keys: SealingKeys, place: string, sealed: string): string | undefined {
  const [version, ...rest] = sealed.split('.')
  const [name, content = ''] = version === FIRST_VERSION ? [undefined, rest[0]] : rest
  const bytes = Buffer.from(content, 'base64url')
  if ((version !== VERSION && version !== FIRST_VERSION) || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  for (const key of toKeyList(keys)) {
    const text = name === undefined || name === computeKeyName(key) ? decryptSealed(key, place, bytes) : undefined
    if (text !== undefined) return text
  }
  return undefined
}

/** The same text sealed under the newest key; undefined if none of the keys opens it. */
export function resealSecret(keys: SealingKeys, place: string, sealed: string): string | undefined {
  if (sealed.startsWith(`${VERSION}.${computeKeyName(requireNewestKey(keys))}.`)) return sealed
  const text = unsealSecret(keys, place, sealed)
  return text === undefined ? undefined : sealSecret(keys, place, text)
}

function decryptSealed(key: string, place: string, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', deriveSealingKey(key), bytes.subarray(0, NONCE_BYTES))
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

const toKeyList = (keys: SealingKeys): readonly string[] => (typeof keys === 'string' ? [keys] : keys)

function requireNewestKey(keys: SealingKeys): string {
  const [key] = toKeyList(keys)
  if (!key) throw new Error('No key to seal with')
  return key
}

// Still derived with the first version's label, so that text sealed by it opens.
const deriveSealingKey = (key: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', `parley sealed secrets ${FIRST_VERSION}`, 32))

/** Identifies a key without revealing anything about it. */
export const computeKeyName = (key: string): string =>
  Buffer.from(hkdfSync('sha256', key, '', 'parley sealing key name', KEY_NAME_BYTES)).toString('hex')
