import { addSiteMark } from '#app/features/appearance/document-mark.server.ts'
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
import { yieldOnce } from '#app/server/yield-once.ts'

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
    const file =
      format === 'html' ? Buffer.from(renderDutyPage(content)) : await makeDocument(ctx.site.id, format, await addSiteMark(ctx, content))
    const type = format === 'html' ? 'text/html; charset=utf-8' : DOCUMENT_TYPES[format]
    return { filename, type, bytes: file.length, pieces: yieldOnce(file) }
  })
}

type Words = ReturnType<typeof getWords>

const getWords = ({ language, site }: Ctx) => ({
  t: getTranslator(language, 'duties'),
  plain: getTranslator(language, 'plain-words'),
  format: getFormatter({ language, timeZone: site.timeZone, region: site.region }),
})

/** The duty file: what is met, what is written about it, and why something was published all the same. */
export function describeDuties(ctx: Ctx, duties: ProjectDuties): DocumentContent {
  const { language, site } = ctx
  const words = getWords(ctx)
  const { t, format } = words
  const reports = getTranslator(language, 'reports')
  const madeOn = toCalendarDay(site.timeZone, ctx.now())
  const title = getTranslation(duties.project.title, ctx.contentLanguage, site.locale)
  return {
    language,
    title: t('file.title', { project: title }),
    subtitle: t('file.subtitle'),
    facts: [{ term: reports('document.made-on') + getColon(language), meaning: format.date(ctx.now()) }],
    organisation: site.name,
    runningHead: '',
    color: readThemePalette(site.theme).primary,
    madeAt: Date.parse(`${madeOn}T00:00:00Z`) / 1000,
    sections: [
      ...duties.checks.map(({ duty, isMet }) => ({
        heading: t(`names.${duty}`),
        blocks: [{ kind: 'lead' as const, text: t(isMet ? 'met' : 'missing') }, ...describeDuty(duty, duties, words, site.dutyDays)],
      })),
      { heading: t('file.plain'), blocks: describePlainFindings(duties, words) },
      { heading: t('waivers.title'), blocks: describeWaivers(duties, words) },
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

/** What is recorded about one duty. */
function describeDuty(
  duty: Duty,
  { row, facts, holidays, questions }: ProjectDuties,
  { t, format }: Words,
  minimum: number,
): DocumentBlock[] {
  const write = (text: string): DocumentBlock => (text.trim() ? { kind: 'text', text } : { kind: 'note', text: t('file.nothing') })
  const ask = (name: 'effectsQuestion' | 'improvementsQuestion'): DocumentBlock[] => [
    { kind: 'heading', text: t(`fields.${name}.label`) },
    write(questions.find(({ survey, question }) => survey === row[name]?.survey && question === row[name].question)?.title ?? ''),
  ]
  const days = holidays.map(({ day, name }) => {
    const date = format.date(`${day}T12:00:00Z`)
    return name ? t('facts.holiday', { name: t(`holidays.${name}`), date }) : date
  })
  switch (duty) {
    case 'open-to-change':
      return [
        { kind: 'heading', text: t('fields.openToChange.label') },
        write(row.openToChange),
        { kind: 'heading', text: t('fields.notOpen.label') },
        write(row.notOpen),
      ]
    case 'reasons':
      return [write(row.reasons), { kind: 'text', text: t('facts.documents', { number: format.number(facts.documents) }) }]
    case 'time': {
      const number = format.number(minimum)
      const open =
        facts.daysOpen === null
          ? t('facts.no-end', { minimum: number })
          : t('facts.days', { days: format.number(facts.daysOpen), minimum: number })
      return [open, ...(days.length > 0 ? [t('facts.holidays', { days: format.list(days) })] : [])].map((text) => ({ kind: 'text', text }))
    }
    case 'decisions': {
      const [decided, read, texts] = [facts.decisions, facts.textsRead, facts.texts].map((number) => format.number(number))
      return [{ kind: 'text', text: t('facts.decisions', { decisions: decided, read, texts }) }]
    }
    case 'equality':
      return [write(row.equality)]
    case 'welsh-effects':
      return [write(row.welshEffects)]
    case 'welsh-questions':
      return [...ask('effectsQuestion'), ...ask('improvementsQuestion')]
  }
}

function describePlainFindings({ plainFindings }: ProjectDuties, { t, plain, format }: Words): DocumentBlock[] {
  if (plainFindings.length === 0) return [{ kind: 'text', text: t('file.plain-none') }]
  const rows = plainFindings.map(({ code, count }) => [plain(`kinds.${code}`), format.number(count)])
  return [{ kind: 'table', caption: t('file.plain-about'), heads: [t('file.finding'), t('file.number')], rows }]
}

function describeWaivers({ waivers }: ProjectDuties, { t, format }: Words): DocumentBlock[] {
  if (waivers.length === 0) return [{ kind: 'text', text: t('waivers.none') }]
  return waivers.flatMap(({ act, missing, reason, createdAt }): DocumentBlock[] => [
    { kind: 'heading', text: t(`waivers.${act}`, { date: format.date(createdAt) }) },
    { kind: 'text', text: reason },
    { kind: 'note', text: t('waivers.missing', { duties: format.list(missing.map((duty) => t(`names.${duty}`))) }) },
  ])
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
