import { addDays, loadEntries } from '#app/features/calendar/calendar.server.ts'
import type { CalendarEntry } from '#app/features/calendar/calendar.schema.ts'
import { countWaitingTexts, type WaitingTexts } from '#app/features/contributions/contributions.waiting.server.ts'
import { listNotifications, type Notification } from '#app/features/notifications/notifications.server.ts'
import type { NotificationKind } from '#app/features/notifications/notifications.schema.ts'
import { ACTIVITY_REVIEWS } from '#app/features/contributions/record/activity-reviews.server.ts'
import { REPORT_REVIEWS } from '#app/features/heard-reports/report-reviews.server.ts'
import { listReviews, mayReview, type ReviewedKind } from '#app/features/reviews/reviews.server.ts'
import { SURVEY_REVIEWS } from '#app/features/surveys/surveys.reviews.server.ts'
import { listReviews as listProjectReviews, mayReturn } from '#app/features/projects/reviews/project-reviews.server.ts'
import { readReport } from '#app/features/reports/report.server.ts'
import { countNewComments } from '#app/features/teamwork/comments/team-comments.server.ts'
import { listTasks, type TaskRecord } from '#app/features/teamwork/tasks/tasks.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { FailedCampaign } from '../cockpit.schema.ts'
import { loadFailedCampaigns } from '../cockpit.server.ts'

/** What a mail lists of each kind at most; its links lead to the rest. */
const MOST = 20
const DAYS_AHEAD = 7
const DAY_MS = 86_400_000

/** News of the bell that says that something does not work. */
const FAULT_KINDS: readonly NotificationKind[] = [
  'export-failed',
  'dataset',
  'integration',
  'text-returned',
  'letter-returned',
  'text-over-limit',
  'text-stuck',
  'letter-stuck',
]

/** What changed in a project in the seven days. */
interface ProjectWeek {
  id: string
  title: string
  answers: number
  contributions: number
}

/** What an administrator is told on Monday: as much of it as their roles let them see. */
export interface Week {
  /** Projects with something new, those with most of it first. */
  projects: ProjectWeek[]
  /** How many more there are. */
  otherProjects: number
  waiting: WaitingTexts
  /** Projects, and reports, that wait for them. */
  reviews: number
  reportReviews: number
  /** Drafts of surveys and activities. */
  draftReviews: number
  comments: number
  /** Their own, due by the end of the week or overdue. */
  tasks: TaskRecord[]
  /** What closes, or is due or promised, in the next seven days. */
  coming: CalendarEntry[]
  failed: FailedCampaign[]
  faults: Notification[]
}

/**
 * The seven days before `monday`, and what follows, as the overviews of the projects, the calendar and the bell have it. The number of
 * statements does not depend on how many projects there are.
 */
export async function readWeek(ctx: Ctx, monday: string): Promise<Week> {
  const report = await readReport(ctx, { from: addDays(monday, -DAYS_AHEAD), until: addDays(monday, -1), by: 'day', sections: ['short'] })
  const since = new Date(ctx.now().getTime() - DAYS_AHEAD * DAY_MS)
  const own = new Set(report.projects.map(({ id }) => id))
  const projects = report.projects
    .map(({ id, title }) => ({
      id,
      title,
      answers: report.answers.projects.get(id) ?? 0,
      contributions: report.contributionsByProject.get(id)?.total ?? 0,
    }))
    .filter(({ answers, contributions }) => answers + contributions > 0)
    .toSorted((a, b) => b.answers + b.contributions - a.answers - a.contributions)
  const { waiting, entries, comments } = await ctx.db.read(async (tx) => ({
    waiting: await countWaitingTexts(ctx, tx),
    entries: await loadEntries(ctx, tx, { from: monday, until: addDays(monday, DAYS_AHEAD) }),
    comments: await countNewComments(ctx, tx, since),
  }))
  const page = { number: 1, size: MOST, offset: 0, limit: MOST }
  const tasks = await listTasks(ctx, { filter: { mine: true, state: 'open' }, sort: [{ by: 'dueOn', descending: false }], page })
  const allWaiting = { filter: { waiting: true }, sort: [], page: { ...page, size: 500, limit: 500 } }
  const { rows: reviews } = await listProjectReviews(ctx, allWaiting)
  const reportReviews = await countReviews(ctx, REPORT_REVIEWS)
  const draftReviews = (await countReviews(ctx, SURVEY_REVIEWS)) + (await countReviews(ctx, ACTIVITY_REVIEWS))
  const { rows: news } = await listNotifications(ctx, { own: false, page: { offset: 0, limit: 200 } })
  return {
    projects: projects.slice(0, MOST),
    otherProjects: Math.max(0, projects.length - MOST),
    waiting,
    reviews: reviews.filter((review) => mayReturn(ctx, review)).length,
    reportReviews,
    draftReviews,
    comments,
    tasks: tasks.rows.filter(({ dueOn }) => dueOn !== null && dueOn < addDays(monday, DAYS_AHEAD)),
    coming: entries
      .filter(
        ({ kind, event, project }) =>
          kind !== 'task' && ['closes', 'promised', 'due'].includes(event) && project !== null && own.has(project.id),
      )
      .slice(0, MOST),
    failed: own.size > 0 ? await loadFailedCampaigns(ctx, [...own], { from: since, until: ctx.now() }) : [],
    faults: news.filter(({ kind, at }) => FAULT_KINDS.includes(kind) && at >= since).slice(0, MOST),
  }
}

async function countReviews(ctx: Ctx, kind: ReviewedKind): Promise<number> {
  const { rows } = await listReviews(ctx, kind, { waiting: true, page: { offset: 0, limit: 500 } })
  return rows.filter((review) => mayReview(ctx, kind, review)).length
}

const countWaiting = ({ cases, answers, agreement }: WaitingTexts): number => cases + answers + agreement

/** False if there is nothing to tell. */
export const hasNews = ({
  projects,
  waiting,
  reviews,
  reportReviews,
  draftReviews,
  comments,
  tasks,
  coming,
  failed,
  faults,
}: Week): boolean =>
  countWaiting(waiting) + reviews + reportReviews + draftReviews + comments > 0 ||
  [projects, tasks, coming, failed, faults].some((list) => list.length > 0)
