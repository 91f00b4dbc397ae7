import type { Condition, ConditionTest } from '../questionnaire/conditions.schema.ts'

/** An answer, or one row of it, that tests are about. */
export type Tested = Pick<ConditionTest, 'question' | 'row'>

/**
 * A condition in a form that can be negated and simplified exactly. Importers build an expression of the file in this form, then convert it
 * with `toCondition`.
 */
export type Logic =
  | boolean
  /** The answer is in one of these states: an option's id, or '' if there is none, or `*` if it has no options. */
  | { kind: 'states'; of: Tested; domain: readonly string[]; states: ReadonlySet<string> }
  | TestLogic
  | { kind: 'all' | 'any'; parts: readonly Logic[] }

interface TestLogic {
  kind: 'test'
  test: ConditionTest
  /** Holds exactly when the test does not, among those who have given `needs`. */
  opposite: () => Logic | undefined
  /** Answers without which neither the test nor its opposite holds; empty if the opposite is exact. */
  needs: readonly Tested[]
}

const ANSWERED_STATES = ['', '*'] as const

export const isAnswered = (of: Tested, domain: readonly string[] = ANSWERED_STATES): Logic => ({
  kind: 'states',
  of,
  domain,
  states: new Set(domain.filter((state) => state !== '')),
})

export const isUnanswered = (of: Tested, domain: readonly string[] = ANSWERED_STATES): Logic => ({
  kind: 'states',
  of,
  domain,
  states: new Set(['']),
})

/** @param domain all states of the answer, with '' */
export const isInState = (of: Tested, domain: readonly string[], states: readonly string[]): Logic =>
  states.length > 0 && { kind: 'states', of, domain, states: new Set(states) }

/** Whether one of the options is chosen, among several that may be. */
export function isAnyChosen(of: Tested, options: readonly string[]): Logic {
  if (options.length === 0) return false
  const [chosen, lacking] = (['any_of', 'none_of'] as const).map((is): ConditionTest => ({ ...of, is, options: [...options] }))
  return createOpposites(chosen as ConditionTest, lacking as ConditionTest)
}

/** Whether at least so many options are chosen. */
export function isCountAtLeast(of: Tested, count: number): Logic {
  if (count <= 0) return true
  if (count === 1) return isAnswered(of)
  return createOpposites({ ...of, is: 'chosen_at_least', value: count }, { ...of, is: 'chosen_at_most', value: count - 1 })
}

function createOpposites(test: ConditionTest, opposite: ConditionTest): TestLogic {
  return { kind: 'test', test, needs: [], opposite: () => createOpposites(opposite, test) }
}

/** @returns undefined if the negation cannot be expressed */
export function negateLogic(logic: Logic | undefined): Logic | undefined {
  if (logic === undefined || typeof logic === 'boolean') return logic === undefined ? undefined : !logic
  switch (logic.kind) {
    case 'states':
      return isInState(
        logic.of,
        logic.domain,
        logic.domain.filter((state) => !logic.states.has(state)),
      )
    case 'test':
      return joinLogic('any', [...logic.needs.map((of) => isUnanswered(of)), logic.opposite()])
    default:
      return joinLogic(
        logic.kind === 'all' ? 'any' : 'all',
        logic.parts.map((part) => negateLogic(part)),
      )
  }
}

/** Joins and simplifies. @returns undefined if a part that matters is unknown */
export function joinLogic(kind: 'all' | 'any', parts: readonly (Logic | undefined)[]): Logic | undefined {
  const absorbing = kind === 'any'
  if (parts.includes(absorbing)) return absorbing
  const known = parts.filter((part) => part !== undefined)
  const flat = known.flatMap((part) => (typeof part === 'object' && part.kind === kind ? part.parts : part === !absorbing ? [] : [part]))
  const merged = mergeParts(kind === 'any' ? mergeAlternatives(flat) : flat, kind)
  if (typeof merged === 'boolean') return absorbing
  if (known.length < parts.length) return undefined
  if (merged.length < 2) return merged[0] ?? !absorbing
  return { kind, parts: merged }
}

