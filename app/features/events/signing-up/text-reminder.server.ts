import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import { queueMessage } from '#app/features/sms/messages.server.ts'
import { findReachablePhone } from '#app/features/sms/phone-numbers.server.ts'
import { getFormatter } from '#app/lib/format.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { eventSignUps } from '#app/server/db/schema/events.ts'
import { smsMessages } from '#app/server/db/schema/messages.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { chooseMailLanguages } from '#app/server/mail/mail-languages.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import type { EventRow } from '../events.policy.server.ts'
import type { SignUpRow } from './event-mails.server.ts'

/** The number to send the reminder of a sign-up to; undefined if they did not ask for it, have removed their number, or refused texts. */
export const findReminderPhone = async (ctx: Ctx, tx: Tx, { remindByText, userId }: SignUpRow): Promise<string | undefined> =>
  remindByText && userId ? findReachablePhone(ctx, tx, userId) : undefined

/** Queues the reminder of a sign-up by text, if there is a number to send it to. */
export async function textReminder(
  ctx: Ctx,
  tx: Tx,
  { event, project, signUp }: { event: EventRow; project: Pick<ProjectRow, 'slug'>; signUp: SignUpRow },
): Promise<void> {
  const { site } = ctx
  const phone = await findReminderPhone(ctx, tx, signUp)
  if (!phone || !event.startsAt) return
  const { language, contentLanguage } = chooseMailLanguages(site, signUp.language)
  const format = getFormatter({ language, timeZone: site.timeZone, region: site.region })
  const t = getTranslator(language, 'sms')
  const title = getTranslation(event.title, contentLanguage, site.locale)
  const place = getTranslation(event.place, contentLanguage, site.locale)
  const link = buildSiteUrl(ctx, `/${language}/projects/${project.slug}/events/${event.slug}/receipt`)
  const sentences = [
    t('reminder.when', { site: site.name, title, date: format.weekday(event.startsAt), time: format.time(event.startsAt) }),
    ...(place ? [place.replace(/\.?$/, '.')] : []),
    t('reminder.receipt', { link }),
  ]
  const body = sentences.join(' ')
  await queueMessage(ctx, tx, { purpose: 'reminder', phone, language, body, userId: signUp.userId, signUpId: signUp.id })
}

/**
 * After a mail told everybody of a change: what still waits to remind them says what was true before, and is not sent any more
 * (`isOutdatedReminder`). Their mail has told them; those whose text waits get one that says what is true now.
 */
export async function renewReminders(
  ctx: Ctx,
  tx: Tx,
  { event, project }: { event: EventRow; project: Pick<ProjectRow, 'slug'> },
): Promise<void> {
  const isOfEvent = and(eq(eventSignUps.siteId, ctx.site.id), eq(eventSignUps.eventId, event.id))
  // All of its rows, so that it waits for reminders that are being queued.
  await tx
    .update(eventSignUps)
    .set({ remindedAt: sql`case when ${eventSignUps.remindedAt} is not null then ${ctx.now().toISOString()}::timestamptz end` })
    .where(isOfEvent)
  const rows = await tx
    .selectDistinctOn([eventSignUps.id], { signUp: eventSignUps })
    .from(eventSignUps)
    .innerJoin(smsMessages, and(eq(smsMessages.siteId, eventSignUps.siteId), eq(smsMessages.signUpId, eventSignUps.id)))
    .where(and(isOfEvent, isNotNull(eventSignUps.remindedAt), eq(eventSignUps.state, 'going'), isNotNull(smsMessages.nextAttemptAt)))
    .orderBy(eventSignUps.id)
  for (const { signUp } of rows) await textReminder(ctx, tx, { event, project, signUp })
}
