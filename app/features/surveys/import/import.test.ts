import { monitorEventLoopDelay } from 'node:perf_hooks'
import { crc32, deflateRawSync } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { listSampleQuestions } from '#tests/factories/questions.ts'
import { addPerson, addProject, addSurvey } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { exportResponses } from '../export/export-responses.server.ts'
import type { Question } from '../surveys.schema.ts'
import type { LanguageChoices, StoredImportReport } from './import.schema.ts'
import { importSurvey, loadImportReport } from './import.server.ts'
import { uploadSurvey } from './import-upload.server.ts'
import { requestContext } from '#tests/support/request-context.ts'

let runtime: TestRuntime
let site: Site
let admin: Viewer

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})

async function take(content: string | Uint8Array, viewer: Viewer = admin, choices: LanguageChoices = {}) {
  const project = await addProject(runtime, site)
  const file = typeof content === 'string' ? Buffer.from(content) : content
  const ctx = createCtx(runtime, site, { viewer })
  const made = () => runtime.database.site(site.id).tx((tx) => tx.select().from(surveys).where(eq(surveys.projectId, project.id)))
  try {
    const result = await importSurvey(ctx, { projectId: project.id, file, filename: 'streets.json', choices })
    const [survey] = await made()
    if (!('surveyId' in result) || !survey) throw new Error(`Asks about ${JSON.stringify(result)}`)
    const definition = survey.definition as { pages: { questions: Question[]; title?: object }[] }
    const report = await loadImportReport(ctx, result.surveyId)
    const questions = definition.pages.flatMap((page) => page.questions)
    return { ...result, report, survey, pages: definition.pages, questions, notes: listNotes(report) }
  } catch (error) {
    expect(await made()).toEqual([])
    throw error
  }
}

/** The notes of a report, in short: `where: code what`. */
const listNotes = ({ elements }: StoredImportReport) =>
  elements.flatMap(({ at, notes }) => notes.map(({ code, what }) => `${at}: ${code} ${what}`))

