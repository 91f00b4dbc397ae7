import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { TEST_SECRET } from '#tests/support/cluster.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { startSmtp, type TestSmtp } from '#tests/support/smtp.ts'
import { createToken } from '../auth/tokens.ts'
import { getAppRole, buildAppUrl } from '../connection-string.ts'
import { createCtx, type Ctx } from '../context.ts'
import { openDatabase } from '../db/client.ts'
import { outboxMails } from '../db/schema/mail.ts'
import { sites } from '../db/schema/sites.ts'
import type { Site } from '../site-directory.ts'
import { beginAttempt } from './begin-attempt.ts'
import { claimBatch } from './claim-mails.ts'
import { deliverMails, MAILS_IN_HAND, sweepOutbox } from './deliver.ts'
import { readDeliveryReport } from './delivery-report.ts'
import { layoutMail } from './layout-mail.ts'
import { queueMail } from './outbox.ts'
import { buildMailReference } from './return-address.ts'

let runtime: TestRuntime
let smtp: TestSmtp
let site: Site
let ctx: Ctx
const start = new Date()
const later = (minutes: number) => runtime.setNow(new Date(start.getTime() + minutes * 60_000))

beforeAll(async () => {
  smtp = await startSmtp()
  runtime = await createTestRuntime({ SMTP_URL: smtp.url })
  site = await addSite(runtime)
  await runtime.database.global.update(sites).set({ contactEmail: 'hello@riverbend.example' }).where(eq(sites.id, site.id))
})
beforeEach(async () => {
  runtime.setNow(start)
  smtp.received.length = 0
  smtp.refuseWith = undefined
  ctx = createCtx(runtime, site)
  await ctx.db.tx((tx) => tx.delete(outboxMails))
})

const queue = (to: string, subject = 'Cadarnhewch ŵyneb', href = 'http://riverbend.localhost:3000/x') =>
  ctx.db.tx((tx) =>
    queueMail(ctx, tx, {
      kind: 'test',
      to,
      userId: null,
      language: 'cy',
      content: {
        subject,
        paragraphs: ['Helo <Ann>,', 'Ŵyn bach.'],
        action: { label: 'Agor', href },
        small: ['Unwaith.'],
        footer: 'Riverbend',
      },
    }),
  )
const rows = () => ctx.db.tx((tx) => tx.select().from(outboxMails))

test('a mail waits in the outbox, is sent once as text and HTML, and only its reader sees its secret', async () => {
  const token = createToken()
  await queue('ann@riverbend.example', 'Cadarnhewch ŵyneb', `http://riverbend.localhost:3000/confirm-email?token=${token}`)
  const [waiting] = await rows()
  expect(waiting?.bodyText).toContain('confirm-email?token=…')
  expect([waiting?.bodyText, waiting?.bodyHtml].join()).not.toContain(token)
  expect(await deliverMails(runtime)).toEqual({ sent: 1, failed: 0 })
  expect(await deliverMails(runtime)).toEqual({ sent: 0, failed: 0 })
  const [mail] = smtp.received
  expect(mail?.to).toEqual(['<ann@riverbend.example>'])
  expect(mail?.data).toMatch(/^From: Riverbend <no-reply@riverbend\.localhost>$/m)
  expect(mail?.data).toMatch(/^Reply-To: hello@riverbend\.example$/m)
  expect(mail?.data).toMatch(/^Auto-Submitted: auto-generated$/m)
  expect(mail?.data).toContain('text/plain')
  expect(mail?.data).toContain('text/html')
  expect(mail?.data.replaceAll(/=\n/g, '').replaceAll('=3D', '=').split(token)).toHaveLength(4)
  const [row] = await rows()
  expect(row?.sentAt).toEqual(start)
  expect(JSON.stringify(row)).not.toContain(token)
})

