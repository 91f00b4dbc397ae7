import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { SurveyDraftBuilder } from '../import/survey-draft-builder.ts'
import { findPollQuestion } from '../poll/find-poll-question.ts'
import { checkDraft } from '../responses/draft-bounds.ts'
import { listByTextFaults } from '../sms/by-text.server.ts'
import { type Definition, definitionSchema, type Option, type Question } from '../surveys.schema.ts'
import { listCsvTargets, parseRowAnswers } from '../entry/csv-targets.ts'
import { checkDefinition } from './check-definition.ts'

/** Where a long list is allowed, and what it does to the rest of a survey. */

const list = (count: number): Option[] =>
  Array.from({ length: count }, (_, index) => ({ id: `s${index}`, label: { en: `Street ${index}` } }))
const ask = (...questions: Question[]): Definition => ({ schema: 1, pages: [{ id: 'p', questions }] })
const street = (count: number): Question => ({ id: 'street', type: 'one_choice', title: { en: 'Street' }, options: list(count) })

describe('a question', () => {
  it.each([
    ['one_choice', 5000, true],
    ['one_choice', 5001, false],
    ['dropdown', 5000, true],
    ['several_choices', 200, true],
    ['several_choices', 201, false],
    ['ranking', 201, false],
  ] as const)('of type %s with %s options is accepted: %s', (type, count, isAccepted) => {
    expect(v.is(definitionSchema, ask({ id: 'q', type, title: { en: 'Q' }, options: list(count) }))).toBe(isAccepted)
  })

  it('carries a long list over only if it takes one answer itself', () => {
    const carry = { question: 'street', which: 'not_chosen' as const }
    const faults = (type: 'one_choice' | 'several_choices') =>
      checkDefinition(ask(street(300), { id: 'next', type, title: { en: 'Next' }, options: list(0), carry }), ['en'])
    expect(faults('one_choice')).toEqual([])
    expect(faults('several_choices').map(({ code, pointer }) => [code, pointer])).toEqual([
      ['too-many', '/pages/0/questions/1/carry/question'],
    ])
  })

  it('with a long list names the option whose condition is at fault', () => {
    const options = list(80).map((option, index) => ({
      ...option,
      showIf: { question: index === 70 ? 'nowhere' : 'ward', is: 'any_of' as const, options: ['s1'] },
    }))
    const ward: Question = { id: 'ward', type: 'one_choice', title: { en: 'Ward' }, options: list(4) }
    const faults = checkDefinition(ask(ward, { id: 'street', type: 'one_choice', title: { en: 'Street' }, options }), ['en'])
    expect(faults.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['unknown-reference', '/pages/0/questions/1/options/70/showIf/question'],
    ])
  })
})

describe('a survey with a long list', () => {
  it('is no quick poll, and cannot be answered by text message', () => {
    expect(findPollQuestion(ask(street(50)))?.id).toBe('street')
    expect(findPollQuestion(ask(street(51)))).toBeUndefined()
    expect(listByTextFaults(ask(street(50)))).toEqual([])
    expect(listByTextFaults(ask(street(51)))).toEqual([{ code: 'not-by-text', pointer: '/pages/0/questions/0/type' }])
  })

  it('keeps no more of an unfinished answer than of a short one', () => {
    const answers = { street: { choice: 's1', other: 'x'.repeat(8000) } }
    expect(checkDraft(ask(street(5000)), answers).map(({ code }) => code)).toEqual(['too-long'])
  })

  it('takes its answers from a file by label or by code, the first of two with the same label', () => {
    const options = [...list(100), { id: 'twin', label: { en: 'Street 7' } }, { id: 'gone', label: { en: 'Gone' }, removed: true as const }]
    const definition = ask({ id: 'street', type: 'one_choice', title: { en: 'Street' }, options })
    const [target] = listCsvTargets(definition, 'en', 'en')
    const read = (text: string) => target && parseRowAnswers(definition, [{ target, text }])['street']
    expect([' street  7 ', 's12', 'twin', 'Gone'].map(read)).toEqual([
      { choice: 's7' },
      { choice: 's12' },
      { choice: 'twin' },
      { choice: 'Gone' },
    ])
  })
})

describe('an import', () => {
  const draft = () => new SurveyDraftBuilder({ fallback: 'en', languages: ['en'], choices: {} }, /\$\{([^{}]+)\}/g)
  const items = (count: number, text = 'Street') =>
    Array.from({ length: count }, (_, index) => ({ value: `s${index}`, said: { en: `${text} ${index}` } }))
  const listLeftOut = (drafting: SurveyDraftBuilder) =>
    drafting.elements.flatMap(({ notes }) => notes.flatMap(({ code, what }) => (code === 'left-out' ? [what] : [])))

  it('carries 5,000 options of a single choice and 200 of others, and names the rest', () => {
    const single = draft()
    expect(single.options(items(5002), 'listed').options).toHaveLength(5000)
    expect(listLeftOut(single)).toEqual(['s5000', 's5001'])
    const several = draft()
    expect(several.options(items(202)).options).toHaveLength(200)
    expect(listLeftOut(several)).toEqual(['s200', 's201'])
  })

  it('stays within what the editor can save, and names the rest', () => {
    const drafting = draft()
    const lists = Array.from({ length: 3 }, () => drafting.options(items(5000, 'x'.repeat(250)), 'listed').options)
    const bytes = new TextEncoder().encode(JSON.stringify(lists)).length
    expect(bytes).toBeGreaterThan(1_400_000)
    expect(bytes).toBeLessThan(1_600_000)
    expect(listLeftOut(drafting).length).toBeGreaterThan(0)
  })
})