describe('a survey can be created from', () => {
  test('our own export, completely', async () => {
    const survey = await addSurvey(runtime, site, { definition: { schema: 1, pages: [{ id: 'p', questions: listSampleQuestions() }] } })
    const { pieces } = await exportResponses(createCtx(runtime, site, { viewer: admin }), {
      surveyId: survey.id,
      format: 'json',
      personal: false,
    })
    const bytes: Uint8Array[] = []
    for await (const piece of pieces) bytes.push(piece)
    const { report, faults, questions, survey: made } = await take(Buffer.concat(bytes))
    expect(report).toMatchObject({ format: 'parley', elements: [] })
    expect(faults).toBe(0)
    expect(questions).toEqual(JSON.parse(JSON.stringify(listSampleQuestions())))
    expect(made).toMatchObject({ status: 'draft', title: { en: 'Fern Street' } })
  })

  test('SurveyJS, reporting what cannot be carried over', async () => {
    const { notes, pages, questions, survey } = await take(
      JSON.stringify({
        title: { default: 'Streets', fr: 'Rues', de: 'Straßen' },
        pages: [
          {
            name: 'one',
            elements: [
              {
                type: 'radiogroup',
                name: 'mode',
                title: 'How?',
                isRequired: true,
                choices: ['bus', { value: 'foot', text: { default: 'On foot', fr: 'À pied' } }],
                hasOther: true,
              },
              { type: 'text', name: 'age', inputType: 'number', min: 0, max: 120 },
              { type: 'panel', name: 'p', elements: [{ type: 'comment', name: 'why', visibleIf: "{mode} = 'bus' and {age} >= 18" }] },
              { type: 'rating', name: 'safe', rateMax: 5 },
              { type: 'matrix', name: 'grid', rows: ['a', 'b'], columns: ['bad', 'good'] },
              { type: 'checkbox', name: 'want', choices: ['x', 'y'], hasNone: true },
              { type: 'boolean', name: 'sure', visibleIf: '{age} * {age} > 3' },
              { type: 'file', name: 'photo', allowMultiple: true },
              { type: 'signaturepad', name: 'sign' },
              { type: 'text', name: 'colour', inputType: 'color', validators: [{ type: 'regex' }] },
            ],
          },
        ],
      }),
      admin,
      { de: '' },
    )
    expect(survey?.title).toEqual({ en: 'Streets', 'fr-CA': 'Rues' })
    expect(pages).toHaveLength(1)
    expect(questions.map(({ id, type }) => [id, type])).toEqual([
      ['mode', 'one_choice'],
      ['age', 'number'],
      ['why', 'long_text'],
      ['safe', 'rating'],
      ['grid', 'matrix_one'],
      ['want', 'several_choices'],
      ['sure', 'yes_no'],
      ['photo', 'file'],
      ['colour', 'short_text'],
    ])
    expect(questions[0]).toMatchObject({
      required: true,
      options: [{ id: 'bus' }, { id: 'foot', label: { en: 'On foot', 'fr-CA': 'À pied' } }, { id: 'other', other: true }],
    })
    expect(questions[2]?.showIf).toEqual({
      all: [
        { question: 'mode', is: 'any_of', options: ['bus'] },
        { question: 'age', is: 'at_least', value: 18 },
      ],
    })
    expect(notes).toEqual([
      ': language-left-out de',
      'sure: condition-left-out {age} * {age} > 3',
      'sign: left-out signaturepad',
      'colour: setting-left-out regex: ',
      'colour: became-text color',
    ])
  })

  test('an XLSForm', async () => {
    const file = await writeXlsx({
      sheets: [
        {
          name: 'survey',
          rows: [
            ['type', 'name', 'label::English (en)', 'label::French (fr)', 'required', 'relevant', 'constraint'],
            ['begin_group', 'g', 'Travel', 'Déplacements'],
            ['select_one modes or_other', 'mode', 'How?', 'Comment ?', 'yes'],
            ['integer', 'age', 'Age', 'Âge', '', '', '. > 3'],
            ['text', 'why', 'Why?', 'Pourquoi ?', '', "selected(${mode}, 'bus') or ${age} > 17"],
            ['end_group'],
            ['geopoint', 'where', 'Where?', 'Où ?'],
            ['image', 'photo', 'Photo', 'Photo'],
            ['audio', 'voice', 'Say it', 'Dites-le'],
          ],
        },
        {
          name: 'choices',
          rows: [
            ['list_name', 'name', 'label::English (en)', 'label::French (fr)'],
            ['modes', 'bus', 'Bus', 'Autobus'],
            ['modes', '2', 'Foot', 'Pied'],
          ],
        },
        {
          name: 'settings',
          rows: [
            ['form_title', 'default_language'],
            ['Streets', 'English (en)'],
          ],
        },
      ],
    })
    const { report, notes, questions, pages } = await take(file)
    expect(report.format).toBe('xlsform')
    expect(pages[0]?.title).toEqual({ en: 'Travel', 'fr-CA': 'Déplacements' })
    expect(questions).toMatchObject([
      {
        id: 'mode',
        type: 'one_choice',
        required: true,
        title: { en: 'How?', 'fr-CA': 'Comment ?' },
        options: [{ id: 'bus' }, { id: 'q2' }, { id: 'other', other: true }],
      },
      { id: 'age', type: 'number', min: 4 },
      {
        id: 'why',
        type: 'short_text',
        showIf: {
          any: [
            { question: 'mode', is: 'any_of', options: ['bus'] },
            { question: 'age', is: 'at_least', value: 18 },
          ],
        },
      },
      { id: 'where', type: 'place' },
      { id: 'photo', type: 'file', kinds: ['picture'], maxFiles: 1 },
    ])
    expect(notes).toEqual(['voice: left-out audio'])
  })

  test.each(['apart', 'together'])('a LimeSurvey survey with its languages %s', async (kept) => {
    const rows = (...lines: Record<string, string>[]) =>
      `<rows>${lines
        .map(
          (line) =>
            `<row>${Object.entries(line)
              .map(([name, value]) => `<${name}><![CDATA[${value}]]></${name}>`)
              .join('')}</row>`,
        )
        .join('')}</rows>`
    const apart = kept === 'apart'
    const each = (row: Record<string, string>, field: string, [en, fr]: [string, string]) =>
      apart
        ? [row]
        : [
            { ...row, [field]: en, language: 'en' },
            { ...row, [field]: fr, language: 'fr' },
          ]
    const l10n = (key: string, id: string, field: string, [en, fr]: [string, string]) => [
      { [key]: id, [field]: en, language: 'en' },
      { [key]: id, [field]: fr, language: 'fr' },
    ]
    const texts = {
      g: ['Travel', 'Déplacements'],
      q: ['<p>How?</p>', 'Comment ?'],
      a: ['Bus', 'Autobus'],
      m: ['What &amp; where', 'Quoi'],
    } as const satisfies Record<string, [string, string]>
    const document = `<?xml version="1.0" encoding="UTF-8"?><document><LimeSurveyDocType>Survey</LimeSurveyDocType>
      <surveys>${rows({ sid: '1', language: 'en' })}</surveys>
      <surveys_languagesettings>${rows({ surveyls_language: 'en', surveyls_title: 'Streets' }, { surveyls_language: 'fr', surveyls_title: 'Rues' })}</surveys_languagesettings>
      <groups>${rows(...each({ gid: '1', group_order: '1' }, 'group_name', texts.g))}</groups>
      <questions>${rows(
        ...each(
          { qid: '1', gid: '1', type: 'L', title: 'mode', mandatory: 'Y', other: 'Y', question_order: '1', parent_qid: '0' },
          'question',
          texts.q,
        ),
        ...each(
          { qid: '2', gid: '1', type: 'S', title: 'why', question_order: '2', parent_qid: '0', relevance: '((mode.NAOK == "A1"))' },
          'question',
          texts.m,
        ),
        ...each({ qid: '3', gid: '1', type: '|', title: 'file', question_order: '3', parent_qid: '0' }, 'question', texts.m),
        ...each({ qid: '4', gid: '1', type: '*', title: 'sum', question_order: '4', parent_qid: '0' }, 'question', texts.m),
      )}</questions>
      <answers>${rows(...each({ aid: '7', qid: '1', code: 'A1', sortorder: '1' }, 'answer', texts.a))}</answers>
      ${
        apart
          ? `<group_l10ns>${rows(...l10n('gid', '1', 'group_name', texts.g))}</group_l10ns>
             <question_l10ns>${rows(...l10n('qid', '1', 'question', texts.q), ...l10n('qid', '2', 'question', texts.m))}</question_l10ns>
             <answer_l10ns>${rows(...l10n('aid', '7', 'answer', texts.a))}</answer_l10ns>`
          : ''
      }</document>`
    const { report, notes, questions, pages, survey } = await take(document)
    expect(survey?.title).toEqual({ en: 'Streets', 'fr-CA': 'Rues' })
    expect(pages[0]?.title).toEqual({ en: 'Travel', 'fr-CA': 'Déplacements' })
    expect(questions).toMatchObject([
      {
        id: 'mode',
        type: 'one_choice',
        required: true,
        title: { en: 'How?', 'fr-CA': 'Comment ?' },
        options: [{ id: 'A1', label: { en: 'Bus', 'fr-CA': 'Autobus' } }, { other: true }],
      },
      { id: 'why', type: 'short_text', title: { en: 'What & where' }, showIf: { question: 'mode', is: 'any_of', options: ['A1'] } },
      { id: 'file', type: 'file' },
    ])
    expect(report).toMatchObject({ format: 'limesurvey' })
    expect(notes).toEqual(['sum: left-out Equation (*)'])
  })
})

