import { describe, expect, test } from 'vitest'
import { isConditionMet } from '../questionnaire/conditions.ts'
import { walkSurvey } from '../questionnaire/walk-survey.ts'
import type { Condition } from '../questionnaire/conditions.schema.ts'
import type { Answers, Definition } from '../surveys.schema.ts'
import { readSurveyFile } from './read-survey-file.server.ts'

type Row = Readonly<Record<string, string>>

const writeTable = (name: string, rows: readonly Row[]) =>
  `<${name}><rows>${rows
    .map(
      (row) =>
        `<row>${Object.entries(row)
          .map(([field, value]) => `<${field}><![CDATA[${value}]]></${field}>`)
          .join('')}</row>`,
    )
    .join('')}</rows></${name}>`

interface SourceQuestion {
  name: string
  type: string
  relevance?: string
  text?: string
  other?: boolean
  /** Codes of its subquestions, with the relevance of each. */
  parts?: Readonly<Record<string, string>>
  /** Codes of its second scale. */
  across?: readonly string[]
  answers?: readonly string[]
  attributes?: Row
}

/** Question ids are 1, 2, 3 in order; parts of question 2 are 201, 202; all in group 7 of survey 99. */
async function readLimeSurvey(questions: readonly SourceQuestion[], tables: Readonly<Record<string, readonly Row[]>> = {}) {
  const base = { sid: '99', gid: '7', language: 'en' }
  const number = (index: number) => String(index + 1)
  const all: Record<string, readonly Row[]> = {
    surveys: [{ sid: '99', language: 'en' }],
    surveys_languagesettings: [{ surveyls_survey_id: '99', surveyls_language: 'en', surveyls_title: 'Streets' }],
    groups: [{ ...base, group_name: 'First', group_order: '1' }],
    questions: questions.map(({ name, type, relevance = '1', text = name, other }, index) => ({
      ...base,
      qid: number(index),
      parent_qid: '0',
      type,
      title: name,
      question: text,
      relevance,
      other: other ? 'Y' : 'N',
      question_order: number(index),
    })),
    subquestions: questions.flatMap(({ parts = {}, across = [] }, index) =>
      [...Object.entries(parts).map((part) => [...part, '0'] as const), ...across.map((code) => [code, '1', '1'] as const)].map(
        ([code, relevance, scale], at) => ({
          ...base,
          qid: `${number(index)}0${number(at)}`,
          parent_qid: number(index),
          title: code,
          question: code,
          relevance,
          scale_id: scale,
          question_order: number(at),
        }),
      ),
    ),
    answers: questions.flatMap(({ answers = [] }, index) =>
      answers.map((code, at) => ({ qid: number(index), code, answer: code, sortorder: number(at), language: 'en', scale_id: '0' })),
    ),
    question_attributes: questions.flatMap(({ attributes = {} }, index) =>
      Object.entries(attributes).map(([attribute, value]) => ({ qid: number(index), attribute, value })),
    ),
    ...tables,
  }
  const file = Buffer.from(
    `<?xml version="1.0"?><document><LimeSurveyDocType>Survey</LimeSurveyDocType>${Object.entries(all)
      .map(([name, rows]) => writeTable(name, rows))
      .join('')}</document>`,
  )
  const { imported } = await readSurveyFile({ file, locale: 'en', languages: ['en'], choices: {} })
  const asked = imported.definition.pages.flatMap((page) => page.questions)
  return {
    definition: imported.definition,
    shown: Object.fromEntries(asked.flatMap(({ id, showIf }) => (showIf ? [[id, showIf]] : []))) as Record<string, Condition>,
    questions: asked,
    notes: imported.elements.flatMap(({ at, notes }) => notes.map(({ code, what }) => `${at}: ${code} ${what}`)),
  }
}

const WANTS: SourceQuestion = { name: 'wants', type: 'M', parts: { A: '1', B: '1' }, other: true }
const RANKS: SourceQuestion = { name: 'ranks', type: 'R', answers: ['bus', 'tram', 'foot'] }
const ASKED = [
  WANTS,
  RANKS,
  { name: 'age', type: 'N' },
  { name: 'married', type: 'N' },
  { name: 'boxes', type: ':', parts: { r: '1' }, across: ['x', 'y'], attributes: { multiflexible_checkbox: '1' } },
  { name: 'names', type: 'Q', parts: { a: '1', b: '1' } },
  { name: 'adult', type: '*', text: '{if(age >= 18, "yes", "no")}' },
] as const satisfies readonly SourceQuestion[]

