import { createHash } from 'node:crypto'
import { addSiteMark } from '#app/features/appearance/document-mark.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getFormatter } from '#app/lib/format.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import type { Ctx } from '#app/server/context.ts'
import { DOCUMENT_TYPES, type DocumentBlock, type DocumentContent, type DocumentFormat } from '#app/server/documents/document.schema.ts'
import { makeDocument } from '#app/server/documents/make-document.server.ts'
import { createFileResponse } from '#app/server/file-response.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { HomeBlockView } from '#app/features/homepage/homepage.schema.ts'
import type { PartContent } from '#app/features/heard/report-part.schema.ts'
import { listInlines, parseRichText } from '#app/lib/rich-text.ts'
import { readThemePalette } from '#app/ui/theme.ts'
import { getReport } from './heard-reports.server.ts'
import { parseVersion, type ReportView } from './heard-reports.schema.ts'
import { findHeading, isReportBlock, toText } from './report-contents.ts'
import { yieldOnce } from '#app/server/yield-once.ts'

const FORMATS = ['pdf', 'docx'] as const satisfies readonly DocumentFormat[]
const MOST_FILES = 12

/** The files that were asked for last, by what is in them. */
const files = new Map<string, Promise<Uint8Array>>()

/** Download route of a project's report: what its page says, as a document in the language of the address. For everybody who sees the page. */
export function serveReportDocument({
  context: { ctx },
  params,
}: {
  context: RequestContext
  params: { slug: string; version: string; format: string }
}): Promise<Response> {
  return createFileResponse(ctx, async () => {
    const format = FORMATS.find((known) => known === params.format)
    if (!format) throw new AppError('not-found')
    const report = await getReport(ctx, { slug: params.slug, version: parseVersion(params.version) })
    const file = await obtainFile(ctx.site.id, format, await addSiteMark(ctx, buildReportDocument(ctx, report)))
    return {
      filename: `${report.project.slug}-${report.facts.version}.${format}`,
      type: DOCUMENT_TYPES[format],
      bytes: file.length,
      pieces: yieldOnce(file),
    }
  })
}

/** Written once for all who ask for the same, since anybody may. */
function obtainFile(siteId: string, format: DocumentFormat, content: DocumentContent): Promise<Uint8Array> {
  const key = createHash('sha256')
    .update(JSON.stringify([siteId, format, content]))
    .digest('base64')
  const known = files.get(key)
  if (known) return known
  const made = makeDocument(`${siteId} reports`, format, content)
  files.set(key, made)
  made.catch(() => files.delete(key))
  for (const oldest of [...files.keys()].slice(0, Math.max(0, files.size - MOST_FILES))) files.delete(oldest)
  return made
}

/** The report for the typesetter. */
export function buildReportDocument(ctx: Ctx, { project, kind, facts, blocks }: ReportView): DocumentContent {
  const { language, site } = ctx
  const t = getTranslator(language, 'heard-report')
  const reports = getTranslator(language, 'reports')
  const timeline = getTranslator(language, 'participant')('home.timeline')
  const format = getFormatter({ language, timeZone: site.timeZone, region: site.region })
  const date = format.date(facts.asOf)
  const facing = [
    t('version', { version: format.number(facts.version), date }),
    t('as-of', { count: facts.answers, number: format.number(facts.answers), date }),
    ...(facts.gone > 0 ? [t('changed.report', { count: facts.gone, number: format.number(facts.gone) })] : []),
  ]
  return {
    language,
    title: t(`kinds.${kind}`),
    subtitle: project.title.text,
    facts: facing.map((meaning) => ({ term: '', meaning })),
    organisation: site.name,
    runningHead: project.title.text,
    color: readThemePalette(site.theme).primary,
    // The moment of publication, so that the same report is the same file.
    madeAt: Math.floor(Date.parse(facts.asOf) / 1000),
    sections: blocks.map((block) => ({
      heading: findHeading(block, timeline)?.text || project.title.text,
      blocks: describeBlock(ctx, block),
    })),
    smallPrint: t('small'),
    words: {
      contents: t('contents'),
      table: reports('document.table'),
      figure: reports('document.figure'),
      page: reports('document.page'),
      of: reports('document.of'),
      mark: reports('document.mark', { site: site.name }),
    },
  }
}

function describeBlock({ language, site }: Ctx, block: HomeBlockView): DocumentBlock[] {
  const t = getTranslator(language, 'heard-report')
  const format = getFormatter({ language, timeZone: 'UTC', region: site.region })
  if (block.type === 'rich_text') return describeText(block.body.text, { withoutFirstHeading: true })
  if (block.type === 'picture_text') return describeText(block.body.text)
  if (block.type === 'timeline')
    return [
      {
        kind: 'terms',
        terms: block.steps
          .filter(({ title }) => title.text)
          .map(({ day, title, text }) => ({
            term: day ? format.date(`${day}T12:00:00Z`) : title.text,
            meaning: [day ? title.text : '', text.text].filter(Boolean).join('. '),
          })),
      },
    ]
  if (!isReportBlock(block) || !block.data.part) return []
  const { content, quotes, basis, gone } = block.data.part
  return [
    ...describeText(block.body.text),
    ...content.flatMap(describeContent),
    ...(basis && gone > 0
      ? [{ kind: 'text' as const, text: t(`changed.${basis.kind}`, { count: gone, number: format.number(gone) }) }]
      : []),
    ...quotes.map(({ text, language: spoken }) => ({ kind: 'quote' as const, text, language: spoken })),
  ]
}

function describeContent(content: PartContent): DocumentBlock[] {
  if (content.kind === 'text') return [content]
  if (content.kind === 'table') {
    const { caption, heads, rows, textColumns } = content
    return [{ kind: 'table', caption: caption.text, heads, rows: rows.map((cells) => cells.map(({ text }) => text)), textColumns }]
  }
  const { caption, note, heads, bars } = content
  const shown = bars.flatMap(({ label, part, words }) => (part === null ? [] : [{ label, value: part, text: words }]))
  return [
    ...(shown.length > 0
      ? [
          {
            kind: 'bars' as const,
            caption: caption.text,
            alternative: shown.map(({ label, text }) => `${label} ${text}`).join(', '),
            values: shown,
          },
        ]
      : []),
    {
      kind: 'table',
      caption: caption.text,
      heads: [heads.label, heads.bar, heads.count],
      rows: bars.map(({ label, words, counted }) => [label, words, counted]),
    },
    { kind: 'text', text: note },
  ]
}

/** Light markup as paragraphs. Its first heading is the section's. */
function describeText(source: string, { withoutFirstHeading = false } = {}): DocumentBlock[] {
  const parsed = parseRichText(source)
  const first = withoutFirstHeading ? parsed.findIndex(({ type }) => type === 'heading') : -1
  return parsed.flatMap((block, at): DocumentBlock[] => {
    if (at === first) return []
    const words = listInlines(block).map((inlines) => inlines.map(toText).join(''))
    if (block.type === 'heading') return [{ kind: 'heading', text: words.join(' ') }]
    if (block.type === 'list') return [{ kind: 'list', items: words }]
    if (block.type === 'table')
      return [{ kind: 'list', items: block.rows.slice(1).map((row) => row.map((cell) => cell.map(toText).join('')).join(', ')) }]
    return words.filter(Boolean).map((text) => ({ kind: 'text', text }))
  })
}
