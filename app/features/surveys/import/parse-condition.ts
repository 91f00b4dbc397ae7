import type { Condition, ConditionTest } from '../questionnaire/conditions.schema.ts'
import type { Question } from '../surveys.schema.ts'

/** A question that a condition can refer to, with its option ids by the file's values. */
export interface NamedQuestion {
  question: Question
  codes: ReadonlyMap<string, string>
}

type FindNamedQuestion = (name: string) => NamedQuestion | undefined

const TOKEN =
  /\s*(?:\$?\{([^{}]{1,200})\}|'([^']*)'|"([^"]*)"|(-?\d+(?:\.\d+)?)(?![\w.])|(&&|\|\||!=|<>|<=|>=|==|=|<|>|\(|\)|,|!)|([A-Za-z_][\w.-]*))/y
const MAX_EXPRESSION_LENGTH = 2000
const DEEPEST_NESTING = 6

type Token = { name: string } | { value: string } | { word: string }

/**
 * Parses conditions of SurveyJS (`{mode} = 'bus' and {age} >= 18`), XLSForm (`selected(${mode}, 'bus')`) and LimeSurvey (`mode.NAOK ==
 * "bus"`): comparisons joined by and, or and brackets.
 * @returns undefined for anything beyond that
 */
export function parseCondition(expression: string, find: FindNamedQuestion): Condition | undefined {
  const tokens = tokeniseExpression(expression)
  if (!tokens) return undefined
  let at = 0
  const takeWord = (...words: string[]): boolean => {
    const token = tokens[at]
    if (!token || !('word' in token) || !words.includes(token.word.toLowerCase())) return false
    at += 1
    return true
  }
  const parseAlternatives = (depth: number): Condition | undefined => parseJoined(depth, parseConjunction, ['or', '||'], 'any')
  const parseConjunction = (depth: number): Condition | undefined => parseJoined(depth, parseTest, ['and', '&&'], 'all')
  const parseJoined = (
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
    } while (takeWord(...by))
    return parts.length === 1 ? parts[0] : name === 'any' ? { any: parts } : { all: parts }
  }
  const parseTest = (depth: number): Condition | undefined => {
    if (depth > DEEPEST_NESTING) return undefined
    if (takeWord('(')) {
      const inner = parseAlternatives(depth + 1)
      return inner && takeWord(')') ? inner : undefined
    }
    if (takeWord('selected')) {
      if (!takeWord('(')) return undefined
      const asked = takeVariable()
      if (!asked || !takeWord(',')) return undefined
      const value = takeLiteral()
      return value !== undefined && takeWord(')') ? createConditionTest(asked, '=', value) : undefined
    }
    const asked = takeVariable()
    if (!asked) return undefined
    if (takeWord('notempty')) return { question: asked.question.id, is: 'answered' }
    if (takeWord('empty')) return { question: asked.question.id, is: 'unanswered' }
    const operator = ['!=', '<>', '<=', '>=', '==', '=', '<', '>', 'contains'].find((each) => takeWord(each))
    const value = operator && takeLiteral()
    return operator && value !== undefined ? createConditionTest(asked, operator, value) : undefined
  }
  const takeVariable = (): NamedQuestion | undefined => {
    const token = tokens[at++]
    if (token && 'name' in token) return find(token.name.trim())
    return token && 'word' in token ? find(token.word.replace(/\.(NAOK|value|valueNAOK)$/, '')) : undefined
  }
  const takeLiteral = (): string | undefined => {
    const token = tokens[at++]
    if (!token) return undefined
    if ('value' in token) return token.value
    return 'word' in token && /^(true|false)$/.test(token.word) ? token.word : undefined
  }
  const condition = parseAlternatives(0)
  return at === tokens.length ? condition : undefined
}

function tokeniseExpression(expression: string): Token[] | undefined {
  if (expression.length > MAX_EXPRESSION_LENGTH) return undefined
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

function createConditionTest({ question, codes }: NamedQuestion, operator: string, value: string): ConditionTest | undefined {
  const comparison = COMPARISONS[operator]
  if (!comparison) return undefined
  const it = { question: question.id }
  if (value === '' && (comparison === 'equal' || comparison === 'unequal'))
    return { ...it, is: comparison === 'equal' ? 'unanswered' : 'answered' }
  switch (question.type) {
    case 'short_text':
    case 'long_text':
      return createTextTest(it, comparison, value)
    case 'rating':
    case 'scale':
    case 'nps':
      return createNumberTest(it, comparison, Number(value), true)
    case 'number':
      return createNumberTest(it, comparison, Number(value), !question.decimals)
    case 'slider':
      return createNumberTest(it, comparison, Number(value), false)
    case 'yes_no':
    case 'consent':
      return createChoiceTest(it, comparison, YES_NO[value.toLowerCase()])
    default:
      return 'options' in question ? createChoiceTest(it, comparison, codes.get(value)) : undefined
  }
}

function createChoiceTest(it: Tested, comparison: Comparison, option: string | undefined): ConditionTest | undefined {
  if (!option) return undefined
  if (comparison === 'unequal') return { ...it, is: 'none_of', options: [option] }
  return comparison === 'equal' || comparison === 'contains' ? { ...it, is: 'any_of', options: [option] } : undefined
}

function createTextTest(it: Tested, comparison: Comparison, value: string): ConditionTest | undefined {
  if (comparison === 'equal') return { ...it, is: 'equals', value }
  return comparison === 'contains' ? { ...it, is: 'contains', value } : undefined
}

/** More or less than a number can only be said of whole numbers: as at least the next, or at most the one before. */
function createNumberTest(it: Tested, comparison: Comparison, number: number, whole: boolean): ConditionTest | undefined {
  if (!Number.isFinite(number)) return undefined
  const hasNeighbours = whole && Number.isInteger(number)
  switch (comparison) {
    case 'equal':
      return { ...it, is: 'equals', value: number }
    case 'at-least':
      return { ...it, is: 'at_least', value: number }
    case 'at-most':
      return { ...it, is: 'at_most', value: number }
    case 'more':
      return hasNeighbours ? { ...it, is: 'at_least', value: number + 1 } : undefined
    case 'less':
      return hasNeighbours ? { ...it, is: 'at_most', value: number - 1 } : undefined
    default:
      return undefined
  }
}

type Tested = Pick<ConditionTest, 'question'>
type Comparison = 'equal' | 'unequal' | 'contains' | 'at-least' | 'at-most' | 'more' | 'less'

const COMPARISONS: Partial<Record<string, Comparison>> = {
  '=': 'equal',
  '==': 'equal',
  '!=': 'unequal',
  '<>': 'unequal',
  contains: 'contains',
  '>=': 'at-least',
  '<=': 'at-most',
  '>': 'more',
  '<': 'less',
}
const YES_NO: Record<string, string> = { true: 'yes', false: 'no', yes: 'yes', no: 'no', y: 'yes', n: 'no', '1': 'yes', '0': 'no' }