/** Expected outcomes follow https://www.limesurvey.org/manual/ExpressionScript_-_Presentation. */
describe('a relevance equation of LimeSurvey holds for the same answers', () => {
  test.each<[string, Answers, boolean]>([
    // An option that is chosen has the value "Y" and no other.
    ['wants_A == "Y"', { wants: { choices: ['A'] } }, true],
    ['wants_A != 1', { wants: { choices: ['A'] } }, true],
    ['wants_A == 1', { wants: { choices: ['A'] } }, false],
    ['wants_A != "Y"', {}, true],
    // The other option has its text.
    ['wants_other == "Y"', { wants: { choices: ['q-oth-'], other: 'Trees' } }, false],
    ['wants_other == "trees"', { wants: { choices: ['q-oth-'], other: 'trees' } }, true],
    ['wants_other != ""', { wants: { choices: ['q-oth-'], other: 'Trees' } }, true],
    // A rank has the code of the item that is there.
    ['ranks_1 == "tram"', { ranks: { ranks: { tram: 1, bus: 2 } } }, true],
    ['ranks_2 == "tram"', { ranks: { ranks: { tram: 1, bus: 2 } } }, false],
    ['ranks_2 != "tram"', { ranks: { ranks: { tram: 2 } } }, false],
    ['is_empty(ranks_2)', { ranks: { ranks: { tram: 1 } } }, true],
    ['!is_empty(ranks_2)', { ranks: { ranks: { tram: 1 } } }, false],
    // Two answers compare; with one that is missing, nothing is more or less.
    ['age >= married', { age: 30, married: 30 }, true],
    ['age > married', { age: 30, married: 30 }, false],
    ['age > married', { age: 30 }, false],
    ['age != married', { age: 30 }, true],
    ['age == married', {}, true],
    // A cell of checkboxes is 1 if it is chosen.
    ['!is_empty(boxes_r_y)', { boxes: { rows: { r: ['y'] } } }, true],
    ['boxes_r_y == 1', { boxes: { rows: { r: ['x'] } } }, false],
    ['boxes_r_x > 0', { boxes: { rows: { r: ['x'] } } }, true],
    // "that" is all parts of a question.
    ['count(that.names.NAOK) > 0', { names_b: 'Ana' }, true],
    ['count(that.names.NAOK) > 0', {}, false],
    // What an equation calculates.
    ['adult == "yes"', { age: 18 }, true],
    ['adult == "yes"', { age: 17 }, false],
  ])('%s for %o: %s', async (relevance, answers, expected) => {
    const { shown, notes } = await readLimeSurvey([...ASKED, { name: 'x', type: 'T', relevance }])
    expect(notes.filter((note) => /^x: condition-(?!case|always)/.test(note))).toEqual([])
    // A condition that never holds hides the question.
    const met = notes.includes('x: hidden x') ? false : shown['x'] === undefined || isConditionMet(shown['x'], answers)
    expect(met).toBe(expected)
  })
})

test('what binds closer than a comparison is negated by itself, so the condition is left out and named', async () => {
  const { shown, notes } = await readLimeSurvey([...ASKED, { name: 'x', type: 'T', relevance: '!age == 1' }])
  expect(shown).not.toHaveProperty('x')
  expect(notes).toContain('x: condition-left-out !age == 1')
})

test('old conditions on one of several choices name the question, and the option as the value', async () => {
  const row = { qid: '8', cqid: '1', scenario: '1', method: '==' }
  const { shown } = await readLimeSurvey([...ASKED, { name: 'x', type: 'T' }], {
    conditions: [
      { ...row, cfieldname: '99X7X1', value: 'A' },
      { ...row, cfieldname: '99X7X1', value: 'B' },
      { ...row, cqid: '3', cfieldname: '99X7X3', method: '>=', value: '18' },
      { ...row, scenario: '2', cqid: '3', cfieldname: '99X7X3', method: '>', value: '@99X7X4@' },
    ],
  })
  expect(shown['x']).toEqual({
    any: [
      {
        all: [
          { question: 'wants', is: 'any_of', options: ['A', 'B'] },
          { question: 'age', is: 'at_least', value: 18 },
        ],
      },
      { question: 'age', is: 'more_than', value: { question: 'married' } },
    ],
  })
})

