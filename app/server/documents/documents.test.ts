import mammoth from 'mammoth'
import { describe, expect, test } from 'vitest'
import { isAppError } from '#app/lib/app-error.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { readZip } from '#tests/support/read-zip.ts'
import { findColumnShares } from './column-shares.ts'
import type { DocumentContent } from './document.schema.ts'
import { findNativeFile, makeDocument } from './make-document.server.ts'

const NASTY = '#panic("x") $x$ *b* _i_ ] [ @a \\ "q" `r` <l> // ŵ ŷ <!--'

const content = (more: Partial<DocumentContent> = {}): DocumentContent => ({
  language: 'cy',
  title: 'Strydoedd, hydref 2026',
  subtitle: '1 Medi 2026 – 28 Tachwedd 2026',
  facts: [{ term: 'Gwnaed: ', meaning: '28 Tachwedd 2026' }],
  organisation: 'Cyngor Dyffryn',
  runningHead: 'Eitem 7',
  color: '#14516b',
  madeAt: 1_795_000_000,
  smallPrint: 'Nid yw grwpiau bach yn cael eu dangos.',
  words: { contents: 'Cynnwys', table: 'Tabl', figure: 'Ffigur', page: 'Tudalen', of: 'o', mark: 'Marc Cyngor Dyffryn' },
  sections: [
    {
      heading: 'Pwy a gyrhaeddwyd',
      blocks: [
        { kind: 'lead', text: 'Cymerodd 12 o bobl ran.' },
        { kind: 'heading', text: 'O edrych i gymryd rhan' },
        {
          kind: 'bars',
          caption: 'Gwybod a chymryd rhan',
          alternative: 'Gwybod 40, cymryd rhan 12',
          values: [
            { label: 'Gwybod', value: 40, text: '40' },
            { label: 'Cymryd rhan', value: 12, text: '12', note: '30%' },
          ],
        },
        {
          kind: 'table',
          caption: 'Fesul prosiect',
          heads: ['Prosiect', 'Atebion'],
          rows: [
            ['Bws cyflymach', '12'],
            ['Pob un', '12'],
          ],
          hasTotal: true,
        },
      ],
    },
  ],
  ...more,
})

describe('a document as PDF', () => {
  test('is in its language, with numbered headings, header cells and alternative texts', async () => {
    const read = await readPdf(await makeDocument('a', 'pdf', content()))
    expect(read).toMatchObject({ language: 'cy', title: 'Strydoedd, hydref 2026', pages: 2 })
    expect(read.texts('H1')).toEqual(['Cynnwys', '1 Pwy a gyrhaeddwyd'])
    expect(read.texts('H2')).toEqual(['1.1 O edrych i gymryd rhan'])
    expect(read.texts('TH')).toEqual(['Prosiect', 'Atebion'])
    expect(read.texts('TD')).toEqual(['Bws cyflymach', '12', 'Pob un', '12'])
    expect(read.texts('Figure')).toEqual(['Marc Cyngor Dyffryn', 'Gwybod 40, cymryd rhan 12'])
    expect(read.texts('Caption')).toEqual(['Ffigur 1. Gwybod a chymryd rhan', 'Tabl 1. Fesul prosiect'])
  })

  test('has the same bytes for the same content', async () => {
    const [one, two] = [await makeDocument('a', 'pdf', content()), await makeDocument('a', 'pdf', content())]
    expect(Buffer.from(one).equals(Buffer.from(two))).toBe(true)
  })

  test('names French as it is spoken in Canada', async () => {
    expect((await readPdf(await makeDocument('a', 'pdf', content({ language: 'fr-CA' })))).language).toBe('fr-CA')
  })

  test('shows what people typed as they typed it, wherever it stands', async () => {
    const [section] = content().sections
    const nasty = content({
      title: NASTY,
      subtitle: NASTY,
      organisation: NASTY,
      runningHead: NASTY,
      smallPrint: NASTY,
      facts: [{ term: NASTY, meaning: NASTY }],
      sections: [
        {
          heading: NASTY,
          blocks: [
            { kind: 'note', text: NASTY },
            { kind: 'terms', terms: [{ term: NASTY, meaning: NASTY }] },
            { kind: 'table', caption: NASTY, heads: [NASTY, NASTY], rows: [[NASTY, NASTY]] },
            { kind: 'columns', caption: NASTY, alternative: NASTY, values: [{ label: NASTY, value: 1, text: NASTY }] },
          ],
        },
        ...(section ? [section] : []),
      ],
    })
    const read = await readPdf(await makeDocument('a', 'pdf', nasty))
    expect(read.title).toBe(NASTY)
    // The space where a line ends is no part of the text.
    expect(read.texts('TD')[0]?.replaceAll(' ', '')).toBe(NASTY.replaceAll(' ', ''))
    expect(read.texts('Figure')[1]).toBe(NASTY)
    expect(read.texts('H1')).toContain(`1 ${NASTY}`)
  })

  test('is refused if it is too large for the process that writes it', async () => {
    const rows = Array.from({ length: 400_000 }, (_, row) => [`Row ${row}`, '1'])
    const huge = content({ sections: [{ heading: 'Rows', blocks: [{ kind: 'table', caption: 'Rows', heads: ['A', 'B'], rows }] }] })
    await expect(makeDocument('a', 'pdf', huge)).rejects.toSatisfy((error) => isAppError(error, 'unavailable'))
  }, 90_000)
})