describe('texts', () => {
  const german = { locale: 'de', title: 'Straßen', elements: [{ type: 'text', name: 'a', title: 'Was fehlt?' }] }

  test('in a language that the site lacks are imported as the one that is chosen; nothing is created before', async () => {
    await expect(take(JSON.stringify(german))).rejects.toThrow('{"languages":["de"],"hasSiteLanguage":false}')
    const { questions, survey } = await take(JSON.stringify(german), admin, { de: 'en' })
    expect(survey.title).toEqual({ en: 'Straßen' })
    expect(questions[0]?.title).toEqual({ en: 'Was fehlt?' })
  })

  test('that refer to an earlier answer do so here; other references are replaced and named', async () => {
    const { questions, notes } = await take(
      JSON.stringify({
        elements: [
          { type: 'text', name: 'street', title: 'Which street?' },
          { type: 'comment', name: 'why', title: 'Why {street}, {person.name}?' },
        ],
      }),
    )
    expect(questions[1]?.title).toEqual({ en: 'Why {{street}}, …?' })
    expect(notes).toEqual(['why: piping-left-out {person.name}'])
  })
})

describe('the report names every property that was not read', () => {
  test('of a question, its choices and the survey in SurveyJS', async () => {
    const { notes } = await take(
      JSON.stringify({
        cookieName: 'x',
        elements: [{ type: 'radiogroup', name: 'a', choices: [{ value: 1, invented: true }, { value: 2 }], alsoInvented: 5 }],
      }),
    )
    expect(notes.toSorted()).toEqual([
      ': setting-left-out cookieName: x',
      'a: setting-left-out alsoInvented: 5',
      'a: setting-left-out choices[0].invented: true',
    ])
  })

  test('of any table of LimeSurvey', async () => {
    const { notes } = await take(
      lss({
        surveys: [{ sid: '1', language: 'en', allowjumps: 'Y' }],
        groups: [{ gid: '1', group_name: 'G', language: 'en' }],
        questions: [{ qid: '1', gid: '1', type: 'S', title: 'q', question: 'Why?', parent_qid: '0', language: 'en', invented: 'x' }],
        question_attributes: [{ qid: '1', attribute: 'prefix', value: '£' }],
        inventions: [{ qid: '1', other: 'thing' }],
      }),
    )
    expect(notes.toSorted()).toEqual([
      ': setting-left-out allowjumps: Y',
      'q: setting-left-out invented: x',
      'q: setting-left-out other: thing',
      'q: setting-left-out prefix: £',
    ])
  })
})

