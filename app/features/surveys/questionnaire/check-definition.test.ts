import { describe, expect, it } from 'vitest'
import { checkAgainstPublished, checkDefinition, combineVersions } from './check-definition.ts'
import type { Definition, Question } from '../surveys.schema.ts'

const both = (en: string) => ({ en, 'fr-CA': `${en} (fr)` })
const survey = (...questions: Question[]): Definition => ({ schema: 1, pages: [{ id: 'p1', questions }] })
const choice = (id: string, options: string[], more: object = {}): Question => ({
  id,
  type: 'one_choice',
  title: both(id),
  options: options.map((each) => ({ id: each, label: both(each) })),
  ...more,
})
const severalOf = (id: string, options: string[], more: object = {}): Question => ({
  id,
  type: 'several_choices',
  title: both(id),
  options: options.map((each) => ({ id: each, label: both(each) })),
  ...more,
})
const text = (id: string, more: object = {}): Question => ({ id, type: 'short_text', title: both(id), ...more })
const faults = (definition: Definition) => checkDefinition(definition, ['en', 'fr-CA']).map(({ code, pointer }) => [code, pointer])

describe('a definition can be published', () => {
  it('if it is complete', () => {
    expect(faults(survey(text('a'), choice('b', ['x', 'y'])))).toEqual([])
  })

  const at = '/pages/0/questions/0'
  it.each<[string, Definition, unknown[]]>([
    ['with a question', { schema: 1, pages: [{ id: 'p', questions: [] }] }, [['too-few', '/pages']]],
    ['with a title for each question', survey(text('a', { title: { en: ' ' } })), [['required', `${at}/title`]]],
    [
      'with every text in each language',
      survey(text('a', { title: { en: 'A' }, help: { 'fr-CA': 'B' } })),
      [
        ['translation-missing', `${at}/title/fr-CA`],
        ['translation-missing', `${at}/help/en`],
      ],
    ],
    ['with two options at least', survey(choice('a', ['x'])), [['too-few', `${at}/options`]]],
    ['with each option once', survey(choice('a', ['x', 'x'])), [['taken', `${at}/options/1/id`]]],
    ['with each question once', survey(text('a'), text('a')), [['taken', '/pages/0/questions/1/id']]],
    ['with a length that can be met', survey(text('a', { minLength: 5, maxLength: 4 })), [['out-of-range', `${at}/maxLength`]]],
    [
      'with a number of choices that can be met',
      survey(severalOf('a', ['x', 'y'], { minChoices: 3 })),
      [['out-of-range', `${at}/maxChoices`]],
    ],
  ])('only %s', (_what, definition, expected) => {
    expect(faults(definition)).toEqual(expected)
  })
})

describe('what earlier versions asked', () => {
  const first = survey(text('gone'), choice('kept', ['x', 'y', 'z']), text('last'))
  const second = survey(choice('kept', ['y', 'new'], { title: both('Reworded') }), text('last'))

  it('stays in its place, with the newest wording, and keeps removed options', () => {
    const [page] = combineVersions([first, second]).pages
    expect(page?.questions.map((question) => [question.id, question.removed ?? false])).toEqual([
      ['gone', true],
      ['kept', false],
      ['last', false],
    ])
    const kept = page?.questions[1]
    expect(kept).toMatchObject({ title: both('Reworded'), removedOptions: ['x', 'z'] })
    expect(kept && 'options' in kept && kept.options.map((option) => option.id)).toEqual(['y', 'new', 'x', 'z'])
  })

  it('fixes the type of a question, except to text', () => {
    const versions = [first, second]
    expect(checkAgainstPublished(survey(severalOf('kept', ['x', 'y'])), versions)).toEqual([
      { code: 'question-type-fixed', pointer: '/pages/0/questions/0/type' },
    ])
    expect(checkAgainstPublished(survey(text('kept')), versions)).toEqual([])
    expect(checkAgainstPublished(survey(choice('gone', ['x', 'y'])), versions)).toHaveLength(1)
  })

  it('fixes the scale of a rating', () => {
    const rating = (max: number) => survey({ id: 'r', type: 'rating', title: both('r'), scale: { max } })
    expect(checkAgainstPublished(rating(10), [rating(5)])).toEqual([{ code: 'scale-fixed', pointer: '/pages/0/questions/0/scale/max' }])
    expect(checkAgainstPublished(rating(5), [rating(5)])).toEqual([])
  })
})
