import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type { Condition } from './conditions.schema.ts'
import { checkDefinition } from './check-definition.ts'
import { expandCarriedOptions } from './carried-options.ts'
import { listAskedQuestions, isAnswerDependent, walkSurvey } from './walk-survey.ts'
import { definitionSchema, type Answers, type Definition, type Page, type Question } from '../surveys.schema.ts'

const en = (text: string) => ({ en: text })
const text = (id: string, more: object = {}): Question => ({ id, type: 'short_text', title: en(id), ...more })
const choice = (id: string, options: string[], more: object = {}): Question => ({
  id,
  type: 'one_choice',
  title: en(id),
  options: options.map((each) => ({ id: each, label: en(each) })),
  ...more,
})
const several = (id: string, options: string[], more: object = {}): Question =>
  ({ ...choice(id, options, more), type: 'several_choices' }) as Question
const page = (id: string, questions: Question[], more: Partial<Page> = {}): Page => ({ id, questions, ...more })
const survey = (...pages: Page[]): Definition => ({ schema: 1, pages })
const chose = (question: string, ...options: string[]): Condition => ({ question, is: 'any_of', options })
const asked = (definition: Definition, answers: Answers) =>
  listAskedQuestions(walkSurvey(definition, answers, 'seed')).map((question) => question.id)

