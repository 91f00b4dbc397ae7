import { and, eq, isNotNull } from 'drizzle-orm'
import { writeLetter } from '#app/features/campaigns/newsletters/newsletters.schema.ts'
import { type LetterBlockView, renderLetter } from '#app/features/campaigns/newsletters/render-newsletter.ts'
import { type HomeBlock, viewBlock } from '#app/features/homepage/homepage.schema.ts'
import { marked } from '#app/lib/campaign-marks.ts'
import type { Language } from '#app/lib/languages.ts'
import { merged } from '#app/lib/merge-fields.ts'
import { inLanguage } from '#app/lib/translated.ts'
import { newId } from '#app/lib/uuid.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { campaignMails, campaigns, mailConsents, outboxMails, users } from '#app/server/db/schema.ts'
import { translator } from '#app/server/i18n.ts'
import type { DemoLetter } from './content/letters.ts'
import { LETTERS } from './content/letters.ts'
import { insertAll } from './insert.ts'
import type { People, Seeding } from './seeding.ts'

/** Who agreed to news by mail, and a newsletter that nearly all of them got. */
export async function seedLetters({ tx, siteId, content, calendar }: Seeding, people: People): Promise<void> {
  const letter = LETTERS[content.slug]
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
      id: newId(),
      email,
      userId: id,
      given: true,
      words: translator(locale, 'account')('fields.marketing'),
      language: locale,
      source: 'account',
      address: '192.0.2.44',
      at: marketingConsentAt ?? sendAt,
    })),
  )
  const readers = agreed.filter(({ marketingConsentAt }) => marketingConsentAt && marketingConsentAt < sendAt)
  const id = newId()
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
      content: writeLetter(blocks),
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
    ...written(letter, blocks, language, content),
  }))
  await insertAll(tx, campaignMails, said)
  await insertAll(
    tx,
    outboxMails,
    readers.map(({ id: userId, email, login, locale }, index) => {
      const isRefused = failed > 0 && index === 7
      return {
        siteId,
        id: newId(),
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

function written(letter: DemoLetter, blocks: readonly HomeBlock[], language: Language, { name: site, hosts, locale }: Seeding['content']) {
  const t = translator(language, 'mail')
  const origin = `http://${hosts[0] ?? 'localhost'}`
  const fields = { name: '{{name}}', site, link: `${origin}/${language}` }
  const subject = merged(inLanguage(letter.subject, language, locale), fields)
  const { html, text } = renderLetter({
    language,
    subject,
    site,
    greeting: t('greeting', { name: '{{name}}' }),
    blocks: blocks.map((block) => viewBlock(block, null, (words) => localiseText(words, language, locale)) as LetterBlockView),
    foot: {
      why: t('newsletter.why', { site }),
      leave: t('newsletter.leave'),
      choose: t('newsletter.choose'),
      chooseHref: `${origin}/${language}/account/profile`,
    },
    words: { answer: t('newsletter.answer') },
    href: (to) => (to.startsWith('/') ? marked(`${origin}/${language}${to}`, letter.name) : to),
  })
  return { subject, bodyText: text, bodyHtml: html }
}
