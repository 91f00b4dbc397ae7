import type { ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import { queueMessage } from '#app/features/sms/messages.server.ts'
import { findReachablePhone } from '#app/features/sms/phone-numbers.server.ts'
import { getFormatter } from '#app/lib/format.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { chooseMailLanguages } from '#app/server/mail/mail-languages.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import type { EventRow } from '../events.policy.server.ts'
import type { SignUpRow } from './event-mails.server.ts'

/** Queues a text to a person with a place who asked for one. Nothing is queued if their account has no number any more, or they said STOP. */
export async function textReminder(
  ctx: Ctx,
  tx: Tx,
  { event, project, signUp }: { event: EventRow; project: Pick<ProjectRow, 'slug'>; signUp: SignUpRow },
): Promise<void> {
  const { site } = ctx
  const phone = signUp.userId ? await findReachablePhone(ctx, tx, signUp.userId) : undefined
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
  await queueMessage(ctx, tx, { purpose: 'reminder', phone, language, body, userId: signUp.userId })
}
