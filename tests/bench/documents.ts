import { makeDocument } from '#app/server/documents/make-document.server.ts'
import type { DocumentBlock, DocumentContent, DocumentFormat } from '#app/server/documents/document.schema.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { computeMedian, type Measurement, roundTo } from './measurement.ts'

const SECTIONS = 300
const PAGES = 200
const PROMISED_MS = 5000
const ROUNDS = 3

const PARAGRAPH =
  'Six in ten of those who answered want the stop at Mill Lane to have a roof, and most of them gave the sun as their reason. Those who walk there said that the ramp is too steep for a pram; those who come by bus said that the last one leaves before the library closes. '

/** A report of two hundred pages, as a whole consultation may have: what people said, with a chart, its table and a quote in each section. */
export const documents: Measurement = {
  name: 'documents',
  run: async () => {
    const content = buildLongReport()
    const docx = await timeDocument('docx', content)
    const pdf = await timeDocument('pdf', content)
    const { pages } = await readPdf(pdf.file)
    return {
      summary: `A report as DOCX, whose PDF has ${pages} pages, written in a process of its own, against the PDF`,
      ratios: { docx: roundTo(docx.took / pdf.took) },
      values: { docxMs: roundTo(docx.took, 0), docxKb: Math.round(docx.file.length / 1000), pdfMs: roundTo(pdf.took, 0), pages },
      faults: [
        ...(docx.took > PROMISED_MS ? [`the DOCX took ${roundTo(docx.took, 0)} ms, more than the promised ${PROMISED_MS}`] : []),
        ...(pages < PAGES ? [`the PDF has ${pages} pages, too few to measure by`] : []),
      ],
    }
  },
}

/** @returns the median of several rounds, in milliseconds, and the file */
async function timeDocument(format: DocumentFormat, content: DocumentContent) {
  const took: number[] = []
  let file: Uint8Array = new Uint8Array()
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now()
    file = await makeDocument('bench', format, content)
    took.push(performance.now() - begun)
  }
  return { took: computeMedian(took), file }
}

const buildLongReport = (): DocumentContent => ({
  language: 'en',
  title: 'What we heard',
  subtitle: 'A faster bus on Fern Street',
  facts: [],
  organisation: 'Riverbend',
  runningHead: 'A faster bus on Fern Street',
  color: '#14516b',
  madeAt: 1_795_000_000,
  sections: Array.from({ length: SECTIONS }, (_, at) => ({ heading: `Question ${at + 1}`, blocks: buildSection(at) })),
  smallPrint: 'Small groups are not shown.',
  words: { contents: 'Contents', table: 'Table', figure: 'Figure', page: 'Page', of: 'of', mark: 'Mark of Riverbend' },
})

function buildSection(at: number): DocumentBlock[] {
  const values = ['By bus', 'On foot', 'By bicycle', 'By car', 'Other'].map((label, place) => ({
    label,
    value: (at * 7 + place * 13) % 97,
    text: `${(at * 7 + place * 13) % 97}%`,
  }))
  return [
    { kind: 'text', text: PARAGRAPH.repeat(2) },
    { kind: 'bars', caption: 'How people travel', alternative: values.map(({ label, text }) => `${label} ${text}`).join(', '), values },
    { kind: 'table', caption: 'How people travel', heads: ['Answer', 'Share'], rows: values.map(({ label, text }) => [label, text]) },
    { kind: 'quote', text: 'There is no shade at the stop, and the bench is gone.', language: 'en' },
    { kind: 'text', text: PARAGRAPH },
  ]
}
