import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { findPersonalData } from '#app/features/contributions/moderation/personal-data/find-personal-data.server.ts'
import { requireVisibleProject } from '#app/features/projects/projects.policy.server.ts'
import { requireProjectBySlug } from '#app/features/projects/projects.server.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { findCountry } from '#app/features/sms/phone-format.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import { DELIVERIES, OUTCOMES } from '#app/lib/vocabulary/heard.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { decisionDelays, decisionPublications, decisions, decisionThemes } from '#app/server/db/schema/heard.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { type ContentScopes, readWithin } from '#app/server/memory/content-reads.ts'
import { readPublic } from '#app/server/public-reads.ts'
import type { DecisionRow } from './decisions.server.ts'
import type { DecisionSearch } from './decision-search.schema.ts'
import { type DecisionsView, type DecisionView, isOverdue, MAX_QUOTES_OF_ONE, type QuoteView } from './heard.schema.ts'
import type { PublicationRow } from './publish-decisions.server.ts'
import { countThemes, IS_LIVE, LIVE_EVIDENCE, loadProjectThemes, PERSON, resolveMerges } from './theme-figures.server.ts'

const MAX_QUOTES_READ = 2000
const QUOTES_OF_A_THEME = 3
const DAY_MS = 86_400_000

/** The published decisions of a project, filtered. @throws {AppError} `not-found` also before any are published, `gone` */
export const getDecisions = (ctx: Ctx, input: { slug: string; search: DecisionSearch }): Promise<DecisionsView> => {
  const scopes: ContentScopes = {}
  return readPublic(ctx, ['decisions', input.slug, JSON.stringify(input.search)], (reader) =>
    readWithin(
      () => scopes,
      () =>
        reader.db.read(async (tx) => {
          const project = await requireProjectBySlug(reader, tx, input.slug)
          scopes.project = project.id
          await requireVisibleProject(reader, tx, project)
          const publication = await findNewestPublication(reader, tx, project.id)
          if (!publication) throw new AppError('not-found')
          return loadDecisions(reader, tx, project, publication, input.search)
        }),
    ),
  )
}

/** The newest published version of a project's decisions. */
export async function findNewestPublication(ctx: Ctx, tx: Tx, projectId: string): Promise<PublicationRow | undefined> {
  const [newest] = await tx
    .select()
    .from(decisionPublications)
    .where(and(eq(decisionPublications.siteId, ctx.site.id), eq(decisionPublications.projectId, projectId)))
    .orderBy(desc(decisionPublications.version))
    .limit(1)
  return newest
}

async function loadDecisions(
  ctx: Ctx,
  tx: Tx,
  project: { id: string; slug: string; title: Translated },
  publication: PublicationRow,
  search: DecisionSearch,
): Promise<DecisionsView> {
  const localise = (text: Translated) => localiseText(text, ctx.language, ctx.site.locale)
  const today = toCalendarDay(ctx.site.timeZone, ctx.now())
  const rows = await loadPublished(ctx, tx, project.id)
  const themes = await loadProjectThemes(ctx, tx, project.id)
  const present = await countThemes(ctx, tx, project.id, themes, publication.version)
  const ends = resolveMerges(themes)
  const quotes = await loadQuotes(ctx, tx, project.id, ends)
  const byId = new Map(themes.map((theme) => [theme.id, theme]))
  const links = await tx
    .select({ decision: decisionThemes.decisionId, theme: decisionThemes.themeId })
    .from(decisionThemes)
    .where(and(eq(decisionThemes.siteId, ctx.site.id), eq(decisionThemes.projectId, project.id)))
  const themesOf = Map.groupBy(links, ({ decision }) => decision)
  const delays = Map.groupBy(await loadDelays(ctx, tx, project.id), ({ decisionId }) => decisionId)
  const countThen = (id: string) => publication.people[id] ?? 0
  const countGone = (id: string) => Math.max(0, countThen(id) - (present.get(id)?.people ?? 0))
  const toView = (row: DecisionRow): DecisionView => ({
    number: row.number,
    title: localise(row.title),
    text: localise(row.text),
    outcome: row.outcome,
    reason: localise(row.reason),
    body: localise(row.body),
    decidedOn: row.decidedOn,
    delivery: row.delivery,
    note: localise(row.deliveryNote),
    dueOn: row.dueOn,
    isLate: isOverdue(row, today),
    delays: (delays.get(row.id) ?? []).map(({ dueBefore, dueAfter, reason }) => ({
      before: dueBefore,
      after: dueAfter,
      reason: localise(reason),
    })),
    themes: [...new Set((themesOf.get(row.id) ?? []).map(({ theme }) => ends.get(theme) ?? theme))].flatMap((id) => {
      const theme = byId.get(id)
      if (!theme) return []
      return [
        {
          id,
          title: localise(theme.title),
          stance: theme.stance,
          people: countThen(id),
          gone: countGone(id),
          quotes: quotes.get(id) ?? [],
        },
      ]
    }),
  })
  const all = rows.map(toView)
  const late = all.filter(({ isLate }) => isLate)
  const decided = new Set(all.flatMap((decision) => decision.themes.map(({ id }) => id)))
  const shown = all.filter(
    (decision) =>
      (!search.theme || decision.themes.some(({ id }) => id === search.theme)) &&
      (!search.outcome || decision.outcome === search.outcome) &&
      (!search.delivery || (search.delivery === 'late' ? decision.isLate : decision.delivery === search.delivery)),
  )
  return {
    project: { slug: project.slug, title: localise(project.title) },
    version: publication.version,
    publishedAt: publication.publishedAt.toISOString(),
    texts: publication.texts,
    textsRead: publication.textsRead,
    themes: themes.flatMap(({ id, title }) => (decided.has(id) ? [{ id, title: localise(title), people: countThen(id) }] : [])),
    gone: Object.keys(publication.people).reduce((sum, id) => sum + countGone(id), 0),
    total: all.length,
    outcomes: countEach(OUTCOMES, all, ({ outcome }) => outcome),
    deliveries: countEach(DELIVERIES, all, ({ delivery }) => delivery),
    late: late.map(({ number, title, dueOn }) => ({
      number,
      title,
      days: Math.round((Date.parse(today) - Date.parse(dueOn ?? today)) / DAY_MS),
    })),
    search,
    // What is late is said first.
    decisions: [...shown.filter(({ isLate }) => isLate), ...shown.filter(({ isLate }) => !isLate)],
  }
}

