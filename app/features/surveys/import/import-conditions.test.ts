import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import type { Condition } from '../questionnaire/conditions.schema.ts'
import { isConditionMet } from '../questionnaire/conditions.ts'
import { walkSurvey } from '../questionnaire/walk-survey.ts'
import type { Answers } from '../surveys.schema.ts'
import { readSurveyFile } from './read-survey-file.server.ts'

async function readFile(file: Uint8Array) {
  const { imported } = await readSurveyFile({ file, locale: 'en', languages: ['en'], choices: {} })
  const pages = imported.definition.pages
  const questions = pages.flatMap((page) => page.questions)
  return {
    definition: imported.definition,
    pages,
    questions,
    /** The condition of each question that has one. */
    shown: Object.fromEntries(questions.flatMap(({ id, showIf }) => (showIf ? [[id, showIf]] : []))) as Record<string, Condition>,
    notes: imported.elements.flatMap(({ at, notes }) => notes.map(({ code, what }) => `${at}: ${code} ${what}`)),
  }
}

const readSurveyJs = (survey: object) => readFile(Buffer.from(JSON.stringify(survey)))

type Line = Readonly<Record<string, string | undefined>>

async function readXlsForm(survey: readonly Line[], choices: readonly Line[] = []) {
  const toRows = (lines: readonly Line[]) => {
    const heads = [...new Set(lines.flatMap((line) => Object.keys(line)))]
    return [heads, ...lines.map((line) => heads.map((head) => line[head] ?? ''))]
  }
  return readFile(
    await writeXlsx({
      sheets: [
        { name: 'survey', rows: toRows(survey) },
        { name: 'choices', rows: toRows(choices) },
      ],
    }),
  )
}

const YES_NO = [
  { list_name: 'yn', name: 'yes', label: 'Yes' },
  { list_name: 'yn', name: 'no', label: 'No' },
]

