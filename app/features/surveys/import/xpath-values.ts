/** A value that does not depend on answers, by the rules of XPath in XForms (https://getodk.github.io/xforms-spec/#xpath-functions). */
export type Constant = string | number | boolean

export function toText(value: Constant): string {
  return String(value)
}

export function toNumber(value: Constant): number {
  if (typeof value !== 'string') return Number(value)
  const text = value.trim()
  if (isDay(text)) return toDays(text)
  return /^-?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN
}

/** A text is true unless it is empty, whatever it says; a number unless it is 0 or none. */
export function toTruth(value: Constant): boolean {
  if (typeof value === 'string') return value !== ''
  return typeof value === 'boolean' ? value : !Number.isNaN(value) && value !== 0
}

/** Compares as a boolean if one is, as numbers if one is, and otherwise as text. */
export function isEqual(a: Constant, b: Constant): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') return toTruth(a) === toTruth(b)
  if (typeof a === 'number' || typeof b === 'number') return Math.abs(toNumber(a) - toNumber(b)) < 1e-12
  return a === b
}

/** What a form keeps of a calculated value: text, and nothing of a number that is none. */
export const toKeptText = (value: Constant): string => (typeof value === 'number' && Number.isNaN(value) ? '' : toText(value))

export const listWords = (text: string): string[] => text.split(/\s+/).filter(Boolean)

export const isDay = (value: Constant): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
const toDays = (value: string) => Date.parse(value) / 86_400_000

/** @returns undefined for a function that is not known here, or whose result depends on more than its arguments */
export const callFunction = (name: string, args: readonly Constant[]): Constant | undefined => FUNCTIONS.get(name)?.(...args)

/** What becomes of a calculation where the form keeps it; no function of the form. */
export const KEPT_TEXT = 'kept-text'

type XPathFunction = (...args: readonly Constant[]) => Constant | undefined

const onNumbers =
  (calculate: (...numbers: number[]) => number): XPathFunction =>
  (...args) =>
    calculate(...args.map(toNumber))

const onTexts =
  (make: (...texts: string[]) => Constant): XPathFunction =>
  (...args) =>
    make(...args.map(toText))

/** Days stay what they are; other formats of them are not known. */
const keepDay: XPathFunction = (value = '') => (value === '' || isDay(value) ? value : undefined)
const keepBlank: XPathFunction = (value = '') => (value === '' ? value : undefined)

const FUNCTIONS: ReadonlyMap<string, XPathFunction> = new Map<string, XPathFunction>([
  ['+', onNumbers((a = 0, b = 0) => a + b)],
  ['-', onNumbers((a = 0, b = 0) => a - b)],
  ['*', onNumbers((a = 0, b = 0) => a * b)],
  ['div', onNumbers((a = 0, b = 0) => a / b)],
  ['mod', onNumbers((a = 0, b = 0) => a % b)],
  ['pow', onNumbers((a = 0, b = 0) => a ** b)],
  ['number', onNumbers((a = 0) => a)],
  ['int', onNumbers((a = 0) => Math.trunc(a))],
  ['floor', onNumbers((a = 0) => Math.floor(a))],
  ['ceiling', onNumbers((a = 0) => Math.ceil(a))],
  ['abs', onNumbers((a = 0) => Math.abs(a))],
  ['round', onNumbers((a = 0, places = 0) => Math.floor(Number((a * 10 ** places + 0.5).toFixed(9))) / 10 ** places)],
  ['min', onNumbers((...numbers) => Math.min(...numbers))],
  ['max', onNumbers((...numbers) => Math.max(...numbers))],
  ['boolean', (value = '') => toTruth(value)],
  ['boolean-from-string', onTexts((text = '') => /^(?:true|1)$/i.test(text))],
  ['string', onTexts((text = '') => text)],
  [KEPT_TEXT, (value = '') => toKeptText(value)],
  ['concat', onTexts((...texts) => texts.join(''))],
  ['join', onTexts((between = '', ...texts) => texts.join(between))],
  ['normalize-space', onTexts((text = '') => listWords(text).join(' '))],
  ['string-length', onTexts((text = '') => text.length)],
  ['count-selected', onTexts((text = '') => listWords(text).length)],
  ['selected', onTexts((text = '', word = '') => listWords(text).includes(word.trim()))],
  ['selected-at', (text = '', place = '') => listWords(toText(text))[toNumber(place)] ?? ''],
  ['contains', onTexts((text = '', part = '') => text.includes(part))],
  ['starts-with', onTexts((text = '', part = '') => text.startsWith(part))],
  ['ends-with', onTexts((text = '', part = '') => text.endsWith(part))],
  ['substr', (text = '', from = 0, to?: Constant) => toText(text).slice(toNumber(from), to === undefined ? undefined : toNumber(to))],
  ['date', keepDay],
  ['date-time', keepDay],
  ['format-date', keepBlank],
  ['format-date-time', keepBlank],
  ['decimal-date-time', (value = '') => (value === '' ? Number.NaN : isDay(value) ? toDays(toText(value)) : undefined)],
])