describe('what is shown', () => {
  it.each<[string, Condition, Answers, boolean]>([
    ['an option chosen', chose('a', 'x'), { a: { choice: 'x' } }, true],
    ['another option', chose('a', 'x'), { a: { choice: 'y' } }, false],
    ['no answer', chose('a', 'x'), {}, false],
    ['none of them, unanswered', { question: 'a', is: 'none_of', options: ['x'] }, {}, true],
    ['all of two', { question: 'b', is: 'all_of', options: ['p', 'q'] }, { b: { choices: ['p', 'q'] } }, true],
    ['all of two, with one', { question: 'b', is: 'all_of', options: ['p', 'q'] }, { b: { choices: ['p'] } }, false],
    ['enough options', { question: 'b', is: 'chosen_at_least', value: 2 }, { b: { choices: ['p', 'q'] } }, true],
    ['too few options', { question: 'b', is: 'chosen_at_least', value: 2 }, { b: { choices: ['p'] } }, false],
    ['too many options', { question: 'b', is: 'chosen_at_most', value: 1 }, { b: { choices: ['p', 'q'] } }, false],
    ['no options, of at most one', { question: 'b', is: 'chosen_at_most', value: 1 }, {}, true],
    ['no options, of at least one', { question: 'b', is: 'chosen_at_least', value: 1 }, {}, false],
    ['a count that is still being typed', { question: 'b', is: 'chosen_at_least' }, { b: { choices: ['p'] } }, false],
    ['an answer', { question: 'c', is: 'answered' }, { c: 'x' }, true],
    ['words in a text', { question: 'c', is: 'contains', value: 'TREE' }, { c: 'More trees' }, true],
    ['a text, whatever its case', { question: 'c', is: 'equals', value: 'Elm' }, { c: 'elm' }, true],
    ['a number that is enough', { question: 'd', is: 'at_least', value: 3 }, { d: 3 }, true],
    ['a number that is not', { question: 'd', is: 'at_least', value: 4 }, { d: 3 }, false],
    ['a number not given', { question: 'd', is: 'at_most', value: 4 }, {}, false],
    ['a row of a grid', { question: 'g', row: 'pool', is: 'any_of', options: ['bad'] }, { g: { rows: { pool: ['bad'] } } }, true],
    ['another row of it', { question: 'g', row: 'park', is: 'any_of', options: ['bad'] }, { g: { rows: { pool: ['bad'] } } }, false],
    ['an item of a budget', { question: 'e', row: 'red', is: 'at_least', value: 50 }, { e: { amounts: { red: 60 } } }, true],
    ['either of two', { any: [chose('a', 'x'), chose('a', 'y')] }, { a: { choice: 'y' } }, true],
    ['both of two', { all: [chose('a', 'x'), { any: [{ question: 'c', is: 'answered' }] }] }, { a: { choice: 'x' } }, false],
  ])('%s', (_what, showIf, answers, shown) => {
    const definition = survey(
      page('p1', [
        choice('a', ['x', 'y']),
        several('b', ['p', 'q']),
        text('c'),
        { id: 'd', type: 'rating', title: en('d'), scale: { max: 5 } },
        { id: 'e', type: 'budget', title: en('e'), measure: 'percent', total: 100, options: [{ id: 'red', label: en('red') }] },
        {
          id: 'g',
          type: 'matrix_one',
          title: en('g'),
          rows: [
            { id: 'park', label: {} },
            { id: 'pool', label: {} },
          ],
          columns: [{ id: 'bad', label: {} }],
        },
      ]),
      page('p2', [text('last', { showIf })]),
    )
    expect(asked(definition, answers).includes('last')).toBe(shown)
  })

  it('options and rows follow their own conditions; an answer to a hidden one is dropped', () => {
    const definition = survey(
      page('p1', [choice('a', ['x', 'y']), several('b', ['p', 'q'])]),
      page('p2', [
        several('c', ['m'], {
          options: [
            { id: 'm', label: en('m') },
            { id: 'n', label: en('n'), showIf: chose('a', 'x') },
          ],
        }),
      ]),
    )
    const given = { a: { choice: 'y' }, c: { choices: ['m', 'n'] } }
    expect(walkSurvey(definition, given, 's').kept['c']).toEqual({ choices: ['m'] })
    expect(walkSurvey(definition, { ...given, a: { choice: 'x' } }, 's').kept['c']).toEqual({ choices: ['m', 'n'] })
  })

  it('jumps skip the pages in between, or lead to a custom ending', () => {
    const definition: Definition = {
      ...survey(
        page('p1', [choice('a', ['x', 'y', 'z'])], {
          next: [
            { when: chose('a', 'x'), page: 'p3' },
            { when: chose('a', 'y'), end: 'away' },
          ],
        }),
        page('p2', [text('b')]),
        page('p3', [text('c')]),
      ),
      endings: [{ id: 'away', title: en('Thank you') }],
    }
    expect(asked(definition, { a: { choice: 'x' } })).toEqual(['a', 'c'])
    expect(asked(definition, { a: { choice: 'y' }, b: 'never kept' })).toEqual(['a'])
    expect(walkSurvey(definition, { a: { choice: 'y' }, b: 'x' }, 's')).toMatchObject({ end: 'away', kept: { a: { choice: 'y' } } })
    expect(asked(definition, {})).toEqual(['a', 'b', 'c'])
  })

  it('choices carry over: those chosen, or those not chosen', () => {
    const definition = expandCarriedOptions(
      survey(
        page('p1', [several('a', ['x', 'y', 'z'])]),
        page('p2', [
          choice('best', [], { carry: { question: 'a', which: 'chosen' } }),
          choice('why', ['other'], { carry: { question: 'a', which: 'not_chosen' } }),
        ]),
      ),
    )
    const options = (answers: Answers) =>
      Object.fromEntries(
        listAskedQuestions(walkSurvey(definition, answers, 's')).map((each) => [
          each.id,
          'options' in each ? each.options.map((one) => one.id) : [],
        ]),
      )
    expect(options({ a: { choices: ['x', 'z'] } })).toMatchObject({ best: ['x', 'z'], why: ['y', 'other'] })
    expect(options({})).toMatchObject({ why: ['x', 'y', 'z', 'other'] })
    expect(options({})).not.toHaveProperty('best')
  })

  it('random order is the same for one response everywhere, with "other" and "none" last', () => {
    const options = Array.from('abcdefgh').map((id) => ({ id, label: en(id) }))
    const definition = survey(
      page('p', [
        choice('q', [], {
          shuffle: true,
          options: [{ id: 'say', label: en('s'), other: true }, { id: 'none', label: en('n'), exclusive: true }, ...options],
        }),
      ]),
    )
    const order = (seed: string) =>
      listAskedQuestions(walkSurvey(definition, {}, seed)).flatMap((each) => ('options' in each ? each.options.map((one) => one.id) : []))
    const orders = Array.from({ length: 200 }, (_, index) => order(`seed ${index}`))
    expect(order('seed 1')).toEqual(order('seed 1'))
    expect(orders.every((each) => each.slice(-2).join() === 'say,none')).toBe(true)
    const firsts = Map.groupBy(orders, (each) => each[0])
    expect(firsts.size).toBe(8)
    expect(Math.max(...Array.from(firsts.values(), (each) => each.length))).toBeLessThan(60)
  })

  it('depends on answers only if something refers to them', () => {
    expect(isAnswerDependent(survey(page('p', [text('a'), choice('b', ['x', 'y'], { shuffle: true })])))).toBe(false)
    expect(isAnswerDependent(survey(page('p', [text('a'), text('b', { title: en('You said {{a}}') })])))).toBe(true)
    expect(isAnswerDependent(survey(page('p', [text('a')]), page('q', [text('b')], { intro: en('You said {{a}}') })))).toBe(true)
    expect(isAnswerDependent(survey(page('p', [text('a'), text('b', { showIf: chose('a', 'x') })])))).toBe(true)
  })
})

