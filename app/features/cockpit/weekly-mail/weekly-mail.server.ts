import { and, asc, eq, exists, isNull, sql } from 'drizzle-orm'
import { canSignIn } from '#app/features/accounts/site-admins.server.ts'
import { addDays } from '#app/features/calendar/calendar.server.ts'
import { isAdministrator } from '#app/features/permissions/permissions.policy.server.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { matchLanguage } from '#app/lib/languages.ts'
import { loadAccountViewer } from '#app/server/auth/viewer.ts'
import { type Ctx, withLanguage } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { teamMails, weeklyMails } from '#app/server/db/schema/teamwork.ts'
import { attemptWork } from '#app/server/jobs/attempt-work.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { hasNews, readWeek } from './read-week.server.ts'
import { writeWeek } from './write-week.server.ts'

const HOUR_MS = 3_600_000
/** From eight o'clock on Monday, in the site's time zone, and for two days in case no process ran. */
const FROM_HOUR = 8
const DAYS_OF_SENDING = 2

/**
 * Mails each administrator what changed in their projects, once per week however many processes run. Run by a job.
 * @returns how many emails were queued
 */
export const mailWeeks = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, async (ctx) => {
    const monday = findMonday(ctx)
    if (monday === undefined || (await isFinished(ctx, monday))) return 0
    const faults: unknown[] = []
    let sent = 0
    for (const userId of await listAdministrators(ctx, monday)) {
      const isSent = await attemptWork(
        () => mailWeek(ctx, userId, monday),
        (error) => {
          faults.push(error)
          return false
        },
      )
      sent += Number(isSent)
    }
    // Who was not reached is tried again in the next run.
    if (faults.length > 0) throw new AggregateError(faults, `weekly mails of ${faults.length} administrators failed`)
    await ctx.db.tx((tx) =>
      tx
        .insert(weeklyMails)
        .values({ siteId: ctx.site.id, week: monday })
        .onConflictDoUpdate({ target: weeklyMails.siteId, set: { week: monday } }),
    )
    return sent
  })

/** The Monday whose mails are due now; undefined on the other days. */
function findMonday({ site, now }: Ctx): string | undefined {
  const day = toCalendarDay(site.timeZone, new Date(now().getTime() - FROM_HOUR * HOUR_MS))
  const since = (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7
  return since < DAYS_OF_SENDING ? addDays(day, -since) : undefined
}

const isFinished = (ctx: Ctx, monday: string): Promise<boolean> =>
  ctx.db.read(async (tx) => {
    const [row] = await tx.select({ week: weeklyMails.week }).from(weeklyMails).where(eq(weeklyMails.siteId, ctx.site.id))
    return row !== undefined && row.week >= monday
  })

/** Administrators who want the mail, and did not get this week's yet. */
const listAdministrators = (ctx: Ctx, monday: string): Promise<string[]> =>
  ctx.db.read(async (tx) => {
    const rows = await tx
      .select({ id: users.id })
      .from(users)
      .leftJoin(teamMails, and(eq(teamMails.siteId, users.siteId), eq(teamMails.userId, users.id)))
      .where(
        and(
          eq(users.siteId, ctx.site.id),
          isNull(users.blockedAt),
          exists(
            tx
              .select({ one: sql`1` })
              .from(memberships)
              .where(and(eq(memberships.siteId, users.siteId), eq(memberships.userId, users.id))),
          ),
          sql`coalesce(${teamMails.weekly}, true) and coalesce(${teamMails.weeklyFor} < ${monday}::date, true)`,
        ),
      )
      .orderBy(asc(users.id))
    return rows.map(({ id }) => id)
  })

/** @returns false if nothing happened, or another process was faster */
async function mailWeek(ctx: Ctx, userId: string, monday: string): Promise<boolean> {
  const viewer = await loadAccountViewer(ctx.db, userId)
  if (!viewer || !isAdministrator(viewer)) return false
  const language = matchLanguage(viewer.locale ?? ctx.site.locale, ctx.site.languages) ?? ctx.site.locale
  const reader = withLanguage({ ...ctx, viewer }, language)
  const week = await readWeek(reader, monday)
  return ctx.db.tx(async (tx) => {
    if (!(await claimWeek(ctx, tx, userId, monday)) || !hasNews(week)) return false
    const [user] = await tx
      .select()
      .from(users)
      .where(and(eq(users.siteId, ctx.site.id), eq(users.id, userId)))
    if (!user || !canSignIn(user)) return false
    await queueMail(ctx, tx, { kind: 'weekly', to: user.email, userId, language, ...writeWeek(reader, viewer, week, monday) })
    return true
  })
}

/** Marks the week as told to this person; false if it was, or if they do not want it any more. */
async function claimWeek(ctx: Ctx, tx: Tx, userId: string, monday: string): Promise<boolean> {
  const claimed = await tx
    .insert(teamMails)
    .values({ siteId: ctx.site.id, userId, weeklyFor: monday })
    .onConflictDoUpdate({
      target: [teamMails.siteId, teamMails.userId],
      set: { weeklyFor: monday },
      setWhere: sql`${teamMails.weeklyFor} is null or ${teamMails.weeklyFor} < ${monday}::date`,
    })
    .returning({ weekly: teamMails.weekly })
  return claimed[0]?.weekly === true
}
