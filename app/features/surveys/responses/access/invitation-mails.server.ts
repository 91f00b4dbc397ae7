import { getTranslation } from '#app/lib/translated.ts'
import type { Language } from '#app/lib/languages.ts'
import { getFormatter } from '#app/lib/format.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import type { PlacedSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { getAnsweringTimes } from '#app/features/surveys/surveys.state.server.ts'

interface InvitationReader {
  email: string
  language: Language
  userId: string | null
}

/**
 * Queues an email with a personal link to a survey, in the reader's language if the site supports it.
 * @param path includes the link's secret
 */
export async function mailInvitation(ctx: Ctx, tx: Tx, placed: PlacedSurvey, reader: InvitationReader, path: string): Promise<void> {
  const { site } = ctx
  const { survey } = placed
  const { closesAt } = getAnsweringTimes(placed)
  const language = site.languages.includes(reader.language) ? reader.language : site.locale
  const t = getTranslator(language, 'mail')
  const names = { site: site.name, survey: getTranslation(survey.title, language, site.locale) }
  const format = getFormatter({ language, timeZone: site.timeZone, region: site.region })
  await queueMail(ctx, tx, {
    kind: 'survey-invitation',
    to: reader.email,
    userId: reader.userId,
    language,
    content: {
      subject: t('survey-invitation.subject', names),
      paragraphs: [
        t('survey-invitation.text', names),
        ...(survey.anonymous ? [t('survey-invitation.anonymous')] : []),
        ...(closesAt ? [t('survey-invitation.until', { date: format.dateTime(closesAt) })] : []),
      ],
      action: { label: t('survey-invitation.action'), href: buildSiteUrl(ctx, `/${language}${path}`) },
      small: [t('survey-invitation.care')],
      footer: t('survey-invitation.footer', names),
    },
  })
}
