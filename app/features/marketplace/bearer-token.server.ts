import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether a request's `authorization` is this token. Hashed first, so that neither the comparison's time nor the length tells anything. */
export function isBearer(header: string | null, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return token !== '' && timingSafeEqual(hash(header ?? ''), hash(`Bearer ${token}`))
}
