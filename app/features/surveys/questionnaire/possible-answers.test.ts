import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getQuestionModule } from './question-types/registry.ts'
import type { Condition } from './conditions.schema.ts'
import { isConditionMet } from './conditions.ts'
import { checkDefinition } from './check-definition.ts'
import { listAskedQuestions, walkSurvey } from './walk-survey.ts'
import { PossibilityChecker } from './possible-answers.ts'
import type { Answers, Definition, Page, Question } from '../surveys.schema.ts'
import { listReachableIds } from './paths.ts'

const en = (text: string) => ({ en: text })
const options = ['x', 'y', 'z'].map((id) => ({ id, label: en(id) }))
const one: Question = { id: 'one', type: 'one_choice', title: en('one'), options }
const some: Question = { id: 'some', type: 'several_choices', title: en('some'), options, maxChoices: 2 }
const rate: Question = { id: 'rate', type: 'rating', title: en('rate'), scale: { max: 5 } }
const day: Question = { id: 'day', type: 'date', title: en('day') }
const word: Question = { id: 'word', type: 'short_text', title: en('word') }
const asked = [one, some, rate, day, word]
const page = (id: string, questions: Question[], more: Partial<Page> = {}): Page => ({ id, questions, ...more })
const survey = (...pages: Page[]): Definition => ({ schema: 1, pages })
const is = (question: string, ...chosen: string[]): Condition => ({ question, is: 'any_of', options: chosen })

