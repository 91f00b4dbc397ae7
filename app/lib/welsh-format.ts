/**
 * Welsh names and forms, because browsers cannot be relied on for them: Chromium ships no Welsh formatting data, so the same `Intl` call
 * would give Welsh on the server and another language in the browser. Names follow CLDR.
 */
export const WELSH_MONTHS = [
  'Ionawr',
  'Chwefror',
  'Mawrth',
  'Ebrill',
  'Mai',
  'Mehefin',
  'Gorffennaf',
  'Awst',
  'Medi',
  'Hydref',
  'Tachwedd',
  'Rhagfyr',
] as const
export const WELSH_SHORT_MONTHS = ['Ion', 'Chwef', 'Maw', 'Ebr', 'Mai', 'Meh', 'Gorff', 'Awst', 'Medi', 'Hyd', 'Tach', 'Rhag'] as const
export const WELSH_WEEKDAYS = ['Dydd Sul', 'Dydd Llun', 'Dydd Mawrth', 'Dydd Mercher', 'Dydd Iau', 'Dydd Gwener', 'Dydd Sadwrn'] as const

export type RelativeUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

const NEAR_TERMS: Partial<Record<RelativeUnit, Record<number, string>>> = {
  minute: { 0: 'nawr' },
  hour: { 0: 'yr awr hon' },
  day: { [-1]: 'ddoe', 0: 'heddiw', 1: 'yfory' },
  week: { 0: 'yr wythnos hon', 2: 'ymhen pythefnos', [-2]: 'pythefnos yn ôl' },
  month: { 0: 'y mis hwn' },
  year: { [-1]: 'y llynedd', 0: 'eleni' },
}

const SINGULAR_UNITS: Record<RelativeUnit, string> = {
  minute: 'munud',
  hour: 'awr',
  day: 'diwrnod',
  week: 'wythnos',
  month: 'mis',
  year: 'blwyddyn',
}

/** "ymhen 2 ddiwrnod", "3 blynedd yn ôl", "yfory". */
export function formatWelshRelative(amount: number, unit: RelativeUnit): string {
  const near = NEAR_TERMS[unit]?.[amount]
  if (near) return near
  const count = Math.abs(amount)
  const span = count === 1 ? SINGULAR_UNITS[unit] : `${count} ${mutateAfterNumber(count, unit)}`
  return amount < 0 ? `${span} yn ôl` : `ymhen ${span}`
}

/** The noun after a number: soft mutation after two; for years, nasal mutation after five, seven and above. */
function mutateAfterNumber(count: number, unit: RelativeUnit): string {
  if (unit === 'year') return count === 2 ? 'flynedd' : [3, 4, 6].includes(count) ? 'blynedd' : 'mlynedd'
  if (count === 2 && unit === 'day') return 'ddiwrnod'
  if (count === 2 && unit === 'month') return 'fis'
  if (count === 2 && unit === 'minute') return 'funud'
  return SINGULAR_UNITS[unit]
}

/** "a, b ac c": `ac` before a vowel, `a` before anything else. */
export function formatWelshList(items: readonly string[]): string {
  const last = items.at(-1)
  if (last === undefined || items.length === 1) return last ?? ''
  const and = /^[aeiouwyâêîôûŵŷáéíóúäëïöü]/i.test(last) ? 'ac' : 'a'
  return `${items.slice(0, -1).join(', ')} ${and} ${last}`
}