describe('LimeSurvey', () => {
  const question = (qid: string, title: string, type: string, more: Record<string, string> = {}) => ({
    qid,
    gid: '1',
    sid: '9',
    type,
    title,
    question: `Ask ${title}`,
    parent_qid: '0',
    language: 'en',
    question_order: qid,
    ...more,
  })
  const part = (qid: string, parent: string, title: string) => ({
    qid,
    gid: '1',
    parent_qid: parent,
    title,
    question: `Part ${title}`,
    language: 'en',
  })
  const takeQuestions = (
    questions: Record<string, string>[],
    tables: {
      subquestions?: Record<string, string>[]
      answers?: Record<string, string>[]
      question_attributes?: Record<string, string>[]
    } = {},
  ) => take(lss({ surveys: [{ sid: '9', language: 'en' }], groups: [{ gid: '1', group_name: 'G', language: 'en' }], questions, ...tables }))

  test('keeps conditions about options, rows, emptiness and old codes, joined by and, or and not', async () => {
    const { questions, notes } = await takeQuestions(
      [
        question('1', 'mode', 'M'),
        question('2', 'age', 'N', { relevance: 'mode_bus.NAOK == "Y"' }),
        question('3', 'why', 'T', { relevance: '(!is_empty(age.NAOK) and age.NAOK > 17) or not (9X1X1foot.NAOK == "Y")' }),
        question('4', 'end', 'Y', { relevance: 'strpos(why, "x") > 2' }),
      ],
      {
        subquestions: [part('11', '1', 'bus'), part('12', '1', 'foot')],
        question_attributes: [{ qid: '2', attribute: 'num_value_int_only', value: '1' }],
      },
    )
    expect(questions.map(({ showIf }) => showIf)).toEqual([
      undefined,
      { question: 'mode', is: 'any_of', options: ['bus'] },
      {
        any: [
          {
            all: [
              { question: 'age', is: 'answered' },
              { question: 'age', is: 'at_least', value: 18 },
            ],
          },
          { question: 'mode', is: 'none_of', options: ['foot'] },
        ],
      },
      undefined,
    ])
    expect(notes).toEqual(['end: condition-left-out strpos(why, "x") > 2'])
  })

  test('keeps limits, exclusive options, random order and filters, and never shows what was hidden', async () => {
    const attributes = [
      { qid: '1', attribute: 'max_answers', value: '2' },
      { qid: '1', attribute: 'exclude_all_others', value: 'none' },
      { qid: '1', attribute: 'random_order', value: '1' },
      { qid: '2', attribute: 'array_filter', value: 'mode' },
      { qid: '3', attribute: 'hidden', value: '1' },
    ]
    const { questions, report } = await takeQuestions(
      [question('1', 'mode', 'M'), question('2', 'rate', 'A'), question('3', 'secret', 'S')],
      {
        subquestions: [part('11', '1', 'bus'), part('12', '1', 'none'), part('21', '2', 'bus')],
        question_attributes: attributes,
      },
    )
    expect(questions).toMatchObject([
      { type: 'several_choices', maxChoices: 2, shuffle: true, options: [{ id: 'bus' }, { id: 'none', exclusive: true }] },
      { type: 'matrix_one', rows: [{ id: 'bus', showIf: { question: 'mode', is: 'any_of', options: ['bus'] } }] },
    ])
    expect(report.elements.find(({ at }) => at === 'secret')).toMatchObject({ outcome: 'left-out', notes: [{ code: 'hidden' }] })
  })
})