/** More alternatives than this are not compared with each other. */
const MAX_COMPARED = 100

/** Alternatives that say the same but for what one answer is are one: "a and b" or "a and not b" is "a". */
function mergeAlternatives(parts: readonly Logic[]): Logic[] {
  const left = [...parts]
  if (left.length > MAX_COMPARED) return left
  const places = new Map<string, { index: number; at: number }>()
  for (const [index, part] of left.entries()) {
    if (typeof part !== 'object' || part.kind !== 'all') continue
    for (const [at, each] of part.parts.entries()) {
      if (typeof each !== 'object' || each.kind !== 'states') continue
      const key = nameAlternative(part.parts, each, at)
      const known = places.get(key)
      const other = known === undefined ? undefined : left[known.index]
      if (!known || known.index === index) places.set(key, { index, at })
      else if (typeof other === 'object' && other.kind === 'all') {
        const states = joinLogic('any', [other.parts[known.at], each])
        const joined = joinLogic('all', other.parts.with(known.at, states ?? each))
        if (joined !== undefined) return mergeAlternatives(left.with(known.index, joined).toSpliced(index, 1))
      }
    }
  }
  return left
}

/** What an alternative says besides one of its parts. */
const nameAlternative = (parts: readonly Logic[], { of }: { of: Tested }, at: number): string =>
  JSON.stringify([nameTested(of), ...parts.toSpliced(at, 1).map(nameLogic).toSorted()])

const nameLogic = (logic: Logic): string => (typeof logic === 'boolean' ? String(logic) : JSON.stringify(toCondition(logic)))

/** Merges tests of the same answer into one, and drops tests that another one decides. */
function mergeParts(parts: readonly Logic[], kind: 'all' | 'any'): Logic[] | boolean {
  const absorbing = kind === 'any'
  const merged: Logic[] = []
  const places = new Map<string, number>()
  for (const part of parts) {
    const key = readMergeKey(part, kind)
    const place = places.get(key)
    const known = place === undefined ? undefined : merged[place]
    if (place === undefined || known === undefined) places.set(key, merged.push(part) - 1)
    else merged[place] = mergeTwo(known, part, kind)
    if (merged[place ?? -1] === absorbing) return absorbing
  }
  const settled = settleStates(merged, kind)
  const isDone = typeof settled === 'boolean' || settled.every((each, index) => each === merged[index])
  return isDone ? settled : mergeParts(settled, kind)
}

function readMergeKey(part: Logic, kind: 'all' | 'any'): string {
  if (typeof part === 'boolean') return String(part)
  if (part.kind === 'states') return `states ${nameTested(part.of)}`
  if (part.kind !== 'test') return JSON.stringify(toCondition(part))
  const isMergeable = part.test.is === (kind === 'any' ? 'any_of' : 'none_of')
  return isMergeable ? `${part.test.is} ${nameTested(part.test)}` : JSON.stringify(part.test)
}

const nameTested = ({ question, row }: Tested) => JSON.stringify([question, row])

function mergeTwo(a: Logic, b: Logic, kind: 'all' | 'any'): Logic {
  if (typeof a === 'boolean' || typeof b === 'boolean') return a
  if (a.kind === 'states' && b.kind === 'states') {
    const states = a.domain.filter((state) =>
      kind === 'all' ? a.states.has(state) && b.states.has(state) : a.states.has(state) || b.states.has(state),
    )
    return states.length === a.domain.length || isInState(a.of, a.domain, states)
  }
  if (a.kind !== 'test' || b.kind !== 'test' || !a.test.options || !b.test.options) return a
  const { question, row } = a.test
  const any = isAnyChosen({ question, ...(row !== undefined && { row }) }, [...new Set([...a.test.options, ...b.test.options])])
  return kind === 'any' ? any : (negateLogic(any) ?? a)
}

/**
 * With `all`, every part may rely on the others; with `any`, on that the others do not hold. So their tests of an
 * answer simplify the tests of the same answer inside a part, or make them redundant.
 */
