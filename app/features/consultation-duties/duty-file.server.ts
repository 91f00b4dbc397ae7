import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { escapeHtml } from '#app/lib/escape-html.ts'
import { getColon, getFormatter } from '#app/lib/format.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Duty } from '#app/lib/vocabulary/duties.ts'
import type { Ctx } from '#app/server/context.ts'
import { DOCUMENT_TYPES, type DocumentBlock, type DocumentContent } from '#app/server/documents/document.schema.ts'
import { makeDocument } from '#app/server/documents/make-document.server.ts'
import { createFileResponse } from '#app/server/file-response.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { readThemePalette } from '#app/ui/theme.ts'
import { loadDuties, type ProjectDuties } from './duties.server.ts'

const FORMATS = ['html', 'pdf', 'docx'] as const

/** Download route of a project’s duty file; the format is in the path. Audited. */
export function serveDutyFile({
  context: { ctx },
  params: { id, format: asked },
}: {
  context: RequestContext
  params: { id: string; format: string }
}): Promise<Response> {
  return createFileResponse(ctx, async () => {
    const format = FORMATS.find((known) => known === asked)
    if (!format || !isId(id)) throw new AppError('not-found')
    const [duties] = await loadDuties(ctx, [id])
    if (!duties) throw new AppError(ctx.viewer.kind === 'visitor' ? 'unauthenticated' : 'not-found')
    const content = describeDuties(ctx, duties)
    const { hubId } = duties.project
    await ctx.db.tx((tx) =>
      recordAudit(ctx, tx, {
        action: 'consultation-duties.export',
        subject: { type: 'projects', id },
        hubId,
        projectId: id,
        detail: { format, language: ctx.language },
      }),
    )
    const filename = `duties-${duties.project.slug}.${format}`
    const file = format === 'html' ? Buffer.from(renderDutyPage(content)) : await makeDocument(ctx.site.id, format, content)
    const type = format === 'html' ? 'text/html; charset=utf-8' : DOCUMENT_TYPES[format]
    return { filename, type, bytes: file.length, pieces: yieldOnce(file) }
  })
}

