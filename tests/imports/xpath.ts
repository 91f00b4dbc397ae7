/**
 * Evaluates the XPath of XForms as JavaRosa does: https://getodk.github.io/xforms-spec/#xpath-functions. Written from that specification, and
 * sharing nothing with the importer, so that it can judge what the importer made of a form.
 */

export type XPath =
  | { kind: 'literal'; value: string | number }
  /** `${name}`. */
  | { kind: 'named'; name: string }
  | { kind: 'path'; path: string }
  | { kind: 'call'; name: string; args: XPath[] }
  | { kind: 'operation'; sign: string; left: XPath; right: XPath }

/** A day, which compares as a number of days and is written as text. */
export class Day {
  readonly days: number
  constructor(days: number) {
    this.days = days
  }
  toString(): string {
    return new Date(Math.floor(this.days) * 86_400_000).toISOString().slice(0, 10)
  }
}

export type XValue = string | number | boolean | Day

/** The expression needs something that neither the form nor its answers hold, or a function outside of this evaluator. */
export class UnjudgedError extends Error {}

/** The expression is not XPath at all. */
export class NotXPathError extends Error {}

export interface Surroundings {
  named: (name: string) => XValue
  path: (path: string) => XValue
  today: Day
}

const TOKEN =
  /\s*(?:\$\{\s*([^{}]+?)\s*\}|'([^']*)'|"([^"]*)"|(\d+(?:\.\d*)?|\.\d+)|(!=|<=|>=|[=<>()+*,|[\]-])|((?:\.\.|\.|[A-Za-z_][\w.-]*(?::[A-Za-z_][\w-]*)?)?(?:\/(?:\.\.|\.|\*|[A-Za-z_][\w.-]*(?::[A-Za-z_][\w-]*)?))+|\.\.|\.|[A-Za-z_][\w-]*(?:[.:][A-Za-z_][\w-]*)*))/y

type Token = { type: 'named' | 'literal' | 'sign' | 'word'; text: string; number?: number }

const LEVELS = [['or'], ['and'], ['=', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', 'div', 'mod']]

/** @throws {NotXPathError} */
export function parseXPath(text: string): XPath {
  const plain = text.replace(/[‘’]/g, "'").replace(/[“”]/g, '"').trimEnd()
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < plain.length) {
    const found = TOKEN.exec(plain)
    if (!found) throw new NotXPathError(text)
    const [, named, single, double, number, sign, word] = found
    if (named !== undefined) tokens.push({ type: 'named', text: named })
    else if (number !== undefined) tokens.push({ type: 'literal', text: number, number: Number(number) })
    else if (sign !== undefined) tokens.push({ type: 'sign', text: sign })
    else if (word !== undefined) tokens.push({ type: 'word', text: word })
    else tokens.push({ type: 'literal', text: single ?? double ?? '' })
  }
  let at = 0
  const isNext = (...texts: string[]) => {
    const token = tokens[at]
    return token !== undefined && (token.type === 'sign' || token.type === 'word') && texts.includes(token.text)
  }
  const take = (sign: string) => {
    if (!isNext(sign)) throw new NotXPathError(text)
    at += 1
  }
  const parseLevel = (level: number): XPath => {
    const signs = LEVELS[level]
    if (!signs) return parseUnary()
    let left = parseLevel(level + 1)
    while (isNext(...signs)) {
      const sign = tokens[at++]?.text ?? ''
      left = { kind: 'operation', sign, left, right: parseLevel(level + 1) }
    }
    return left
  }
  const parseUnary = (): XPath => {
    if (!isNext('-')) return parsePrimary()
    at += 1
    return { kind: 'operation', sign: '-', left: { kind: 'literal', value: 0 }, right: parseUnary() }
  }
  const parsePrimary = (): XPath => {
    const token = tokens[at++]
    if (!token) throw new NotXPathError(text)
    if (token.type === 'named') return parseRest({ kind: 'named', name: token.text })
    if (token.type === 'literal') return { kind: 'literal', value: token.number ?? token.text }
    if (token.type === 'sign') {
      if (token.text !== '(') throw new NotXPathError(text)
      const inner = parseLevel(0)
      take(')')
      return inner
    }
    if (!isNext('(') || token.text.includes('/')) return parseRest({ kind: 'path', path: token.text })
    at += 1
    const args: XPath[] = []
    if (!isNext(')'))
      do {
        args.push(parseLevel(0))
      } while (isNext(',') && ++at)
    take(')')
    return parseRest({ kind: 'call', name: token.text, args })
  }
  /** Steps after a call or a predicate: only those from `current()` are understood. */
  const parseRest = (node: XPath): XPath => {
    const next = tokens[at]
    if (node.kind === 'call' && node.name === 'current' && next?.type === 'word' && next.text.startsWith('/')) {
      at += 1
      return { kind: 'path', path: next.text.slice(1) }
    }
    if (isNext('[', '|') || (next?.type === 'word' && next.text.startsWith('/'))) return skipRest()
    return node
  }
  /** Node sets are beyond this evaluator: the rest of the expression is skipped. */
  const skipRest = (): XPath => {
    at = tokens.length
    throw new UnjudgedError('node sets')
  }
  const parsed = parseLevel(0)
  if (at < tokens.length) throw new NotXPathError(text)
  return parsed
}

/** Names and paths in an expression. */
export function listReferences(expression: XPath): { kind: 'named' | 'path'; name: string }[] {
  if (expression.kind === 'named') return [{ kind: 'named', name: expression.name }]
  if (expression.kind === 'path') return [{ kind: 'path', name: expression.path }]
  if (expression.kind === 'call') return expression.args.flatMap(listReferences)
  return expression.kind === 'operation' ? [...listReferences(expression.left), ...listReferences(expression.right)] : []
}

export function listLiterals(expression: XPath): (string | number)[] {
  if (expression.kind === 'literal') return [expression.value]
  if (expression.kind === 'call') return expression.args.flatMap(listLiterals)
  return expression.kind === 'operation' ? [...listLiterals(expression.left), ...listLiterals(expression.right)] : []
}

/** Functions in an expression that the specification lacks: one program's own. */
export function listForeignCalls(expression: XPath): string[] {
  if (expression.kind === 'operation') return [...listForeignCalls(expression.left), ...listForeignCalls(expression.right)]
  if (expression.kind !== 'call') return []
  return [...(SPECIFIED_FUNCTIONS.has(expression.name) ? [] : [expression.name]), ...expression.args.flatMap(listForeignCalls)]
}

const SPECIFIED_FUNCTIONS: ReadonlySet<string> = new Set(
  (
    'abs area boolean boolean-from-string ceiling checklist coalesce concat contains count count-non-empty count-selected date date-time ' +
    'decimal-date-time decimal-time digest distance ends-with false floor format-date format-date-time if indexed-repeat int join ' +
    'last max min mod name normalize-space not now number once pi position pow regex round selected selected-at sin cos tan sqrt ' +
    'starts-with string string-length substr substring substring-after substring-before sum today translate true weighted-checklist'
  ).split(' '),
)

export const isDayText = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text.slice(0, 10)))

