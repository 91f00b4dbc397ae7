import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares the `authorization` header with a token. Both are hashed first, so that neither timing nor length leaks anything. */
export function isBearer(header: string | null, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return token !== '' && timingSafeEqual(hash(header ?? ''), hash(`Bearer ${token}`))
}