const countEach = <Name extends string>(names: readonly Name[], all: readonly DecisionView[], of: (decision: DecisionView) => Name) =>
  Object.fromEntries(names.map((name) => [name, all.filter((decision) => of(decision) === name).length])) as Record<Name, number>

const loadPublished = (ctx: Ctx, tx: Tx, projectId: string): Promise<DecisionRow[]> =>
  tx
    .select()
    .from(decisions)
    .where(and(eq(decisions.siteId, ctx.site.id), eq(decisions.projectId, projectId), isNotNull(decisions.publishedAt)))
    .orderBy(asc(decisions.number))

const loadDelays = (ctx: Ctx, tx: Tx, projectId: string) =>
  tx
    .select()
    .from(decisionDelays)
    .where(and(eq(decisionDelays.siteId, ctx.site.id), eq(decisionDelays.projectId, projectId)))
    .orderBy(asc(decisionDelays.createdAt), asc(decisionDelays.id))

type QuoteRow = { theme: string; text: string; language: Language; person: string; names: string[] }

/**
 * Passages that somebody chose as quotes, by theme: of what was counted at publication and is still there, at most five of one person. Personal
 * data and the author's own name are masked.
 */
async function loadQuotes(ctx: Ctx, tx: Tx, projectId: string, ends: ReadonlyMap<string, string>): Promise<Map<string, QuoteView[]>> {
  const { rows } = await tx.execute<QuoteRow>(sql`
    select e.theme_id as theme, coalesce(r.language, c.language, p.language) as language, ${PERSON} as person,
      case when e.quote <> '' then e.quote else coalesce(written_answer(r.answers, e.question), p.body,
        (select contribution_text(v.title, v.body) from contribution_versions v
          where v.site_id = e.site_id and v.contribution_id = c.id and v.number = e.version), contribution_text(c.title, c.body)) end as text,
      array_remove(array[u.login, c.shown_name, p.shown_name], null) as names
    from ${LIVE_EVIDENCE}
    left join users u on u.site_id = e.site_id and u.id = coalesce(r.user_id, c.author_id, p.author_id)
    where e.site_id = ${ctx.site.id} and e.project_id = ${projectId} and e.state = 'confirmed' and e.is_quoted and e.published_version is not null
      and ${IS_LIVE}
    order by e.created_at, e.id limit ${MAX_QUOTES_READ}`)
  const ofPerson = new Map<string, number>()
  const found = new Map<string, QuoteView[]>()
  for (const { theme, text, language, person, names } of rows) {
    const id = ends.get(theme) ?? theme
    const list = found.get(id) ?? []
    const given = ofPerson.get(person) ?? 0
    if (!text || list.length >= QUOTES_OF_A_THEME || given >= MAX_QUOTES_OF_ONE) continue
    ofPerson.set(person, given + 1)
    found.set(id, [...list, { text: maskQuote(ctx, text, language, names), language }])
  }
  return found
}

const MIN_NAME = 3

function maskQuote(ctx: Ctx, text: string, language: Language, names: readonly string[]): string {
  const mark = getTranslator(language, 'heard')('masked')
  const found = findPersonalData(text, findCountry(ctx.site.region))
  const masked = found.toReversed().reduce((left, { start, end }) => left.slice(0, start) + mark + left.slice(end), text)
  return names.filter((name) => name.length >= MIN_NAME).reduce((left, name) => left.replaceAll(name, mark), masked)
}
