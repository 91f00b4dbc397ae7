import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { mailAddresses, outboxMails } from '#app/server/db/schema/mail.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { deliverMails } from '#app/server/mail/deliver.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { startSmtp } from '#tests/support/smtp.ts'
import { receiveMailReport } from './mail-reports.server.ts'
import { findSiteMailTransport } from './site-mail-transport.server.ts'
import { requestContext } from '#tests/support/request-context.ts'

const own = await startSmtp()
const common = await startSmtp()
const runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1', SMTP_URL: common.url })
const START = new Date('2026-11-22T10:00:00Z')
let site: Site
let admin: Person
let ctx: Ctx
let api: ReturnType<typeof createApiClient>

beforeEach(async () => {
  runtime.setNow(START)
  for (const server of [own, common]) Object.assign(server, { received: [], refuseWith: undefined, login: undefined, extensions: [] })
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}` })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  ctx = createCtx(runtime, site)
  api = createApiClient(runtime, site, admin.token)
})

const SETTINGS = {
  host: '127.0.0.1',
  port: Number(new URL(own.url).port),
  security: 'none',
  user: 'riverbend',
  password: 'a bridge',
  from: 'hello@city.example',
  fromName: 'Riverbend consults',
}
const one = (answer: ApiAnswer) => {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body?.data as { id: string; attributes: Record<string, unknown>; meta: { lockVersion: number } }
}
const change = async (id: string, attributes: Record<string, unknown>) => {
  const { meta } = one(await api.get(`/installations/${id}`))
  return api.patch(`/installations/${id}`, buildResourceDocument('installations', attributes, { id, lockVersion: meta.lockVersion }))
}
async function install(settings: Record<string, unknown> = {}, enabled = true): Promise<string> {
  const { id } = one(
    await api.post(
      '/installations',
      buildResourceDocument('installations', { integration: 'smtp', settings: { ...SETTINGS, ...settings } }),
    ),
  )
  if (enabled) await change(id, { enabled: true })
  return id
}
const tested = async (id: string) =>
  one(
    await api.post(
      '/installation-tests',
      buildResourceDocument('installation-tests', {}, { to: { installation: { type: 'installations', id } } }),
    ),
  ).attributes['fault']
const queue = (to: string) =>
  ctx.db.tx((tx) =>
    queueMail(ctx, tx, {
      kind: 'test',
      to,
      userId: null,
      language: 'en',
      content: { subject: 'News', paragraphs: ['Hello.'], footer: 'x' },
    }),
  )
const deliver = () => deliverMails(runtime, site.id, { wayOf: findSiteMailTransport })
const outbox = () => ctx.db.tx((tx) => tx.select().from(outboxMails))

describe('a site’s own mail server', () => {
  test('is tested with an email to the administrator, reports a wrong login, and never reveals the password', async () => {
    own.login = { user: 'riverbend', password: 'another bridge' }
    const id = await install({}, false)
    expect(await tested(id)).toBe('provider-refused')
    expect(own.received).toEqual([])
    await change(id, { settings: { password: 'another bridge' } })
    expect(await tested(id)).toBe(null)
    expect(own.received).toMatchObject([{ to: [`<${admin.email}>`] }])
    expect(own.received[0]?.data).toMatch(/^Subject: Test email from/m)
    const seen = JSON.stringify([one(await api.get(`/installations/${id}`)), (await api.get('/installation-calls')).body, runtime.logged])
    expect(seen).not.toContain('another bridge')
    expect(seen).toContain('127.0.0.1:')
    // A new destination requires typing the password again.
    await change(id, { settings: { host: 'mail.elsewhere.example' } })
    expect(one(await api.get(`/installations/${id}`)).attributes['secretsSet']).toEqual([])
  })

  test('sends the site’s emails from its own address, and no other site’s', async () => {
    own.login = { user: 'riverbend', password: 'a bridge' }
    await install()
    await queue('ann@people.example')
    expect(await deliver()).toEqual({ sent: 1, failed: 0 })
    expect(own.received[0]?.data).toMatch(/^From: Riverbend consults <hello@city\.example>$/m)
    expect(common.received).toEqual([])
    const other = createCtx(runtime, await addSite(runtime, { slug: `o${createId().slice(-12)}` }))
    const content = { subject: 'News', paragraphs: ['Hello.'], footer: 'x' }
    await other.db.tx((tx) => queueMail(other, tx, { kind: 'test', to: 'bo@people.example', userId: null, language: 'en', content }))
    await deliverMails(runtime, other.site.id, { wayOf: findSiteMailTransport })
    expect(common.received).toMatchObject([{ to: ['<bo@people.example>'] }])
  })

  test('falls back to the installation’s server if unreachable or refused, and is paused after repeated failures', async () => {
    own.login = { user: 'riverbend', password: 'changed meanwhile' }
    const id = await install()
    for (let count = 0; count < 6; count++) await queue(`p${count}@people.example`)
    expect(await deliver()).toEqual({ sent: 6, failed: 0 })
    expect(own.received).toEqual([])
    expect(common.received).toHaveLength(6)
    expect(common.received[0]?.data).toMatch(/^From: .*no-reply@/m)
    expect(one(await api.get(`/installations/${id}`)).attributes).toMatchObject({ health: 'down' })
  })

  test('reports a refused recipient, and no other server is tried', async () => {
    own.refuseWith = '550 No such person here'
    await install()
    await queue('gone@people.example')
    expect(await deliver()).toEqual({ sent: 0, failed: 1 })
    expect(common.received).toEqual([])
    expect((await outbox())[0]?.lastError).toContain('No such person here')
  })

  test('without a fallback, emails wait for it without using up attempts', async () => {
    own.login = { user: 'riverbend', password: 'changed meanwhile' }
    const id = await install()
    const alone = { ...runtime, env: { ...runtime.env, SMTP_URL: undefined } }
    for (let count = 0; count < 5; count++) await queue(`p${count}@people.example`)
    expect(await deliverMails(alone, site.id, { wayOf: findSiteMailTransport })).toEqual({ sent: 0, failed: 5 })
    await queue('last@people.example')
    expect(await deliverMails(alone, site.id, { wayOf: findSiteMailTransport })).toEqual({ sent: 0, failed: 0 })
    expect((await outbox()).find(({ recipient }) => recipient.startsWith('last'))?.attempts).toBe(0)
    own.login = undefined
    await tested(id)
    runtime.setNow(new Date(START.getTime() + 5 * 60_000))
    expect(await deliverMails(alone, site.id, { wayOf: findSiteMailTransport })).toEqual({ sent: 6, failed: 0 })
  })

  test('must be on the public internet', async () => {
    const id = await install()
    // As if saved before addresses were checked.
    const settings = { host: '10.0.0.9', port: 25, security: 'none', from: SETTINGS.from }
    await ctx.db.tx((tx) => tx.update(installations).set({ settings }).where(eq(installations.id, id)))
    await queue('ann@people.example')
    expect(await deliver()).toEqual({ sent: 1, failed: 0 })
    expect(common.received).toHaveLength(1)
    const calls = (await api.get('/installation-calls')).body?.data
    expect(calls).toMatchObject([{ attributes: { target: '10.0.0.9:25', outcome: 'provider-down' } }])
  })

  test('sets its own return path, and its bounce reports are trusted only for this site’s emails', async () => {
    own.extensions = ['DSN']
    await install({ bouncesTo: 'returned@city.example', reportToken: 'at least twenty characters' })
    await queue('ann@people.example')
    const other = createCtx(runtime, await addSite(runtime, { slug: `o${createId().slice(-12)}` }))
    const content = { subject: 'News', paragraphs: ['Hello.'], footer: 'x' }
    await other.db.tx((tx) => queueMail(other, tx, { kind: 'test', to: 'bo@people.example', userId: null, language: 'en', content }))
    await deliverMails(runtime, undefined, { wayOf: findSiteMailTransport })
    own.extensions = []
    const [reference = ''] = /[0-9a-f]{40}/.exec(own.received[0]?.from ?? '') ?? []
    expect(own.received[0]?.from).toBe(`<returned+${reference}@city.example> RET=HDRS ENVID=${reference}`)
    const [elsewhere = ''] = /Message-ID: <.+>/i.exec(common.received[0]?.data ?? '') ?? []
    const post = (lines: string[]) =>
      receiveMailReport({
        context: requestContext(ctx),
        request: new Request('http://inside.example/hooks/mail', {
          method: 'POST',
          headers: { authorization: 'Bearer at least twenty characters' },
          body: lines.join('\n'),
        }),
      })
    const about = (original: string[], envelope: string[] = []) => [
      'Content-Type: multipart/report; boundary=x',
      '',
      '--x',
      'Content-Type: message/delivery-status',
      '',
      ...envelope,
      'Reporting-MTA: dns; mx.city.example',
      '',
      'Final-Recipient: rfc822; bo@people.example',
      'Action: failed',
      'Status: 5.0.0',
      '',
      '--x',
      'Content-Type: text/rfc822-headers',
      '',
      ...original,
      '--x--',
    ]
    const stopped = async ({ db }: Ctx) => (await db.tx((tx) => tx.select().from(mailAddresses))).map(({ address }) => address)
    expect((await post(about([elsewhere]))).status).toBe(204)
    expect(await stopped(other)).toEqual([])
    await post(about(['Subject: News'], [`Original-Envelope-Id: ${reference}`]))
    expect(await stopped(ctx)).toEqual(['ann@people.example'])
    // An automatic reply is accepted and ignored.
    expect((await post(['Subject: Away', 'Auto-Submitted: auto-replied', '', `In-Reply-To: ${reference}`])).status).toBe(204)
  })
})
