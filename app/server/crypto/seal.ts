import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a short secret that must be read again, such as another service's token (AES-256-GCM under a key derived from the
 * installation's own).
 * @param place where it is kept, e.g. `city-connectors/<id>/token`: moved to another place it does not open
 * @returns text that names its version, so that keys can change
 */
export function seal(installationSecret: string, place: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyFor(installationSecret), nonce)
  cipher.setAAD(Buffer.from(place))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

/** What `seal` was given, or undefined where it was sealed under another key, for another place, or was changed. */
export function unseal(installationSecret: string, place: string, sealed: string): string | undefined {
  const [version, content = ''] = sealed.split('.')
  const bytes = Buffer.from(content, 'base64url')
  if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', keyFor(installationSecret), bytes.subarray(0, NONCE_BYTES))
  decipher.setAAD(Buffer.from(place))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

const keyFor = (installationSecret: string): Buffer =>
  Buffer.from(hkdfSync('sha256', installationSecret, '', `parley sealed secrets ${VERSION}`, 32))