describe('a condition of an XLSForm', () => {
  const ask = (name: string, relevant = '') => ({ type: 'select_one yn', name, label: name, relevant })

  test('may name a question by its path, from where it stands or from the form’s beginning', async () => {
    const { shown, notes } = await readXlsForm(
      [
        { type: 'begin group', name: 'home', label: 'Home' },
        ask('garden'),
        { type: 'begin group', name: 'trees', label: 'Trees', relevant: "../garden = 'yes'" },
        ask('old', "selected(../../garden, 'yes')"),
        ask('tall', "/data/home/garden = 'no'"),
        { type: 'end group', name: '' },
        { type: 'end group', name: '' },
      ],
      YES_NO,
    )
    const garden = (option: string): Condition => ({ question: 'garden', is: 'any_of', options: [option] })
    expect(shown).toMatchObject({ old: { all: [garden('yes'), garden('yes')] }, tall: { all: [garden('yes'), garden('no')] } })
    expect(notes).toEqual([])
  })

  test('means the question of its own group where two groups have one of that name', async () => {
    const group = (name: string) => [
      { type: 'begin group', name, label: name },
      ask('sick'),
      ask('fever', "../sick = 'yes'"),
      { type: 'end group', name: '' },
    ]
    const { questions } = await readXlsForm([...group('mother'), ...group('baby'), ask('last', "../mother/sick = 'yes'")], YES_NO)
    const [first, fever, second, otherFever, last] = questions
    expect(fever?.showIf).toMatchObject({ question: first?.id })
    expect(otherFever?.showIf).toMatchObject({ question: second?.id })
    expect(last?.showIf).toMatchObject({ question: first?.id })
  })

  test('on a calculated value says what the calculation says', async () => {
    const { shown, notes } = await readXlsForm(
      [
        ask('fits'),
        ask('fever'),
        { type: 'calculate', name: 'danger', label: '', calculation: "if(selected(${fits}, 'yes') or ${fever} = 'yes', 'yes', 'no')" },
        { type: 'calculate', name: 'copied', label: '', calculation: '${danger}' },
        { type: 'note', name: 'refer', label: 'See somebody', relevant: "${danger} = 'yes'" },
        { type: 'note', name: 'fine', label: 'All is well', relevant: "selected(${copied}, 'no')" },
        { type: 'note', name: 'always', label: 'Both yes and no are an answer', relevant: '${danger}' },
        { type: 'calculate', name: 'weeks', label: '', calculation: '(today() - ${fits}) div 7' },
        { type: 'note', name: 'late', label: 'Late', relevant: '${weeks} > 3' },
      ],
      YES_NO,
    )
    const test = (question: string, is: 'any_of' | 'none_of') => ({ question, is, options: ['yes'] })
    expect(shown['refer']).toEqual({ any: [test('fits', 'any_of'), test('fever', 'any_of')] })
    expect(shown['fine']).toEqual({ all: [test('fits', 'none_of'), test('fever', 'none_of')] })
    expect(shown).not.toHaveProperty('late')
    expect(shown).not.toHaveProperty('always')
    expect(notes).toContain('always: condition-always ${danger}')
    // A word is no number, so nothing that is calculated with it is more than 3.
    expect(notes).toContain('late: hidden late')
  })

  test('on a day counts from the day of answering, however the form calculates it', async () => {
    const { shown, notes } = await readXlsForm([
      { type: 'date', name: 'born', label: 'Born' },
      {
        type: 'calculate',
        name: 'age',
        label: '',
        calculation: 'int((decimal-date-time(today()) - decimal-date-time(${born})) div 365.25)',
      },
      { type: 'text', name: 'adult', label: 'Adult', relevant: '${age} >= 18' },
      { type: 'text', name: 'young', label: 'Young', relevant: '${age} < 18' },
      { type: 'text', name: 'unborn', label: 'Not yet', relevant: '${born} > today()' },
      { type: 'text', name: 'soon', label: 'Soon', relevant: 'today() + 14 >= ${born} and ${born} >= today()' },
      { type: 'text', name: 'weeks', label: 'Weeks', relevant: 'round((today() - ${born}) div 7, 1) <= 24' },
    ])
    const born = (is: 'at_least' | 'at_most', ago: number): Condition => ({ question: 'born', is, value: { ago, unit: 'day' } })
    expect(shown['adult']).toEqual(born('at_most', 6575)) // 18 × 365.25 = 6574.5
    expect(shown['young']).toEqual(born('at_least', 6574))
    expect(shown['unborn']).toEqual(born('at_least', -1))
    expect(shown['soon']).toEqual({ all: [born('at_most', -14), born('at_least', 0)] })
    expect(shown['weeks']).toEqual(born('at_least', 168)) // 169 / 7 = 24.14, which is 24.1
    expect(notes.filter((note) => note.includes('condition'))).toEqual([])
  })

  test('calculates with a number, and holds for none that is missing', async () => {
    const { shown } = await readXlsForm(
      [
        ask('pays'),
        { type: 'integer', name: 'rent', label: 'Rent', relevant: "${pays} = 'yes'" },
        { type: 'calculate', name: 'yearly', label: '', calculation: "if(${pays} = 'yes', ${rent} * 12, '')" },
        { type: 'text', name: 'dear', label: 'Dear', relevant: '${yearly} > 12000' },
        { type: 'text', name: 'known', label: 'Known', relevant: "${yearly} != ''" },
        { type: 'text', name: 'left', label: 'Left', relevant: '2000 - ${rent} < 500' },
      ],
      YES_NO,
    )
    const pays: Condition = { question: 'pays', is: 'any_of', options: ['yes'] }
    expect(shown['dear']).toEqual({ all: [pays, { question: 'rent', is: 'at_least', value: 1001 }] })
    expect(shown['known']).toEqual({ all: [pays, { question: 'rent', is: 'answered' }] })
    expect(shown['left']).toEqual({ question: 'rent', is: 'at_least', value: 1501 })
  })

  test('on a later question of its group has that question asked first, and says so', async () => {
    const { questions, shown, notes } = await readXlsForm(
      [
        { type: 'begin group', name: 'birth', label: 'Birth' },
        { type: 'date', name: 'born', label: 'Born', relevant: "not(selected(../unsure, 'yes'))" },
        { type: 'integer', name: 'years', label: 'Years', relevant: "selected(../unsure, 'yes')" },
        ask('unsure'),
        { type: 'end group', name: '' },
      ],
      YES_NO,
    )
    expect(questions.map(({ id }) => id)).toEqual(['unsure', 'born', 'years'])
    expect(shown).toEqual({
      born: { question: 'unsure', is: 'none_of', options: ['yes'] },
      years: { question: 'unsure', is: 'any_of', options: ['yes'] },
    })
    expect(notes).toEqual(['unsure: asked-earlier unsure'])
  })

  test('is left out, with the reason, if it needs a later question that needs it, or what the file does not hold', async () => {
    const { questions, shown, notes } = await readXlsForm(
      [
        ask('first', "${second} = 'yes'"),
        ask('second', "${first} = 'yes' or ${second} = 'no'"),
        { type: 'hidden', name: 'district', label: '' },
        { type: 'text', name: 'north', label: 'North', relevant: "${district} = 'north'" },
        { type: 'calculate', name: 'risk', label: '', calculation: "instance('register')/risk" },
        { type: 'text', name: 'risky', label: 'Risky', relevant: "${risk} = 'high'" },
        { type: 'text', name: 'someone', label: 'Someone', relevant: '${nobody} > 3' },
        { type: 'text', name: 'always', label: 'Always', relevant: 'not(${north}) or boolean(${north})' },
      ],
      YES_NO,
    )
    expect(questions.map(({ id }) => id)).toEqual(['first', 'second', 'north', 'risky', 'someone', 'always'])
    expect(shown).toEqual({})
    expect(notes.filter((note) => note.includes('condition'))).toEqual([
      "first: condition-later ${second} = 'yes'",
      "second: condition-outside ${first} = 'yes' or ${second} = 'no'",
      "north: condition-outside ${district} = 'north'",
      "risky: condition-outside ${risk} = 'high'",
      'someone: condition-outside ${nobody} > 3',
      'always: condition-always not(${north}) or boolean(${north})',
    ])
  })

  test('on a value that is calculated in a group holds only while the group is shown', async () => {
    const { shown } = await readXlsForm(
      [
        ask('ill'),
        { type: 'begin group', name: 'signs', label: 'Signs', relevant: "${ill} = 'yes'" },
        ask('fever'),
        { type: 'calculate', name: 'danger', label: '', calculation: "if(${fever} = 'yes', 'yes', 'no')" },
        { type: 'end group', name: '' },
        { type: 'note', name: 'fine', label: 'All is well', relevant: "${danger} = 'no'" },
      ],
      YES_NO,
    )
    expect(shown['fine']).toEqual({
      all: [
        { question: 'ill', is: 'any_of', options: ['yes'] },
        { question: 'fever', is: 'none_of', options: ['yes'] },
      ],
    })
  })

  test('on how many options are chosen counts them', async () => {
    const { shown, notes } = await readXlsForm(
      [
        { type: 'select_multiple yn', name: 'which', label: 'Which?' },
        { type: 'note', name: 'some', label: 'Some', relevant: 'count-selected(${which}) > 0' },
        { type: 'note', name: 'two', label: 'Two', relevant: 'count-selected(${which}) >= 2' },
        { type: 'note', name: 'few', label: 'Few', relevant: 'not(count-selected(${which}) > 1)' },
        { type: 'note', name: 'one', label: 'One', relevant: 'count-selected(${which}) = 1' },
      ],
      YES_NO,
    )
    const counts = (is: 'chosen_at_least' | 'chosen_at_most', value: number) => ({ question: 'which', is, value })
    expect(shown).toEqual({
      some: { question: 'which', is: 'answered' },
      two: counts('chosen_at_least', 2),
      few: counts('chosen_at_most', 1),
      one: { all: [{ question: 'which', is: 'answered' }, counts('chosen_at_most', 1)] },
    })
    expect(notes).toEqual([])
  })

  test('may stand in typographic quotes, and many alternatives about one question are one test', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `c${index}`)
    const { shown, notes } = await readXlsForm(
      [
        { type: 'select_one many', name: 'which', label: 'Which?' },
        { type: 'note', name: 'one', label: 'One', relevant: '${which} = ‘c1’' },
        { type: 'note', name: 'most', label: 'Most', relevant: names.map((name) => `\${which} = '${name}'`).join(' or ') },
      ],
      [...names, 'c60'].map((name) => ({ list_name: 'many', name, label: name })),
    )
    expect(shown).toEqual({
      one: { question: 'which', is: 'any_of', options: ['c1'] },
      most: { question: 'which', is: 'any_of', options: names },
    })
    expect(notes).toEqual([])
  })

  test('of more parts than ours can have is left out and named', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => ({ type: 'text', name: `t${index}`, label: 'Text', relevant: '' }))
    const relevant = lines.map(({ name }) => `\${${name}} = 'x'`).join(' or ')
    const { shown, notes } = await readXlsForm([...lines, { type: 'note', name: 'end', label: 'End', relevant }])
    expect(shown).toEqual({})
    expect(notes).toEqual([expect.stringMatching(/^end: condition-left-out \$\{t0\} = 'x' or/)])
  })
})

