/** A sum that a browser does while somebody answers, where unusually many answers come from one address. Nobody sees it. */
export interface Challenge {
  salt: string
  /** So many first bits of the hash must be zero. */
  bits: number
}

const HASHES_AT_ONCE = 64

/** What is hashed: it proves the work for one sending alone. */
export const buildWorkText = (salt: string, sendingId: string, nonce: string): string => `${salt}.${sendingId}.${nonce}`

export function countLeadingZeroBits(bytes: Uint8Array): number {
  let bits = 0
  for (const byte of bytes) {
    if (byte !== 0) return bits + Math.clz32(byte) - 24
    bits += 8
  }
  return bits
}

/** Looks for the number that proves the work, a few at a time, so that the page stays quick. Fails where the page has no secure connection. */
export async function solveChallenge({ salt, bits }: Challenge, sendingId: string, signal?: AbortSignal): Promise<string> {
  const encoder = new TextEncoder()
  for (let from = 0; ; from += HASHES_AT_ONCE) {
    signal?.throwIfAborted()
    const tries = Array.from({ length: HASHES_AT_ONCE }, (_, index) => String(from + index))
    // oxlint-disable-next-line no-await-in-loop -- the next few only where none of these is it
    const hashes = await Promise.all(
      tries.map((nonce) => crypto.subtle.digest('SHA-256', encoder.encode(buildWorkText(salt, sendingId, nonce)))),
    )
    const found = tries.find((_, index) => countLeadingZeroBits(new Uint8Array(hashes[index] ?? new ArrayBuffer(0))) >= bits)
    if (found !== undefined) return found
  }
}
