import { and, eq } from 'drizzle-orm'
import { addDays, loadEntries, readToday } from '#app/features/calendar/calendar.server.ts'
import { loadCampaignsOfProjects } from '#app/features/campaigns/campaigns.server.ts'
import { countNewsletterMails } from '#app/features/campaigns/newsletters/newsletters.server.ts'
import { isReportInReview } from '#app/features/heard-reports/report-reviews.server.ts'
import { countMessagesByStatus } from '#app/features/campaigns/sms-campaigns/sms-campaigns.server.ts'
import { countWaitingTexts } from '#app/features/contributions/contributions.waiting.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { knownWhere, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { listDaysUntil } from '#app/features/reach/reach.days.server.ts'
import { readReport, type Report } from '#app/features/reports/report.server.ts'
import { countOpenTasks } from '#app/features/teamwork/tasks/tasks.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { Cockpit, FailedCampaign } from './cockpit.schema.ts'

const DAY_MS = 86_400_000
/** As long as a report may be: ten years. */
const DAYS_COUNTED = 3660
const DAYS_OF_WEEK = 7
const DAYS_AHEAD = 14
/** What was promised longer ago than this is in the calendar only. */
const LATE_DAYS = 730
const MAX_DUE = 50
const FAILED_DAYS = 30

/**
 * Where a project stands: its figures as the report counts them, what waits as the lists count it, and dates as the calendar has them. The
 * number of statements does not depend on how many surveys and activities there are.
 * @throws {AppError} `not-found`, `unauthenticated`, `forbidden`
 */
export async function readCockpit(ctx: Ctx, id: string): Promise<Cockpit> {
  const now = ctx.now()
  const today = readToday(ctx)
  const { reportInReview } = await ctx.db.read((tx) => requireProject(ctx, tx, id))
  const from = addDays(today, 1 - DAYS_COUNTED)
  const report = await readReport(ctx, { projects: [id], from, until: today, by: 'day', sections: ['short'] })
  const { waiting, tasks, due } = await ctx.db.read(async (tx) => ({
    tasks: await countOpenTasks(ctx, tx, id),
    waiting: await countWaitingTexts(ctx, tx, id),
    due: await loadDue(ctx, tx, id, today),
  }))
  return {
    asOf: now.toISOString(),
    ...toFigures(report, today),
    waiting,
    reportInReview,
    tasks,
    due,
    failed: await loadFailedCampaigns(ctx, [id], { from: new Date(now.getTime() - FAILED_DAYS * DAY_MS), until: now }),
  }
}

async function requireProject(ctx: Ctx, tx: Tx, id: string) {
  const [project] = await tx
    .select({ id: projects.id, hubId: projects.hubId, publishedAt: projects.publishedAt, reportInReview: isReportInReview })
    .from(projects)
    .where(and(knownWhere(ctx), eq(projects.id, id)))
  if (!project) throw new AppError('not-found')
  requirePermission(ctx, 'responses.see', toPermissionTarget(project))
  return project
}

/** Shortens the period to the days on which something was counted, so that a report on it is readable and says the same. */
function toFigures(
  { reach, answers, contributions, contributionsByDay }: Report,
  today: string,
): Pick<Cockpit, 'period' | 'figures' | 'week' | 'held'> {
  const [first] = [...reach.days.keys(), ...answers.days.keys(), ...contributionsByDay.keys()].toSorted()
  const week = listDaysUntil(today, DAYS_OF_WEEK)
  const addUp = (count: (day: string) => number | undefined) => week.reduce((sum, day) => sum + (count(day) ?? 0), 0)
  return {
    period: first === undefined ? null : { from: first, until: today },
    figures: {
      engaged: reach.totals.engaged,
      answers: answers.total,
      contributions: contributions.total,
      supports: contributions.supports,
      aware: reach.totals.aware,
      informed: reach.totals.informed,
    },
    week: {
      engaged: addUp((day) => reach.days.get(day)?.engaged),
      answers: addUp((day) => answers.days.get(day)),
      contributions: addUp((day) => contributionsByDay.get(day)),
    },
    held: contributions.held,
  }
}

/** What is late, then what comes in the next two weeks. */
async function loadDue(ctx: Ctx, tx: Tx, project: string, today: string) {
  const entries = await loadEntries(ctx, tx, { from: addDays(today, -LATE_DAYS), until: addDays(today, DAYS_AHEAD + 1), project })
  return entries.filter(({ isLate, day }) => isLate || day >= today).slice(0, MAX_DUE)
}

/** Campaigns of these projects that did not reach everybody, the newest first. `until` is exclusive. */
export async function loadFailedCampaigns(
  ctx: Ctx,
  projectIds: readonly string[],
  period: { from: Date; until: Date },
): Promise<FailedCampaign[]> {
  const campaigns = await ctx.db.read((tx) => loadCampaignsOfProjects(ctx, tx, projectIds, period))
  const mails = await countNewsletterMails(
    ctx,
    campaigns.filter(({ channel }) => channel === 'email'),
  )
  const texts = await ctx.db.read((tx) =>
    countMessagesByStatus(
      ctx,
      tx,
      campaigns.filter(({ channel }) => channel === 'sms').map(({ id: campaign }) => campaign),
    ),
  )
  return campaigns
    .map(({ id: campaign, channel, name, sendAt, createdAt }) => ({
      id: campaign,
      channel,
      name,
      sentAt: (sendAt ?? createdAt).toISOString(),
      failed: (channel === 'email' ? mails.get(campaign)?.failed : texts.get(campaign)?.failed) ?? 0,
      returned: mails.get(campaign)?.returned ?? 0,
    }))
    .filter(({ failed, returned }) => failed + returned > 0)
    .toSorted((a, b) => b.sentAt.localeCompare(a.sentAt))
}