test('several processes send each mail once', async () => {
  for (let i = 0; i < 30; i++) await queue(`p${i}@riverbend.example`)
  const done = await Promise.all([deliverMails(runtime), deliverMails(runtime), deliverMails(runtime, site.id)])
  expect(done.reduce((sum, { sent }) => sum + sent, 0)).toBe(30)
  expect(new Set(smtp.received.flatMap(({ to }) => to)).size).toBe(30)
})

describe('with a mail server that is slower than a lease', () => {
  const LEASE_MS = 2000
  const asOne = { leaseMs: LEASE_MS }
  beforeEach(() => {
    runtime.setNow(undefined)
    smtp.slowMs = 2.5 * LEASE_MS
  })
  afterEach(() => {
    smtp.slowMs = 0
  })
  const readers = () => smtp.received.flatMap(({ to }) => to)

  test('two processes send each mail once', async () => {
    const most = MAILS_IN_HAND * 2
    for (let count = 0; count < most; count++) await queue(`slow${count}@riverbend.example`)
    const second = { ...runtime, database: openDatabase(buildAppUrl(runtime.ownerUrl, TEST_SECRET, getAppRole('template_parley'))) }
    const isDone = async () => (await rows()).every(({ sentAt }) => sentAt !== null)
    const loop = async (own: typeof runtime) => {
      do {
        await deliverMails(own, site.id, asOne)
        await wait(100)
      } while (!(await isDone()))
    }
    try {
      await Promise.all([loop(runtime), loop(second)])
    } finally {
      await second.database.close()
    }
    expect(readers()).toHaveLength(most)
    expect(new Set(readers()).size).toBe(most)
  }, 120_000)

  test('a process that lost its lease leaves the mail to the new holder', async () => {
    await queue('first@riverbend.example')
    const batch = await claimBatch(runtime, site.id, LEASE_MS)
    await batch.close()
    const [stale] = await rows()
    // Simulates a process that was held up: its lease has expired and another has claimed the mail.
    const [late, now] = [await claimBatch(runtime, site.id, LEASE_MS), new Date(Date.now() + 10 * LEASE_MS)]
    const claimed = late.next()
    runtime.setNow(now)
    const other = await claimBatch(runtime, site.id, LEASE_MS)
    const turn = { leaseMs: LEASE_MS, said: new Map() }
    expect(claimed && (await beginAttempt(runtime, claimed, turn, true))).toBeUndefined()
    const theirs = other.next()
    expect(theirs && (await beginAttempt(runtime, theirs, turn, true))).toMatchObject({ id: stale?.id, attempts: 1 })
    await Promise.all([late.close(), other.close()])
  })

  test('mails left over when a run ends are given back at once and cost no attempt', async () => {
    for (let count = 0; count < MAILS_IN_HAND * 2; count++) await queue(`rest${count}@riverbend.example`)
    const ending = new AbortController()
    const turn = deliverMails(runtime, site.id, { ...asOne, ending: ending.signal })
    await vi.waitFor(() => expect(smtp.received).toHaveLength(MAILS_IN_HAND), { timeout: 20_000 })
    ending.abort()
    expect(await turn).toEqual({ sent: MAILS_IN_HAND, failed: 0 })
    const left = (await rows()).filter(({ sentAt }) => sentAt === null)
    expect(left.map(({ attempts, lease }) => [attempts, lease])).toEqual(left.map(() => [0, null]))
    smtp.slowMs = 0
    expect(await deliverMails(runtime, site.id)).toEqual({ sent: MAILS_IN_HAND, failed: 0 })
  }, 60_000)
})