/** Expected outcomes follow https://getodk.github.io/xforms-spec/#xpath-functions and XPath 1.0, 3.4: Booleans. */
describe('a condition of an XLSForm holds for the same answers', () => {
  const COLOURS = ['red', 'green', 'blue'].map((name) => ({ list_name: 'colours', name, label: name }))
  const LINES = [
    { type: 'integer', name: 'n', label: 'N' },
    { type: 'decimal', name: 'd', label: 'D' },
    { type: 'integer', name: 'm', label: 'M' },
    { type: 'date', name: 'from', label: 'From' },
    { type: 'date', name: 'to', label: 'To' },
    { type: 'text', name: 't', label: 'T' },
    { type: 'select_one colours', name: 'one', label: 'One' },
    { type: 'select_multiple colours', name: 'several', label: 'Several' },
  ]
  const choice = (id: string) => ({ choice: id })
  const choices = (...ids: string[]) => ({ choices: ids })

  async function showsFor(relevant: string, answers: Answers, more: readonly Line[] = []) {
    const { shown, notes } = await readXlsForm([...LINES, ...more, { type: 'note', name: 'x', label: 'X', relevant }], COLOURS)
    expect(notes.filter((note) => /^x: condition-(?!always|case)/.test(note))).toEqual([])
    return shown['x'] === undefined || isConditionMet(shown['x'], answers)
  }

  test.each<[string, Answers, boolean]>([
    // An unanswered question is an empty text, which is no number: it is neither less nor more than one, and differs from every one.
    ['${n} < 5', {}, false],
    ['not(${n} < 5)', {}, true],
    ['${n} != 5', {}, true],
    ['${n} != 5', { n: 5 }, false],
    ["${one} != 'red'", {}, true],
    ["not(${one} = 'red')", { one: choice('red') }, false],
    ["${n} = ''", {}, true],
    // Not both is at least one of them not; not one of them is neither.
    ["not(${n} = 5 and ${one} = 'red')", { n: 5, one: choice('blue') }, true],
    ["not(${n} = 5 and ${one} = 'red')", { n: 4, one: choice('red') }, true],
    ["not(${n} = 5 and ${one} = 'red')", { n: 5, one: choice('red') }, false],
    ["not(${n} = 5 or ${one} = 'red')", { n: 5, one: choice('blue') }, false],
    ["not(${n} = 5 or ${one} = 'red')", { n: 4, one: choice('red') }, false],
    ["not(${n} = 5 or ${one} = 'red')", { n: 4, one: choice('blue') }, true],
    // Numbers compare as numbers, also if they are quoted; between two of them there may be fractions.
    ["${n} = '5'", { n: 5 }, true],
    ['${d} > 2', { d: 2.000001 }, true],
    ['${d} > 2', { d: 2 }, false],
    ['${d} < 2.5', { d: 2.499999 }, true],
    // Several choices are one text: it equals one code only if nothing else is chosen.
    ["${several} = 'red'", { several: choices('red') }, true],
    ["${several} = 'red'", { several: choices('red', 'blue') }, false],
    ["${several} != 'red'", { several: choices('red', 'blue') }, true],
    ["${several} != 'red'", {}, true],
    ["selected(${several}, 'red')", { several: choices('red', 'blue') }, true],
    ["not(selected(${several}, 'red'))", {}, true],
    ["${several} = 'red blue'", { several: choices('red', 'blue') }, true],
    ['count-selected(${several}) < 2', {}, true],
    // A number is true unless it is 0; a text unless it is empty.
    ['${n}', { n: 0 }, false],
    ['${n}', { n: -1 }, true],
    ['not(${t})', {}, true],
    ['string-length(${t}) > 0', { t: 'x' }, true],
    // What is calculated is kept as text, so that "0" and "false" are true.
    ['${zero}', {}, true],
    ['${none}', {}, false],
    ['${score} >= 2', { one: choice('red'), several: choices('blue') }, true],
    ['${score} >= 2', { one: choice('red'), several: choices('red') }, false],
    ["concat(${one}, '-x') = 'red-x'", { one: choice('red') }, true],
    ["coalesce(${one}, 'blue') = 'blue'", {}, true],
    // Answers compare with answers; nothing compares with one that is missing, except as differing.
    ['${n} > ${m}', { n: 3, m: 2 }, true],
    ['${n} > ${m}', { n: 2, m: 2 }, false],
    ['not(${n} > ${m})', { n: 3 }, true],
    ['${n} != ${m}', { n: 3 }, true],
    ['${n} != ${m}', {}, false],
    ['${n} = ${m}', {}, true],
    ['${to} - ${from} > 7', { from: '2026-02-25', to: '2026-03-05' }, true],
    ['${to} - ${from} > 7', { from: '2026-02-25', to: '2026-03-04' }, false],
  ])('%s for %o: %s', async (relevant, answers, expected) => {
    const calculated = [
      { type: 'calculate', name: 'zero', label: '', calculation: '1 - 1' },
      { type: 'calculate', name: 'none', label: '', calculation: '${m} + 1' },
      { type: 'calculate', name: 'score', label: '', calculation: "if(${one} = 'red', 1, 0) + if(selected(${several}, 'blue'), 1, 0)" },
    ]
    expect(await showsFor(relevant, answers, calculated)).toBe(expected)
  })

  test('and is never asked if it never holds', async () => {
    const { questions, notes } = await readXlsForm(
      [...LINES, { type: 'note', name: 'x', label: 'X', relevant: "${one} = 'red' and ${one} = 'blue'" }, ask('y', 'no')],
      [...COLOURS, ...YES_NO],
    )
    expect(questions.map(({ id }) => id)).not.toContain('x')
    expect(notes).toEqual(expect.arrayContaining(['x: hidden x', 'y: hidden y']))
  })

  test('for each of the options that share a value', async () => {
    const repeated = [...COLOURS, { list_name: 'colours', name: 'red', label: 'Another red' }]
    const { shown, questions } = await readXlsForm(
      [...LINES, { type: 'note', name: 'x', label: 'X', relevant: "${one} = 'red'" }],
      repeated,
    )
    const one = questions.find(({ id }) => id === 'one')
    const reds = one && 'options' in one ? one.options.filter(({ label }) => /red/i.test(label.en ?? '')).map(({ id }) => id) : []
    expect(reds).toHaveLength(2)
    for (const id of reds) expect(isConditionMet(shown['x'] as Condition, { one: choice(id) })).toBe(true)
  })

  test('and says what alternatives have in common once', async () => {
    const { shown } = await readXlsForm(
      [
        ...LINES,
        { type: 'calculate', name: 'both', label: '', calculation: "if(${n} = '', if(${one} = 'red', 1, 0), if(${one} = 'red', 1, 0))" },
        { type: 'note', name: 'x', label: 'X', relevant: '${both} = 1' },
      ],
      COLOURS,
    )
    expect(shown).toEqual({ x: { question: 'one', is: 'any_of', options: ['red'] } })
  })

  test('means the copies of a repeat that are asked, if their number is open', async () => {
    const { definition, notes } = await readXlsForm([
      { type: 'begin repeat', name: 'kids', label: 'Kids' },
      { type: 'integer', name: 'age', label: 'Age' },
      { type: 'text', name: 'school', label: 'School', relevant: '${age} > 5' },
      { type: 'end repeat', name: '' },
      { type: 'note', name: 'any', label: 'Any', relevant: '${age} > 5' },
      { type: 'note', name: 'blank', label: 'Blank', relevant: "${age} = ''" },
    ])
    const listAsked = (answers: Answers) =>
      walkSurvey(definition, answers, 'seed').pages.flatMap(({ questions }) => questions.map(({ id }) => id))
    const yes = { choice: 'yes' }
    expect(listAsked({ age: 3 })).toEqual(['age', 'kids_more'])
    expect(listAsked({ age: 3, kids_more: yes, age_2: 9 })).toEqual(['age', 'kids_more', 'age_2', 'school_2', 'kids_more_2', 'any'])
    // A copy that is not there is not blank either.
    expect(listAsked({ age: 3, kids_more: yes })).toEqual(['age', 'kids_more', 'age_2', 'kids_more_2', 'blank'])
    expect(definition.pages.map(({ title }) => title?.en)).toEqual(['Kids', 'Kids (2)', 'Kids (3)', 'Kids (4)', 'Kids (5)', undefined])
    expect(notes).toEqual(['kids: repeated kids: 5'])
  })

  test('counts the copies by an earlier answer, if the form does', async () => {
    const { definition } = await readXlsForm([
      { type: 'integer', name: 'count', label: 'How many?' },
      { type: 'begin repeat', name: 'kids', label: 'Kids', repeat_count: '${count}' },
      { type: 'integer', name: 'age', label: 'Age' },
      { type: 'end repeat', name: '' },
    ])
    const listAsked = (count?: number) =>
      walkSurvey(definition, count === undefined ? {} : { count }, 'seed').pages.flatMap(({ questions }) => questions.map(({ id }) => id))
    expect([listAsked(), listAsked(0), listAsked(1), listAsked(3)]).toEqual([
      ['count'],
      ['count'],
      ['count', 'age'],
      ['count', 'age', 'age_2', 'age_3'],
    ])
  })

  test('counts the copies by what the form calculates, and says so in the report if conditions cannot', async () => {
    const repeat = (count: string) => [
      { type: 'begin repeat', name: 'kids', label: 'Kids', repeat_count: count },
      { type: 'integer', name: 'age', label: 'Age' },
      { type: 'end repeat', name: '' },
    ]
    const rows = [
      { type: 'select_one yn', name: 'has', label: 'Children here?' },
      { type: 'integer', name: 'others', label: 'How many elsewhere?' },
      { type: 'calculate', name: 'count', calculation: "if(selected(${has}, 'yes'), ${others}, 0)" },
    ]
    const { definition } = await readXlsForm([...rows, ...repeat('${count}')], YES_NO)
    const listAges = (answers: Answers) =>
      walkSurvey(definition, answers, 'seed').pages.flatMap(({ questions }) =>
        questions.flatMap(({ id }) => (id.startsWith('age') ? [id] : [])),
      )
    expect(listAges({ has: { choice: 'yes' }, others: 2 })).toEqual(['age', 'age_2'])
    expect(listAges({ has: { choice: 'no' }, others: 2 })).toEqual([])
    const never = await readXlsForm(
      [{ type: 'integer', name: 'unasked', label: 'x', relevant: 'false()' }, ...rows, ...repeat('${unasked}')],
      YES_NO,
    )
    expect(never.notes).toContain('age: hidden age')
    const named = await readXlsForm([...rows, ...repeat('string-length(${has}) * ${others}')], YES_NO)
    expect(named.notes).toContain('kids: condition-left-out string-length(${has}) * ${others}')
  })

  test('means the copies of a repeat of a fixed count: its own inside, any or the one that is named from outside', async () => {
    const note = (name: string, relevant: string) => ({ type: 'note', name, label: name, relevant })
    const { shown, questions, notes } = await readXlsForm([
      { type: 'begin repeat', name: 'kids', label: 'Kids', repeat_count: '3' },
      { type: 'integer', name: 'age', label: 'Age' },
      note('own', '${age} > 5'),
      note('eldest', 'indexed-repeat(${age}, ${kids}, 1) > 5'),
      { type: 'begin group', name: 'more', label: '' },
      note('second', 'position(../..) = 2'),
      { type: 'end group', name: '' },
      { type: 'end repeat', name: '' },
      note('any', '${age} > 5'),
      note('none', 'not(${age} > 5)'),
      note('named', 'indexed-repeat(${age}, ${kids}, 2) = 7'),
      note('always', 'count(${kids}) > 2'),
      note('sum', 'sum(${age}) > 5'),
    ])
    const ids = questions.map(({ id }) => id)
    expect(ids.filter((id) => /age|second/.test(id))).toEqual(['age', 'age_2', 'second', 'age_3'])
    const holds = (id: string, ...ages: number[]) =>
      isConditionMet(
        shown[id] ?? { all: [] },
        Object.fromEntries(ages.map((age, index) => [index === 0 ? 'age' : `age_${index + 1}`, age])),
      )
    expect([holds('own_2', 9, 1), holds('own_2', 1, 9), holds('eldest_3', 9, 1, 1), holds('eldest_3', 1, 9, 9)]).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect([holds('any', 9, 1, 1), holds('any', 1, 1, 9), holds('any', 1, 1, 1)]).toEqual([true, true, false])
    expect([holds('none', 9, 1, 1), holds('none', 1, 1, 9), holds('none', 1, 1, 1)]).toEqual([false, false, true])
    expect([holds('named', 1, 7, 1), holds('named', 7, 1, 7)]).toEqual([true, false])
    expect([shown['always'], shown['sum']]).toEqual([undefined, undefined])
    expect(notes.filter((each) => /any|none|named|own|eldest|sum/.test(each))).toEqual(['sum: condition-left-out sum(${age}) > 5'])
  })

  test('or the report names what is lost, with the reason', async () => {
    const { shown, notes } = await readXlsForm(
      [
        ...LINES,
        ...[
          "regex(${t}, '[0-9]+')",
          '${n} + ${m} + ${d} > 5',
          "pulldata('towns', 'size', 'name', ${t}) > 5",
          "selected(${t}, 'a')",
          "${t} = 'Yes'",
        ].map((relevant, index) => ({ type: 'note', name: `x${index}`, label: 'X', relevant })),
      ],
      COLOURS,
    )
    expect(shown).toEqual({ x4: { question: 't', is: 'equals', value: 'Yes', caseSensitive: true } })
    expect(notes).toEqual([
      "x0: condition-pattern regex(${t}, '[0-9]+')",
      'x1: condition-calculation ${n} + ${m} + ${d} > 5',
      "x2: condition-outside pulldata('towns', 'size', 'name', ${t}) > 5",
      "x3: condition-left-out selected(${t}, 'a')",
    ])
  })

  test('also beyond the most pages and the most questions of one', async () => {
    const groups = Array.from({ length: 60 }, (_, index) => [
      { type: 'begin group', name: `g${index}`, label: 'Group', relevant: `\${n} = ${index}` },
      { type: 'text', name: `q${index}`, label: 'Text' },
      { type: 'end group', name: '' },
    ])
    const { pages } = await readXlsForm([...LINES, ...groups.flat()], COLOURS)
    const isAsked = (id: string, answers: Answers) =>
      walkSurvey({ schema: 1, pages }, answers, 'x').pages.some((page) => page.questions.some((question) => question.id === id))
    for (const index of [0, 45, 55, 59]) {
      expect(isAsked(`q${index}`, { n: index })).toBe(true)
      expect(isAsked(`q${index}`, { n: 70 })).toBe(false)
    }
  })
})

