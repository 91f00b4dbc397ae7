import { parseDate } from '@internationalized/date'
import { and, asc, eq, exists, gt, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { countClicks } from '#app/features/campaigns/links/link-clicks.server.ts'
import { loadCampaignsOfProjects } from '#app/features/campaigns/campaigns.server.ts'
import { countNewsletterMails } from '#app/features/campaigns/newsletters/newsletters.server.ts'
import { countMessagesByStatus } from '#app/features/campaigns/sms-campaigns/sms-campaigns.server.ts'
import { loadModerationFigures, type ModerationFigures } from '#app/features/contributions/moderation/moderation-figures.server.ts'
import {
  type ContributionFigures,
  findAll,
  loadContributionFigures,
  NO_CONTRIBUTIONS,
} from '#app/features/contributions/results/contribution-figures.server.ts'
import type { PlaceSquares } from '#app/features/contributions/results/activity-results.schema.ts'
import { selectAnswerDays } from '#app/features/dashboard/answer-days.server.ts'
import { loadOutcomesOfActivities, type PlacedOutcome } from '#app/features/outcomes/outcomes.server.ts'
import { requirePermissionSomewhere, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { loadPlaceFigures, type PlaceFigures } from '#app/features/reach/reach.figures.server.ts'
import type { ReachFigures } from '#app/features/reach/reach.schema.ts'
import { AppError } from '#app/lib/app-error.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { readFromStandby } from '#app/server/read-from-standby.ts'
import { projectAreas } from '#app/server/db/schema/areas.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import {
  addDays,
  choosePeriod,
  choosePeriodBefore,
  chooseStep,
  findPeriodFault,
  type Period,
  REPORT_SECTIONS,
  type ReportActivity,
  type ReportSearch,
  type ReportSection,
  type ReportState,
  type Step,
} from './report.search.ts'
import type { ReportView } from './report.schema.ts'
import { loadReportBudgets, type ReportBudget } from './report-budgets.server.ts'
import { loadReportEvents, type ReportEvent } from './report-events.server.ts'
import { loadReportOrigins, type ReportOrigins } from './report-origins.server.ts'
import { loadReportPeople, type ReportPeople } from './report-people.server.ts'
import { loadReadItems, type ReadItem } from './report-read.server.ts'
import { loadReportPlaces } from './report-places.server.ts'
import { loadReportDecisions, type ReportDecision } from './report-decisions.server.ts'
import { listGroupChoices, loadReportGroups, type ReportGroups } from './report-groups.server.ts'
import { loadReportSurveys, type ReportSurveys } from './report-surveys.server.ts'

export interface ReportProject {
  id: string
  title: string
}

/** Figures of answers by project and by day. */
interface AnswerFigures {
  total: number
  projects: Map<string, number>
  days: Map<string, number>
}

/** All figures of one project of a report. */
export interface ProjectFigures extends ReportProject {
  reach: ReachFigures
  answers: number
  contributions: ContributionFigures
}

export interface MessageFigures {
  prepared: number
  sent: number
  /** Of those sent: null for emails, since no service says so. */
  delivered: number | null
  /** Of those sent; null for texts, which the service says failed instead. */
  returned: number | null
  failed: number
  skipped: number
  clicks: number
}

const NO_MAILS = { prepared: 0, accepted: 0, failed: 0, skipped: 0, returned: 0 }

export interface Totals {
  reach: ReachFigures
  answers: number
  contributions: number
}

/** The figures of a report. Sections that were not asked for are not counted. */
export interface Report {
  period: Period
  /** It has not ended yet. */
  isRunning: boolean
  step: Step
  sections: readonly ReportSection[]
  projects: ReportProject[]
  /** Projects that match the filters and are hidden from the viewer. */
  hidden: number
  reach: PlaceFigures
  answers: AnswerFigures
  contributions: ContributionFigures
  contributionsByProject: Map<string, ContributionFigures>
  contributionsByKind: Map<string, ContributionFigures>
  contributionsByDay: Map<string, number>
  before: (Totals & { period: Period }) | null
  surveys: ReportSurveys | null
  groups: ReportGroups | null
  groupChoices: ReportView['groupChoices']
  messages: { email: MessageFigures; sms: MessageFigures } | null
  moderation: ModerationFigures | null
  people: ReportPeople | null
  decisions: ReportDecision[] | null
  read: ReadItem[] | null
  places: PlaceSquares | null
  budgets: ReportBudget[] | null
  events: ReportEvent[] | null
  origins: ReportOrigins | null
  /** What changed because of what was written in activities. */
  outcomes: PlacedOutcome[]
}

/**
 * What happened in a set of projects and a period. Every figure is that of the project's own pages: the same functions count it.
 * @throws {AppError} `unauthenticated`, `forbidden`; `invalid-parameter` for days in the wrong order
 */
export const readReport = (ctx: Ctx, search: ReportSearch): Promise<Report> =>
  readFromStandby(ctx, (reading) => countReport(reading, search))

async function countReport(ctx: Ctx, search: ReportSearch): Promise<Report> {
  requirePermissionSomewhere(ctx, 'responses.see')
  const today = toCalendarDay(ctx.site.timeZone, ctx.now())
  const fault = findPeriodFault(search, today)
  if (fault) throw new AppError('invalid-parameter', { parameter: fault.field })
  const period = choosePeriod(search, today)
  const step = chooseStep(search, period)
  const sections = search.sections ?? REPORT_SECTIONS
  const isAsked = (...some: ReportSection[]) => some.some((section) => sections.includes(section))
  const { seen, hidden } = await ctx.db.read((tx) => findProjects(ctx, tx, search))
  const ids = seen.map(({ id }) => id)
  const figures = await ctx.db.read(async (tx) => {
    const contributions = await loadContributionFigures(ctx, tx, { where: isOfProjects(ids), period })
    const group = (key: 'project' | 'kind' | 'day') =>
      new Map(contributions.flatMap((row) => (row[key] === null ? [] : [[row[key], row] as const])))
    return {
      reach: await loadPlaceFigures(ctx, tx, { kind: 'project', ...period, places: ids, step }),
      answers: await loadAnswers(ctx, tx, ids, period),
      contributions: findAll(contributions),
      contributionsByProject: group('project'),
      contributionsByKind: group('kind'),
      contributionsByDay: new Map([...group('day')].map(([day, { total }]) => [day, total])),
      before: search.compare ? await loadTotals(ctx, tx, ids, choosePeriodBefore(period, search.compare)) : null,
      moderation: isAsked('moderation') ? await loadModeration(ctx, tx, ids, period) : null,
      read: isAsked('read') ? await loadReadItems(ctx, tx, { projects: ids, period, step }) : null,
      outcomes: isAsked('contributions') ? await loadOutcomesOfActivities(ctx, tx, ids) : [],
      places: isAsked('places') ? await loadReportPlaces(ctx, tx, { projects: ids, ...toInstants(ctx, period) }) : null,
      budgets: isAsked('budgets') ? await loadReportBudgets(ctx, tx, { projects: ids, ...toInstants(ctx, period) }) : null,
      events: isAsked('events') ? await loadReportEvents(ctx, tx, { projects: ids, ...toInstants(ctx, period) }) : null,
      origins: isAsked('origins') ? await loadReportOrigins(ctx, tx, { projects: ids, period }) : null,
      decisions: isAsked('decisions') ? await loadReportDecisions(ctx, tx, { projects: ids, period, today }) : null,
    }
  })
  const surveys = isAsked('surveys', 'said', 'series', 'groups') ? await loadReportSurveys(ctx, ids, toInstants(ctx, period)) : null
  return {
    period,
    isRunning: period.until >= today,
    step,
    sections,
    projects: seen,
    hidden,
    ...figures,
    surveys,
    groups: surveys && isAsked('groups') ? await loadReportGroups(ctx, surveys, search.group, toInstants(ctx, period)) : null,
    groupChoices: surveys ? await listGroupChoices(ctx, surveys) : [],
    people: isAsked('people', 'unheard') ? await loadReportPeople(ctx, ids, period) : null,
    messages: isAsked('messages') ? await loadMessages(ctx, ids, period) : null,
  }
}

/** The projects with their figures, those with most people who took part first. */
export function sortByEngaged({ projects: chosen, reach, answers, contributionsByProject }: Report): ProjectFigures[] {
  return chosen
    .map((project) => ({
      ...project,
      reach: reach.places.get(project.id) ?? { aware: 0, informed: 0, engaged: 0 },
      answers: answers.projects.get(project.id) ?? 0,
      contributions: contributionsByProject.get(project.id) ?? NO_CONTRIBUTIONS,
    }))
    .toSorted((a, b) => b.reach.engaged - a.reach.engaged || b.reach.aware - a.reach.aware)
}

/** For the parts of statements that name their activities `a`. */
const isOfProjects = (ids: readonly string[]): SQL => sql`a.project_id = any (${sql.param([...ids])}::uuid[])`

/** Published and archived projects that match, in the order of publication; and how many of these the viewer may not look at. */
async function findProjects(ctx: Ctx, tx: Tx, search: ReportSearch): Promise<{ seen: ReportProject[]; hidden: number }> {
  const scope = scopeWhere(ctx.viewer, 'responses.see', { hub: projects.hubId, project: projects.id })
  const rows = await tx
    .select({ id: projects.id, title: projects.title, isSeen: sql<boolean>`${scope ?? sql`true`}` })
    .from(projects)
    .where(
      and(
        eq(projects.siteId, ctx.site.id),
        inArray(projects.status, ['published', 'archived']),
        search.projects && inArray(projects.id, search.projects),
        search.hubs && inArray(projects.hubId, search.hubs),
        search.topics && inArray(projects.topicId, search.topics),
        search.states && or(...search.states.map((state) => isInState(state, ctx.now()))),
        search.activities && or(...search.activities.map(hasActivity)),
        search.areas &&
          exists(
            tx
              .select({ id: projectAreas.areaId })
              .from(projectAreas)
              .where(
                and(
                  eq(projectAreas.siteId, projects.siteId),
                  eq(projectAreas.projectId, projects.id),
                  inArray(projectAreas.areaId, search.areas),
                ),
              ),
          ),
      ),
    )
    .orderBy(asc(projects.publishedAt), asc(projects.id))
  const seen = rows.filter(({ isSeen }) => isSeen)
  return {
    seen: seen.map(({ id, title }) => ({ id, title: getTranslation(title, ctx.contentLanguage, ctx.site.locale) })),
    hidden: rows.length - seen.length,
  }
}

/** What has been published, be it over or not. */
function hasActivity(activity: ReportActivity): SQL {
  const ofProject = (table: SQL) =>
    sql`select from ${table} one where one.site_id = ${projects.siteId} and one.project_id = ${projects.id} and one.status <> 'draft'`
  if (activity === 'surveys') return sql`exists (${ofProject(sql`surveys`)})`
  if (activity === 'budgets') return sql`exists (${ofProject(sql`budget_rounds`)})`
  if (activity === 'events') return sql`exists (${ofProject(sql`events`)})`
  return sql`exists (${ofProject(sql`activities`)} and one.kind = ${activity})`
}

function isInState(state: ReportState, now: Date): SQL | undefined {
  if (state === 'archived') return eq(projects.status, 'archived')
  const hasOpened = or(isNull(projects.opensAt), lte(projects.opensAt, now))
  const hasClosed = lte(projects.closesAt, now)
  const published = eq(projects.status, 'published')
  if (state === 'upcoming') return and(published, gt(projects.opensAt, now))
  if (state === 'closed') return and(published, hasClosed)
  return and(published, hasOpened, or(isNull(projects.closesAt), gt(projects.closesAt, now)))
}

async function loadAnswers({ site }: Ctx, tx: Tx, ids: readonly string[], period: Period): Promise<AnswerFigures> {
  const { rows } = await tx.execute<{ project: string | null; day: string | null; answers: number }>(sql`
    select project_id as project, to_char(day, 'YYYY-MM-DD') as day, coalesce(sum(responses), 0)::int as answers
    from (${selectAnswerDays(site.id, period)}) given where project_id = any (${sql.param([...ids])}::uuid[])
    group by grouping sets ((project_id), (day), ())`)
  return {
    total: rows.find(({ project, day }) => project === null && day === null)?.answers ?? 0,
    projects: new Map(rows.flatMap(({ project, answers }) => (project === null ? [] : [[project, answers] as const]))),
    days: new Map(rows.flatMap(({ day, answers }) => (day === null ? [] : [[day, answers] as const]))),
  }
}

async function loadTotals(ctx: Ctx, tx: Tx, ids: readonly string[], period: Period): Promise<Totals & { period: Period }> {
  const { totals } = await loadPlaceFigures(ctx, tx, { kind: 'project', ...period, places: ids, step: 'month' })
  return {
    period,
    reach: totals,
    answers: (await loadAnswers(ctx, tx, ids, period)).total,
    contributions: findAll(await loadContributionFigures(ctx, tx, { where: isOfProjects(ids), period })).total,
  }
}

/** Midnight of the first day, and that after the last one. */
function toInstants({ site }: Ctx, { from, until }: Period): { from: Date; until: Date } {
  const toMidnight = (day: string) => parseDate(day).toDate(site.timeZone)
  return { from: toMidnight(from), until: toMidnight(addDays(until, 1)) }
}

function loadModeration(ctx: Ctx, tx: Tx, ids: readonly string[], period: Period): Promise<ModerationFigures> {
  const { from, until } = toInstants(ctx, period)
  return loadModerationFigures(tx, ctx.site.id, { since: from, until, where: isOfProjects(ids) })
}

/** Newsletters and text messages of the projects, as far as the viewer may see their campaigns. */
async function loadMessages(ctx: Ctx, ids: readonly string[], period: Period): Promise<Report['messages']> {
  const campaigns = await ctx.db.read((tx) => loadCampaignsOfProjects(ctx, tx, ids, toInstants(ctx, period)))
  const [newsletters, texts] = (['email', 'sms'] as const).map((channel) => campaigns.filter((row) => row.channel === channel)) as [
    typeof campaigns,
    typeof campaigns,
  ]
  const mails = await countNewsletterMails(ctx, newsletters)
  const messages = await ctx.db.read((tx) =>
    countMessagesByStatus(
      ctx,
      tx,
      texts.map(({ id }) => id),
    ),
  )
  const clicks = await ctx.db.read((tx) =>
    countClicks(
      ctx,
      tx,
      campaigns.map(({ id }) => id),
    ),
  )
  const sumUp = <Row extends { id: string }, Name extends string>(
    rows: Iterable<Row>,
    names: readonly Name[],
    count: (row: Row) => Record<Name, number>,
  ) => {
    const sums = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
    for (const row of rows) {
      const counted = count(row)
      for (const name of names) sums[name] += counted[name]
    }
    return sums
  }
  const both = ['prepared', 'sent', 'failed', 'skipped', 'clicks'] as const
  const email = sumUp(newsletters, [...both, 'returned'], ({ id }) => {
    const { accepted, ...mail } = mails.get(id) ?? NO_MAILS
    return { ...mail, sent: accepted, clicks: clicks.get(id) ?? 0 }
  })
  const sms = sumUp(texts, [...both, 'delivered'], ({ id, prepared }) => {
    const { accepted = 0, delivered = 0, failed = 0, skipped = 0 } = messages.get(id) ?? {}
    return { prepared, sent: accepted + delivered, delivered, failed, skipped, clicks: clicks.get(id) ?? 0 }
  })
  return { email: { ...email, delivered: null }, sms: { ...sms, returned: null } }
}
