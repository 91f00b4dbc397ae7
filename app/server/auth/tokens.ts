import { createHash, randomBytes } from 'node:crypto'
import { TOKEN_ITEM } from '../../lib/stored-items.ts'

/** A new 256-bit secret for a session or a one-time link. Only its hash is ever stored. */
export const createToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A session expires this long after its last use. */
export const SESSION_DAYS = TOKEN_ITEM.seconds / 86_400

export const computeSessionEnd = (now: Date): Date => new Date(now.getTime() + SESSION_DAYS * 86_400_000)
