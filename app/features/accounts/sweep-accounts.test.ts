import { beforeAll, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { mailConsents, outboxMails } from '#app/server/db/schema/mail.ts'
import { campaigns, phoneCodes, smsConsents, smsMessages } from '#app/server/db/schema/messages.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { sweepAccounts } from './sweep-accounts.server.ts'

const NOW = new Date('2026-05-04T12:00:00Z')
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000)
let runtime: TestRuntime
let site: Site
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
})
const inSite = <T>(work: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0]) =>
  runtime.database.site(site.id).tx(work) as Promise<T>

test('emails that could not be sent go after 90 days, like those that were; what still waits stays', async () => {
  const mail = (subject: string, values: object) => ({
    siteId: site.id,
    id: createId(),
    recipient: 'ann@example.org',
    language: 'en' as const,
    subject,
    bodyText: '',
    bodyHtml: '',
    createdAt: daysAgo(91),
    ...values,
  })
  await inSite((tx) =>
    tx
      .insert(outboxMails)
      .values([
        mail('given up', { fault: 'refused' }),
        mail('sent', { sentAt: daysAgo(91) }),
        mail('sent lately', { sentAt: daysAgo(89) }),
        mail('given up lately', { fault: 'refused', createdAt: daysAgo(89) }),
        mail('waiting', {}),
      ]),
  )
  await sweepAccounts(runtime.database, NOW, [site.id])
  const left = await inSite<{ subject: string }[]>((tx) => tx.select({ subject: outboxMails.subject }).from(outboxMails))
  expect(left.map(({ subject }) => subject).toSorted()).toEqual(['given up lately', 'sent lately', 'waiting'])
})

test('texts go after two years; those of a campaign are counted on, without number and words', async () => {
  const ann = await addPerson(runtime, site)
  const campaignId = createId()
  const text = (body: string, values: object) => ({
    siteId: site.id,
    id: createId(),
    direction: 'out' as const,
    purpose: 'campaign' as const,
    status: 'delivered' as const,
    phone: '+14165550177',
    userId: ann.id,
    language: 'en' as const,
    createdAt: daysAgo(731),
    body,
    ...values,
  })
  await inSite(async (tx) => {
    await tx.insert(campaigns).values({ siteId: site.id, id: campaignId, name: 'Bus', createdAt: daysAgo(731), updatedAt: daysAgo(731) })
    await tx.insert(smsMessages).values([text('old', {}), text('lately', { createdAt: daysAgo(729) }), text('Bus', { campaignId })])
    const code = { phone: '+14165550177', codeHash: Buffer.from('x'), createdAt: daysAgo(1), expiresAt: daysAgo(1) }
    await tx.insert(phoneCodes).values({ siteId: site.id, userId: ann.id, ...code })
  })
  await sweepAccounts(runtime.database, NOW, [site.id])
  const left = await inSite<{ body: string; phone: string; userId: string | null; campaignId: string | null }[]>((tx) =>
    tx.select().from(smsMessages),
  )
  expect(left.find(({ campaignId: of }) => of)).toMatchObject({ body: '', userId: null, phone: expect.not.stringContaining('+') as string })
  expect(left.filter(({ campaignId: of }) => !of).map(({ body }) => body)).toEqual(['lately'])
  expect(await inSite((tx) => tx.select().from(phoneCodes))).toEqual([])
})

test('a ledger of consent goes three years after its last entry, once its account is gone, and never in part', async () => {
  const ann = await addPerson(runtime, site)
  const entry = (email: string, given: boolean, at: Date, userId: string | null = null) => ({
    siteId: site.id,
    id: createId(),
    email,
    userId,
    given,
    words: 'News by email',
    language: 'en' as const,
    source: 'account' as const,
    at,
  })
  const phone = { phone: '+14165550188', words: 'Texts', language: 'en', source: 'text', siteId: site.id } as const
  await inSite(async (tx) => {
    await tx
      .insert(mailConsents)
      .values([
        entry('gone@example.org', true, daysAgo(1200)),
        entry('gone@example.org', false, daysAgo(1100)),
        entry('refused-lately@example.org', true, daysAgo(1200)),
        entry('refused-lately@example.org', false, daysAgo(900)),
        entry('here@example.org', true, daysAgo(1200), ann.id),
      ])
    await tx.insert(smsConsents).values([
      { ...phone, id: createId(), given: true, at: daysAgo(1200) },
      { ...phone, id: createId(), given: false, at: daysAgo(900) },
      { ...phone, phone: '+14165550199', id: createId(), given: false, at: daysAgo(1200) },
    ])
  })
  await sweepAccounts(runtime.database, NOW, [site.id])
  const left = await inSite<{ email: string }[]>((tx) => tx.select({ email: mailConsents.email }).from(mailConsents))
  expect(left.map(({ email }) => email).toSorted()).toEqual([
    'here@example.org',
    'refused-lately@example.org',
    'refused-lately@example.org',
  ])
  const numbers = await inSite<{ phone: string }[]>((tx) => tx.select({ phone: smsConsents.phone }).from(smsConsents))
  expect(numbers.map((row) => row.phone)).toEqual(['+14165550188', '+14165550188'])
})