describe('a document as DOCX', () => {
  test('has headings, a header row and alternative texts, and shows what people typed', async () => {
    const file = await makeDocument('a', 'docx', content({ title: NASTY }))
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(file) })
    const html = value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').replaceAll('&quot;', '"')
    expect(html).toContain(NASTY)
    expect(html).toContain('<h1>Pwy a gyrhaeddwyd</h1>')
    expect(html).toContain('<h2>O edrych i gymryd rhan</h2>')
    expect(html.match(/<th>/g)).toHaveLength(2)
    expect(html.match(/<td>/g)).toHaveLength(4)
    expect([...html.matchAll(/alt="([^"]*)"/g)].map(([, text]) => text)).toEqual(['Marc Cyngor Dyffryn', 'Gwybod 40, cymryd rhan 12'])
  })

  test('numbers its figures and its tables in the order in which they stand', async () => {
    const [section] = content().sections
    const file = await makeDocument('a', 'docx', content({ sections: Array.from({ length: 3 }, () => section).filter((each) => !!each) }))
    const { value } = await mammoth.extractRawText({ buffer: Buffer.from(file) })
    expect(value.match(/(Ffigur|Tabl) \d/g)).toEqual(['Ffigur 1', 'Tabl 1', 'Ffigur 2', 'Tabl 2', 'Ffigur 3', 'Tabl 3'])
  })

  test('says on its cover once what is also at the head of its pages', async () => {
    const file = await makeDocument('a', 'docx', content({ runningHead: content().subtitle }))
    const { value } = await mammoth.extractRawText({ buffer: Buffer.from(file) })
    expect(value.split(content().subtitle)).toHaveLength(2)
  })

  test('names the rule of its line spacing, without which LibreOffice cuts pictures off', async () => {
    const files = readZip(Buffer.from(await makeDocument('a', 'docx', content())))
    expect(files.get('word/styles.xml')?.toString()).toMatch(/<w:pPrDefault><w:pPr><w:spacing [^>]*w:lineRule="auto"/)
  })
})

describe('the columns of a table', () => {
  const findShares = (heads: string[], rows: string[][] = [], textColumns = 1) =>
    findColumnShares({ kind: 'table', caption: '', heads, rows, textColumns }).map((share) => Math.round(share * 100))

  test('of numbers are equally wide, beside a wider one of texts', () => {
    expect(findShares(['Project', 'Answers', 'Supports'])).toEqual([34, 33, 33])
    expect(findShares(['Project'])).toEqual([100])
  })

  test('leave room for the longest word of their heads and cells', () => {
    const [first = 0, supports = 0, contributions = 0] = findShares([
      'Kind',
      'Supports',
      'Contributions',
      'Open',
      'Late',
      'New',
      'Days',
      'Of',
    ])
    expect(contributions).toBeGreaterThanOrEqual(15)
    expect(supports).toBeLessThan(contributions)
    expect(first).toBeGreaterThanOrEqual(18)
    expect(
      findShares(['Budget', 'On paper', 'Awarded', 'Left', 'Of', 'By', 'In'], [['A', '1', '$1,260,000', '', '', '', '']])[2],
    ).toBeGreaterThanOrEqual(12)
  })

  test('never take more than the page, however long their words', () => {
    const shares = findShares(['Kind', ...Array.from({ length: 7 }, () => 'Rhagfarnllydrwydd')])
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, -1)
    expect(Math.min(...shares)).toBeGreaterThan(0)
  })

  test('of several texts share what numbers leave, longer texts more of it', () => {
    const reason = 'The pipes lie under the sidewalk there, and moving them would cost more than all the roofs together.'
    const [decision = 0, why = 0, people = 0] = findShares(['Decision', 'Reason', 'People'], [['Roofs', reason, '12']], 2)
    expect([decision + why, people]).toEqual([67, 33])
    expect(why).toBeGreaterThan(2 * decision)
    expect(decision).toBeGreaterThanOrEqual(12)
  })

  test('of several texts beside many numbers are as wide as their longest word', () => {
    const heads = ['Budget', 'Project', 'Ballots', 'On paper', 'Options funded', 'Awarded', 'Available']
    const row = ['Neighbourhood fund 2025', 'Budget 2027: where should it go?', '6,000', '0', '17', '$360,000', '$400,000']
    const [budget = 0, project = 0] = findShares(heads, [row], 2)
    // 13 letters of 78 across a page.
    expect(budget).toBeGreaterThanOrEqual(17)
    expect(project).toBeGreaterThanOrEqual(budget)
  })
})

test('an installation for another system has no typesetter', () => {
  const find = (name: string) => {
    if (!name.endsWith('-linux-x64-musl')) throw new Error('not found')
    return name
  }
  expect(findNativeFile('linux-x64', find)).toBe(true)
  expect(findNativeFile('linux-arm64', find)).toBe(false)
})