export const toDay = (text: string): Day => new Day(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / 86_400_000)

export function toText(value: XValue): string {
  if (typeof value === 'number') return Number.isNaN(value) ? 'NaN' : String(value)
  return String(value)
}

export function toNumber(value: XValue): number {
  if (value instanceof Day) return value.days
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'number') return value
  const text = value.trim()
  if (isDayText(text)) return toDay(text).days
  return /^-?(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN
}

export function toBoolean(value: XValue): boolean {
  if (value instanceof Day) return true
  if (typeof value === 'number') return !Number.isNaN(value) && Math.abs(value) > 1e-12
  return typeof value === 'boolean' ? value : value.length > 0
}

export function evaluateXPath(expression: XPath, around: Surroundings): XValue {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'named':
      return around.named(expression.name)
    case 'path':
      return around.path(expression.path)
    case 'operation':
      return operate(expression.sign, expression.left, expression.right, around)
    case 'call':
      return call(expression.name, expression.args, around)
  }
}

function operate(sign: string, first: XPath, second: XPath, around: Surroundings): XValue {
  if (sign === 'and' || sign === 'or') {
    const left = toBoolean(evaluateXPath(first, around))
    if (left === (sign === 'or')) return left
    return toBoolean(evaluateXPath(second, around))
  }
  const [a, b] = [evaluateXPath(first, around), evaluateXPath(second, around)]
  switch (sign) {
    case '=':
      return isEqual(a, b)
    case '!=':
      return !isEqual(a, b)
    case '<':
      return toNumber(a) < toNumber(b)
    case '<=':
      return toNumber(a) <= toNumber(b)
    case '>':
      return toNumber(a) > toNumber(b)
    case '>=':
      return toNumber(a) >= toNumber(b)
    case '+':
      return toNumber(a) + toNumber(b)
    case '-':
      return toNumber(a) - toNumber(b)
    case '*':
      return toNumber(a) * toNumber(b)
    case 'div':
      return toNumber(a) / toNumber(b)
    case 'mod':
      return toNumber(a) % toNumber(b)
    default:
      throw new UnjudgedError(sign)
  }
}

function isEqual(a: XValue, b: XValue): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') return toBoolean(a) === toBoolean(b)
  if (typeof a === 'number' || typeof b === 'number') return Math.abs(toNumber(a) - toNumber(b)) < 1e-12
  return toText(a) === toText(b)
}