test('a part that becomes a question of its own can depend on an earlier part', async () => {
  const { shown, notes } = await readLimeSurvey([{ name: 'names', type: 'Q', parts: { a: '1', b: 'self.sq_a != ""' } }])
  expect(shown).toEqual({ names_b: { question: 'names_a', is: 'answered' } })
  expect(notes.filter((note) => note.includes('condition'))).toEqual([])
})

describe('parts that depend on parts of the same question are asked after them', () => {
  const PARTS = { a: '1', b: 'self.sq_a == "Y"', c: 'self.sq_a == "Y"', d: '1', e: 'self.sq_d == "Y"' }
  const listAsked = (definition: Definition, answers: Answers) =>
    walkSurvey(definition, answers, 'seed')
      .pages.flatMap(({ questions }) => questions)
      .map((question) => ('rows' in question ? question.rows : 'options' in question ? question.options : []).map(({ id }) => id))

  test('options of a choice of several', async () => {
    const { definition, questions, notes } = await readLimeSurvey([
      { name: 'food', type: 'M', parts: PARTS, other: true, attributes: { max_answers: '3' } },
    ])
    expect(questions.map(({ title }) => title.en)).toEqual(['food', 'food (2)', 'food (3)'])
    expect(listAsked(definition, {})).toEqual([['a'], ['d'], ['q-oth-']])
    expect(listAsked(definition, { food: { choices: ['a'] } })).toEqual([['a'], ['b', 'c', 'd'], ['q-oth-']])
    expect(listAsked(definition, { food_2: { choices: ['d'] } })).toEqual([['a'], ['d'], ['e', 'q-oth-']])
    expect(notes).toContain('food: split 3')
    // Each question could have three answers; together they cannot be counted.
    expect(notes).toContain('food: setting-left-out max_answers: 3')
    expect(notes.filter((note) => note.includes('condition'))).toEqual([])
  })

  test('rows of a grid, which is not asked again without any', async () => {
    const { definition } = await readLimeSurvey([{ name: 'eaten', type: 'C', parts: { a: '1', b: 'self.sq_a == "Y"' } }])
    expect(listAsked(definition, {})).toEqual([['a']])
    expect(listAsked(definition, { eaten: { rows: { a: ['N'] } } })).toEqual([['a']])
    expect(listAsked(definition, { eaten: { rows: { a: ['Y'] } } })).toEqual([['a'], ['b']])
  })

  test('rows of a grid with two scales', async () => {
    const { definition, notes } = await readLimeSurvey([
      { name: 'twice', type: '1', parts: { a: '1', b: 'twice_a_0 == "x"' }, answers: ['x', 'y'] },
    ])
    expect(listAsked(definition, {})).toEqual([['a'], ['a']])
    expect(listAsked(definition, { twice: { rows: { a: ['x'] } } })).toEqual([['a'], ['a'], ['b'], ['b']])
    expect(notes.filter((note) => note.includes('condition'))).toEqual([])
  })

  test('columns of a table of fields', async () => {
    const { shown, notes } = await readLimeSurvey(
      [{ name: 'shops', type: ';', parts: { r: '1' }, across: ['x'] }],
      // A second column, shown once the first has an answer.
      {
        subquestions: [
          ['r', '1', '0'],
          ['x', '1', '1'],
          ['y', 'self.sq_r_x != ""', '1'],
        ].map(([title = '', relevance = '', scale_id = ''], at) => ({
          qid: `10${at}`,
          parent_qid: '1',
          sid: '99',
          gid: '7',
          language: 'en',
          title,
          question: title,
          relevance,
          scale_id,
          question_order: String(at),
        })),
      },
    )
    expect(shown).toEqual({ shops_r_y: { question: 'shops_r_x', is: 'answered' } })
    expect(notes.filter((note) => note.includes('condition'))).toEqual([])
  })
})

test('a filter by a ranking shows what was ranked, at any rank', async () => {
  const { questions } = await readLimeSurvey([
    RANKS,
    { name: 'why', type: 'M', parts: { bus: '1', tram: '1' }, attributes: { array_filter: 'ranks' } },
  ])
  expect(questions[1]).toMatchObject({ options: [{ showIf: { question: 'ranks', row: 'bus', is: 'answered' } }, { id: 'tram' }] })
})

