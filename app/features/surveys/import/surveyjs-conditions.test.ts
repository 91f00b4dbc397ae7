import { describe, expect, test } from 'vitest'
import { walkSurvey } from '../questionnaire/walk-survey.ts'
import type { Answers } from '../surveys.schema.ts'
import { readSurveyFile } from './read-survey-file.server.ts'

async function readSurveyJs(...elements: readonly object[]) {
  const file = Buffer.from(JSON.stringify({ elements }))
  const { imported } = await readSurveyFile({ file, locale: 'en', languages: ['en'], choices: {} })
  const questions = imported.definition.pages.flatMap((page) => page.questions)
  return {
    /** Ids of what is asked for these answers. */
    listAsked: (answers: Answers) =>
      walkSurvey(imported.definition, answers, 'seed').pages.flatMap((page) => page.questions.map(({ id }) => id)),
    questions,
    shown: Object.fromEntries(questions.flatMap(({ id, showIf }) => (showIf ? [[id, showIf]] : []))),
    notes: imported.elements.flatMap(({ at, notes }) => notes.map(({ code, what }) => `${at}: ${code} ${what}`)),
  }
}

const ask = (name: string, visibleIf: string) => ({ type: 'comment', name, visibleIf })

test('"contains" means a part of the value of one choice, and all of a list of several', async () => {
  const { shown, notes } = await readSurveyJs(
    { type: 'radiogroup', name: 'maker', choices: ['item1-0', 'item2-0', 'item2-1'] },
    { type: 'checkbox', name: 'reasons', choices: ['a', 'b'] },
    ask('part', '{maker} contains ["item2"]'),
    ask('none', "{maker} notcontains 'item2'"),
    ask('both', "{reasons} contains ['a', 'b']"),
  )
  expect(shown).toEqual({
    part: { question: 'maker', is: 'any_of', options: ['item2-0', 'item2-1'] },
    none: { question: 'maker', is: 'none_of', options: ['item2-0', 'item2-1'] },
    both: { question: 'reasons', is: 'all_of', options: ['a', 'b'] },
  })
  expect(notes).toEqual([])
})

test('a word without braces is a text, and two answers compare', async () => {
  const { shown, notes } = await readSurveyJs(
    { type: 'radiogroup', name: 'mode', choices: ['bus', 'foot'] },
    { type: 'text', name: 'from', inputType: 'number' },
    { type: 'text', name: 'to', inputType: 'number' },
    ask('bus', '{mode} = bus'),
    ask('longer', '{to} > {from}'),
    ask('blank', '!{to} empty'),
    ask('negated', '!{mode} contains "bus"'),
  )
  expect(shown).toEqual({
    bus: { question: 'mode', is: 'any_of', options: ['bus'] },
    longer: { question: 'to', is: 'more_than', value: { question: 'from' } },
    blank: { question: 'to', is: 'answered' },
  })
  // There "!" negates the answer, and not the comparison.
  expect(notes).toEqual(['negated: condition-left-out !{mode} contains "bus"'])
})

test('a choice may be shown by its own properties, and a row of fields by its condition', async () => {
  const { questions, shown } = await readSurveyJs(
    { type: 'dropdown', name: 'college', choices: ['arts', 'science'] },
    {
      type: 'dropdown',
      name: 'course',
      choicesVisibleIf: '{college} = {$item.college}',
      choices: [{ value: 'paint', college: 'arts' }],
    },
    {
      type: 'matrixdropdown',
      name: 'costs',
      columns: [{ name: 'year', cellType: 'text' }],
      rows: ['books', { value: 'paper', visibleIf: "{college} = 'arts'" }],
    },
  )
  const arts = { question: 'college', is: 'any_of', options: ['arts'] }
  expect(questions[1]).toMatchObject({ options: [{ id: 'paint', showIf: arts }] })
  expect(shown).toEqual({ costs_paper_year: arts })
})

test('rows and panels whose number cannot change are asked so often, and nothing repeats', async () => {
  const columns = [{ name: 'done', cellType: 'dropdown', choices: ['yes', 'no'] }]
  const { questions, notes } = await readSurveyJs(
    { type: 'matrixdynamic', name: 'visits', minRowCount: 2, maxRowCount: 2, columns },
    { type: 'matrixdynamic', name: 'last', rowCount: 1, allowAddRows: false, allowRemoveRows: false, columns },
    { type: 'paneldynamic', name: 'person', minPanelCount: 1, maxPanelCount: 1, templateElements: [{ type: 'text', name: 'called' }] },
  )
  expect(questions.map(({ id, type }) => [id, type])).toEqual([
    ['visits', 'info'],
    ['visits_done', 'matrix_one'],
    ['last', 'info'],
    ['last_done', 'dropdown'],
    ['called', 'short_text'],
  ])
  expect(questions[1]).toMatchObject({ rows: [{ label: { en: '1' } }, { label: { en: '2' } }] })
  expect(notes.filter((note) => note.includes('repeated'))).toEqual([])
})