function settleStates(parts: readonly Logic[], kind: 'all' | 'any'): Logic[] | boolean {
  const absorbing = kind === 'any'
  const given = new Map<string, Extract<Logic, { kind: 'states' }>>()
  for (const part of parts) if (typeof part === 'object' && part.kind === 'states') given.set(nameTested(part.of), part)
  if (given.size === 0) return [...parts]
  const settled: Logic[] = []
  for (const part of parts) {
    if (typeof part === 'object' && part.kind === 'states') {
      settled.push(part)
      continue
    }
    const next = assumeStates(part, (of) => {
      const known = given.get(nameTested(of))
      if (!known) return undefined
      return kind === 'all' ? known.states : new Set(known.domain.filter((state) => !known.states.has(state)))
    })
    if (next === absorbing) return absorbing
    if (next !== !absorbing) settled.push(next)
  }
  return settled.filter((part) => !isImplied(part, settled, kind))
}

/** True for a test that there is (or is no) answer, if another test already implies it. */
function isImplied(part: Logic, parts: readonly Logic[], kind: 'all' | 'any'): boolean {
  if (typeof part === 'boolean' || part.kind !== 'states') return false
  const { states, domain, of } = part
  const isOnlyAnswered = states.size === domain.length - 1 && !states.has('')
  const isOnlyBlank = states.size === 1 && states.has('')
  const tests = parts.flatMap((each) => (typeof each === 'object' && each.kind === 'test' ? [each] : []))
  if (kind === 'all' && isOnlyAnswered) return tests.some((each) => needsAnswer(each, of))
  return kind === 'any' && isOnlyBlank && tests.some(({ test, needs }) => isSame(test, of) && needs.length === 0 && HOLD_BLANK.has(test.is))
}

const isSame = (a: Tested, b: Tested) => a.question === b.question && a.row === b.row
const HOLD_BLANK: ReadonlySet<string> = new Set(['none_of', 'chosen_at_most'])

const needsAnswer = ({ test, needs }: TestLogic, of: Tested): boolean =>
  needs.some((each) => isSame(each, of)) || (isSame(test, of) && needs.length === 0 && !HOLD_BLANK.has(test.is))

/** @param known the states that an answer can have here, if anything is known of it */
function assumeStates(logic: Logic, known: (of: Tested) => ReadonlySet<string> | undefined): Logic {
  if (typeof logic === 'boolean') return logic
  switch (logic.kind) {
    case 'states': {
      const possible = known(logic.of)
      if (!possible) return logic
      const states = logic.domain.filter((state) => logic.states.has(state) && possible.has(state))
      if (states.length === possible.size) return true
      return states.length === logic.states.size ? logic : isInState(logic.of, logic.domain, states)
    }
    case 'test': {
      const possible = known(logic.test)
      if (possible?.size !== 1 || !possible.has('')) return logic
      return logic.needs.length === 0 && HOLD_BLANK.has(logic.test.is)
    }
    default: {
      const parts = logic.parts.map((part) => assumeStates(part, known))
      return parts.every((part, index) => part === logic.parts[index]) ? logic : (joinLogic(logic.kind, parts) ?? logic)
    }
  }
}

/** The condition of ours that says the same. */
export function toCondition(logic: Exclude<Logic, boolean>): Condition {
  switch (logic.kind) {
    case 'states':
      return toStateTest(logic)
    case 'test':
      return logic.test
    default: {
      const parts = logic.parts.flatMap((part) => (typeof part === 'boolean' ? [] : [toCondition(part)]))
      return logic.kind === 'all' ? { all: parts } : { any: parts }
    }
  }
}

function toStateTest({ of, domain, states }: Extract<Logic, { kind: 'states' }>): ConditionTest {
  if (states.size === 1 && states.has('')) return { ...of, is: 'unanswered' }
  if (states.size === domain.length - 1 && !states.has('')) return { ...of, is: 'answered' }
  if (!states.has('')) return { ...of, is: 'any_of', options: domain.filter((state) => states.has(state)) }
  return { ...of, is: 'none_of', options: domain.filter((state) => !states.has(state)) }
}
