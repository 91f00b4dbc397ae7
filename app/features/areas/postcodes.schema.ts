const LONGEST = 12
const MOST = 2000

/** As it is compared: capitals and digits alone. */
export const plainPostcode = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** Postcodes, or their beginnings, as a cell of a source lists them: between commas, semicolons, bars or lines, or as a list. */
export function postcodesIn(value: unknown): string[] {
  const parts = Array.isArray(value) ? (value as unknown[]) : typeof value === 'string' ? value.split(/[,;|\n]/) : [value]
  const codes = parts.flatMap((part) => (typeof part === 'string' || typeof part === 'number' ? [plainPostcode(String(part))] : []))
  return [...new Set(codes.filter((code) => code.length > 0 && code.length <= LONGEST))].slice(0, MOST)
}
