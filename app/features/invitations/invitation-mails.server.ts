import { getTranslation } from '#app/lib/translated.ts'
import type { Language } from '#app/lib/languages.ts'
import { getFormatter } from '#app/lib/format.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import type { InvitationSubject } from './invitations.server.ts'

interface InvitationReader {
  email: string
  language: Language
  userId: string | null
}

/**
 * Queues an email with a personal link to a survey or activity, in the reader's language if the site supports it.
 * @param path includes the link's secret
 */
export async function mailInvitation(
  ctx: Ctx,
  tx: Tx,
  { column, title, closesAt, anonymous }: InvitationSubject,
  reader: InvitationReader,
  path: string,
): Promise<void> {
  const { site } = ctx
  const kind = column === 'surveyId' ? 'survey-invitation' : 'activity-invitation'
  const language = site.languages.includes(reader.language) ? reader.language : site.locale
  const t = getTranslator(language, 'mail')
  const names = {
    site: site.name,
    survey: getTranslation(title, language, site.locale),
    activity: getTranslation(title, language, site.locale),
  }
  const format = getFormatter({ language, timeZone: site.timeZone, region: site.region })
  await queueMail(ctx, tx, {
    kind,
    to: reader.email,
    userId: reader.userId,
    language,
    content: {
      subject: t(`${kind}.subject`, names),
      paragraphs: [
        t(`${kind}.text`, names),
        ...(anonymous ? [t('survey-invitation.anonymous')] : []),
        ...(closesAt ? [t(`${kind}.until`, { date: format.dateTime(closesAt) })] : []),
      ],
      action: { label: t(`${kind}.action`), href: buildSiteUrl(ctx, `/${language}${path}`) },
      small: [t(`${kind}.care`)],
      footer: t(`${kind}.footer`, names),
    },
  })
}