/** Surveys with all kinds of rules, valid or not: rules may refer to something that does not exist or comes later. */
const ids = ['q0', 'q1', 'q2', 'q3', 'q4', 'q5', 'q6']
const option = fc.constantFrom('x', 'y', 'z')
const condition: fc.Arbitrary<Condition> = fc.letrec<{ any: Condition }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    fc.record({
      question: fc.constantFrom(...ids, 'gone'),
      is: fc.constantFrom('any_of' as const, 'none_of' as const),
      options: fc.array(option, { minLength: 1, maxLength: 2 }),
    }),
    fc.record({ question: fc.constantFrom(...ids), is: fc.constantFrom('answered' as const, 'unanswered' as const) }),
    fc.record({ all: fc.array(tie('any'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ any: fc.array(tie('any'), { minLength: 1, maxLength: 2 }) }),
  ),
})).any
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
const definitions: fc.Arbitrary<Definition> = fc
  .record({
    sizes: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 4 }),
    shows: fc.array(maybe(condition), { minLength: 20, maxLength: 20 }),
    rules: fc.array(
      fc.array(fc.record({ when: maybe(condition), page: maybe(fc.constantFrom('p0', 'p1', 'p2', 'p3')), end: fc.constant(undefined) }), {
        maxLength: 2,
      }),
      { minLength: 4, maxLength: 4 },
    ),
    carries: fc.array(
      maybe(fc.record({ question: fc.constantFrom(...ids), which: fc.constantFrom('chosen' as const, 'not_chosen' as const) })),
      { minLength: 7, maxLength: 7 },
    ),
    shuffle: fc.boolean(),
  })
  .map(({ sizes, shows, rules, carries, shuffle }) => {
    let next = 0
    const pages = sizes.map((size, p): Page => {
      const questions = Array.from({ length: Math.min(size, ids.length - next) }, (): Question => {
        const index = next++
        const [id = '', showIf, carry] = [ids[index], shows[index], carries[index]]
        const options = ['x', 'y', 'z'].map((each, o) => ({
          id: each,
          label: en(each),
          ...(shows[index + o] && o === 1 ? { showIf: shows[index + o] } : {}),
        }))
        return {
          id,
          type: 'several_choices',
          title: en(id),
          shuffle,
          required: index % 2 === 0,
          options,
          ...(showIf && { showIf }),
          ...(carry && { carry }),
        }
      })
      const showIf = shows[10 + p]
      return {
        id: `p${p}`,
        questions,
        shuffle,
        ...(showIf && { showIf }),
        next: (rules[p] ?? []).map((rule) => JSON.parse(JSON.stringify(rule)) as object),
      }
    })
    return expandCarriedOptions({ schema: 1, pages })
  })
const given: fc.Arbitrary<Answers> = fc.dictionary(
  fc.constantFrom(...ids, 'gone'),
  fc.record({ choices: fc.uniqueArray(option, { minLength: 1 }) }),
)