function lss(tables: Record<string, Record<string, string>[]>): string {
  const rows = (lines: Record<string, string>[]) =>
    lines
      .map(
        (line) =>
          `<row>${Object.entries(line)
            .map(([name, value]) => `<${name}><![CDATA[${value}]]></${name}>`)
            .join('')}</row>`,
      )
      .join('')
  const parts = Object.entries(tables).map(([name, lines]) => `<${name}><rows>${rows(lines)}</rows></${name}>`)
  return `<document><LimeSurveyDocType>Survey</LimeSurveyDocType>${parts.join('')}</document>`
}

describe('a file is refused without a trace', () => {
  const LSS = (inside: string) => `<?xml version="1.0"?>${inside}<document><LimeSurveyDocType>Survey</LimeSurveyDocType></document>`

  test.each<[string, string | Uint8Array]>([
    ['empty', ''],
    ['of no kind we know', '{"hello": 1}'],
    ['cut off', '{"pages": [{"elements": ['],
    ['binary', Buffer.from([0xff, 0xfe, 1, 2])],
    ['nested without end', `{"pages":${'['.repeat(200_000)}`],
    ['with entities that multiply', LSS('<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>')],
    ['with an entity that reads a file', `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><document>&x;</document>`],
    ['with elements that do not end', '<a>'.repeat(1000)],
    ['an archive of nothing', Buffer.from('PK\u0003\u0004 and then nothing')],
    ['an archive that claims to unpack to more than any form', bomb()],
    ['an archive that unpacks to more than it claims', bomb(200_000_000)],
    ['our own, harmed', '{"format":"parley-survey","survey":{"title":"x"},"versions":[{"definition":{"schema":1,"pages":[{"id":"1"}]}}]}'],
  ])('if it is %s', async (_, content) => {
    await expect(take(content)).rejects.toMatchObject({ code: 'invalid', faults: [{ code: 'unreadable-file', pointer: '/file' }] })
  })

  test.each([
    [
      'too many columns',
      () => workbook(400, (row) => `<c r="A${row}" t="inlineStr"><is><t>text</t></is></c><c r="XFC${row}"><v>1</v></c>`),
    ],
    ['too many rows', () => workbook(6000, (row) => `<c r="A${row}"><v>1</v></c>`)],
    [
      'a cell in the last corner of a sheet',
      () => workbook(1, () => '<c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c>'),
    ],
    [
      'a cell with more words than a spreadsheet allows',
      () => workbook(2, (row) => `<c r="A${row}" t="inlineStr"><is><t>${'a'.repeat(40_000)}</t></is></c>`),
    ],
    [
      'more words in all than any form',
      () => workbook(500, (row) => `<c r="A${row}" t="inlineStr"><is><t>${'a'.repeat(30_000)}</t></is></c>`),
    ],
    [
      'more elements than any archive of structure',
      () => `<document><LimeSurveyDocType>Survey</LimeSurveyDocType>${'<a/>'.repeat(250_000)}</document>`,
    ],
  ])('if it has %s', async (_, content) => {
    await expect(take(content())).rejects.toMatchObject({ code: 'invalid', faults: [{ code: 'file-too-complex', pointer: '/file' }] })
  })

  test.each([
    ['a small workbook of very wide rows', () => workbook(1500, (row) => `<c r="A${row}"><v>1</v></c><c r="KZZ${row}"><v>1</v></c>`)],
    ['a string of escaped quotes that never ends', () => Buffer.from(`"${'\\"'.repeat(900_000)}`)],
    ['a table of structure whose rows all belong together', () => manyQuestions()],
  ])('if it is %s, and blocks nothing else', async (_, content) => {
    const file = content()
    const before = process.memoryUsage().rss
    const late = monitorEventLoopDelay({ resolution: 20 })
    late.enable()
    await take(file).catch((error: unknown) => expect(error).toMatchObject({ code: 'invalid' }))
    late.disable()
    // Parsing in this process would block it for many seconds and use a gigabyte.
    expect(late.max / 1e6).toBeLessThan(5000)
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
  })

  test('if it has fifty megabytes', async () => {
    await expect(take(Buffer.alloc(50_000_000, 0x20))).rejects.toMatchObject({ code: 'too-large' })
  })

  test('if it comes from somebody who may not edit the project', async () => {
    const person = await addPerson(runtime, site)
    await expect(take('{"elements":[]}', person)).rejects.toMatchObject({ code: 'forbidden' })
  })
})

test('an import is recorded in the audit trail', async () => {
  const { surveyId } = await take('{"elements":[{"type":"text","name":"a"}]}')
  const trail = await runtime.database.site(site.id).tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.subjectId, surveyId)))
  expect(trail.map((event) => event.action).toSorted()).toEqual(['surveys.create', 'surveys.import'])
})