test('a refused mail is retried with growing backoff, and its reason is kept', async () => {
  await queue('gone@riverbend.example')
  smtp.refuseWith = '450 Mailbox busy'
  expect(await deliverMails(runtime)).toEqual({ sent: 0, failed: 1 })
  expect((await rows())[0]).toMatchObject({ sentAt: null, attempts: 1, lastError: expect.stringContaining('Mailbox busy') as string })
  expect(await deliverMails(runtime)).toEqual({ sent: 0, failed: 0 })
  later(1.1)
  expect(await deliverMails(runtime)).toEqual({ sent: 0, failed: 1 })
  later(2)
  expect(await deliverMails(runtime)).toEqual({ sent: 0, failed: 0 })
  later(4)
  smtp.refuseWith = undefined
  expect(await deliverMails(runtime)).toEqual({ sent: 1, failed: 0 })
  expect(runtime.logged.join('\n')).not.toContain('gone@riverbend.example')
})

test('without a mail server nothing is sent and nothing is lost', async () => {
  await queue('ann@riverbend.example')
  expect(await deliverMails({ ...runtime, env: { ...runtime.env, SMTP_URL: undefined } })).toEqual({ sent: 0, failed: 0 })
  expect(await rows()).toHaveLength(1)
})

test('a subject cannot inject a header or another recipient', async () => {
  await queue('ann@riverbend.example', 'Hello\r\nBcc: eve@evil.example')
  expect(await deliverMails(runtime)).toEqual({ sent: 1, failed: 0 })
  expect(smtp.received).toHaveLength(1)
  const [{ to, data } = { to: [], data: '' }] = smtp.received
  expect(to.join()).toContain('ann@riverbend.example')
  expect(to.join()).not.toContain('evil')
  const head = data.split(/\r?\n\r?\n/)[0]
  expect(head).toMatch(/^Subject: Hello ?Bcc: eve@evil\.example$/m)
  expect(head).not.toMatch(/^Bcc:/m)
})

test('an address cannot name another recipient', async () => {
  await queue('ann@riverbend.example>, <eve@evil.example')
  expect(await deliverMails(runtime)).toEqual({ sent: 0, failed: 1 })
  expect(smtp.received).toEqual([])
  expect(await rows()).toMatchObject([{ sentAt: null, fault: 'address-refused' }])
})

test('removes mails sent long ago and keeps those that wait', async () => {
  await queue('ann@riverbend.example')
  await deliverMails(runtime)
  await queue('bob@riverbend.example')
  later(91 * 24 * 60)
  await runtime.database.site(site.id).tx((tx) => sweepOutbox(tx, site.id, runtime.now()))
  expect((await rows()).map(({ recipient }) => recipient)).toEqual(['bob@riverbend.example'])
})

test('both bodies say the same, and HTML in a text is escaped', () => {
  const content = {
    subject: 'S',
    paragraphs: ['<b>Helo</b>'],
    action: { label: 'A & B', href: 'http://x.example/?a=1&b="2"' },
    footer: 'F',
  }
  const { text, html } = layoutMail(content, 'cy')
  expect(text).toBe('<b>Helo</b>\n\nA & B:\nhttp://x.example/?a=1&b="2"\n\n--\nF')
  expect(html).toContain('<html lang="cy">')
  expect(html).toContain('&lt;b&gt;Helo&lt;/b&gt;')
  expect(html).toContain('href="http://x.example/?a=1&amp;b=&quot;2&quot;"')
  expect(html).not.toMatch(/<img|<script|https?:\/\/(?!x\.example)/)
})

test('what the reader chooses and the way to leave follow the footer, with a space before colons in French', () => {
  const content = {
    subject: 'S',
    paragraphs: ['P'],
    footer: 'F',
    settings: { label: 'Choisir', href: 'http://x.example/choose' },
    leave: { label: 'Partir', href: 'http://x.example/leave' },
  }
  const { text, html } = layoutMail(content, 'fr-CA')
  expect(text).toBe('P\n\n--\nF\n\nChoisir\u00a0:\nhttp://x.example/choose\n\nPartir\u00a0:\nhttp://x.example/leave')
  expect(html.indexOf('/choose')).toBeGreaterThan(html.indexOf('>F<'))
  expect(html.indexOf('/leave')).toBeGreaterThan(html.indexOf('/choose'))
})

