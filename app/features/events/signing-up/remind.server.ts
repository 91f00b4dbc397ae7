import { and, asc, eq, gt, isNull, lte } from 'drizzle-orm'
import { canSendSms } from '#app/features/marketplace/installations.server.ts'
import { projectColumns } from '#app/features/projects/projects.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { events, eventSignUps } from '#app/server/db/schema/events.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { REMINDED_BEFORE_MS } from '../events.state.ts'
import { mailSignUp } from './event-mails.server.ts'
import { textReminder } from './text-reminder.server.ts'

const AT_ONCE = 100

/**
 * Reminds people who have a place at an event that starts within a day: by mail, and by text if they asked for it. A sign-up is marked as
 * reminded in the same transaction that queues both messages, so no reminder is sent twice. Run by a job. @returns number of people reminded
 */
export const remindOfEvents = (runtime: Runtime, ending?: AbortSignal): Promise<number> =>
  runOnEachSite(runtime, async (ctx) => {
    let reminded = 0
    for (;;) {
      const some = ending?.aborted ? 0 : await remindSome(ctx)
      if (some === 0) return reminded
      reminded += some
    }
  })

async function remindSome(ctx: Ctx): Promise<number> {
  const now = ctx.now()
  const sendsTexts = await canSendSms(ctx)
  return ctx.db.tx(async (tx) => {
    const due = await tx
      .select({ signUp: eventSignUps, event: events, project: projectColumns })
      .from(eventSignUps)
      .innerJoin(events, and(eq(events.siteId, eventSignUps.siteId), eq(events.id, eventSignUps.eventId)))
      .innerJoin(projects, and(eq(projects.siteId, events.siteId), eq(projects.id, events.projectId)))
      .where(
        and(
          eq(eventSignUps.siteId, ctx.site.id),
          eq(eventSignUps.state, 'going'),
          isNull(eventSignUps.remindedAt),
          eq(events.status, 'published'),
          gt(events.startsAt, now),
          lte(events.startsAt, new Date(now.getTime() + REMINDED_BEFORE_MS)),
        ),
      )
      .orderBy(asc(eventSignUps.id))
      .limit(AT_ONCE)
      .for('update', { of: eventSignUps, skipLocked: true })
    for (const { signUp, event, project } of due) {
      await tx
        .update(eventSignUps)
        .set({ remindedAt: now })
        .where(and(eq(eventSignUps.siteId, ctx.site.id), eq(eventSignUps.id, signUp.id)))
      await mailSignUp(ctx, tx, 'event-reminder', { event, project, signUp })
      if (sendsTexts) await textReminder(ctx, tx, { event, project, signUp })
    }
    return due.length
  })
}