/** A workbook with a sheet `survey`, as small as its rows allow. */
function workbook(rows: number, cells: (row: number) => string): Uint8Array {
  const lines = Array.from({ length: rows }, (_, index) => `<row r="${index + 1}">${cells(index + 1)}</row>`).join('')
  const relations = (type: string, target: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/relationships/${type}" Target="${target}"/></Relationships>`
  return archiveOf({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns:r="${OFFICE}/relationships"><sheets><sheet name="survey" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${lines}</sheetData></worksheet>`,
  })
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006'

function archiveOf(files: Record<string, string>): Uint8Array {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(text, { level: 9 })
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    const head = Buffer.alloc(46)
    head.writeUInt32LE(0x02014b50, 0)
    for (const [bytes, from] of [
      [local, 8],
      [head, 10],
    ] as const) {
      bytes.writeUInt16LE(8, from)
      bytes.writeUInt32LE(crc32(text), from + 6)
      bytes.writeUInt32LE(packed.length, from + 10)
      bytes.writeUInt32LE(Buffer.byteLength(text), from + 14)
      bytes.writeUInt16LE(name.length, from + 18)
    }
    head.writeUInt32LE(at, 42)
    parts.push(local, Buffer.from(name), packed)
    directory.push(head, Buffer.from(name))
    at += 30 + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 8)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, ...directory, end])
}

/** Each question has its texts in a separate table, which a naive importer would scan for each. */
function manyQuestions(): Uint8Array {
  const rows = (name: string, row: (id: number) => string) =>
    `<${name}><rows>${Array.from({ length: 9000 }, (_, id) => `<row>${row(id)}</row>`).join('')}</rows></${name}>`
  return Buffer.from(
    `<document><LimeSurveyDocType>Survey</LimeSurveyDocType><groups><rows><row><gid>1</gid></row></rows></groups>${
      rows('questions', (id) => `<qid>${id}</qid><gid>1</gid><type>S</type>`) +
      rows('question_l10ns', (id) => `<qid>${id}</qid><question>Why</question>`)
    }</document>`,
  )
}

/** An archive of one file that claims to unpack to nearly four gigabytes; or claims nothing, and unpacks to this many bytes. */
function bomb(bytes = 0): Uint8Array {
  const packed = bytes > 0 ? deflateRawSync(Buffer.alloc(bytes)) : Buffer.alloc(0)
  const name = Buffer.from('xl/workbook.xml')
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt32LE(1, 22)
  local.writeUInt16LE(name.length, 26)
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x02014b50, 0)
  head.writeUInt16LE(8, 10)
  head.writeUInt32LE(packed.length, 20)
  head.writeUInt32LE(bytes > 0 ? 1 : 0xfffffff0, 24)
  head.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(head.length + name.length, 12)
  end.writeUInt32LE(local.length + name.length + packed.length, 16)
  return Buffer.concat([local, name, packed, head, name, end])
}

describe('an upload', () => {
  const send = async (viewer: Viewer, file: Uint8Array<ArrayBuffer>, projectId?: string) => {
    const body = new FormData()
    const project = projectId ?? (await addProject(runtime, site)).id
    body.set('file', new File([file], 'streets.json'))
    const form = new Response(body)
    const request = new Request(`http://riverbend.localhost/admin/surveys/import.json?project=${project}`, {
      method: 'POST',
      headers: { 'content-type': form.headers.get('content-type') ?? '' },
      body: await form.arrayBuffer(),
    })
    const answer = await uploadSurvey({
      context: requestContext(createCtx(runtime, site, { viewer })),
      request,
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }

  test('returns the report, or an explanation of what is wrong', async () => {
    const good = Buffer.from('{"elements":[{"type":"text","name":"a"}]}')
    expect(await send(admin, good)).toMatchObject({ status: 201, body: { faults: expect.any(Number) } })
    expect(await send(admin, Buffer.from('nonsense'))).toMatchObject({ status: 422, body: { error: { code: 'unreadable-file' } } })
    expect(await send(admin, Buffer.alloc(6_000_000))).toMatchObject({ status: 413 })
    expect(await send({ kind: 'visitor' }, good)).toMatchObject({ status: 401 })
    expect(await send(await addPerson(runtime, site), good)).toMatchObject({ status: 403 })
    expect(await send(admin, good, 'nowhere')).toMatchObject({ status: 404 })
  })
})