const ask = (name: string, relevant = '') => ({ type: 'select_one yn', name, label: name, relevant })

describe('a condition of SurveyJS', () => {
  const age = { type: 'text', name: 'age', inputType: 'number' }
  const kind = { type: 'radiogroup', name: 'kind', choices: ['cat', 'dog'] }
  const isCat = { question: 'kind', is: 'any_of', options: ['cat'] }

  test('decides whether something is shown, whatever it is at the start', async () => {
    const { pages, shown, notes } = await readSurveyJs({
      pages: [
        { name: 'p1', elements: [kind, { type: 'text', name: 'name', visible: false, visibleIf: "{kind} = 'cat'" }] },
        { name: 'p2', visible: false, visibleIf: "{kind} = 'cat'", elements: [age] },
      ],
    })
    expect(shown['name']).toEqual(isCat)
    expect(pages[1]?.showIf).toEqual(isCat)
    expect(notes).toEqual([])
  })

  test('in a panel that repeats names the questions of the panel', async () => {
    const { shown, notes } = await readSurveyJs({
      elements: [
        {
          type: 'paneldynamic',
          name: 'pets',
          minPanelCount: 1,
          maxPanelCount: 2,
          templateElements: [kind, { type: 'text', name: 'lives', visibleIf: "{panel.kind} = 'cat'" }],
        },
        { type: 'text', name: 'outside', visibleIf: "{panel.kind} = 'cat'" },
      ],
    })
    const isMore = { question: 'pets_more', is: 'any_of', options: ['yes'] }
    expect(shown).toEqual({ lives: isCat, kind_2: isMore, lives_2: { all: [isMore, { ...isCat, question: 'kind_2' }] } })
    expect(notes.filter((note) => note.includes('condition'))).toEqual(["outside: condition-left-out {panel.kind} = 'cat'"])
  })

  test('may be a trigger; two that show the same are named', async () => {
    const { questions, shown, notes } = await readSurveyJs({
      triggers: [
        { type: 'visible', name: 'kind', operator: 'equal', value: 'cat', questions: ['lives', 'twice'] },
        { type: 'visible', expression: "{kind} = 'dog'", questions: ['twice'] },
      ],
      elements: [kind, ...['lives', 'twice', 'never'].map((name) => ({ type: 'text', name, visible: false }))],
    })
    expect(questions.map(({ id }) => id)).toEqual(['kind', 'lives', 'twice'])
    expect(shown).toEqual({ lives: isCat })
    expect(notes).toEqual(['twice: condition-left-out triggers: twice', 'never: hidden never'])
  })

  test('on a calculated value says what the calculation says; the value itself is named', async () => {
    const { shown, notes } = await readSurveyJs({
      calculatedValues: [{ name: 'adult', expression: "iif({age} >= 18, 'yes', 'no')" }],
      elements: [age, { type: 'text', name: 'work', visibleIf: "{adult} = 'yes'" }],
    })
    expect(shown).toEqual({ work: { question: 'age', is: 'at_least', value: 18 } })
    expect(notes).toEqual([": setting-left-out calculatedValues: adult = iif({age} >= 18, 'yes', 'no')"])
  })

  test('on the length of a list of answers counts them', async () => {
    const { shown } = await readSurveyJs({
      elements: [
        { type: 'checkbox', name: 'cars', choices: ['a', 'b', 'c'] },
        { type: 'text', name: 'best', visibleIf: '{cars.length} > 1' },
      ],
    })
    expect(shown).toEqual({ best: { question: 'cars', is: 'chosen_at_least', value: 2 } })
  })

  /** As SurveyJS evaluates expressions: https://surveyjs.io/form-library/documentation/design-survey/conditional-logic */
  test('of several choices compares the whole list; what is not answered is neither more nor less', async () => {
    const cars = { type: 'checkbox', name: 'cars', choices: ['a', 'b', 'c'] }
    const { shown, notes } = await readSurveyJs({
      elements: [
        cars,
        age,
        { type: 'text', name: 'both', visibleIf: "{cars} = ['a', 'b']" },
        { type: 'text', name: 'others', visibleIf: "{cars} <> ['a', 'b']" },
        { type: 'text', name: 'odd', visibleIf: "{cars} = 'a'" },
        { type: 'text', name: 'young', visibleIf: '!({age} >= 18)' },
      ],
    })
    const isShown = (id: string, answers: Answers) => isConditionMet(shown[id] as Condition, answers)
    const chosen = (...choices: string[]): Answers => ({ cars: { choices } })
    expect([chosen('a', 'b'), chosen('a', 'b', 'c'), chosen('a'), {}].map((each) => isShown('both', each))).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect([chosen('a', 'b'), chosen('a', 'b', 'c'), chosen('a'), {}].map((each) => isShown('others', each))).toEqual([
      false,
      true,
      true,
      true,
    ])
    expect(([{}, { age: 17 }, { age: 18 }] as Answers[]).map((each) => isShown('young', each))).toEqual([true, true, false])
    expect(notes).toEqual(["odd: condition-left-out {cars} = 'a'"])
  })

  test.each([
    ['not both', '!({age} >= 18 and {children} > 0)', [true, true, true, false]],
    ['neither', '!({age} >= 18 or {children} > 0)', [true, false, false, false]],
  ])('that negates two says %s', async (_, visibleIf, expected) => {
    const children = { ...age, name: 'children' }
    const { shown, notes } = await readSurveyJs({ elements: [age, children, { type: 'text', name: 'why', visibleIf }] })
    const cases: Answers[] = [
      { age: 17, children: 0 },
      { age: 18, children: 0 },
      { age: 17, children: 2 },
      { age: 18, children: 2 },
    ]
    expect(cases.map((answers) => isConditionMet(shown['why'] as Condition, answers))).toEqual(expected)
    expect(notes).toEqual([])
  })

  test('on the areas of a picture is one on the options that they become', async () => {
    const { questions, shown } = await readSurveyJs({
      elements: [
        { type: 'imagemap', name: 'where', areas: [{ value: 'north', shape: 'rect', coords: '0,0,1,1' }, { value: 'south' }] },
        { type: 'text', name: 'why', visibleIf: "{where} contains 'north'" },
      ],
    })
    expect(questions[0]).toMatchObject({ type: 'several_choices', options: [{ id: 'north' }, { id: 'south' }] })
    expect(shown).toEqual({ why: { question: 'where', is: 'any_of', options: ['north'] } })
  })
})

