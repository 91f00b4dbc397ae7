import { and, eq, or, sql } from 'drizzle-orm'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { escapeHtml } from '#app/lib/escape-html.ts'
import { getFormatter } from '#app/lib/format.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { type LocalisedText, localiseText } from '#app/lib/localised-text.ts'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, replies } from '#app/server/db/schema/contributions.ts'
import { decisionThemes } from '#app/server/db/schema/heard.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { decisions } from '#app/server/db/schema/heard.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { DecisionRow } from './decisions.server.ts'
import { findNewestPublication, hasReport } from './decisions-page.server.ts'
import { isOverdue } from './heard.schema.ts'
import { loadProjectThemes, resolveMerges } from './theme-figures.server.ts'

/** Finds what somebody sent: by the code of its receipt, or by its id for the account that sent it. */
export interface JourneyKey {
  code?: string | undefined
  id?: string | undefined
}

type Passage = { project: string; theme: string; words: string; language: ContentLanguage }

/**
 * From somebody's words to the theme, the decision and what was done, as HTML of a receipt: the server makes it, so that receipts load no script
 * for it. Empty until the decisions of the project are published, or if their words were not counted for a theme.
 */
export function renderJourney(ctx: Ctx, key: JourneyKey): Promise<string> {
  return ctx.db.read(async (tx) => {
    const passages = await findPassages(ctx, tx, key)
    const byProject = Map.groupBy(passages, ({ project }) => project)
    const parts: string[] = []
    for (const [projectId, own] of byProject) parts.push(await renderProject(ctx, tx, projectId, own))
    return parts.join('')
  })
}

/** What was published of their words. */
async function findPassages(ctx: Ctx, tx: Tx, { code, id }: JourneyKey): Promise<Passage[]> {
  const parsed = code === undefined ? undefined : parseReceiptCode(code)
  const hash = parsed ? hashReceiptCode(ctx.site.id, parsed) : undefined
  const { viewer } = ctx
  const isOwn = (
    table: typeof responses | typeof contributions | typeof replies,
    owner: typeof responses.userId | typeof contributions.authorId | typeof replies.authorId,
  ) =>
    or(
      hash && eq(table.receiptHash, hash),
      id !== undefined && viewer.kind === 'user' ? and(eq(table.id, id), eq(owner, viewer.id)) : undefined,
    ) ?? sql`false`
  const sent = await Promise.all([
    tx
      .select({ id: responses.id })
      .from(responses)
      .where(and(eq(responses.siteId, ctx.site.id), isOwn(responses, responses.userId))),
    tx
      .select({ id: contributions.id })
      .from(contributions)
      .where(and(eq(contributions.siteId, ctx.site.id), isOwn(contributions, contributions.authorId))),
    tx
      .select({ id: replies.id })
      .from(replies)
      .where(and(eq(replies.siteId, ctx.site.id), isOwn(replies, replies.authorId))),
  ])
  const ids = sent.flat().map((row) => row.id)
  if (ids.length === 0) return []
  const given = sql`select id::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) given(id)`
  const { rows } = await tx.execute<Passage>(sql`
    select e.project_id as project, e.theme_id as theme, coalesce(r.language, c.language, p.language) as language,
      case when e.quote <> '' then e.quote else coalesce(written_answer(r.answers, e.question), p.body, contribution_text(c.title, c.body)) end as words
    from theme_evidence e
    left join responses r on r.site_id = e.site_id and r.id = e.response_id
    left join contributions c on c.site_id = e.site_id and c.id = e.contribution_id
    left join replies p on p.site_id = e.site_id and p.id = e.reply_id
    where e.site_id = ${ctx.site.id} and e.state = 'confirmed' and e.published_version is not null
      and (e.response_id in (${given}) or e.contribution_id in (${given}) or e.reply_id in (${given}))
    order by e.question, e.start_at, e.created_at, e.id`)
  return rows.filter(({ words }) => words)
}

