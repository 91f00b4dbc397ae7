import { and, eq, isNotNull } from 'drizzle-orm'
import { toNewsletterContent } from '#app/features/campaigns/newsletters/newsletters.schema.ts'
import { type NewsletterBlockView, renderNewsletter } from '#app/features/campaigns/newsletters/render-newsletter.ts'
import { type HomeBlock, toBlockView } from '#app/features/homepage/homepage.schema.ts'
import { addCampaignParameters } from '#app/lib/campaign-parameters.ts'
import { type Language, toInterfaceLanguage } from '#app/lib/languages.ts'
import { fillMergeFields } from '#app/lib/merge-fields.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { campaignMails, mailConsents, outboxMails } from '#app/server/db/schema/mail.ts'
import { campaigns } from '#app/server/db/schema/messages.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { DemoNewsletter } from './content/newsletters.ts'
import { NEWSLETTERS } from './content/newsletters.ts'
import { insertAll } from './insert-rows.ts'
import type { People, SeedContext } from './seed-context.ts'

/** Consents to news by mail, and a newsletter that nearly all of them received. */
export async function seedNewsletters({ tx, siteId, content, calendar }: SeedContext, people: People): Promise<void> {
  const letter = NEWSLETTERS[content.slug]
  if (!letter) return
  const sendAt = calendar.at(letter.day, 9)
  const agreed = await tx
    .select()
    .from(users)
    .where(and(eq(users.siteId, siteId), isNotNull(users.marketingConsentAt), isNotNull(users.emailConfirmedAt)))
  await insertAll(
    tx,
    mailConsents,
    agreed.map(({ id, email, locale, marketingConsentAt }) => ({
      siteId,
      id: createId(),
      email,
      userId: id,
      given: true,
      words: getTranslator(toInterfaceLanguage(locale, content.locale), 'account')('fields.marketing'),
      language: locale,
      source: 'account',
      address: '192.0.2.44',
      at: marketingConsentAt ?? sendAt,
    })),
  )
  const readers = agreed.filter(({ marketingConsentAt }) => marketingConsentAt && marketingConsentAt < sendAt)
  const id = createId()
  const blocks: HomeBlock[] = [
    { id: 'b_text', type: 'rich_text', body: letter.body },
    { id: 'b_line', type: 'divider', look: 'line' },
    {
      id: 'b_call',
      type: 'call_to_action',
      title: letter.call.title,
      text: letter.call.text,
      action: { label: letter.call.label, href: '/projects?status=open' },
      second: null,
      tone: 'deep',
    },
  ]
  const failed = readers.length > 7 ? 1 : 0
  await insertAll(tx, campaigns, [
    {
      siteId,
      id,
      channel: 'email' as const,
      name: letter.name,
      subject: letter.subject,
      content: toNewsletterContent(blocks),
      status: 'done',
      sendAt,
      prepared: readers.length,
      tally: { accepted: readers.length - failed, failed, skipped: 0 },
      createdBy: people.accounts.siteAdmin.id,
      createdAt: calendar.at(letter.day - 1, 15),
      updatedAt: sendAt,
      finishedAt: calendar.at(letter.day, 9, 2),
    },
  ])
  const said = content.languages.map((language) => ({
    siteId,
    campaignId: id,
    language,
    ...renderDemoLetter(letter, blocks, language, content),
  }))
  await insertAll(tx, campaignMails, said)
  await insertAll(
    tx,
    outboxMails,
    readers.map(({ id: userId, email, login, locale }, index) => {
      const isRefused = failed > 0 && index === 7
      return {
        siteId,
        id: createId(),
        kind: 'newsletter',
        recipient: email,
        recipientName: login,
        userId,
        language: locale,
        subject: said.find(({ language }) => language === locale)?.subject ?? '',
        bodyText: '',
        bodyHtml: '',
        campaignId: id,
        createdAt: sendAt,
        nextAttemptAt: sendAt,
        attempts: 1,
        sentAt: isRefused ? null : calendar.at(letter.day, 9, 1),
        fault: isRefused ? 'address-refused' : null,
        lastError: isRefused ? '550 5.1.1 Unknown user' : null,
      }
    }),
  )
}

function renderDemoLetter(
  letter: DemoNewsletter,
  blocks: readonly HomeBlock[],
  language: Language,
  { name: site, hosts, locale }: SeedContext['content'],
) {
  const t = getTranslator(language, 'mail')
  const origin = `http://${hosts[0] ?? 'localhost'}`
  const fields = { name: '{{name}}', site, link: `${origin}/${language}` }
  const subject = fillMergeFields(getTranslation(letter.subject, language, locale), fields)
  const toAddress = (to: string) => (to.startsWith('/') ? addCampaignParameters(`${origin}/${language}${to}`, letter.name) : to)
  const { html, text } = renderNewsletter({
    language,
    subject,
    site,
    greeting: t('greeting', { name: '{{name}}' }),
    blocks: blocks.map((block) => toBlockView(block, null, (words) => localiseText(words, language, locale)) as NewsletterBlockView),
    foot: {
      why: t('newsletter.why', { site }),
      leave: t('newsletter.leave'),
      choose: t('newsletter.choose'),
      chooseHref: `${origin}/${language}/account/profile`,
    },
    words: { answer: t('newsletter.answer') },
    href: toAddress,
    src: toAddress,
  })
  return { subject, bodyText: text, bodyHtml: html }
}
