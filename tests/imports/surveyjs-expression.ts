import { UnjudgedError } from './source-survey.ts'
import { TokenReader } from './token-reader.ts'

/**
 * Evaluates the expressions of SurveyJS: https://surveyjs.io/form-library/documentation/design-survey/conditional-logic#expressions. Where
 * that is silent, as its library 2 does. Shares nothing with the importer.
 */
export type Rule =
  | { kind: 'constant'; value: RuleValue }
  | { kind: 'name'; name: string }
  | { kind: 'list'; items: Rule[] }
  | { kind: 'call'; name: string; args: Rule[] }
  | { kind: 'not' | 'empty' | 'notempty'; part: Rule }
  | { kind: 'operation'; sign: string; left: Rule; right: Rule }

export type RuleValue = string | number | boolean | undefined | null | RuleValue[] | { [name: string]: RuleValue }

const TOKEN =
  /\s*(?:\{([^{}]+)\}|'((?:\\.|[^'"])*)'|"((?:\\.|[^'"])*)"|(\d+\.\d+|\d+(?![A-Za-z_]))|(<=|>=|==|!=|<>|\*=|&&|\|\||[=<>!()[\],+*/%^-])|([A-Za-z_][\w.]*|\d\w*))/y

const WORDS: Record<string, string> = {
  or: '||',
  and: '&&',
  equal: '=',
  notequal: '!=',
  less: '<',
  lessorequal: '<=',
  greater: '>',
  greaterorequal: '>=',
  contain: 'contains',
  contains: 'contains',
  notcontain: 'notcontains',
  notcontains: 'notcontains',
  anyof: 'anyof',
  allof: 'allof',
  noneof: 'noneof',
  power: '^',
  negate: '!',
  empty: 'empty',
  notempty: 'notempty',
}
const LEVELS = [
  ['||'],
  ['&&'],
  ['<=', '>=', '==', '=', '!=', '<', '>'],
  ['+', '-'],
  ['*', '/', '%'],
  ['^'],
  ['contains', 'notcontains', 'anyof', 'allof', 'noneof', '*='],
]

interface Token {
  kind: 'name' | 'text' | 'number' | 'sign' | 'word'
  text: string
}

/** @throws {UnjudgedError} if it is no expression */
export function parseRule(text: string): Rule {
  const tokens: Token[] = []
  const trimmed = text.trimEnd()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < trimmed.length) {
    const found = TOKEN.exec(trimmed)
    if (!found) throw new UnjudgedError(`no expression: ${text}`)
    const [, name, single, double, number, sign, word = ''] = found
    const quoted = single ?? double
    const known = WORDS[word.toLowerCase()]
    if (name !== undefined) tokens.push({ kind: 'name', text: name.trim() })
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replace(/\\(['"])/g, '$1') })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign === '<>' ? '!=' : sign })
    else tokens.push(known === undefined ? { kind: 'word', text: word } : { kind: 'sign', text: known })
  }
  const parser = new RuleParser(tokens)
  const parsed = parser.parseLevel(0)
  if (!parser.isDone) throw new UnjudgedError(`no expression: ${text}`)
  return parsed
}

class RuleParser extends TokenReader<Token, Rule> {
  constructor(tokens: readonly Token[]) {
    super(tokens, LEVELS)
  }

  protected override joinParts(sign: string, left: Rule, right: Rule): Rule {
    return { kind: 'operation', sign, left, right }
  }

  protected override parsePart(): Rule {
    if (this.takeSign('(')) {
      const inner = this.parseLevel(0)
      // The library forgives a bracket that nobody closes.
      this.takeSign(')')
      return inner
    }
    if (this.takeSign('!')) return { kind: 'not', part: this.parsePart() }
    if (this.takeSign('[')) return { kind: 'list', items: this.#parseList(']') }
    const atom = this.#parseAtom()
    if (this.takeSign('empty')) return { kind: 'empty', part: atom }
    return this.takeSign('notempty') ? { kind: 'notempty', part: atom } : atom
  }

  #parseAtom(): Rule {
    const sign = this.takeSign('-') ? -1 : 1
    const token = this.takeNext()
    if (!token || token.kind === 'sign') throw new UnjudgedError('no expression: a value is missing')
    if (token.kind === 'name') return { kind: 'name', name: token.text }
    if (token.kind === 'number') return { kind: 'constant', value: sign * Number(token.text) }
    if (token.kind === 'text') return { kind: 'constant', value: convertText(token.text) }
    if (this.takeSign('(')) return { kind: 'call', name: token.text, args: this.#parseList(')') }
    const plain = token.text.toLowerCase()
    if (plain === 'undefined' || plain === 'null') return { kind: 'constant', value: undefined }
    return { kind: 'constant', value: plain === 'true' || plain === 'false' ? plain === 'true' : token.text }
  }

  #parseList(end: string): Rule[] {
    if (this.takeSign(end)) return []
    const items = [this.parseLevel(0)]
    while (this.takeSign(',')) items.push(this.parseLevel(0))
    this.takeSign(end)
    return items
  }
}

/** A number in quotes is one, and so is a truth. */
function convertText(text: string): RuleValue {
  if (text.trim() !== '' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && text.length < 16) return Number(text)
  return text === 'true' || text === 'false' ? text === 'true' : text
}

export const writeRuleValue = (value: RuleValue): string =>
  typeof value === 'object' && value !== null
    ? Array.isArray(value)
      ? value.map(writeRuleValue).join(',')
      : JSON.stringify(value)
    : String(value ?? '')

export function listRuleNames(rule: Rule): string[] {
  switch (rule.kind) {
    case 'name':
      return [rule.name]
    case 'list':
      return rule.items.flatMap(listRuleNames)
    case 'call':
      return rule.args.flatMap(listRuleNames)
    case 'operation':
      return [...listRuleNames(rule.left), ...listRuleNames(rule.right)]
    case 'constant':
      return []
    default:
      return listRuleNames(rule.part)
  }
}

export function listRuleConstants(rule: Rule): string[] {
  switch (rule.kind) {
    case 'constant':
      return [writeRuleValue(rule.value)]
    case 'list':
      return rule.items.flatMap(listRuleConstants)
    case 'call':
      return rule.args.flatMap(listRuleConstants)
    case 'operation':
      return [...listRuleConstants(rule.left), ...listRuleConstants(rule.right)]
    case 'name':
      return []
    default:
      return listRuleConstants(rule.part)
  }
}

type Read = (name: string) => RuleValue

/** @throws {UnjudgedError} */
export function evaluateRule(rule: Rule, read: Read): RuleValue {
  switch (rule.kind) {
    case 'constant':
      return rule.value
    case 'name': {
      const value = read(rule.name)
      return typeof value === 'string' ? convertText(value) : value
    }
    case 'list':
      return rule.items.map((item) => evaluateRule(item, read))
    case 'not':
      return !evaluateRule(rule.part, read)
    case 'empty':
      return isBlank(evaluateRule(rule.part, read))
    case 'notempty':
      return !isBlank(evaluateRule(rule.part, read))
    case 'call':
      return callRuleFunction(rule, read)
    case 'operation':
      return operate(rule.sign, evaluateRule(rule.left, read), evaluateRule(rule.right, read))
  }
}

export const isBlank = (value: RuleValue): boolean => {
  if (Array.isArray(value)) return value.length === 0
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isBlank)
  return value === undefined || value === null || value === '' || Number.isNaN(value)
}

function operate(sign: string, a: RuleValue, b: RuleValue): RuleValue {
  switch (sign) {
    case '||':
      return Boolean(a) || Boolean(b)
    case '&&':
      return Boolean(a) && Boolean(b)
    case '=':
    case '==':
      return isSame(a, b)
    case '!=':
      return !isSame(a, b)
    case '>':
      return isOrdered(b, a)
    case '<':
      return isOrdered(a, b)
    case '>=':
      return isSame(a, b) || isOrdered(b, a)
    case '<=':
      return isSame(a, b) || isOrdered(a, b)
    case '*=':
    case 'contains':
      return holds(a, b)
    case 'notcontains':
      return isFalsy(a) && !isBlank(b) ? true : !holds(a, b)
    case 'anyof':
      return isAnyOf(a, b)
    case 'noneof':
      return !isAnyOf(a, b)
    case 'allof':
      return !isFalsy(a) && (Array.isArray(b) ? b : [b]).every((each) => holds(a, each))
    default:
      return calculate(sign, a, b)
  }
}

const isFalsy = (value: RuleValue): boolean => !value

function calculate(sign: string, a: RuleValue, b: RuleValue): RuleValue {
  const [first, second] = [isBlank(a) ? 0 : a, isBlank(b) ? 0 : b]
  if (sign === '+' && (typeof first === 'string' || typeof second === 'string')) return writeRuleValue(a) + writeRuleValue(b)
  const [left, right] = [Number(first), Number(second)]
  switch (sign) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return right === 0 ? undefined : left / right
    case '%':
      return right === 0 ? undefined : left % right
    default:
      return left ** right
  }
}

/** Letters count the same in upper and in lower case; the order of a list does not count. */
function isSame(a: RuleValue, b: RuleValue): boolean {
  if (a === b) return true
  if (isBlank(a) || isBlank(b)) return isBlank(a) && isBlank(b)
  if (typeof a === 'string' && typeof b === 'string') return a.trim().toLowerCase() === b.trim().toLowerCase()
  if (Array.isArray(a) && Array.isArray(b)) {
    const [left, right] = [a, b].map((list) => list.map(String).toSorted())
    return a.length === b.length && (left ?? []).every((each, index) => isSame(each, right?.[index]))
  }
  if (typeof a === 'object' || typeof b === 'object') return JSON.stringify(a) === JSON.stringify(b)
  if (typeof a === 'boolean' || typeof b === 'boolean') {
    if (typeof a === 'string' || typeof b === 'string') return String(a).toLowerCase() === String(b).toLowerCase()
    return Number(a) === Number(b)
  }
  return Number(a) === Number(b)
}

function isOrdered(a: RuleValue, b: RuleValue): boolean {
  if (a === undefined || a === null || b === undefined || b === null) return false
  return (a as number) < (b as number)
}

function holds(of: RuleValue, part: RuleValue): boolean {
  if (isBlank(of)) return false
  if (Array.isArray(of)) {
    const wanted = Array.isArray(part) ? part : [part]
    return wanted.every((each) => of.some((one) => isSame(one, each)))
  }
  return !isFalsy(part) && writeRuleValue(of).toLowerCase().includes(writeRuleValue(part).toLowerCase())
}

function isAnyOf(a: RuleValue, b: RuleValue): boolean {
  if (isBlank(a)) return isBlank(b)
  if (isBlank(b)) return true
  if (!Array.isArray(a)) return holds(b, a)
  return (Array.isArray(b) ? b : [b]).some((each) => holds(a, each))
}

function callRuleFunction({ name, args }: Extract<Rule, { kind: 'call' }>, read: Read): RuleValue {
  const plain = name.toLowerCase()
  if (plain === 'iif') {
    const [when, then, otherwise] = args
    const chosen = when && evaluateRule(when, read) ? then : otherwise
    return chosen && evaluateRule(chosen, read)
  }
  const values = args.map((arg) => evaluateRule(arg, read))
  const call = Object.hasOwn(FUNCTIONS, plain) ? FUNCTIONS[plain] : undefined
  if (!call) throw new UnjudgedError(`function: ${name}`, !KNOWN_FUNCTIONS.has(plain))
  return call(values)
}

const listNumbers = (values: readonly RuleValue[]): number[] =>
  values
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .flatMap((value) => (isBlank(value) || Number.isNaN(Number(value)) ? [] : [Number(value)]))

const FUNCTIONS: Record<string, (values: readonly RuleValue[]) => RuleValue> = {
  sum: (values) => listNumbers(values).reduce((sum, each) => sum + each, 0),
  avg: (values) => listNumbers(values).reduce((sum, each) => sum + each, 0) / Math.max(1, listNumbers(values).length),
  min: (values) => (listNumbers(values).length > 0 ? Math.min(...listNumbers(values)) : undefined),
  max: (values) => (listNumbers(values).length > 0 ? Math.max(...listNumbers(values)) : undefined),
  count: (values) => values.flat().filter((value) => !isBlank(value)).length,
  round: ([value, places]) => Number(Number(value).toFixed(Number(places ?? 0))),
  trunc: ([value]) => Math.trunc(Number(value)),
}
/** Functions of SurveyJS itself; others a program adds. */
const KNOWN_FUNCTIONS: ReadonlySet<string> = new Set(
  `age agefrom dateadd datediff today getdate year month day weekday currentdate currentyear suminarray avginarray mininarray maxinarray
  countinarray isdisplayvalue displayvalue propertyvalue substring iscontainerready iscontainerreadywithvalue getcomment ismultipleselect
  istwovalueequals trim`
    .trim()
    .split(/\s+/),
)
