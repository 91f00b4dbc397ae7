import { UnjudgedError } from './source-survey.ts'
import { TokenReader } from './token-reader.ts'

/**
 * Evaluates the expressions of LimeSurvey: https://www.limesurvey.org/manual/ExpressionScript_-_Presentation. Where that is silent, as
 * LimeSurvey 6 does on the server. Shares nothing with the importer.
 */
export type Formula =
  | { kind: 'number' | 'text'; text: string }
  | { kind: 'name'; name: string }
  | { kind: 'call'; name: string; args: Formula[] }
  | { kind: 'not' | 'minus'; part: Formula }
  | { kind: 'operation'; sign: string; left: Formula; right: Formula }

export type Value = string | number | boolean

export interface NameReader {
  /** @throws {UnjudgedError} */
  read: (name: string) => Value
  /** The names of all parts of a question, which `that.` means. */
  expand: (name: string) => readonly string[]
  /** Whether the question of a name is shown. */
  isShown: (name: string) => boolean
}

/** An attribute of a name with which the expression also holds if the question is hidden. */
const HIDDEN_ALLOWED = /\.(?:NAOK|valueNAOK|shown|relevanceStatus)$/
const TOKEN =
  /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|((?:INSERTANS:)?\d+X\d+X\d+\w*#?[01]?(?:\.\w+)*)|(\d+\.?\d*|\.\d+)|(<=|>=|==|!=|&&|\|\||[<>!=(),+*/-])|((?:TOKEN:)?[A-Za-z]\w*(?:\.\w+)*))/y
const WORDS: Record<string, string> = { and: '&&', or: '||', eq: '==', ne: '!=', lt: '<', le: '<=', gt: '>', ge: '>=' }
const LEVELS = [['||'], ['&&'], ['==', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', '/']]

interface Token {
  kind: 'text' | 'number' | 'name' | 'sign'
  text: string
}

/** @throws {UnjudgedError} if it is no expression */
export function parseFormula(text: string): Formula {
  const tokens: Token[] = []
  const trimmed = text.trimEnd()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < trimmed.length) {
    const found = TOKEN.exec(trimmed)
    if (!found) throw new UnjudgedError(`no expression: ${text}`)
    const [, double, single, old, number, sign, word] = found
    const quoted = double ?? single
    if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replace(/\\(.)/g, '$1') })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign })
    else if (word && Object.hasOwn(WORDS, word.toLowerCase())) tokens.push({ kind: 'sign', text: WORDS[word.toLowerCase()] ?? '' })
    else tokens.push({ kind: 'name', text: (old ?? word ?? '').replace(/^INSERTANS:/, '') })
  }
  const parser = new FormulaParser(tokens)
  const parsed = parser.parseLevel(0)
  if (!parser.isDone) throw new UnjudgedError(`no expression: ${text}`)
  return parsed
}

class FormulaParser extends TokenReader<Token, Formula> {
  constructor(tokens: readonly Token[]) {
    super(tokens, LEVELS)
  }

  protected override joinParts(sign: string, left: Formula, right: Formula): Formula {
    return { kind: 'operation', sign, left, right }
  }

  protected override parsePart(): Formula {
    const sign = this.takeSign('!', '-', '+')
    if (sign === '+') return this.parsePart()
    if (sign) return { kind: sign === '!' ? 'not' : 'minus', part: this.parsePart() }
    if (this.takeSign('(')) {
      const inner = this.parseLevel(0)
      if (!this.takeSign(')')) throw new UnjudgedError('no expression: a bracket is open')
      return inner
    }
    const token = this.takeNext()
    if (!token || token.kind === 'sign') throw new UnjudgedError('no expression: a value is missing')
    if (token.kind !== 'name') return { kind: token.kind, text: token.text }
    return this.takeSign('(') ? { kind: 'call', name: token.text, args: this.#parseArguments() } : { kind: 'name', name: token.text }
  }

  #parseArguments(): Formula[] {
    if (this.takeSign(')')) return []
    const args = [this.parseLevel(0)]
    while (this.takeSign(',')) args.push(this.parseLevel(0))
    if (!this.takeSign(')')) throw new UnjudgedError('no expression: a bracket is open')
    return args
  }
}

