import { createHmac } from 'node:crypto'

const BASE_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 6238 with SHA-1 and 30 seconds, written from the standard, as somebody's authenticator app would compute it. */
export function computeCode(key: string, at: Date, digits = 6): string {
  const bits = Array.from(key.replaceAll(' ', ''), (letter) => BASE_32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 30_000)))
  const hash = createHmac('sha1', bytes).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 0xf
  return String((hash.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 10 ** digits).padStart(digits, '0')
}

/** Codes that are wrong for this key at that time and for a minute before and after it. */
export function listWrongCodes(key: string, at: Date, count: number): string[] {
  const shown = new Set([-60, -30, 0, 30, 60].map((seconds) => computeCode(key, new Date(at.getTime() + seconds * 1000))))
  const codes = Array.from({ length: count + shown.size }, (_, index) => String(index).padStart(6, '0'))
  return codes.filter((code) => !shown.has(code)).slice(0, count)
}
