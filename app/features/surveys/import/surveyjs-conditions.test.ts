import { expect, test } from 'vitest'
import { readSurveyFile } from './read-survey-file.server.ts'

async function readSurveyJs(...elements: readonly object[]) {
  const file = Buffer.from(JSON.stringify({ elements }))
  const { imported } = await readSurveyFile({ file, locale: 'en', languages: ['en'], choices: {} })
  const questions = imported.definition.pages.flatMap((page) => page.questions)
  return {
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
    { type: 'matrixdynamic', name: 'open', columns },
  )
  expect(questions.map(({ id, type }) => [id, type])).toEqual([
    ['visits', 'info'],
    ['visits_done', 'matrix_one'],
    ['last', 'info'],
    ['last_done', 'dropdown'],
    ['called', 'short_text'],
    ['open', 'info'],
    ['open_done', 'dropdown'],
  ])
  expect(questions[1]).toMatchObject({ rows: [{ label: { en: '1' } }, { label: { en: '2' } }] })
  expect(notes.filter((note) => note.includes('repeated'))).toEqual(['open: repeated open'])
})
