import { addSiteMark } from '#app/features/appearance/document-mark.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { formatViewQuery } from '#app/features/saved-views/saved-views.schema.ts'
import { AppError } from '#app/lib/app-error.ts'
import { BYTE_ORDER_MARK, formatCsvLine } from '#app/lib/csv.ts'
import { type Figure, isPublicFigure } from '#app/lib/figure-definitions.ts'
import { getColon, getFormatter } from '#app/lib/format.ts'
import { type Language, matchLanguage } from '#app/lib/languages.ts'
import { parseSearchParams } from '#app/lib/search-params.ts'
import { type Ctx, withLanguage } from '#app/server/context.ts'
import { DOCUMENT_TYPES, type DocumentBlock, type DocumentContent } from '#app/server/documents/document.schema.ts'
import { canTypeset, makeDocument } from '#app/server/documents/make-document.server.ts'
import { createFigureSheet } from '#app/server/figure-sheet.ts'
import { createFileResponse, type DownloadFile } from '#app/server/file-response.ts'
import { seeOther } from '#app/server/forms.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { createRefusedFileResponse } from '#app/server/refused-file.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { type Sheet, streamWorkbook, yieldRows } from '#app/server/workbook.ts'
import { readThemePalette } from '#app/ui/theme.ts'
import { describeReport } from './describe-report.server.ts'
import { drawSquares } from './draw-squares.server.ts'
import { requestReportFile } from './report-exports.server.ts'
import { readReport } from './report.server.ts'
import type { ReportBlock, ReportTable, ReportView } from './report.schema.ts'
import { readReportSearch, type ReportSearch } from './report.search.ts'
import { yieldOnce } from '#app/server/yield-once.ts'

const FORMATS = ['pdf', 'docx', 'xlsx', 'csv'] as const
const CSV = 'text/csv; charset=utf-8'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const PROJECTS_NAMED = 12
/** About ten pages, which take about a second: the download is the file. A longer PDF is made in the background. */
const ROWS_AT_ONCE = 300

/** The report as people see it. @throws {AppError} as `readReport` */
export const showReport = async (ctx: Ctx, search: ReportSearch, isShared = false): Promise<ReportView> =>
  describeReport(ctx, search, await readReport(ctx, search), isShared)

/**
 * Download route: the format is in the path, the report's parameters in the query, and `language` names one of the site's. A CSV has the tables of
 * the section that `table` names. Audited.
 */
export async function serveReportFile(given: FileRequest): Promise<Response> {
  const { ctx } = given.context
  try {
    const file = await openReportFile(given)
    // A page shows how far it is.
    if (typeof file === 'string') return seeOther(`/${ctx.language}/report-files/${file}`)
    return await createFileResponse(ctx, () => Promise.resolve(file))
  } catch (error) {
    return createRefusedFileResponse(ctx, error)
  }
}

interface FileRequest {
  context: RequestContext
  params: { format: string }
  request: Request
}

/** @returns the file; or, if making it takes a while, the id under which it is made in the background */
async function openReportFile({ context: { ctx }, params, request }: FileRequest): Promise<DownloadFile | string> {
  const format = FORMATS.find((known) => known === params.format)
  if (!format) throw new AppError('not-found')
  const query = parseSearchParams(new URL(request.url).search)
  const search = readReportSearch(query)
  const reader = withLanguage(ctx, chooseLanguage(ctx, query['language']))
  const report = await readReport(reader, search)
  const view = describeReport(reader, search, report)
  const lines = format === 'csv' ? listCsvLines(view, query['table']) : []
  const { title: _title, head: _head, ...detail } = search
  await ctx.db.tx((tx) => recordAudit(ctx, tx, { action: 'report.export', detail: { format, language: reader.language, ...detail } }))
  const filename = `report-${toCalendarDay(ctx.site.timeZone, ctx.now())}.${format}`
  if (format === 'xlsx') return { filename, type: XLSX, pieces: streamWorkbook(buildSheets(reader, view)) }
  if (format === 'csv') return { filename, type: CSV, pieces: yieldOnce(Buffer.from(BYTE_ORDER_MARK + lines.join(''))) }
  const content = buildDocument(reader, search, view)
  if (format === 'pdf' && countRows(view) > ROWS_AT_ONCE) {
    if (!canTypeset()) throw new AppError('unavailable')
    const ids = report.projects.map(({ id }) => id)
    return requestReportFile(reader, { title: view.title, query: formatViewQuery(search), projects: ids, content })
  }
  const file = await makeDocument(ctx.site.id, format, await addSiteMark(ctx, content))
  return { filename, type: DOCUMENT_TYPES[format], bytes: file.length, pieces: yieldOnce(file) }
}

const countRows = ({ parts }: ReportView): number =>
  parts.reduce(
    (sum, { blocks }) =>
      sum +
      blocks.reduce(
        (rows, block) => rows + (block.kind === 'table' ? block.rows.length : block.kind === 'terms' ? block.terms.length : 1),
        0,
      ),
    0,
  )

