import type { Condition, ConditionTest } from '../questionnaire/conditions.schema.ts'
import type { Question } from '../surveys.schema.ts'

/** A question that a condition can speak of, with the ids of its options by the file's values. */
export interface Asking {
  question: Question
  codes: ReadonlyMap<string, string>
}

type Find = (name: string) => Asking | undefined

const TOKEN =
  /\s*(?:\$?\{([^{}]{1,200})\}|'([^']*)'|"([^"]*)"|(-?\d+(?:\.\d+)?)(?![\w.])|(&&|\|\||!=|<>|<=|>=|==|=|<|>|\(|\)|,|!)|([A-Za-z_][\w.-]*))/y
const LONGEST = 2000
const DEEPEST = 6

type Token = { name: string } | { value: string } | { word: string }

/**
 * Reads the conditions of SurveyJS (`{mode} = 'bus' and {age} >= 18`), XLSForm (`selected(${mode}, 'bus')`) and LimeSurvey
 * (`mode.NAOK == "bus"`): comparisons joined by and, or and brackets.
 * @returns undefined for what they can say beyond that
 */
export function readCondition(expression: string, find: Find): Condition | undefined {
  const tokens = tokensOf(expression)
  if (!tokens) return undefined
  let at = 0
  const word = (...words: string[]): boolean => {
    const token = tokens[at]
    if (!token || !('word' in token) || !words.includes(token.word.toLowerCase())) return false
    at += 1
    return true
  }
  const either = (depth: number): Condition | undefined => joined(depth, both, ['or', '||'], 'any')
  const both = (depth: number): Condition | undefined => joined(depth, one, ['and', '&&'], 'all')
  const joined = (
    depth: number,
    next: (depth: number) => Condition | undefined,
    by: string[],
    name: 'any' | 'all',
  ): Condition | undefined => {
    const parts: Condition[] = []
    do {
      const part = next(depth)
      if (!part) return undefined
      parts.push(part)
    } while (word(...by))
    return parts.length === 1 ? parts[0] : name === 'any' ? { any: parts } : { all: parts }
  }
  const one = (depth: number): Condition | undefined => {
    if (depth > DEEPEST) return undefined
    if (word('(')) {
      const inner = either(depth + 1)
      return inner && word(')') ? inner : undefined
    }
    if (word('selected')) {
      if (!word('(')) return undefined
      const asked = variable()
      if (!asked || !word(',')) return undefined
      const value = literal()
      return value !== undefined && word(')') ? test(asked, '=', value) : undefined
    }
    const asked = variable()
    if (!asked) return undefined
    if (word('notempty')) return { question: asked.question.id, is: 'answered' }
    if (word('empty')) return { question: asked.question.id, is: 'unanswered' }
    const operator = ['!=', '<>', '<=', '>=', '==', '=', '<', '>', 'contains'].find((each) => word(each))
    const value = operator && literal()
    return operator && value !== undefined ? test(asked, operator, value) : undefined
  }
  const variable = (): Asking | undefined => {
    const token = tokens[at++]
    if (token && 'name' in token) return find(token.name.trim())
    return token && 'word' in token ? find(token.word.replace(/\.(NAOK|value|valueNAOK)$/, '')) : undefined
  }
  const literal = (): string | undefined => {
    const token = tokens[at++]
    if (!token) return undefined
    if ('value' in token) return token.value
    return 'word' in token && /^(true|false)$/.test(token.word) ? token.word : undefined
  }
  const condition = either(0)
  return at === tokens.length ? condition : undefined
}

function tokensOf(expression: string): Token[] | undefined {
  if (expression.length > LONGEST) return undefined
  const tokens: Token[] = []
  const text = expression.trim()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text)
    if (!found) return undefined
    const [, name, single, double, number, sign, word] = found
    const value = single ?? double ?? number
    if (name !== undefined) tokens.push({ name })
    else tokens.push(value === undefined ? { word: sign ?? word ?? '' } : { value })
  }
  return tokens
}

function test({ question, codes }: Asking, operator: string, value: string): ConditionTest | undefined {
  const it = { question: question.id }
  const equal = operator === '=' || operator === '=='
  const unequal = operator === '!=' || operator === '<>'
  if (value === '' && (equal || unequal)) return { ...it, is: equal ? 'unanswered' : 'answered' }
  if ('options' in question || question.type === 'yes_no' || question.type === 'consent') {
    const id = 'options' in question ? codes.get(value) : YES_NO[value.toLowerCase()]
    if (!id || !(equal || unequal || operator === 'contains')) return undefined
    return { ...it, is: unequal ? 'none_of' : 'any_of', options: [id] }
  }
  const number = Number(value)
  const whole =
    question.type === 'rating' || question.type === 'scale' || question.type === 'nps' || (question.type === 'number' && !question.decimals)
  if (question.type === 'short_text' || question.type === 'long_text') {
    if (equal) return { ...it, is: 'equals', value }
    return operator === 'contains' ? { ...it, is: 'contains', value } : undefined
  }
  if (!whole && question.type !== 'number' && question.type !== 'slider') return undefined
  if (!Number.isFinite(number)) return undefined
  if (equal) return { ...it, is: 'equals', value: number }
  if (operator === '>=') return { ...it, is: 'at_least', value: number }
  if (operator === '<=') return { ...it, is: 'at_most', value: number }
  if (!whole || !Number.isInteger(number)) return undefined
  if (operator === '>') return { ...it, is: 'at_least', value: number + 1 }
  return operator === '<' ? { ...it, is: 'at_most', value: number - 1 } : undefined
}

const YES_NO: Record<string, string> = { true: 'yes', false: 'no', yes: 'yes', no: 'no', y: 'yes', n: 'no', '1': 'yes', '0': 'no' }
