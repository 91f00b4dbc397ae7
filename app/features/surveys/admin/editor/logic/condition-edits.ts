import { getComparedKind, isComparedByItem } from '#app/features/surveys/questionnaire/compared-kind.ts'
import type { Condition, ConditionTest, OtherAnswer, RelativeDay } from '#app/features/surveys/questionnaire/conditions.schema.ts'
import { isRelativeDay } from '#app/features/surveys/questionnaire/relative-days.ts'
import { expandCarriedOptions } from '#app/features/surveys/questionnaire/carried-options.ts'
import type { Definition, Page, Question, Row } from '../../../surveys.schema.ts'

type QuestionFamily = 'choice' | 'several' | 'grid' | 'share' | 'number' | 'moment' | 'text' | 'file'

const FAMILY_BY_TYPE: Partial<Record<Question['type'], QuestionFamily>> = {
  one_choice: 'choice',
  dropdown: 'choice',
  demographic: 'choice',
  yes_no: 'choice',
  consent: 'choice',
  several_choices: 'several',
  picture_choice: 'several',
  likert: 'grid',
  matrix_one: 'grid',
  matrix_several: 'grid',
  ranking: 'share',
  budget: 'share',
  rating: 'number',
  scale: 'number',
  nps: 'number',
  number: 'number',
  slider: 'number',
  date: 'moment',
  time: 'moment',
  file: 'file',
}

const TESTS_BY_FAMILY: Record<QuestionFamily, readonly ConditionTest['is'][]> = {
  choice: ['any_of', 'none_of', 'answered', 'unanswered'],
  several: ['any_of', 'all_of', 'none_of', 'chosen_at_least', 'chosen_at_most', 'answered', 'unanswered'],
  grid: ['any_of', 'none_of', 'answered', 'unanswered'],
  share: ['at_least', 'at_most', 'more_than', 'less_than', 'equals', 'not_equals', 'answered', 'unanswered'],
  number: ['at_least', 'at_most', 'more_than', 'less_than', 'equals', 'not_equals', 'answered', 'unanswered'],
  moment: ['at_least', 'at_most', 'more_than', 'less_than', 'equals', 'not_equals', 'answered', 'unanswered'],
  file: ['answered', 'unanswered'],
  text: ['contains', 'equals', 'not_equals', 'answered', 'unanswered'],
}

const getFamily = (question: Question): QuestionFamily => FAMILY_BY_TYPE[question.type] ?? 'text'

/** Tests for answers to the question, the most likely first. */
export const listTestKinds = (question: Question): readonly ConditionTest['is'][] => TESTS_BY_FAMILY[getFamily(question)]

export const isOptionTest = (is: ConditionTest['is']): boolean => is === 'any_of' || is === 'all_of' || is === 'none_of'
const isCountTest = (is: ConditionTest['is']): boolean => is === 'chosen_at_least' || is === 'chosen_at_most'
const COMPARING_TESTS: readonly ConditionTest['is'][] = ['equals', 'not_equals', 'at_least', 'at_most', 'more_than', 'less_than']
export const isValueTest = (is: ConditionTest['is']): boolean => isCountTest(is) || is === 'contains' || COMPARING_TESTS.includes(is)

/** Questions whose answers a test can compare with. */
export const listComparable = (question: Question, is: ConditionTest['is'], sources: readonly Question[]): readonly Question[] =>
  COMPARING_TESTS.includes(is) && getComparedKind(question) !== undefined
    ? sources.filter((each) => each.id !== question.id && getComparedKind(each) === getComparedKind(question))
    : []

/** The answer to another question, to compare with. @param plus kept from before */
export function createOtherAnswer(question: Question, plus?: number): OtherAnswer {
  const row = isComparedByItem(question) ? listTestableRows(question)[0]?.id : undefined
  return { question: question.id, ...(row !== undefined && { row }), ...(plus && { plus }) }
}

/** Whether an answer can be compared with another and something more: numbers and days can. */
export const canAdd = (question: Question): boolean => ['number', 'date'].includes(getComparedKind(question) ?? '')

/** Type of the value to compare with: a number, a date, a time, or text. */
export function getValueKind(question: Question, is: ConditionTest['is']): 'number' | 'date' | 'time' | 'text' {
  const family = getFamily(question)
  if (family === 'number' || family === 'share' || isCountTest(is)) return 'number'
  return question.type === 'date' || question.type === 'time' ? question.type : 'text'
}

/** How a day is given: as a date, or counted back or ahead from the day of answering. */
export const DAY_MEASURES = ['date', 'day-ago', 'month-ago', 'year-ago', 'day-ahead', 'month-ahead', 'year-ahead'] as const
export type DayMeasure = (typeof DAY_MEASURES)[number]

export function getDayMeasure(value: ConditionTest['value']): DayMeasure {
  if (!isRelativeDay(value)) return 'date'
  return `${value.unit}-${value.ago < 0 ? 'ahead' : 'ago'}`
}