describe('whatever is asked and answered', () => {
  it('a walk ends, asks nothing twice, keeps no hidden answers, and is repeatable', () => {
    fc.assert(
      fc.property(definitions, given, (definition, answers) => {
        const walked = walkSurvey(definition, answers, 'seed')
        const shown = listAskedQuestions(walked)
        expect(new Set(shown.map((question) => question.id)).size).toBe(shown.length)
        for (const [id, answer] of Object.entries(walked.kept)) {
          const question = shown.find((each) => each.id === id)
          const offered = question && 'options' in question ? question.options.map((each) => each.id) : []
          expect(
            typeof answer === 'object' && 'choices' in answer ? answer.choices.filter((each) => !offered.includes(each)) : ['?'],
          ).toEqual([])
        }
        expect(walkSurvey(definition, walked.kept, 'seed')).toEqual(walked)
      }),
      { numRuns: 500 },
    )
  })

  it('page by page it gives the same as all at once', () => {
    fc.assert(
      fc.property(definitions, given, (definition, answers) => {
        const whole = walkSurvey(definition, answers, 'seed')
        let sofar: Answers = {}
        const seen: string[] = []
        for (let step = 0; step <= definition.pages.length; step += 1) {
          const current = walkSurvey(definition, sofar, 'seed').pages[step]
          if (!current) break
          seen.push(current.page.id)
          for (const question of whole.pages[step]?.questions ?? []) {
            const answer = answers[question.id]
            if (answer !== undefined) sofar = { ...sofar, [question.id]: answer }
          }
        }
        const last = walkSurvey(definition, sofar, 'seed')
        expect(last.kept).toEqual(whole.kept)
        expect(last).toEqual(whole)
      }),
      { numRuns: 500 },
    )
  })

  it('any definition the schema accepts is checked and walked without throwing', () => {
    fc.assert(
      fc.property(definitions, given, (definition, answers) => {
        expect(v.is(definitionSchema, definition)).toBe(true)
        expect(Array.isArray(checkDefinition(definition, ['en']))).toBe(true)
        walkSurvey(definition, answers, '')
      }),
    )
  })
})

describe('the logic of a definition can be published', () => {
  const faults = (definition: Definition) => checkDefinition(definition, ['en']).map(({ code, pointer }) => [code, pointer])
  const two = (more: object) => survey(page('p1', [choice('a', ['x', 'y'])]), page('p2', [choice('b', ['x', 'y'], more)]))
  const at = '/pages/1/questions/0'

  it.each<[string, Definition, unknown[]]>([
    ['when it looks back', two({ showIf: chose('a', 'x') }), []],
    ['only about questions that are there', two({ showIf: chose('gone', 'x') }), [['unknown-reference', `${at}/showIf/question`]]],
    ['only about options that are there', two({ showIf: chose('a', 'q') }), [['unknown-reference', `${at}/showIf/options`]]],
    ['only about earlier questions', two({ showIf: { any: [chose('b', 'x')] } }), [['refers-later', `${at}/showIf/any/0/question`]]],
    ['only with something to compare', two({ showIf: { question: 'a', is: 'equals' } }), [['required', `${at}/showIf/value`]]],
    ['only with conditions that hold something', two({ showIf: { all: [] } }), [['required', `${at}/showIf`]]],
    ['only repeating earlier answers', two({ title: en('Why {{b}}?') }), [['refers-later', `${at}/title/en`]]],
    ['only repeating answers that are there', two({ help: en('{{gone}}') }), [['unknown-reference', `${at}/help/en`]]],
    [
      'only carrying from earlier questions',
      two({ carry: { question: 'b', which: 'chosen' } }),
      [['refers-later', `${at}/carry/question`]],
    ],
    [
      'only with jumps that lead on',
      survey(page('p1', [text('a')]), page('p2', [text('b')], { next: [{ page: 'p1' }] })),
      [['jumps-back', '/pages/1/next/0/page']],
    ],
    [
      'only with endings that are there',
      survey(page('p1', [text('a')], { next: [{ when: chose('a', 'x'), end: 'gone' }] })),
      [['unknown-reference', '/pages/0/next/0/end']],
    ],
    [
      'only with pages somebody reaches',
      survey(page('p1', [text('a')], { next: [{ page: 'p3' }] }), page('p2', [text('b')]), page('p3', [text('c')])),
      [['never-reached', '/pages/1']],
    ],
    [
      'only with numbers that can be given',
      survey(
        page('p1', [{ id: 'r', type: 'nps', title: en('r') }]),
        page('p2', [text('b')], { showIf: { question: 'r', is: 'at_least', value: 11 } }),
      ),
      [['out-of-range', '/pages/1/showIf/value']],
    ],
    [
      'only with quotas of a question that is there',
      { ...survey(page('p1', [text('a')])), quotas: [{ id: 'full', when: chose('b', 'x'), limit: 1 }] },
      [['unknown-reference', '/quotas/0/when/question']],
    ],
  ])('%s', (_what, definition, expected) => {
    expect(faults(definition)).toEqual(expected)
  })

  it('excessive nesting is not a valid definition', () => {
    let condition: unknown = chose('a', 'x')
    for (let depth = 0; depth < 5000; depth += 1) condition = { all: [condition] }
    expect(v.is(definitionSchema, survey(page('p', [text('b', { showIf: condition })])))).toBe(false)
  })
})