describe('what people add in SurveyJS is asked again if they say that there is one more', () => {
  const yes = { choice: 'yes' }

  test('a panel, whose names mean the same copy', async () => {
    const { listAsked, questions, notes } = await readSurveyJs({
      type: 'paneldynamic',
      name: 'children',
      title: 'Children',
      minPanelCount: 1,
      maxPanelCount: 3,
      panelAddText: 'Add a child',
      templateElements: [
        { type: 'text', name: 'age', inputType: 'number' },
        { type: 'text', name: 'school', visibleIf: '{panel.age} > 5' },
      ],
    })
    expect(questions.filter(({ type }) => type === 'info').map(({ title }) => title.en)).toEqual([
      'Children',
      'Children (2)',
      'Children (3)',
    ])
    expect(questions.filter(({ type }) => type === 'yes_no').map(({ title }) => title.en)).toEqual(['Add a child', 'Add a child'])
    expect(listAsked({})).toEqual(['children_title', 'age', 'children_more'])
    expect(listAsked({ age: 9, children_more: { choice: 'no' } })).toEqual(['children_title', 'age', 'school', 'children_more'])
    expect(listAsked({ age: 3, children_more: yes, age_2: 9 })).toEqual([
      'children_title',
      'age',
      'children_more',
      'children_title_2',
      'age_2',
      'school_2',
      'children_more_2',
    ])
    expect(notes.filter((note) => note.includes('repeated'))).toEqual(['children: repeated children: 3'])
  })

  test('rows, of which none need be there, with the words of the site', async () => {
    const { listAsked, questions } = await readSurveyJs({
      type: 'matrixdynamic',
      name: 'visits',
      rowCount: 0,
      maxRowCount: 2,
      columns: [
        { name: 'where', cellType: 'dropdown', choices: ['clinic', 'home'] },
        { name: 'street', cellType: 'text', visibleIf: "{row.where} = 'home'" },
      ],
    })
    expect(questions.filter(({ type }) => type === 'yes_no').map(({ title }) => title.en)).toEqual([
      'Do you want to add one?',
      'Do you want to add another one?',
    ])
    expect(listAsked({})).toEqual(['visits_more'])
    expect(listAsked({ visits_more: yes, visits_where: { choice: 'home' } })).toEqual([
      'visits_more',
      'visits',
      'visits_where',
      'visits_street',
      'visits_more_2',
    ])
    expect(listAsked({ visits_more: yes, visits_more_2: yes, visits_where: { choice: 'home' } })).not.toContain('visits_street_2')
  })

  test('panels in panels, each with its own', async () => {
    const { listAsked } = await readSurveyJs({
      type: 'paneldynamic',
      name: 'homes',
      minPanelCount: 1,
      maxPanelCount: 2,
      templateElements: [
        { type: 'text', name: 'street' },
        {
          type: 'paneldynamic',
          name: 'pets',
          minPanelCount: 1,
          maxPanelCount: 2,
          templateElements: [
            { type: 'text', name: 'pet' },
            { type: 'text', name: 'why', visibleIf: '{panel.pet} notempty' },
          ],
        },
      ],
    })
    expect(listAsked({ pets_more: yes, pet_2: 'Cat' })).toEqual(['street', 'pet', 'pets_more', 'pet_2', 'why_2', 'homes_more'])
    expect(listAsked({ homes_more: yes, pet: 'Cat' })).toEqual([
      'street',
      'pet',
      'why',
      'pets_more',
      'homes_more',
      'street_2',
      'pet_3',
      'pets_more_2',
    ])
  })

  test('as often as a survey can bear, which the report says', async () => {
    const { questions, notes } = await readSurveyJs(
      { type: 'paneldynamic', name: 'open', minPanelCount: 1, templateElements: [{ type: 'text', name: 'a' }] },
      { type: 'paneldynamic', name: 'many', minPanelCount: 10_000, templateElements: [{ type: 'text', name: 'b' }] },
      {
        type: 'paneldynamic',
        name: 'long',
        minPanelCount: 1,
        templateElements: Array.from({ length: 40 }, (_, index) => ({ type: 'text', name: `c${index}` })),
      },
    )
    const count = (name: string) => questions.filter(({ id }) => id === name || id.startsWith(`${name}_`)).length
    expect([count('a'), count('b'), count('c0')]).toEqual([5, 10, 2])
    expect(notes.filter((note) => note.includes('repeated'))).toEqual([
      'open: repeated open: 5',
      'many: repeated many: 10',
      'long: repeated long: 2',
    ])
  })

  test('a cell of a table may depend on another of its row', async () => {
    const { listAsked, notes } = await readSurveyJs({
      type: 'matrixdropdown',
      name: 'drugs',
      columns: [
        { name: 'used', cellType: 'radiogroup', choices: ['yes', 'no'] },
        { name: 'often', cellType: 'dropdown', choices: ['daily', 'rarely'], visibleIf: "{row.used} = 'yes'" },
      ],
      rows: ['coffee', 'tea'],
    })
    expect(listAsked({ drugs_used: { rows: { tea: ['yes'] } } })).toEqual(['drugs', 'drugs_used', 'drugs_tea_often'])
    expect(notes.filter((note) => note.includes('left-out'))).toEqual([])
  })
})
