import {
  AlignmentType,
  BorderStyle,
  convertMillimetersToTwip,
  Document,
  Footer,
  Header,
  HeadingLevel,
  ImageRun,
  LevelFormat,
  LineRuleType,
  Packer,
  PageNumber,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'
import { getColon } from '../../lib/format.ts'
import type { ContentLanguage } from '../../lib/languages.ts'
import { loadSharp } from '../load-sharp.ts'
import { findColumnShares } from './column-shares.ts'
import type { DocumentBlock, DocumentContent, DocumentTable } from './document.schema.ts'
import { drawChartSvg } from './typeset.server.ts'

const FONT = 'Georgia'
const HALF_POINTS = { text: 21, small: 18, lead: 26, title: 60, section: 34, part: 26 } as const
const HEADING_NUMBERS = 'headings'
const MUTED = '4A5560'
/** Of pictures, in pixels. */
const WIDTH = 600
const NO_BORDER = { style: BorderStyle.NONE, size: 0, color: 'auto' } as const
/** A4 less its margins, in twentieths of a point. */
const TABLE_WIDTH = convertMillimetersToTwip(210 - 2 * 22)

/**
 * The same document for a word processor: headings of its own styles, tables with header rows, pictures with alternative texts.
 * @param canTypeset charts are drawn by the typesetter; without it their tables stand alone
 */
export async function buildDocx(content: DocumentContent, { canTypeset }: { canTypeset: boolean }): Promise<Buffer> {
  const numbers = { table: 0, figure: 0 }
  // Together, so that several threads of the drawing library work on the charts.
  const body = await Promise.all(
    content.sections.map(async ({ heading, blocks }) => [
      buildHeading(heading, 1),
      ...(await Promise.all(blocks.map((block) => buildBlock(content, block, numbers, canTypeset)))).flat(),
    ]),
  )
  const document = new Document({
    title: content.title,
    creator: content.organisation,
    description: content.subtitle,
    styles: { default: buildStyles(content) },
    numbering: { config: [{ reference: HEADING_NUMBERS, levels: [buildNumberLevel(0, '%1'), buildNumberLevel(1, '%1.%2')] }] },
    sections: [
      {
        properties: {
          titlePage: true,
          page: {
            size: { width: convertMillimetersToTwip(210), height: convertMillimetersToTwip(297) },
            margin: { left: convertMillimetersToTwip(22), right: convertMillimetersToTwip(22), top: convertMillimetersToTwip(30) },
          },
        },
        headers: {
          default: new Header({ children: [buildSmall([content.organisation, content.runningHead].filter(Boolean).join(' · '))] }),
        },
        footers: { default: buildFooter(content), first: buildFooter(content) },
        children: [...(await buildCover(content)), ...body.flat()],
      },
    ],
  })
  return Packer.toBuffer(document)
}

const buildNumberLevel = (level: number, text: string) => ({
  level,
  format: LevelFormat.DECIMAL,
  text,
  alignment: AlignmentType.START,
  style: { paragraph: { indent: { left: 0, hanging: 0 } } },
})

const toWordLanguage = (language: ContentLanguage): string => (language === 'en' ? 'en-CA' : language === 'cy' ? 'cy-GB' : language)

/** LibreOffice takes a line's height as exact unless its rule is named, and then cuts pictures off. */
function buildStyles({ language, color }: DocumentContent) {
  const run = { font: FONT, language: { value: toWordLanguage(language) } }
  const ofHeading = (size: number) => ({
    run: { ...run, size, bold: true, color: color.slice(1) },
    paragraph: { spacing: { before: 320, after: 140 }, keepNext: true },
  })
  return {
    document: { run: { ...run, size: HALF_POINTS.text }, paragraph: { spacing: { after: 140, line: 290, lineRule: LineRuleType.AUTO } } },
    title: { run: { ...run, size: HALF_POINTS.title, bold: true }, paragraph: { spacing: { before: 480, after: 160 } } },
    heading1: ofHeading(HALF_POINTS.section),
    heading2: ofHeading(HALF_POINTS.part),
  }
}

const buildText = (text: string, run: { size?: number; bold?: boolean; color?: string } = {}) =>
  new Paragraph({ children: [new TextRun({ text, ...run })] })

const buildSmall = (text: string) => buildText(text, { size: HALF_POINTS.small, color: MUTED })

const buildHeading = (text: string, level: 1 | 2) =>
  new Paragraph({
    text,
    heading: level === 1 ? HeadingLevel.HEADING_1 : HeadingLevel.HEADING_2,
    numbering: { reference: HEADING_NUMBERS, level: level - 1 },
  })

const buildFooter = ({ smallPrint, words }: DocumentContent) =>
  new Footer({
    children: [
      buildSmall(smallPrint),
      new Paragraph({
        alignment: AlignmentType.END,
        children: [
          new TextRun({
            size: HALF_POINTS.small,
            color: MUTED,
            children: [`${words.page} `, PageNumber.CURRENT, ` ${words.of} `, PageNumber.TOTAL_PAGES],
          }),
        ],
      }),
    ],
  })

async function buildCover(content: DocumentContent): Promise<Paragraph[]> {
  const { organisation, title, subtitle, runningHead, facts, color, words, mark } = content
  return [
    await buildPicture(
      mark?.svg ??
        `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M12 0h16a12 12 0 0 1 12 12v16a12 12 0 0 1-12 12H2a2 2 0 0 1-2-2V12A12 12 0 0 1 12 0Z" fill="${color}"/><path d="M9 24.5c6-8 10 3 15.5-3.5S29 14 31.5 14" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round"/></svg>`,
      { alternative: words.mark, width: Math.round(60 * (mark?.ratio ?? 1)) },
    ),
    buildText(organisation, { bold: true, size: HALF_POINTS.lead }),
    new Paragraph({ text: title, heading: HeadingLevel.TITLE }),
    buildText(subtitle, { size: HALF_POINTS.lead, color: MUTED }),
    ...(runningHead && runningHead !== subtitle ? [buildText(runningHead)] : []),
    ...facts.map(
      ({ term, meaning }) => new Paragraph({ children: [new TextRun({ text: term, bold: true }), new TextRun({ text: meaning })] }),
    ),
  ]
}

type Numbers = Record<'table' | 'figure', number>

async function buildBlock(
  content: DocumentContent,
  block: DocumentBlock,
  numbers: Numbers,
  canTypeset: boolean,
): Promise<(Paragraph | Table)[]> {
  const { language, words } = content
  switch (block.kind) {
    case 'lead':
      return [buildText(block.text, { size: HALF_POINTS.lead })]
    case 'text':
    case 'note':
      return [buildText(block.text)]
    case 'heading':
      return [buildHeading(block.text, 2)]
    case 'terms':
      return block.terms.map(
        ({ term, meaning }) =>
          new Paragraph({ children: [new TextRun({ text: `${term}${getColon(language)}`, bold: true }), new TextRun({ text: meaning })] }),
      )
    case 'list':
      return block.items.map((text) => new Paragraph({ text, bullet: { level: 0 } }))
    case 'quote':
      return [
        new Paragraph({
          indent: { left: convertMillimetersToTwip(8) },
          children: [new TextRun({ text: block.text, italics: true, language: { value: toWordLanguage(block.language) } })],
        }),
      ]
    case 'table':
      return [buildCaption(words.table, ++numbers.table, block.caption), buildTable(block), new Paragraph({})]
    case 'picture': {
      const caption = buildCaption(words.figure, ++numbers.figure, block.caption)
      return [await buildPicture(block.svg, { alternative: block.alternative, width: WIDTH }), caption]
    }
    case 'bars':
    case 'columns': {
      if (!canTypeset) return []
      const caption = buildCaption(words.figure, ++numbers.figure, block.caption)
      return [await buildPicture(drawChartSvg(content, block), { alternative: block.alternative, width: WIDTH }), caption]
    }
  }
}

const buildCaption = (word: string, number: number, caption: string) =>
  new Paragraph({
    keepNext: true,
    children: [
      new TextRun({ text: `${word} ${number}. `, bold: true, size: HALF_POINTS.small }),
      new TextRun({ text: caption, size: HALF_POINTS.small, color: MUTED }),
    ],
  })

async function buildPicture(svg: string, { alternative, width }: { alternative: string; width: number }): Promise<Paragraph> {
  const sharp = await loadSharp()
  const { data, info } = await sharp(Buffer.from(svg), { density: 144 })
    .resize({ width: width * 2 })
    .png()
    .toBuffer({ resolveWithObject: true })
  const height = Math.round((info.height / info.width) * width)
  const altText = { name: alternative, description: alternative, title: alternative }
  return new Paragraph({ keepNext: true, children: [new ImageRun({ type: 'png', data, transformation: { width, height }, altText })] })
}

function buildTable(table: DocumentTable): Table {
  const { heads, rows, hasTotal, textColumns = 1 } = table
  const columnWidths = findColumnShares(table).map((share) => Math.round(TABLE_WIDTH * share))
  const buildRow = (cells: readonly string[], { isHead = false, isBold = false } = {}) =>
    new TableRow({
      ...(isHead && { tableHeader: true }),
      cantSplit: true,
      children: cells.map(
        (text, column) =>
          new TableCell({
            width: { size: columnWidths[column] ?? 0, type: WidthType.DXA },
            margins: { top: 50, bottom: 50, left: 80, right: 80 },
            children: [
              new Paragraph({
                alignment: column < textColumns ? AlignmentType.START : AlignmentType.END,
                spacing: { after: 0 },
                keepNext: isHead,
                children: [new TextRun({ text, bold: isHead || isBold || column === 0, size: HALF_POINTS.small })],
              }),
            ],
          }),
      ),
    })
  return new Table({
    width: { size: TABLE_WIDTH, type: WidthType.DXA },
    columnWidths,
    borders: {
      top: NO_BORDER,
      left: NO_BORDER,
      right: NO_BORDER,
      insideVertical: NO_BORDER,
      bottom: { style: BorderStyle.SINGLE, size: 8, color: '16202A' },
      insideHorizontal: { style: BorderStyle.SINGLE, size: 4, color: 'C4CBD1' },
    },
    rows: [
      buildRow(heads, { isHead: true }),
      ...rows.map((cells, index) => buildRow(cells, { isBold: hasTotal === true && index === rows.length - 1 })),
    ],
  })
}