const listWords = (value: XValue): string[] => toText(value).split(/\s+/).filter(Boolean)

interface Arguments {
  count: number
  value: (index: number) => XValue
  text: (index: number) => string
  number: (index: number) => number
  around: Surroundings
}

function call(name: string, args: readonly XPath[], around: Surroundings): XValue {
  const run = FUNCTIONS[name]
  if (!run) throw new UnjudgedError(name)
  const value = (index: number): XValue => {
    const arg = args[index]
    if (!arg) throw new NotXPathError(`${name}: argument ${index + 1}`)
    return evaluateXPath(arg, around)
  }
  const text = (index: number) => toText(value(index))
  return run({ count: args.length, value, text, number: (index) => toNumber(value(index)), around })
}

const listTexts = ({ count, text }: Arguments): string[] => Array.from({ length: count }, (_, index) => text(index))
const listNumbers = ({ count, number }: Arguments): number[] => Array.from({ length: count }, (_, index) => number(index))

function toDayOrBlank(given: XValue): Day | '' {
  if (given instanceof Day) return given
  if (typeof given === 'number') return Number.isNaN(given) ? '' : new Day(given)
  if (typeof given === 'boolean' || given === '') return ''
  if (!isDayText(given) || given.length > 10) throw new UnjudgedError('date')
  return toDay(given)
}

function formatDay({ value, text }: Arguments): string {
  const day = toDayOrBlank(value(0))
  if (day === '') return ''
  const [year = '', month = '', date = ''] = day.toString().split('-')
  const parts: Record<string, string> = { '%Y': year, '%y': year.slice(2), '%m': month, '%d': date }
  return text(1).replace(/%[A-Za-z0-9]/g, (part) => {
    const said = part === '%n' ? String(Number(month)) : part === '%e' ? String(Number(date)) : parts[part]
    if (said === undefined) throw new UnjudgedError(part)
    return said
  })
}

function round({ count, number }: Arguments): number {
  const by = 10 ** (count > 1 ? number(1) : 0)
  return Math.floor(Number((number(0) * by + 0.5).toFixed(9))) / by
}

const FUNCTIONS: Record<string, (given: Arguments) => XValue> = {
  true: () => true,
  false: () => false,
  not: ({ value }) => !toBoolean(value(0)),
  boolean: ({ value }) => toBoolean(value(0)),
  'boolean-from-string': ({ text }) => ['true', '1'].includes(text(0).toLowerCase()),
  if: ({ value }) => (toBoolean(value(0)) ? value(1) : value(2)),
  coalesce: ({ text, value }) => (text(0) === '' || text(0) === 'NaN' ? value(1) : value(0)),
  string: ({ text }) => text(0),
  number: ({ number }) => number(0),
  int: ({ number }) => Math.trunc(number(0)),
  floor: ({ number }) => Math.floor(number(0)),
  ceiling: ({ number }) => Math.ceil(number(0)),
  abs: ({ number }) => Math.abs(number(0)),
  round,
  min: (given) => Math.min(...listNumbers(given)),
  max: (given) => Math.max(...listNumbers(given)),
  pow: ({ number }) => number(0) ** number(1),
  concat: (given) => listTexts(given).join(''),
  join: (given) => listTexts(given).slice(1).join(given.text(0)),
  'string-length': ({ text }) => text(0).length,
  'normalize-space': ({ value }) => listWords(value(0)).join(' '),
  contains: ({ text }) => text(0).includes(text(1)),
  'starts-with': ({ text }) => text(0).startsWith(text(1)),
  'ends-with': ({ text }) => text(0).endsWith(text(1)),
  substr: ({ count, text, number }) => text(0).slice(number(1), count > 2 ? number(2) : undefined),
  'substring-before': ({ text }) => (text(0).includes(text(1)) ? text(0).slice(0, text(0).indexOf(text(1))) : ''),
  'substring-after': ({ text }) => (text(0).includes(text(1)) ? text(0).slice(text(0).indexOf(text(1)) + text(1).length) : ''),
  regex: ({ text }) => new RegExp(`^(?:${text(1)})$`).test(text(0)),
  selected: ({ value, text }) => listWords(value(0)).includes(text(1).trim()),
  'selected-at': ({ value, number }) => listWords(value(0))[number(1)] ?? '',
  'count-selected': ({ value }) => listWords(value(0)).length,
  today: ({ around }) => around.today,
  date: ({ value }) => toDayOrBlank(value(0)),
  'date-time': ({ value }) => toDayOrBlank(value(0)),
  'decimal-date-time': ({ value }) => {
    const day = toDayOrBlank(value(0))
    return day === '' ? Number.NaN : day.days
  },
  'format-date': formatDay,
  'format-date-time': formatDay,
}
