import { isAnswered, isInState, isUnanswered, joinLogic, type Logic, negateLogic, type Tested } from './logic.ts'
import type { NamedQuestion } from './build-test.ts'
import type { Expression } from './parse-expression.ts'
import { type Constant, toNumber, toText } from './xpath-values.ts'

/** What an expression is worth; undefined if that is unknown. */
export type Value =
  | { kind: 'constant'; value: Constant }
  /** A number or a day, calculated from answers that are given. `isText` where a form keeps it as text. */
  | { kind: 'measure'; of: Expression; isText?: true }
  /** A text that is given. */
  | { kind: 'text'; asked: NamedQuestion }
  /** The chosen options, which may be none. */
  | { kind: 'choices'; asked: NamedQuestion }
  /** How many options are chosen. */
  | { kind: 'count'; asked: NamedQuestion; isText?: true }
  /** Some text of which only is known that it is not empty. */
  | { kind: 'some' }
  /** The length of such a text. */
  | { kind: 'length' }
  | undefined

/** Exactly one of an expression's cases holds. */
export interface Case {
  when: Logic | undefined
  value: Value
}

const MAX_CASES = 400
export class TooManyCasesError extends Error {}

export const toConstant = (value: Constant): Value => ({ kind: 'constant', value })
export const toOneCase = (value: Value): Case[] => [{ when: true, value }]
export const toTested = ({ question, row }: NamedQuestion): Tested => ({ question: question.id, ...(row !== undefined && { row }) })

/** Both truths as values. */
export function toCases(logic: Logic | undefined): Case[] {
  if (logic === undefined) return toOneCase(undefined)
  return restrictCases(logic, toOneCase(toConstant(true))).concat(restrictCases(negateLogic(logic), toOneCase(toConstant(false))))
}

export const restrictCases = (when: Logic | undefined, cases: readonly Case[]): Case[] =>
  cases.flatMap((each) => {
    const both = joinLogic('all', [when, each.when])
    return both === false ? [] : [{ when: both, value: each.value }]
  })

/** One case for each constant. */
export function mergeCases(cases: readonly Case[]): Case[] {
  const merged: Case[] = []
  const places = new Map<string, number>()
  for (const each of cases) {
    const key = each.value?.kind === 'constant' ? `${typeof each.value.value} ${each.value.value}` : undefined
    const place = key === undefined ? undefined : places.get(key)
    const known = place === undefined ? undefined : merged[place]
    if (place !== undefined && known) merged[place] = { ...known, when: joinLogic('any', [known.when, each.when]) }
    else {
      merged.push(each)
      if (key !== undefined) places.set(key, merged.length - 1)
    }
  }
  if (merged.length > MAX_CASES) throw new TooManyCasesError()
  return merged
}

export const splitChoices = ({ when, value }: Case): Case[] => {
  if (value?.kind !== 'choices') return [{ when, value }]
  const of = toTested(value.asked)
  return [...restrictCases(isUnanswered(of), [{ when, value: toConstant('') }]), ...restrictCases(isAnswered(of), [{ when, value }])]
}

/** The cases of one answer. Of a question with one choice, each option is one. */
export function listAnswerCases(asked: NamedQuestion, name: string): Case[] {
  const of = toTested(asked)
  const { question } = asked
  const given = (value: Value): Case[] => [
    { when: isUnanswered(of), value: toConstant('') },
    { when: isAnswered(of), value },
  ]
  switch (question.type) {
    case 'info':
      return toOneCase(toConstant(''))
    case 'one_choice':
    case 'dropdown':
    case 'matrix_one':
    case 'yes_no':
      return listChoiceCases(of, asked)
    case 'consent':
      return listChoiceCases(of, { ...asked, codes: new Map([['OK', 'yes']]) })
    case 'several_choices':
      return toOneCase({ kind: 'choices', asked })
    case 'number':
    case 'slider':
    case 'date':
      return given({ kind: 'measure', of: { kind: 'name', name, braced: true } })
    case 'short_text':
    case 'long_text':
    case 'phone':
      return given({ kind: 'text', asked })
    default:
      return given({ kind: 'some' })
  }
}

function listChoiceCases(of: Tested, { codes, sameCodes }: NamedQuestion): Case[] {
  const ids = [...codes].map(([code, id]) => [code, [id, ...(sameCodes?.get(code) ?? [])]] as const)
  const domain = ['', ...ids.flatMap(([, own]) => own)]
  return [['', ['']] as const, ...ids].map(([code, states]) => ({ when: isInState(of, domain, states), value: toConstant(code) }))
}

export const listIds = ({ codes, sameCodes }: NamedQuestion, code: string): string[] => {
  const id = codes.get(code)
  return id === undefined ? [] : [id, ...(sameCodes?.get(code) ?? [])]
}

/** A calculation with an answer, unless it is empty because a part of it is. */
export function buildMeasure(name: string, values: readonly Value[]): Value {
  const args: Expression[] = []
  for (const value of values) {
    if (value?.kind === 'measure') args.push(value.of)
    else if (value?.kind !== 'constant') return undefined
    else if (!FORMATTING_CALLS.has(name) && Number.isNaN(toNumber(value.value))) return toConstant(Number.NaN)
    else args.push({ kind: 'value', value: toText(value.value) })
  }
  return { kind: 'measure', of: { kind: 'call', name, args } }
}

const FORMATTING_CALLS: ReadonlySet<string> = new Set(['format-date', 'format-date-time'])
