/** A proof of work that the browser solves in the background when unusually many answers come from one address. */
export interface Challenge {
  salt: string
  /** Number of leading zero bits the hash needs. */
  bits: number
}

const HASHES_AT_ONCE = 64

/** The text to hash. It includes the sending's id, so a proof is valid for one sending only. */
export const buildWorkText = (salt: string, sendingId: string, nonce: string): string => `${salt}.${sendingId}.${nonce}`

export function countLeadingZeroBits(bytes: Uint8Array): number {
  let bits = 0
  for (const byte of bytes) {
    if (byte !== 0) return bits + Math.clz32(byte) - 24
    bits += 8
  }
  return bits
}

/** Finds the nonce that solves the challenge, in small batches so that the page stays responsive. Fails without a secure context. */
export async function solveChallenge({ salt, bits }: Challenge, sendingId: string, signal?: AbortSignal): Promise<string> {
  const encoder = new TextEncoder()
  for (let from = 0; ; from += HASHES_AT_ONCE) {
    signal?.throwIfAborted()
    const tries = Array.from({ length: HASHES_AT_ONCE }, (_, index) => String(from + index))
    // oxlint-disable-next-line no-await-in-loop -- the next batch is only needed if this one has no solution
    const hashes = await Promise.all(
      tries.map((nonce) => crypto.subtle.digest('SHA-256', encoder.encode(buildWorkText(salt, sendingId, nonce)))),
    )
    const found = tries.find((_, index) => countLeadingZeroBits(new Uint8Array(hashes[index] ?? new ArrayBuffer(0))) >= bits)
    if (found !== undefined) return found
  }
}