/** All names in it. */
export function listNames(formula: Formula): string[] {
  switch (formula.kind) {
    case 'name':
      return [formula.name]
    case 'call':
      return formula.args.flatMap(listNames)
    case 'not':
    case 'minus':
      return listNames(formula.part)
    case 'operation':
      return [...listNames(formula.left), ...listNames(formula.right)]
    default:
      return []
  }
}

export function listConstants(formula: Formula): string[] {
  switch (formula.kind) {
    case 'number':
    case 'text':
      return [formula.text]
    case 'call':
      return formula.args.flatMap(listConstants)
    case 'not':
    case 'minus':
      return listConstants(formula.part)
    case 'operation':
      return [...listConstants(formula.left), ...listConstants(formula.right)]
    default:
      return []
  }
}

/** Whether a relevance equation holds. One that names a hidden question without `.NAOK` does not. */
export function isRelevant(formula: Formula, names: NameReader): boolean {
  const isHidden = (name: string) => !HIDDEN_ALLOWED.test(name) && names.expand(name).some((each) => !names.isShown(each))
  return !listNames(formula).some(isHidden) && isTruthy(evaluateFormula(formula, names))
}

/** @throws {UnjudgedError} */
export function evaluateFormula(formula: Formula, names: NameReader): Value {
  switch (formula.kind) {
    case 'number':
    case 'text':
      return formula.text
    case 'name':
      return names.read(formula.name)
    case 'not':
      return !isTruthy(evaluateFormula(formula.part, names))
    case 'minus':
      return -toNumber(evaluateFormula(formula.part, names))
    case 'call':
      return callFunction(formula, names)
    case 'operation':
      return evaluateOperation(formula, names)
  }
}

export const isTruthy = (value: Value): boolean => (typeof value === 'string' ? value !== '' && value !== '0' : Boolean(value))

const isNumeric = (value: Value): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^-?(?:\d+\.?\d*|\.\d+)$/.test(value.trim()))

const toNumber = (value: Value): number => (value === '' || value === false ? 0 : value === true ? 1 : Number(value))
const toText = (value: Value): string => (value === true ? '1' : value === false ? '' : String(value))

function evaluateOperation({ sign, left, right }: Extract<Formula, { kind: 'operation' }>, names: NameReader): Value {
  const a = evaluateFormula(left, names)
  if (sign === '&&') return isTruthy(a) && isTruthy(evaluateFormula(right, names))
  if (sign === '||') return isTruthy(a) || isTruthy(evaluateFormula(right, names))
  const b = evaluateFormula(right, names)
  switch (sign) {
    case '==':
      return isEqual(a, b)
    case '!=':
      return !isEqual(a, b)
    case '+':
      return isNumeric(a) && isNumeric(b) ? Number(a) + Number(b) : toText(a) + toText(b)
    case '-':
      return isNumeric(a) && isNumeric(b) ? Number(a) - Number(b) : Number.NaN
    case '*':
      return isNumeric(a) && isNumeric(b) ? Number(a) * Number(b) : Number.NaN
    case '/':
      return isNumeric(a) && isNumeric(b) && Number(b) !== 0 ? Number(a) / Number(b) : Number.NaN
    default:
      return compareValues(sign, a, b, left.kind === 'text' || right.kind === 'text')
  }
}

function isEqual(a: Value, b: Value): boolean {
  if (typeof a === 'boolean' || typeof b === 'boolean') return isTruthy(a) === isTruthy(b)
  return isNumeric(a) && isNumeric(b) ? Number(a) === Number(b) : toText(a) === toText(b)
}

/** Numbers compare as numbers and texts as texts; a number and a text do not compare. */
function compareValues(sign: string, a: Value, b: Value, isQuoted: boolean): boolean {
  const byNumber = (): boolean => holdsForDifference(sign, Number(a) - Number(b))
  const byText = (): boolean => holdsForDifference(sign, toText(a) < toText(b) ? -1 : Number(toText(a) > toText(b)))
  const [first, second] = [toText(a), toText(b)]
  if (isNumeric(a) && isNumeric(b)) {
    // Versions differ in whether a number in quotes is a number.
    if (isQuoted && byNumber() !== byText()) throw new UnjudgedError('a number in quotes')
    return byNumber()
  }
  const isText = (value: Value) => !isTruthy(value) || !isNumeric(value)
  if (!isText(a) || !isText(b)) return false
  // The manual does not say whether nothing is less than 0, and versions differ.
  if ((first === '0' && second === '') || (first === '' && second === '0')) throw new UnjudgedError('nothing beside 0')
  return byText()
}

