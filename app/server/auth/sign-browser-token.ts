import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const BYTES = 16
const TOKEN = /^([\w-]{22})\.([\w-]{22})$/

/** Signed with the secret that is kept for good, so that a person counts once for as long as the cookie lasts. */
const signToken = (secret: string, siteId: string, random: string): string =>
  createHmac('sha256', secret).update(`browser token ${siteId} ${random}`).digest().subarray(0, BYTES).toString('base64url')

/** A new token for the site. */
export function createBrowserToken(secret: string, siteId: string, bytes = randomBytes(BYTES)): string {
  const random = bytes.toString('base64url')
  return `${random}.${signToken(secret, siteId, random)}`
}

/** Whether the site issued a token. Compared as written: several spellings decode to the same bytes, and each would count as another browser. */
export function isIssuedToken(secret: string, siteId: string, token: string): boolean {
  const [, random = '', signature = ''] = TOKEN.exec(token) ?? []
  return random !== '' && timingSafeEqual(Buffer.from(signature), Buffer.from(signToken(secret, siteId, random)))
}