// oxlint-disable-next-line require-await -- files are read as async iterables
async function* yieldOnce(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** The duty file: what is met, what is written about it, and why something was published all the same. */
export function describeDuties(ctx: Ctx, duties: ProjectDuties): DocumentContent {
  const { language, site } = ctx
  const t = getTranslator(language, 'duties')
  const [reports, plain] = [getTranslator(language, 'reports'), getTranslator(language, 'plain-words')]
  const format = getFormatter({ language, timeZone: site.timeZone, region: site.region })
  const madeOn = toCalendarDay(site.timeZone, ctx.now())
  const { row, facts, checks, project, waivers, plainFindings } = duties
  const write = (text: string): DocumentBlock => (text.trim() ? { kind: 'text', text } : { kind: 'note', text: t('file.nothing') })
  const nameQuestion = (chosen: typeof row.effectsQuestion) =>
    duties.questions.find(({ survey, question }) => survey === chosen?.survey && question === chosen.question)?.title ?? ''
  const days = duties.holidays.map((day) => format.date(`${day}T12:00:00Z`))
  const parts: Record<Duty, () => DocumentBlock[]> = {
    'open-to-change': () => [
      { kind: 'heading', text: t('fields.openToChange.label') },
      write(row.openToChange),
      { kind: 'heading', text: t('fields.notOpen.label') },
      write(row.notOpen),
    ],
    reasons: () => [write(row.reasons), { kind: 'text', text: t('facts.documents', { number: format.number(facts.documents) }) }],
    time: () => [
      {
        kind: 'text',
        text:
          facts.daysOpen === null
            ? t('facts.no-end', { minimum: format.number(site.dutyDays) })
            : t('facts.days', { days: format.number(facts.daysOpen), minimum: format.number(site.dutyDays) }),
      },
      ...(days.length > 0 ? [{ kind: 'text' as const, text: t('facts.holidays', { days: format.list(days) }) }] : []),
    ],
    decisions: () => [
      {
        kind: 'text',
        text: t('facts.decisions', {
          decisions: format.number(facts.decisions),
          read: format.number(facts.textsRead),
          texts: format.number(facts.texts),
        }),
      },
    ],
    equality: () => [write(row.equality)],
    'welsh-effects': () => [write(row.welshEffects)],
    'welsh-questions': () => [
      { kind: 'heading', text: t('fields.effectsQuestion.label') },
      write(nameQuestion(row.effectsQuestion)),
      { kind: 'heading', text: t('fields.improvementsQuestion.label') },
      write(nameQuestion(row.improvementsQuestion)),
    ],
  }
  return {
    language,
    title: t('file.title', { project: getTranslation(project.title, language, site.locale) }),
    subtitle: t('file.subtitle'),
    facts: [{ term: reports('document.made-on') + getColon(language), meaning: format.date(ctx.now()) }],
    organisation: site.name,
    runningHead: '',
    color: readThemePalette(site.theme).primary,
    madeAt: Date.parse(`${madeOn}T00:00:00Z`) / 1000,
    sections: [
      ...checks.map(({ duty, isMet }) => ({
        heading: t(`names.${duty}`),
        blocks: [{ kind: 'lead' as const, text: t(isMet ? 'met' : 'missing') }, ...parts[duty]()],
      })),
      {
        heading: t('file.plain'),
        blocks:
          plainFindings.length > 0
            ? [
                {
                  kind: 'table',
                  caption: t('file.plain-about'),
                  heads: [t('file.finding'), t('file.number')],
                  rows: plainFindings.map(({ code, count }) => [plain(`kinds.${code}`), format.number(count)]),
                },
              ]
            : [{ kind: 'text', text: t('file.plain-none') }],
      },
      {
        heading: t('waivers.title'),
        blocks:
          waivers.length > 0
            ? waivers.flatMap(({ act, missing, reason, createdAt }): DocumentBlock[] => [
                { kind: 'heading', text: t(`waivers.${act}`, { date: format.date(createdAt) }) },
                { kind: 'text', text: reason },
                { kind: 'note', text: t('waivers.missing', { duties: format.list(missing.map((duty) => t(`names.${duty}`))) }) },
              ])
            : [{ kind: 'text', text: t('waivers.none') }],
      },
    ],
    smallPrint: t('file.small-print'),
    words: {
      contents: reports('document.contents'),
      table: reports('document.table'),
      figure: reports('document.figure'),
      page: reports('document.page'),
      of: reports('document.of'),
      mark: reports('document.mark', { site: site.name }),
    },
  }
}

/** The same as a page that stands alone: no style, script or picture is loaded with it. */
export function renderDutyPage({ language, title, subtitle, facts, organisation, sections, smallPrint }: DocumentContent): string {
  const lines = (text: string) => escapeHtml(text).replaceAll('\n', '<br>')
  const renderBlock = (block: DocumentBlock): string => {
    switch (block.kind) {
      case 'heading':
        return `<h3>${escapeHtml(block.text)}</h3>`
      case 'table':
        return `<table><caption>${escapeHtml(block.caption)}</caption><thead><tr>${block.heads
          .map((head) => `<th scope="col">${escapeHtml(head)}</th>`)
          .join('')}</tr></thead><tbody>${block.rows
          .map(
            ([first = '', ...rest]) =>
              `<tr><th scope="row">${escapeHtml(first)}</th>${rest.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`,
          )
          .join('')}</tbody></table>`
      case 'lead':
        return `<p><strong>${escapeHtml(block.text)}</strong></p>`
      case 'text':
      case 'note':
        return `<p>${lines(block.text)}</p>`
      default:
        return ''
    }
  }
  const body = sections.map(
    ({ heading, blocks }) => `<section><h2>${escapeHtml(heading)}</h2>${blocks.map(renderBlock).join('')}</section>`,
  )
  const terms = facts.map(({ term, meaning }) => `<p>${escapeHtml(term)} ${escapeHtml(meaning)}</p>`).join('')
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(organisation)}</p><p>${escapeHtml(subtitle)}</p>${terms}${body.join('')}<p><small>${escapeHtml(smallPrint)}</small></p></main></body></html>
`
}