const chooseLanguage = ({ language, site }: Ctx, asked: unknown): Language =>
  (typeof asked === 'string' ? matchLanguage(asked, site.languages) : undefined) ?? language

/** @throws {AppError} `not-found` if the section has no table */
function listCsvLines({ parts }: ReportView, section: unknown): string[] {
  const tables = (parts.find(({ id }) => id === section)?.blocks ?? []).filter((block) => block.kind === 'table')
  if (tables.length === 0) throw new AppError('not-found')
  const listLines = ({ heads, rows }: ReportTable) => [
    formatCsvLine(heads),
    ...rows.map((cells) => formatCsvLine(cells.map(({ value }) => value))),
  ]
  // Several tables follow each other, each below its caption.
  return tables.flatMap((table, index) => [
    ...(index > 0 ? [formatCsvLine([''])] : []),
    ...(tables.length > 1 ? [formatCsvLine([table.caption])] : []),
    ...listLines(table),
  ])
}

/** One sheet for each table, and one that says what the figures count. */
function buildSheets({ language }: Ctx, { parts }: ReportView): Sheet[] {
  const tables = parts.flatMap(({ heading, blocks }) => blocks.flatMap((block) => (block.kind === 'table' ? [{ heading, ...block }] : [])))
  return [
    ...tables.map(({ heading, heads, rows }) => ({
      name: heading,
      heads,
      rows: yieldRows(rows.map((cells) => cells.map(({ value }) => value))),
    })),
    createFigureSheet(
      language,
      listFigures(parts).map((figure) => ({ figure })),
    ),
  ]
}

const listFigures = (parts: ReportView['parts']): Figure[] => [...new Set(parts.flatMap(({ figures }) => figures))]

/** The same report for the typesetter. */
export function buildDocument(ctx: Ctx, search: ReportSearch, view: ReportView): DocumentContent {
  const { language, site } = ctx
  const t = getTranslator(language, 'reports')
  const [common, admin] = [getTranslator(language, 'common'), getTranslator(language, 'admin')]
  const colon = getColon(language)
  const format = getFormatter({ language, timeZone: site.timeZone, region: site.region })
  const more = view.projects.length - PROJECTS_NAMED
  const named = view.projects.slice(0, PROJECTS_NAMED)
  const figures = listFigures(view.parts)
  const color = readThemePalette(site.theme).primary
  const madeOn = toCalendarDay(site.timeZone, ctx.now())
  return {
    language,
    title: view.title,
    subtitle: view.subtitle,
    facts: [
      ...(named.length > 0
        ? [
            {
              term: t('document.projects') + colon,
              meaning:
                more > 0
                  ? t('document.and-more', { projects: named.join(', '), count: more, number: format.number(more) })
                  : format.list(named),
            },
          ]
        : []),
      { term: t('document.made-on') + colon, meaning: format.date(ctx.now()) },
      ...view.remarks.map((remark) => ({ term: '', meaning: remark })),
    ],
    organisation: site.name,
    runningHead: search.head ?? '',
    color,
    // The day, so that a report made twice on a day is the same file.
    madeAt: Date.parse(`${madeOn}T00:00:00Z`) / 1000,
    sections: [
      ...view.parts.map(({ heading, blocks }) => ({ heading, blocks: blocks.map((block) => toDocumentBlock(block, color)) })),
      {
        heading: t('document.method'),
        blocks: [
          { kind: 'text', text: t('once') },
          {
            kind: 'terms',
            terms: figures.map((figure) =>
              isPublicFigure(figure)
                ? { term: common(`figures.${figure}.name`), meaning: common(`figures.${figure}.means`) }
                : { term: admin(`figures.${figure}.name`), meaning: admin(`figures.${figure}.means`) },
            ),
          },
          { kind: 'text', text: view.smallPrint },
        ],
      },
    ],
    smallPrint: view.smallPrint,
    words: {
      contents: t('document.contents'),
      table: t('document.table'),
      figure: t('document.figure'),
      page: t('document.page'),
      of: t('document.of'),
      mark: t('document.mark', { site: site.name }),
    },
  }
}

function toDocumentBlock(block: ReportBlock, color: string): DocumentBlock {
  if (block.kind === 'table') {
    const { caption, heads, rows, hasTotal = false, textColumns = 1 } = block
    return { kind: 'table', caption, heads, rows: rows.map((cells) => cells.map(({ text }) => text)), hasTotal, textColumns }
  }
  if (block.kind === 'map') {
    const { caption, alternative, picture } = block
    // Who made the map, as below it on the screen.
    const { credit } = picture
    return { kind: 'picture', caption: credit ? `${caption}. ${credit}` : caption, alternative, svg: drawSquares(block, color) }
  }
  if (block.kind === 'bars' || block.kind === 'columns') {
    const { kind, caption, alternative, values } = block
    return { kind, caption, alternative, values }
  }
  return block
}
