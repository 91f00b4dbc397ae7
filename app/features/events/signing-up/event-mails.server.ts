import type { ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import { getFormatter } from '#app/lib/format.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { chooseMailLanguages } from '#app/server/mail/mail-languages.ts'
import type { Ctx } from '#app/server/context.ts'
import { getSealingKeys, sealSecret, unsealSecret } from '#app/server/crypto/seal.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { eventSignUps } from '#app/server/db/schema/events.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import type { EventRow } from '../events.policy.server.ts'

export type SignUpRow = typeof eventSignUps.$inferSelect

/** What people who signed up are told by mail. */
export type EventMail = 'event-going' | 'event-waiting' | 'event-moved-up' | 'event-reminder' | 'event-changed' | 'event-cancelled'

export const buildReceiptSealPlace = (signUpId: string): string => `event-sign-ups/${signUpId}/receipt`

export const sealReceipt = (ctx: Ctx, signUpId: string, code: string): string =>
  sealSecret(getSealingKeys(ctx.runtime), buildReceiptSealPlace(signUpId), code)

/** The code of a receipt, so that mails can name it again; undefined if it was removed or no key opens it. */
export const openReceipt = (ctx: Ctx, { id, sealedReceipt }: Pick<SignUpRow, 'id' | 'sealedReceipt'>): string | undefined =>
  sealedReceipt ? unsealSecret(getSealingKeys(ctx.runtime), buildReceiptSealPlace(id), sealedReceipt) : undefined

/**
 * Queues a mail to a person who signed up, in their language: when and where, how to join if they have a place, and the code with which they
 * can cancel. Nothing is queued if their address was removed.
 */
export async function mailSignUp(
  ctx: Ctx,
  tx: Tx,
  kind: EventMail,
  { event, project, signUp }: { event: EventRow; project: Pick<ProjectRow, 'slug'>; signUp: SignUpRow },
): Promise<void> {
  if (!signUp.email) return
  const { site } = ctx
  const { language, contentLanguage } = chooseMailLanguages(site, signUp.language)
  const t = getTranslator(language, 'mail')
  const format = getFormatter({ language, timeZone: site.timeZone, region: site.region })
  const title = getTranslation(event.title, contentLanguage, site.locale)
  const place = getTranslation(event.place, contentLanguage, site.locale)
  const names = {
    site: site.name,
    title,
    name: signUp.name,
    date: event.startsAt ? format.weekday(event.startsAt) : '',
    from: event.startsAt ? format.time(event.startsAt) : '',
    until: event.endsAt ? format.time(event.endsAt) : '',
  }
  const code = kind === 'event-cancelled' ? undefined : openReceipt(ctx, signUp)
  const hasPlace = signUp.state === 'going' && kind !== 'event-cancelled'
  await queueMail(ctx, tx, {
    kind,
    to: signUp.email,
    userId: signUp.userId,
    language,
    ...(code && { secrets: [code] }),
    ...(kind === 'event-reminder' && { signUpId: signUp.id }),
    content: {
      subject: t(`${kind}.subject`, names),
      paragraphs: [
        t('event.greeting', names),
        t(`${kind}.text`, names),
        t('event.when', names),
        ...(place ? [t('event.where', { place })] : []),
        ...(hasPlace && event.joinLink ? [t('event.join', { link: event.joinLink })] : []),
        ...(code ? [t('event.code', { code })] : []),
      ],
      ...(kind !== 'event-cancelled' && {
        action: { label: t('event.action'), href: buildSiteUrl(ctx, `/${language}/projects/${project.slug}/events/${event.slug}/receipt`) },
      }),
      footer: t('event.footer', names),
    },
  })
}