/** At least 1 ahead, since today is "0 days ago". */
export function createDay(measure: Exclude<DayMeasure, 'date'>, count: number): RelativeDay {
  const [unit, direction] = measure.split('-') as ['day' | 'month' | 'year', 'ago' | 'ahead']
  const whole = Math.min(MOST_COUNTED[unit], Math.max(direction === 'ago' ? 0 : 1, Math.trunc(count)))
  return { ago: direction === 'ago' ? whole : -whole, unit }
}

const MOST_COUNTED = { day: 50_000, month: 1200, year: 1200 } as const

/** Words for tests of dates and times that differ from those of numbers. */
export const MOMENT_TESTS: Partial<Record<ConditionTest['is'], 'from' | 'until' | 'after' | 'before'>> = {
  at_least: 'from',
  at_most: 'until',
  more_than: 'after',
  less_than: 'before',
}

/** Rows of a grid, or items of a ranking or budget, that a test can refer to individually. */
export function listTestableRows(question: Question): readonly Row[] {
  if ('rows' in question) return question.rows
  return getFamily(question) === 'share' && 'options' in question ? question.options : []
}

/** Options to choose from; `yes` and `no` have no labels here. */
export function listChoices(question: Question): readonly Row[] {
  if (question.type === 'yes_no')
    return [
      { id: 'yes', label: {} },
      { id: 'no', label: {} },
    ]
  if (question.type === 'consent') return [{ id: 'yes', label: {} }]
  if ('columns' in question) return question.columns
  return 'options' in question ? question.options : []
}

/** A first test for a question, to be filled in. */
export function createTest(question: Question): ConditionTest {
  const is = listTestKinds(question)[0] ?? 'answered'
  const row = getFamily(question) === 'share' ? listTestableRows(question)[0]?.id : undefined
  return { question: question.id, is, ...(row ? { row } : {}), ...(isOptionTest(is) ? { options: [] } : {}) }
}

/** Whether capital letters can count: where texts are compared. */
export const canMatchCase = (question: Question, is: ConditionTest['is']): boolean => getFamily(question) === 'text' && isTextTest(is)
const isTextTest = (is: ConditionTest['is']): boolean => is === 'contains' || is === 'equals' || is === 'not_equals'

/** Changes the kind of test, keeping the parts that both need. */
export function changeTestKind({ options, value: given, caseSensitive, ...test }: ConditionTest, is: ConditionTest['is']): ConditionTest {
  const value = typeof given === 'object' && !COMPARING_TESTS.includes(is) ? undefined : given
  return {
    ...test,
    is,
    ...(isOptionTest(is) ? { options: options ?? [] } : {}),
    ...(isValueTest(is) && value !== undefined ? { value } : {}),
    ...(caseSensitive && isTextTest(is) ? { caseSensitive } : {}),
  }
}

/** A condition as the form shows it: its parts and how they are joined. A single test is a list of one. */
interface ConditionParts {
  join: 'all' | 'any'
  parts: readonly Condition[]
  /** Path of a part inside the condition. */
  at: (index: number) => string
}

export function splitCondition(condition: Condition, at: string): ConditionParts {
  if ('all' in condition) return { join: 'all', parts: condition.all, at: (index) => `${at}.all.${index}` }
  if ('any' in condition) return { join: 'any', parts: condition.any, at: (index) => `${at}.any.${index}` }
  return { join: 'all', parts: [condition], at: () => at }
}

/** Joins parts; undefined if there are none left. */
export function joinConditions(how: 'all' | 'any', parts: readonly Condition[]): Condition | undefined {
  if (parts.length === 0) return undefined
  return how === 'all' ? { all: [...parts] } : { any: [...parts] }
}

const isAsked = (question: Question): boolean => !question.removed && question.type !== 'info'

/** Questions whose answers are known when the page starts, or, with `through`, when it has been answered. Carried choices are expanded. */
export function listQuestionsBeforePage(definition: Definition, pageId: string, through = false): Question[] {
  const { pages } = expandCarriedOptions(definition)
  const index = pages.findIndex((page) => page.id === pageId)
  return index < 0 ? [] : filterAskedQuestions(pages.slice(0, through ? index + 1 : index))
}

/** Questions asked before this one. */
export function listQuestionsBefore(definition: Definition, questionId: string): Question[] {
  const all = filterAskedQuestions(expandCarriedOptions(definition).pages, questionId)
  const index = all.findIndex((question) => question.id === questionId)
  return index < 0 ? all : all.slice(0, index)
}

export const listEveryQuestion = (definition: Definition): Question[] => filterAskedQuestions(expandCarriedOptions(definition).pages)

const filterAskedQuestions = (pages: readonly Page[], also?: string): Question[] =>
  pages.flatMap((page) => page.questions.filter((question) => isAsked(question) || question.id === also))