test('a question by itself, and a group by itself, are read as archives too', async () => {
  const question = { qid: '5', parent_qid: '0', sid: '9', gid: '3', type: 'M', title: 'food', relevance: '1' }
  const l10n = { id: '1', qid: '5', question: 'Essen?', language: 'de' }
  const parts = [{ qid: '6', parent_qid: '5', title: 'a', question: 'Brot', language: 'de', scale_id: '0' }]
  const read = async (holds: string, tables: Readonly<Record<string, readonly Row[]>>) => {
    const body = Object.entries(tables).map(([name, rows]) => writeTable(name, rows))
    const file = Buffer.from(
      `<document><LimeSurveyDocType>${holds}</LimeSurveyDocType><languages><language>de</language></languages>${body.join('')}</document>`,
    )
    const { format, imported } = await readSurveyFile({ file, locale: 'en', languages: ['en'], choices: { de: 'en' } })
    return { format, pages: imported.definition.pages }
  }
  const asked = { title: { en: 'Essen?' }, type: 'several_choices', options: [{ label: { en: 'Brot' } }] }
  const tables = { questions: [question], question_l10ns: [l10n], subquestions: parts }
  expect(await read('Question', tables)).toMatchObject({ format: 'limesurvey', pages: [{ questions: [asked] }] })
  const groups = [{ gid: '3', group_order: '1', group_name: 'Alltag', language: 'de' }]
  expect(await read('Group', { groups, ...tables })).toMatchObject({ pages: [{ title: { en: 'Alltag' }, questions: [asked] }] })
  await expect(read('Label set', tables)).rejects.toMatchObject({ code: 'invalid' })
})

test('lines of tab-separated values are a survey in all of its languages', async () => {
  const line = (...cells: string[]) => cells.join('\t')
  const lines = [
    line('id', 'class', 'type/scale', 'name', 'relevance', 'text', 'help', 'language', 'mandatory', 'other', 'max_answers', 'prefix'),
    line('', 'S', '', 'language', '', 'en'),
    line('', 'SL', '', 'surveyls_title', '', 'Streets', '', 'en'),
    line('', 'SL', '', 'surveyls_title', '', 'Rues', '', 'fr'),
    ...(['en', 'fr'] as const).flatMap((language) => {
      const say = (en: string, fr: string) => (language === 'en' ? en : fr)
      return [
        line('1', 'G', '1', say('Your street', 'Votre rue'), '', '', '', language),
        line('2', 'Q', 'M', 'wants', '1', say('"What do you ""want""?"', 'Que voulez-vous ?'), '', language, 'Y', '', '2', 'x'),
        line('', 'SQ', '0', 'A', '', say('Trees', 'Arbres'), '', language),
        line('', 'SQ', '0', 'B', 'self.sq_A == "Y"', say('Oaks', 'Chênes'), '', language),
        line('3', 'Q', 'L', 'mode', 'wants_A == "Y"', say('How?', 'Comment ?'), '', language),
        line('', 'A', '0', 'bus', '0', 'Bus', '', language),
        line('', 'A', '0', 'foot', '0', say('On foot', 'À pied'), '', language),
      ]
    }),
    line('', 'QTA', '', 'Full', '', '', '', 'en'),
  ]
  const file = Buffer.from(`\uFEFF${lines.join('\r\n')}\r\n`)
  const { format, imported } = await readSurveyFile({ file, locale: 'en', languages: ['en', 'fr-CA'], choices: {} })
  expect(format).toBe('limesurvey')
  expect(imported.title).toEqual({ en: 'Streets', 'fr-CA': 'Rues' })
  const isTrees = { question: 'wants', is: 'any_of', options: ['A'] }
  expect(imported.definition.pages).toMatchObject([
    {
      title: { en: 'Your street', 'fr-CA': 'Votre rue' },
      questions: [
        {
          id: 'wants',
          title: { en: 'What do you "want"?', 'fr-CA': 'Que voulez-vous ?' },
          options: [{ label: { en: 'Trees', 'fr-CA': 'Arbres' } }],
        },
        { id: 'wants_2', options: [{ label: { en: 'Oaks', 'fr-CA': 'Chênes' }, showIf: isTrees }] },
        { id: 'mode', type: 'one_choice', showIf: isTrees, options: [{ label: { en: 'Bus' } }, { label: { 'fr-CA': 'À pied' } }] },
      ],
    },
  ])
  const notes = imported.elements.flatMap(({ at, notes: own }) => own.map(({ code, what }) => `${at}: ${code} ${what}`))
  expect(notes).toEqual([
    ': setting-left-out class: QTA',
    ': setting-left-out name: Full',
    'wants: split 2',
    'wants: setting-left-out mandatory: Y',
    'wants: setting-left-out max_answers: 2',
    'wants: setting-left-out prefix: x',
  ])
})