function holdsForDifference(sign: string, difference: number): boolean {
  if (sign === '<') return difference < 0
  if (sign === '<=') return difference <= 0
  return sign === '>' ? difference > 0 : difference >= 0
}

const isEmpty = (value: Value): boolean => value === '' || value === false || (typeof value === 'string' && value.trim() === '')

function callFunction({ name, args }: Extract<Formula, { kind: 'call' }>, names: NameReader): Value {
  const wanted = name.toLowerCase()
  if (wanted === 'if') {
    const [when, then, otherwise] = args
    const chosen = when && isTruthy(evaluateFormula(when, names)) ? then : otherwise
    return chosen ? evaluateFormula(chosen, names) : ''
  }
  const values = args.flatMap((arg) =>
    arg.kind === 'name' ? names.expand(arg.name).map((each) => names.read(each)) : [evaluateFormula(arg, names)],
  )
  const call = Object.hasOwn(FUNCTIONS, wanted) ? FUNCTIONS[wanted] : undefined
  if (!call) throw new UnjudgedError(`function: ${name}`)
  return call(values)
}

const addUp = (values: readonly Value[]): number =>
  values.reduce<number>((sum, value) => sum + (isNumeric(value) || typeof value === 'boolean' ? toNumber(value) : 0), 0)

function findExtreme(values: readonly Value[], pick: (...numbers: number[]) => number): Value {
  if (!values.every(isNumeric)) throw new UnjudgedError('the most or least of what is no number')
  return pick(...values.map(Number))
}

/** PHP reads the number at the beginning of a text. */
const readNumber = (value: Value): number => (typeof value === 'string' ? Number.parseFloat(value) || 0 : toNumber(value))

const FUNCTIONS: Record<string, (values: readonly Value[]) => Value> = {
  is_empty: ([value = '']) => isEmpty(value),
  count: (values) => values.filter((value) => !isEmpty(value)).length,
  countif: ([wanted = '', ...values]) => values.filter((value) => value !== '' && isEqual(value, wanted)).length,
  sum: addUp,
  intval: ([value = '']) => Math.trunc(readNumber(value)),
  floatval: ([value = '']) => readNumber(value),
  floor: ([value = '']) => Math.floor(readNumber(value)),
  ceil: ([value = '']) => Math.ceil(readNumber(value)),
  abs: ([value = '']) => Math.abs(readNumber(value)),
  round: ([value = '', places = 0]) => Number(readNumber(value).toFixed(readNumber(places))),
  max: (values) => findExtreme(values, Math.max),
  min: (values) => findExtreme(values, Math.min),
  strlen: ([value = '']) => toText(value).length,
  trim: ([value = '']) => toText(value).trim(),
  strtolower: ([value = '']) => toText(value).toLowerCase(),
  strtoupper: ([value = '']) => toText(value).toUpperCase(),
  strcmp: ([a = '', b = '']) => (toText(a) < toText(b) ? -1 : Number(toText(a) > toText(b))),
  strpos: ([text = '', part = '']) => {
    const at = toText(text).indexOf(toText(part))
    return at < 0 ? false : at
  },
  strstr: ([text = '', part = '']) => {
    const at = toText(text).indexOf(toText(part))
    return at < 0 ? false : toText(text).slice(at)
  },
  is_numeric: ([value = '']) => isNumeric(value),
  is_int: ([value = '']) => /^-?\d+$/.test(toText(value)),
  implode: ([glue = '', ...values]) => values.map(toText).join(toText(glue)),
  join: (values) => values.map(toText).join(''),
  list: (values) => values.map(toText).filter(Boolean).join(', '),
  unique: (values) => {
    const given = values.map(toText).filter(Boolean)
    return new Set(given).size === given.length
  },
}
