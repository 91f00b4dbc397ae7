import type { Condition, ConditionTest } from '../questionnaire/conditions.schema.ts'
import type { Question } from '../surveys.schema.ts'
import type { Operator } from './parse-expression.ts'

/** A question that a condition or a text can refer to, by the names that the file uses. */
export interface NamedQuestion {
  question: Question
  /** Ids of its options or columns by the file's values. */
  codes: ReadonlyMap<string, string>
  /** Further ids of a value that several options have. */
  sameCodes?: ReadonlyMap<string, readonly string[]>
  /** For the name of one row of a grid, or of one item of a ranking: its id. */
  row?: string
  /** For the name of one option of several: its id. */
  option?: string
  /** The value that the option has in the file while it is chosen. */
  chosenValue?: string
  /** For the name of the text beside the option. */
  isOtherText?: true
  /** For the name of one rank: its number. The value is the item that has it. */
  rank?: number
}

/** A condition; `true` always holds, `false` never. */
export type Built = Condition | boolean | undefined

/** The test that stands for one comparison of a file. @returns undefined if there is none */
export function buildTest(asked: NamedQuestion, operator: Operator, values: readonly string[]): Built {
  const { question, codes, row, option, rank } = asked
  const it = { question: question.id, ...(row !== undefined && { row }) }
  const [value = ''] = values
  const emptiness = value === '' && operator === 'equal' ? 'unanswered' : value === '' && operator === 'unequal' ? 'answered' : operator
  if (option !== undefined) return buildOptionTest(it, asked, emptiness, value)
  if (rank !== undefined) return buildRankTest(question, rank, emptiness, codes.get(value))
  if (emptiness === 'answered' || emptiness === 'unanswered') return { ...it, is: emptiness }
  switch (question.type) {
    case 'short_text':
    case 'long_text':
    case 'email':
    case 'phone':
      return buildTextTest(it, operator, value)
    case 'rating':
    case 'scale':
    case 'nps':
      return buildNumberTest(it, operator, value, 1)
    case 'number':
      return buildNumberTest(it, operator, value, 10 ** -(question.decimals ?? 0))
    case 'slider':
      return buildNumberTest(it, operator, value, isAlignedToStep(question) ? (question.step ?? 1) : undefined)
    case 'date':
      return buildDateTest(it, operator, value)
    case 'yes_no':
    case 'consent':
      return buildChoiceTest(it, operator, values, YES_NO)
    case 'ranking':
      return row === undefined ? undefined : buildNumberTest(it, operator, value, 1)
    default:
      return buildChoiceTest(it, operator, values, codes, question.type === 'one_choice' || question.type === 'dropdown')
  }
}

/** How many options of a question are chosen. */
export function buildCountTest(question: string, operator: Operator, count: number): Built {
  if (!Number.isInteger(count)) return undefined
  const atLeast = (value: number): Built => value <= 0 || { question, is: 'chosen_at_least', value }
  const atMost = (value: number): Built => value >= 0 && { question, is: 'chosen_at_most', value }
  const [least, most, below, above] = [atLeast(count), atMost(count), atMost(count - 1), atLeast(count + 1)]
  switch (operator) {
    case 'at-least':
      return least
    case 'at-most':
      return most
    case 'more':
      return above
    case 'less':
      return below
    case 'equal':
      return typeof least === 'object' && typeof most === 'object' ? { all: [least, most] } : most
    case 'unequal':
      return typeof below === 'object' && typeof above === 'object' ? { any: [below, above] } : above
    default:
      return undefined
  }
}

/** One option of several has its value while it is chosen, and else none; the text beside it has any. */
function buildOptionTest(
  it: Tested,
  { option = '', chosenValue = 'Y', isOtherText }: NamedQuestion,
  operator: Operator,
  value: string,
): Built {
  const chosen: Built = { ...it, is: 'any_of', options: [option] }
  const blank: Built = { ...it, is: 'none_of', options: [option] }
  if (operator === 'answered') return chosen
  if (operator === 'unanswered') return blank
  if (isOtherText) return buildOtherTest(it, operator, value, blank)
  if (operator === 'equal') return value === chosenValue && chosen
  if (operator === 'unequal') return value !== chosenValue || blank
  const isWithin = ORDERED[operator]
  return isWithin && Number(chosenValue) >= 0 ? isWithin(Number(chosenValue), Number(value)) && chosen : undefined
}

function buildOtherTest(it: Tested, operator: Operator, value: string, blank: Condition): Built {
  if (operator === 'equal') return { ...it, is: 'equals', value }
  return operator === 'unequal' ? { any: [blank, { ...it, is: 'not_equals', value }] } : undefined
}

/** A rank is answered if an item has it. */
function buildRankTest(question: Question, rank: number, operator: Operator, item: string | undefined): Built {
  const items = question.type === 'ranking' ? question.options.map(({ id }) => id) : []
  const having = (row: string): Condition => ({ question: question.id, row, is: 'equals', value: rank })
  const lacking = (row: string): Condition => ({
    any: [
      { question: question.id, row, is: 'unanswered' },
      { question: question.id, row, is: 'not_equals', value: rank },
    ],
  })
  if (operator === 'answered') return { any: items.map(having) }
  if (operator === 'unanswered') return { all: items.map(lacking) }
  if (operator === 'equal') return item !== undefined && having(item)
  return operator === 'unequal' ? item === undefined || lacking(item) : undefined
}