async function renderProject(ctx: Ctx, tx: Tx, projectId: string, passages: readonly Passage[]): Promise<string> {
  const publication = await findNewestPublication(ctx, tx, projectId)
  const [project] = await tx
    .select({ slug: projects.slug })
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, projectId)))
  if (!publication || !project) return ''
  const rows = await loadProjectThemes(ctx, tx, projectId)
  const ends = resolveMerges(rows)
  const titles = new Map(rows.map(({ id, title }) => [id, title]))
  const links = await tx
    .select({ theme: decisionThemes.themeId, decision: decisions })
    .from(decisionThemes)
    .innerJoin(decisions, and(eq(decisions.siteId, decisionThemes.siteId), eq(decisions.id, decisionThemes.decisionId)))
    .where(and(eq(decisionThemes.siteId, ctx.site.id), eq(decisionThemes.projectId, projectId)))
    .orderBy(decisions.number)
  const write = createWriter(ctx, project.slug, await hasReport(ctx, tx, projectId))
  const byTheme = Map.groupBy(passages, ({ theme }) => ends.get(theme) ?? theme)
  const journeys = [...byTheme].map(([theme, own]) => {
    const decided = new Map(
      links.flatMap(({ theme: linked, decision }) =>
        (ends.get(linked) ?? linked) === theme && decision.publishedAt ? [[decision.id, decision] as const] : [],
      ),
    )
    return write.journey({
      passages: own,
      title: titles.get(theme) ?? {},
      people: publication.people[theme] ?? 0,
      decisions: [...decided.values()],
    })
  })
  return write.section(journeys)
}

interface Journey {
  passages: readonly Passage[]
  title: Translated
  people: number
  decisions: readonly DecisionRow[]
}

function createWriter(ctx: Ctx, slug: string, isReported: boolean) {
  const t = getTranslator(ctx.language, 'heard')
  const format = getFormatter({ language: ctx.language, timeZone: ctx.site.timeZone, region: ctx.site.region })
  const localise = (text: Translated) => localiseText(text, ctx.contentLanguage, ctx.site.locale)
  const today = toCalendarDay(ctx.site.timeZone, ctx.now())
  const project = `${ctx.contentLanguage === ctx.site.locale ? '' : `/${ctx.contentLanguage}`}/projects/${slug}`
  const page = `${project}/decisions`
  const report = isReported ? `<p><a href="${project}/report">${escapeHtml(t('report'))}</a></p>` : ''
  const text = ({ text: words, lang }: LocalisedText) => `<span${lang ? ` lang="${lang}"` : ''}>${escapeHtml(words)}</span>`
  const say = (words: string) => escapeHtml(words)
  const day = (date: string) => format.date(`${date}T12:00:00Z`)
  const step = (title: string, content: string) => `<li><h3>${say(title)}</h3>${content}</li>`

  function describeDecision(row: DecisionRow): string {
    const link = `<a href="${page}#decision-${row.number}">${say(t('number', { number: row.number }))}${format.colon}${text(localise(row.title))}</a>`
    return `<p><strong>${link}</strong></p><p>${say(t(`outcomes.${row.outcome}`))}${format.colon}${text(localise(row.reason))}</p>`
  }
  function describeDelivery(row: DecisionRow): string {
    const state = isOverdue(row, today) ? `${t(`deliveries.${row.delivery}`)} · ${t('late')}` : t(`deliveries.${row.delivery}`)
    const note = localise(row.deliveryNote)
    const due = row.dueOn && row.delivery !== 'done' ? `<p>${say(t('promised', { date: day(row.dueOn) }))}</p>` : ''
    return `<p><strong>${say(state)}</strong></p>${note.text ? `<p>${text(note)}</p>` : ''}${due}`
  }
  return {
    journey: ({ passages, title, people, decisions: decided }: Journey): string =>
      `<ol class="receipt-steps">${[
        step(
          t('journey.words'),
          passages.map(({ words, language }) => `<blockquote lang="${language}">${escapeHtml(words)}</blockquote>`).join(''),
        ),
        step(
          t('journey.theme'),
          `<p><strong>${text(localise(title))}</strong></p><p>${say(t('journey.people', { count: people, number: format.number(people) }))}</p>`,
        ),
        step(t('journey.decision'), decided.length > 0 ? decided.map(describeDecision).join('') : `<p>${say(t('journey.undecided'))}</p>`),
        ...(decided.length > 0 ? [step(t('journey.done'), decided.map(describeDelivery).join(''))] : []),
      ].join('')}</ol>`,
    section: (journeys: readonly string[]): string =>
      `<section class="receipt-next" aria-labelledby="journey"><h2 id="journey">${say(t('journey.title'))}</h2>${journeys.join('')}<p><a href="${page}">${say(t('journey.all'))}</a></p>${report}</section>`,
  }
}
