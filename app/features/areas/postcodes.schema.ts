const MAX_POSTCODE_LENGTH = 12
const MAX_POSTCODES = 2000

/** Capitals and digits only, for comparison. */
export const normalisePostcode = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** Parses postcodes or prefixes from a source's cell: separated by commas, semicolons, bars or line breaks, or as a list. */
export function parsePostcodes(value: unknown): string[] {
  const parts = Array.isArray(value) ? (value as unknown[]) : typeof value === 'string' ? value.split(/[,;|\n]/) : [value]
  const codes = parts.flatMap((part) => (typeof part === 'string' || typeof part === 'number' ? [normalisePostcode(String(part))] : []))
  return [...new Set(codes.filter((code) => code.length > 0 && code.length <= MAX_POSTCODE_LENGTH))].slice(0, MAX_POSTCODES)
}