/** @param isOneOfMany whether the answer is one value, and not a list */
function buildChoiceTest(
  it: Tested,
  operator: Operator,
  values: readonly string[],
  codes: ReadonlyMap<string, string>,
  isOneOfMany = false,
): Built {
  if (operator in ORDERED && values.length === 1) return buildOrderedChoiceTest(it, operator, Number(values[0]), codes)
  if (isOneOfMany && values.length === 1 && (operator === 'contains' || operator === 'lacks'))
    return buildPartTest(it, operator === 'contains' ? 'any_of' : 'none_of', values[0] ?? '', codes)
  const options = values.flatMap((value) => codes.get(value) ?? codes.get(value.toLowerCase()) ?? [])
  if (options.length !== values.length || options.length === 0) return undefined
  const is = CHOICE_TESTS[operator]
  if (!is) return undefined
  return { ...it, is: is === 'any_of' && (operator === 'equal' || operator === 'contains') && options.length > 1 ? 'all_of' : is, options }
}

/** The options whose codes have the text in them. */
function buildPartTest(it: Tested, is: 'any_of' | 'none_of', text: string, codes: ReadonlyMap<string, string>): Built {
  const options = [...codes].flatMap(([code, id]) => (code.toLowerCase().includes(text.toLowerCase()) ? [id] : []))
  return text === '' || options.length === 0 ? undefined : { ...it, is, options: [...new Set(options)] }
}

/** Codes compared by size: the options whose codes are larger or smaller. */
function buildOrderedChoiceTest(it: Tested, operator: Operator, than: number, codes: ReadonlyMap<string, string>): Built {
  const isWithin = ORDERED[operator]
  const numbers = Array.from(codes, ([code, id]) => ({ code: code.trim() === '' ? Number.NaN : Number(code), id }))
  if (!isWithin || !Number.isFinite(than) || numbers.every(({ code }) => Number.isNaN(code))) return undefined
  const options = numbers.filter(({ code }) => isWithin(code, than)).map(({ id }) => id)
  return options.length === 0 ? false : { ...it, is: 'any_of', options: [...new Set(options)] }
}

function buildTextTest(it: Tested, operator: Operator, value: string): Built {
  if (operator === 'equal') return { ...it, is: 'equals', value }
  return operator === 'contains' ? { ...it, is: 'contains', value } : undefined
}

/** Whether the steps of a slider fall on multiples of one step. */
const isAlignedToStep = ({ min, step = 1 }: { min: number; step?: number | undefined }) => Number.isInteger(min / step)

/** @param step the smallest difference between two answers: "more than 5" is at least 5 and one step; undefined if they begin elsewhere */
function buildNumberTest(it: Tested, operator: Operator, text: string, step: number | undefined): Built {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return undefined
  if (step === undefined) return buildExactTest(it, operator, number)
  const [below, above] = [roundToStep(Math.ceil(number / step) - 1, step), roundToStep(Math.floor(number / step) + 1, step)]
  switch (operator) {
    case 'equal':
      return { ...it, is: 'equals', value: number }
    case 'unequal':
      return {
        any: [
          { ...it, is: 'unanswered' },
          { ...it, is: 'at_most', value: below },
          { ...it, is: 'at_least', value: above },
        ],
      }
    case 'at-least':
      return { ...it, is: 'at_least', value: roundToStep(Math.ceil(number / step - SLACK), step) }
    case 'at-most':
      return { ...it, is: 'at_most', value: roundToStep(Math.floor(number / step + SLACK), step) }
    case 'more':
      return { ...it, is: 'at_least', value: above }
    case 'less':
      return { ...it, is: 'at_most', value: below }
    default:
      return undefined
  }
}

function buildExactTest(it: Tested, operator: Operator, value: number): Built {
  if (operator === 'unequal')
    return {
      any: [
        { ...it, is: 'unanswered' },
        { ...it, is: 'not_equals', value },
      ],
    }
  const is = EXACT_TESTS[operator]
  return is && { ...it, is, value }
}

const EXACT_TESTS: Partial<Record<Operator, ConditionTest['is']>> = {
  equal: 'equals',
  more: 'more_than',
  less: 'less_than',
  'at-least': 'at_least',
  'at-most': 'at_most',
}

/** Floating point makes 3 / 0.1 a little less than 30. */
const SLACK = 1e-6

const roundToStep = (steps: number, step: number) => Number((steps * step).toFixed(6))

function buildDateTest(it: Tested, operator: Operator, value: string): Built {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return undefined
  switch (operator) {
    case 'equal':
      return { ...it, is: 'equals', value }
    case 'at-least':
    case 'at-most':
      return { ...it, is: operator === 'at-least' ? 'at_least' : 'at_most', value }
    case 'more':
    case 'less':
      return { ...it, is: operator === 'more' ? 'at_least' : 'at_most', value: shiftDate(value, operator === 'more' ? 1 : -1) }
    default:
      return undefined
  }
}

const shiftDate = (date: string, days: number) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)

type Tested = Pick<ConditionTest, 'question' | 'row'>

export const isTrue = (value: string): boolean => /^(true|1|y|yes)$/i.test(value.trim())

const CHOICE_TESTS: Partial<Record<Operator, 'any_of' | 'all_of' | 'none_of'>> = {
  equal: 'any_of',
  unequal: 'none_of',
  contains: 'any_of',
  lacks: 'none_of',
  'any-of': 'any_of',
  'all-of': 'all_of',
  'none-of': 'none_of',
}

const ORDERED: Partial<Record<Operator, (code: number, than: number) => boolean>> = {
  more: (code, than) => code > than,
  less: (code, than) => code < than,
  'at-least': (code, than) => code >= than,
  'at-most': (code, than) => code <= than,
}

const YES_NO: ReadonlyMap<string, string> = new Map(
  Object.entries({ true: 'yes', false: 'no', yes: 'yes', no: 'no', y: 'yes', n: 'no', '1': 'yes', '0': 'no' }),
)
