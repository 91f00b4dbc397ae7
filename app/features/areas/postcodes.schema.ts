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

/** Whole postcodes of each country, in capitals, with or without their space or hyphen. */
const PATTERNS: Record<string, RegExp> = {
  'united kingdom': /^(GIR ?0AA|[A-PR-UWYZ][A-HK-Y]?\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2})$/,
  canada: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][ -]?\d[ABCEGHJ-NPRSTV-Z]\d$/,
  australia: /^\d{4}$/,
  sydney: /^\d{4}$/,
  'new zealand': /^\d{4}$/,
  'united states': /^\d{5}(-?\d{4})?$/,
}

/** The form of whole postcodes in the country of a site's region, if it is known. */
export const findPostcodePattern = (region: string): RegExp | undefined => PATTERNS[region.trim().toLowerCase()]