describe('a condition that no answers meet', () => {
  const possible = (condition: Condition) => new PossibilityChecker(survey(page('p', asked))).canHold(condition)
  it.each<[string, Condition, boolean]>([
    ['two answers to one choice', { all: [is('one', 'x'), is('one', 'y')] }, false],
    ['either of two answers', { any: [is('one', 'x'), is('one', 'y')] }, true],
    ['two answers where several may be chosen', { all: [is('some', 'x'), is('some', 'y')] }, true],
    ['all of three where two may be chosen', { question: 'some', is: 'all_of', options: ['x', 'y', 'z'] }, false],
    ['three chosen where two may be', { question: 'some', is: 'chosen_at_least', value: 3 }, false],
    ['two chosen where two may be', { question: 'some', is: 'chosen_at_least', value: 2 }, true],
    [
      'two of them, and at most one',
      {
        all: [
          { question: 'some', is: 'all_of', options: ['x', 'y'] },
          { question: 'some', is: 'chosen_at_most', value: 1 },
        ],
      },
      false,
    ],
    [
      'no answer, and at least none chosen',
      {
        all: [
          { question: 'some', is: 'unanswered' },
          { question: 'some', is: 'chosen_at_least', value: 0 },
        ],
      },
      true,
    ],
    [
      'an answer, and none of all there are',
      {
        all: [
          { question: 'one', is: 'answered' },
          { question: 'one', is: 'none_of', options: ['x', 'y', 'z'] },
        ],
      },
      false,
    ],
    [
      'no answer, and none of all there are',
      {
        all: [
          { question: 'one', is: 'unanswered' },
          { question: 'one', is: 'none_of', options: ['x', 'y', 'z'] },
        ],
      },
      true,
    ],
    [
      'an answer and none',
      {
        all: [
          { question: 'rate', is: 'answered' },
          { question: 'rate', is: 'unanswered' },
        ],
      },
      false,
    ],
    [
      'more than four and less than three',
      {
        all: [
          { question: 'rate', is: 'at_least', value: 4 },
          { question: 'rate', is: 'at_most', value: 3 },
        ],
      },
      false,
    ],
    [
      'from three to four',
      {
        all: [
          { question: 'rate', is: 'at_least', value: 3 },
          { question: 'rate', is: 'at_most', value: 4 },
        ],
      },
      true,
    ],
    [
      'after May and before April',
      {
        all: [
          { question: 'day', is: 'at_least', value: '2026-05-01' },
          { question: 'day', is: 'at_most', value: '2026-04-01' },
        ],
      },
      false,
    ],
    [
      'two words at once',
      {
        all: [
          { question: 'word', is: 'equals', value: 'elm' },
          { question: 'word', is: 'equals', value: 'oak' },
        ],
      },
      false,
    ],
    [
      'one word in two cases',
      {
        all: [
          { question: 'word', is: 'equals', value: 'elm' },
          { question: 'word', is: 'equals', value: 'Elm ' },
        ],
      },
      true,
    ],
  ])('%s', (_what, condition, expected) => {
    expect(possible(condition)).toBe(expected)
  })

  it('even if the question it refers to shows only to other people', () => {
    const later = (showIf: Condition) => page('p3', [{ ...word, id: 'last', showIf }])
    const faults = (showIf: Condition) =>
      checkDefinition(survey(page('p1', [one]), page('p2', [{ ...rate, showIf: is('one', 'x') }]), later(showIf)), ['en'])
    const high: Condition = { question: 'rate', is: 'at_least', value: 4 }
    expect(faults({ all: [high, is('one', 'x')] })).toEqual([])
    expect(faults({ all: [high, is('one', 'y')] })).toEqual([{ code: 'never-true', pointer: '/pages/2/questions/0/showIf' }])
    expect(faults({ any: [is('one', 'z'), { all: [high, is('one', 'y')] }] })).toEqual([
      { code: 'never-true', pointer: '/pages/2/questions/0/showIf/any/1' },
    ])
  })

  it('combines the rules of the page and the question', () => {
    const definition = survey(page('p1', [one]), page('p2', [{ ...word, showIf: is('one', 'y') }], { showIf: is('one', 'x') }))
    expect(checkDefinition(definition, ['en'])).toEqual([{ code: 'never-true', pointer: '/pages/1/questions/0/showIf' }])
  })

  const condition: fc.Arbitrary<Condition> = fc.letrec<{ any: Condition }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.record({
        question: fc.constantFrom('one', 'some'),
        is: fc.constantFrom('any_of' as const, 'none_of' as const, 'all_of' as const),
        options: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }),
      }),
      fc.record({
        question: fc.constantFrom('one', 'some', 'rate', 'word'),
        is: fc.constantFrom('answered' as const, 'unanswered' as const),
      }),
      fc.record({
        question: fc.constant('rate'),
        is: fc.constantFrom('at_least' as const, 'at_most' as const, 'equals' as const),
        value: fc.integer({ min: 1, max: 5 }),
      }),
      fc.record({
        question: fc.constant('word'),
        is: fc.constantFrom('equals' as const, 'contains' as const),
        value: fc.constantFrom('elm', 'oak'),
      }),
      fc.record({
        question: fc.constant('some'),
        is: fc.constantFrom('chosen_at_least' as const, 'chosen_at_most' as const),
        value: fc.integer({ min: 0, max: 4 }),
      }),
      fc.record({ all: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
      fc.record({ any: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
    ),
  })).any
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
  const given: fc.Arbitrary<Answers> = fc
    .record({
      one: maybe(fc.record({ choice: fc.constantFrom('x', 'y', 'z') })),
      some: maybe(fc.record({ choices: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 2 }) })),
      rate: maybe(fc.integer({ min: 1, max: 5 })),
      word: maybe(fc.constantFrom('elm', 'oak', 'elm or oak')),
    })
    .map((answers) => Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== undefined)) as Answers)

  it('never holds, whatever is answered: what is called impossible never shows', () => {
    fc.assert(
      fc.property(condition, maybe(condition), maybe(condition), given, (last, showRate, showPage, answers) => {
        // A rule about the question itself is refused before it gets here.
        fc.pre(!JSON.stringify(showRate ?? null).includes('"rate"'))
        const definition = survey(
          page('p1', [one, some, word]),
          page('p2', [{ ...rate, ...(showRate && { showIf: showRate }) }]),
          page('p3', [{ ...word, id: 'last', showIf: last }], showPage && { showIf: showPage }),
        )
        const possible = new PossibilityChecker(definition).canHold(last, showPage)
        const shows = listAskedQuestions(walkSurvey(definition, answers, 's')).some((question) => question.id === 'last')
        expect(shows && !possible).toBe(false)
      }),
      { numRuns: 1500 },
    )
  })

  it('is always found for one question without rules', () => {
    const all: Answers[] = ['x', 'y', 'z'].flatMap((choice) => [1, 2, 3, 4, 5].map((step) => ({ one: { choice }, rate: step })))
    const every = [
      {},
      ...all,
      ...all.map(({ one: choice }) => ({ one: choice }) as Answers),
      ...all.map(({ rate: step }) => ({ rate: step }) as Answers),
    ]
    expect(all.every((answers) => getQuestionModule(rate).check(rate, answers['rate'] ?? 0) === undefined)).toBe(true)
    fc.assert(
      fc.property(condition, (each) => {
        if (/"some"|"word"/.test(JSON.stringify(each))) return
        const known = new PossibilityChecker(survey(page('p', [one, rate])))
        expect(known.canHold(each)).toBe(every.some((answers) => isConditionMet(each, answers)))
      }),
      { numRuns: 1500 },
    )
  })
})

describe('the paths through a survey', () => {
  it('reach every page that somebody can get to', () => {
    const definition = survey(
      page('p1', [one], { next: [{ when: is('one', 'x'), page: 'p3' }, { end: 'away' }] }),
      page('p2', [word]),
      page('p3', [rate]),
    )
    expect(Array.from(listReachableIds({ ...definition, endings: [{ id: 'away', title: en('Thanks') }] })).toSorted()).toEqual([
      '',
      'away',
      'p1',
      'p3',
    ])
  })
})