test('a condition of LimeSurvey counts the answers to a question, by its parts or by "that"', async () => {
  const row = (fields: Record<string, string>) =>
    `<row>${Object.entries(fields)
      .map(([name, value]) => `<${name}><![CDATA[${value}]]></${name}>`)
      .join('')}</row>`
  const table = (name: string, rows: Record<string, string>[]) => `<${name}><rows>${rows.map(row).join('')}</rows></${name}>`
  const question = (qid: string, title: string, type: string, relevance: string) => ({
    qid,
    gid: '1',
    sid: '9',
    parent_qid: '0',
    title,
    type,
    relevance,
    question: title,
    question_order: qid,
    language: 'en',
  })
  const part = (qid: string, title: string) => ({ qid, parent_qid: '1', gid: '1', sid: '9', title, question: title, language: 'en' })
  const { shown, notes } = await readFile(
    Buffer.from(
      `<?xml version="1.0"?><document><LimeSurveyDocType>Survey</LimeSurveyDocType>${[
        table('groups', [{ gid: '1', sid: '9', group_name: 'All', group_order: '1', language: 'en' }]),
        table('questions', [
          question('1', 'AF', 'M', '1'),
          question('2', 'some', 'X', 'count(that.AF) > 0'),
          question('3', 'few', 'X', 'count(that.AF.NAOK) < 2'),
          question('4', 'both', 'X', 'count(AF_a.NAOK, AF_b.NAOK) >= 2'),
          question('5', 'bare', 'X', 'count(that.AF.NAOK)'),
          question('6', 'half', 'X', 'count(AF_a.NAOK) >= 2'),
        ]),
        table('subquestions', [part('10', 'a'), part('11', 'b')]),
      ].join('')}</document>`,
    ),
  )
  expect(shown).toEqual({
    some: { question: 'AF', is: 'answered' },
    few: { question: 'AF', is: 'chosen_at_most', value: 1 },
    both: { question: 'AF', is: 'chosen_at_least', value: 2 },
    bare: { question: 'AF', is: 'answered' },
  })
  expect(notes).toEqual(['half: condition-left-out count(AF_a.NAOK) >= 2'])
})
