/** Crockford's base 32: no letter that can be mistaken for a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CODE_LENGTH = 16
const GROUP_LENGTH = 4

/** The first 80 bits as four groups of letters and digits that people can type. */
export function formatReceiptCode(bytes: Uint8Array): string {
  const letters = Array.from({ length: CODE_LENGTH }, (_, index) => {
    const bit = index * 5
    const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0)
    return ALPHABET[(pair >> (11 - (bit & 7))) & 31]
  })
  return Array.from({ length: CODE_LENGTH / GROUP_LENGTH }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH).join(''),
  ).join('-')
}

/** Normalises a typed code: lower case, spaces, O for 0, I and L for 1. Undefined if it cannot be a code. */
export function parseReceiptCode(typed: string): string | undefined {
  const letters = typed
    .slice(0, 100)
    .toUpperCase()
    .replace(/[\s\-–—.]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  if (!/^[0-9A-HJKMNP-TV-Z]{16}$/.test(letters)) return undefined
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}
