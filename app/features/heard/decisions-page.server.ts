import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { requireVisibleProject } from '#app/features/projects/projects.policy.server.ts'
import { requireProjectBySlug } from '#app/features/projects/projects.server.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import { DELIVERIES, OUTCOMES } from '#app/lib/vocabulary/heard.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { decisionDelays, decisionPublications, decisions, decisionThemes, heardReports } from '#app/server/db/schema/heard.ts'
import { type ContentScopes, readWithin } from '#app/server/memory/content-reads.ts'
import { readPublic } from '#app/server/public-reads.ts'
import type { DecisionRow } from './decisions.server.ts'
import type { DecisionSearch } from './decision-search.schema.ts'
import { type DecisionsView, type DecisionView, isOverdue, MAX_QUOTES_OF_ONE, type QuoteView } from './heard.schema.ts'
import type { PublicationRow } from './publish-decisions.server.ts'
import { readQuotes } from './quotes.server.ts'
import { countThemes, loadProjectThemes, resolveMerges } from './theme-figures.server.ts'

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

/** Whether a project has a page of published decisions. */
export const hasPublishedDecisions = async (ctx: Ctx, tx: Tx, projectId: string): Promise<boolean> =>
  (await findNewestPublication(ctx, tx, projectId)) !== undefined

/** Whether a project has a published report. */
export async function hasReport({ site }: Ctx, tx: Tx, projectId: string): Promise<boolean> {
  const [report] = await tx
    .select({ id: heardReports.id })
    .from(heardReports)
    .where(and(eq(heardReports.siteId, site.id), eq(heardReports.projectId, projectId), eq(heardReports.status, 'published')))
  return report !== undefined
}

async function loadDecisions(
  ctx: Ctx,
  tx: Tx,
  project: { id: string; slug: string; title: Translated },
  publication: PublicationRow,
  search: DecisionSearch,
): Promise<DecisionsView> {
  const localise = (text: Translated) => localiseText(text, ctx.contentLanguage, ctx.site.locale)
  const today = toCalendarDay(ctx.site.timeZone, ctx.now())
  const rows = await loadPublished(ctx, tx, project.id)
  const themes = await loadProjectThemes(ctx, tx, project.id)
  const present = await countThemes(ctx, tx, project.id, themes, sql`e.published_version <= ${publication.version}`)
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
    hasReport: await hasReport(ctx, tx, project.id),
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

/** Passages that somebody chose as quotes, by theme: of what was counted at publication and is still there, at most five of one person. */
async function loadQuotes(ctx: Ctx, tx: Tx, projectId: string, ends: ReadonlyMap<string, string>): Promise<Map<string, QuoteView[]>> {
  const ofPerson = new Map<string, number>()
  const found = new Map<string, QuoteView[]>()
  for (const { theme, text, language, person } of await readQuotes(ctx, tx, projectId, sql`e.published_version is not null`)) {
    const id = ends.get(theme) ?? theme
    const list = found.get(id) ?? []
    const given = ofPerson.get(person) ?? 0
    if (list.length >= QUOTES_OF_A_THEME || given >= MAX_QUOTES_OF_ONE) continue
    ofPerson.set(person, given + 1)
    found.set(id, [...list, { text, language }])
  }
  return found
}
