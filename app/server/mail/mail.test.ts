import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addSite, type TestRuntime, testRuntime } from '#tests/support/database.ts'
import { startSmtp, type TestSmtp } from '#tests/support/smtp.ts'
import { newToken } from '../auth/tokens.ts'
import { createCtx, type Ctx } from '../context.ts'
import { outboxMails, sites } from '../db/schema.ts'
import type { Site } from '../site-directory.ts'
import { deliverMails, sweepOutbox } from './deliver.ts'
import { layoutMail } from './layout.ts'
import { queueMail } from './outbox.ts'

let runtime: TestRuntime
let smtp: TestSmtp
let site: Site
let ctx: Ctx
const start = new Date()
const later = (minutes: number) => runtime.setNow(new Date(start.getTime() + minutes * 60_000))

beforeAll(async () => {
  smtp = await startSmtp()
  runtime = await testRuntime({ SMTP_URL: smtp.url })
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

test('a mail waits in the outbox, is sent once, in text and HTML, and its secret is then only the reader’s', async () => {
  const token = newToken()
  await queue('ann@riverbend.example', 'Cadarnhewch ŵyneb', `http://riverbend.localhost:3000/confirm-email?token=${token}`)
  expect((await rows())[0]?.bodyText).toContain(token)
  expect(await deliverMails(runtime)).toEqual({ sent: 1, failed: 0 })
  expect(await deliverMails(runtime)).toEqual({ sent: 0, failed: 0 })
  const [mail] = smtp.received
  expect(mail?.to).toEqual(['<ann@riverbend.example>'])
  expect(mail?.data).toMatch(/^From: Riverbend <no-reply@riverbend\.localhost>$/m)
  expect(mail?.data).toMatch(/^Reply-To: hello@riverbend\.example$/m)
  expect(mail?.data).toMatch(/^Auto-Submitted: auto-generated$/m)
  expect(mail?.data).toContain('text/plain')
  expect(mail?.data).toContain('text/html')
  expect(mail?.data.replaceAll(/=\n/g, '').replaceAll('=3D', '=')).toContain(token)
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

test('a mail that is refused is tried again later, less and less often, and the reason can be read', async () => {
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

test('neither a subject nor an address smuggles in a header or another reader', async () => {
  await queue('ann@riverbend.example>, <eve@evil.example', 'Hello\r\nBcc: eve@evil.example')
  await deliverMails(runtime)
  for (const { to, data } of smtp.received) {
    expect(to.join()).not.toMatch(/<eve@evil\.example>/)
    expect(data.split('\n\n')[0]).not.toMatch(/^Bcc:/m)
  }
})

test('mails sent long ago are removed, those that wait stay', async () => {
  await queue('ann@riverbend.example')
  await deliverMails(runtime)
  await queue('bob@riverbend.example')
  later(91 * 24 * 60)
  await sweepOutbox(runtime.database, site.id, runtime.now())
  expect((await rows()).map(({ recipient }) => recipient)).toEqual(['bob@riverbend.example'])
})

test('both bodies say the same, and HTML in a text stays text', () => {
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
