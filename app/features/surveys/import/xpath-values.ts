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
export function callFunction(name: string, args: readonly Constant[]): Constant | undefined {
  const [first = '', second = '', third] = args
  const [a, b] = [toNumber(first), toNumber(second)]
  switch (name) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case 'div':
      return a / b
    case 'mod':
      return a % b
    case 'number':
      return a
    case 'int':
      return Math.trunc(a)
    case 'floor':
      return Math.floor(a)
    case 'ceiling':
      return Math.ceil(a)
    case 'abs':
      return Math.abs(a)
    case 'round': {
      const by = 10 ** (args.length > 1 ? b : 0)
      return Math.floor(Number((a * by + 0.5).toFixed(9))) / by
    }
    case 'min':
      return Math.min(...args.map(toNumber))
    case 'max':
      return Math.max(...args.map(toNumber))
    case 'pow':
      return a ** b
    case 'boolean':
      return toTruth(first)
    case 'boolean-from-string':
      return /^(?:true|1)$/i.test(toText(first))
    case 'string':
      return toText(first)
    case KEPT_TEXT:
      return toKeptText(first)
    case 'concat':
      return args.map(toText).join('')
    case 'join':
      return args.slice(1).map(toText).join(toText(first))
    case 'normalize-space':
      return listWords(toText(first)).join(' ')
    case 'string-length':
      return toText(first).length
    case 'count-selected':
      return listWords(toText(first)).length
    case 'selected':
      return listWords(toText(first)).includes(toText(second).trim())
    case 'selected-at':
      return listWords(toText(first))[b] ?? ''
    case 'contains':
      return toText(first).includes(toText(second))
    case 'starts-with':
      return toText(first).startsWith(toText(second))
    case 'ends-with':
      return toText(first).endsWith(toText(second))
    case 'substr':
      return toText(first).slice(b, third === undefined ? undefined : toNumber(third))
    case 'substring-before':
      return toText(first).split(toText(second), 2).length > 1 ? (toText(first).split(toText(second))[0] ?? '') : ''
    case 'date':
    case 'date-time':
    case 'format-date':
    case 'format-date-time':
      return first === '' || (isDay(first) && name.startsWith('date')) ? first : undefined
    case 'decimal-date-time':
      return isDay(first) ? toDays(toText(first)) : first === '' ? Number.NaN : undefined
    default:
      return undefined
  }
}

/** What becomes of a calculation where the form keeps it; no function of the form. */
export const KEPT_TEXT = 'kept-text'