describe('a delivery report', () => {
  const reference = buildMailReference('0193a1b2-0000-7000-8000-000000000001', '0193a1b2-c3d4-7e5f-8a6b-0123456789ab')
  const named = [{ mailId: '0193a1b2-c3d4-7e5f-8a6b-0123456789ab', siteMark: reference.slice(-8) }]
  const report = (fields: string[], more: { to?: string; original?: string[]; type?: string } = {}) =>
    [
      'From bounce@mx.example Sun Nov 22 10:00:00 2026',
      `To: ${more.to ?? 'returned@city.example'}`,
      'Content-Type: multipart/mixed;',
      '  boundary="outer"',
      '',
      'A preamble that nobody reads.',
      '--outer',
      `Content-Type: ${more.type ?? 'multipart/report; report-type=delivery-status; boundary="in;ner"'}`,
      '',
      '--in;ner',
      '',
      'Your mail could not be delivered. 5.1.1 is written here as well.',
      '--in;ner',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example',
      '',
      'Final-Recipient: rfc822; ann@people.example',
      ...fields,
      '',
      '--in;ner',
      'Content-Type: message/rfc822',
      '',
      ...(more.original ?? [`Message-ID:`, ` <${reference}@city.example>`, 'Subject: News', '', 'Action: failed']),
      '--in;ner--',
      '--outer--',
    ].join('\r\n')
  const failed = (status: string, said = '') =>
    report(['Action: failed', `Status: ${status}`, ...(said ? [`Diagnostic-Code: ${said}`] : [])])

  test('is matched by Message-ID or by return address, whatever the case', async () => {
    expect((await readDeliveryReport(failed('5.1.1')))?.references).toEqual(named)
    const to = `RETURNED+${reference.toUpperCase()}@CITY.EXAMPLE`
    expect((await readDeliveryReport(report(['Action: failed', 'Status: 5.1.1'], { to, original: ['Subject: x'] })))?.references).toEqual(
      named,
    )
  })

  test.each([
    ['5.1.1', '', 'hard'],
    ['5.4.310', 'smtp; 550 5.4.310 DNS domain does not exist', 'hard'],
    ['5.0.0', 'smtp; 550 5.1.1 <ann@people.example>:\r\n Recipient address rejected', 'hard'],
    ['5.0.0', 'smtp; 552 5.2.2 Mailbox full', 'soft'],
    ['5.7.1', 'smtp; 550 5.7.1 Looks like spam', 'soft'],
    ['5.3.4', 'smtp; 552 Message too big for 192.0.2.1', 'soft'],
    ['4.4.7', 'smtp; 450 4.4.7 Gave up after 5 days', 'soft'],
    ['what?', '', 'soft'],
  ] as const)('with %s %s is %s', async (status, said, kind) => {
    expect(await readDeliveryReport(failed(status, said))).toMatchObject({ kind })
  })

  test('keeps the reply of the server that refused, unfolded', async () => {
    const said = 'smtp; 550 5.1.1 No such person\r\n\there'
    expect((await readDeliveryReport(failed('5.0.0', said)))?.reason).toBe('550 5.1.1 No such person here')
  })

  test.each([
    ['that is late', report(['Action: delayed', 'Status: 4.4.7'])],
    ['that arrived', report(['Action: delivered', 'Status: 2.0.0'])],
    ['from somebody who is away', 'Subject: Away\r\nAuto-Submitted: auto-replied\r\n\r\nAction: failed\r\nStatus: 5.1.1'],
    ['cut short', failed('5.1.1').slice(0, 180)],
    ['without anything', ''],
    [
      'nested too deeply',
      Array.from({ length: 9 }, (_, depth) => `Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n`).join('') +
        failed('5.1.1'),
    ],
  ])('ignores %s', async (_, raw) => {
    expect(await readDeliveryReport(raw)).toBeUndefined()
  })
})
