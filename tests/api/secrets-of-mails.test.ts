import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listOutbox, readOutboxMail } from '#app/features/accounts/outbox.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx, withViewer } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { siteFeatures } from '#app/server/db/schema/sites.ts'
import { getUnmaskedBodies } from '#app/server/mail/mask-secrets.ts'
import { queueMail } from '#app/server/mail/outbox.ts'
import { queueMessage } from '#app/features/sms/messages.server.ts'
import { formatShownBody } from '#app/features/sms/format-shown-body.server.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAccount, requireItem, requireItems, requireMailedToken, loadMailsTo } from '#tests/support/accounts.ts'
import { createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let siteAdmin: Person
let ctx: Ctx

const api = (person?: Person, at = site) => createApiClient(runtime, at, person?.token)
const user = (id: string) => ({ user: { type: 'users', id } })
/** An email as the outbox screen gets it. */
const shownTo = async (address: string) => {
  const mail = (await loadMailsTo(runtime, site.id, address)).at(-1)
  return JSON.stringify(await readOutboxMail(ctx, mail?.id ?? ''))
}

beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  site = await addSite(runtime, { slug: `s-${createId()}` })
  siteAdmin = await addPerson(runtime, site, { role: 'site_admin' })
  ctx = await withViewer(createCtx(runtime, site), siteAdmin.token)
})

describe('secrets in emails', () => {
  test('are masked for administrators from the start, in every account email', async () => {
    const ann = await addAccount(runtime, site, { email: 'ann@riverbend.example' })
    await api().post('/password-resets', buildResourceDocument('password-resets', { email: ann.email }))
    await api().post(
      '/users',
      buildResourceDocument('users', { login: 'New', email: 'new@riverbend.example', password: 'a-brand-new-password' }),
    )
    await api(siteAdmin).post(
      '/memberships',
      buildResourceDocument('memberships', { role: 'site_admin', email: 'invited@riverbend.example' }),
    )
    for (const [address, kind] of [
      [ann.email, 'reset-password'],
      ['new@riverbend.example', 'confirm-email'],
      ['invited@riverbend.example', 'invitation'],
    ] as const) {
      const token = await requireMailedToken(runtime, site.id, address, kind)
      const shown = await shownTo(address)
      expect(shown).toContain('?token=…')
      expect(shown).not.toContain(token)
      // The link in the real email still works.
      expect(token).toHaveLength(43)
    }
    expect(JSON.stringify(await listOutbox(ctx, { offset: 0, limit: 50 }))).not.toMatch(/[\w-]{43}/)
  })

  test('are masked in text and HTML whatever the email is about, but not in what is sent', async () => {
    const [token, leave, code] = ['k'.repeat(43), `${'p'.repeat(22)}.${'s'.repeat(43)}`, 'K7QM-2XVD-9PTC']
    await ctx.db.tx((tx) =>
      queueMail(ctx, tx, {
        kind: 'test',
        to: 'ann@riverbend.example',
        userId: null,
        language: 'en',
        secrets: [code],
        leaveUrl: `https://city.example/en/unfollow?token=${leave}`,
        content: {
          subject: 'Hello',
          paragraphs: [`Your code is ${code}.`],
          links: [{ label: 'Draft', href: `https://city.example/en/projects/a?preview=short&lng=en` }],
          action: { label: 'Answer', href: `https://city.example/en/projects/a/surveys/b?invitation=${token}&from=mail` },
          footer: 'City',
          leave: { label: 'Stop', href: `https://city.example/en/unfollow?token=${leave}` },
        },
      }),
    )
    const [mail] = await loadMailsTo(runtime, site.id, 'ann@riverbend.example')
    if (!mail) throw new Error('No mail was written')
    const shown = await shownTo('ann@riverbend.example')
    for (const secret of [token, leave, 'ssssssssss', code, 'preview=short']) {
      expect(shown).not.toContain(secret)
      expect(mail.bodyText + mail.bodyHtml).not.toContain(secret)
    }
    expect(mail.bodyText).toContain('https://city.example/en/projects/a/surveys/b?invitation=…&from=mail')
    const { text, html } = getUnmaskedBodies(mail)
    for (const body of [text, html]) for (const secret of [token, leave, code]) expect(body).toContain(secret)
  })

  test('codes in text messages are masked as well, unless the sandbox is the phone', async () => {
    const body = 'Your code is 482913.'
    expect(formatShownBody({ purpose: 'code', integration: null, body })).toBe('Your code is ••••••.')
    expect(formatShownBody({ purpose: 'code', integration: 'twilio', body })).toBe('Your code is ••••••.')
    expect(formatShownBody({ purpose: 'code', integration: 'sms-sandbox', body })).toBe(body)
    expect(formatShownBody({ purpose: 'campaign', integration: null, body: 'Call 482913' })).toBe('Call 482913')
    const id = await ctx.db.tx((tx) =>
      queueMessage(ctx, tx, { purpose: 'code', phone: '+15065550123', language: 'en', body, userId: null }),
    )
    await ctx.db.tx((tx) => tx.insert(siteFeatures).values({ siteId: site.id, name: 'marketplace_sms_integration', enabled: true }))
    expect((await api(siteAdmin).get(`/sms-messages/${id}`)).body).toMatchObject({ data: { attributes: { body: 'Your code is ••••••.' } } })
  })
})

test('opening an email is audited: who opened which, without its text and its recipient’s address', async () => {
  await api().post(
    '/users',
    buildResourceDocument('users', { login: 'New', email: 'new@riverbend.example', password: 'a-brand-new-password' }),
  )
  const [mail] = await loadMailsTo(runtime, site.id, 'new@riverbend.example')
  await listOutbox(ctx, { offset: 0, limit: 50 })
  await readOutboxMail(ctx, mail?.id ?? '')
  const opened = await ctx.db.tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.action, 'mails.read')))
  expect(opened).toMatchObject([
    { actorId: siteAdmin.id, subjectType: 'mails', subjectId: mail?.id, detail: { name: 'confirm-email', reader: mail?.userId } },
  ])
  expect(JSON.stringify(opened)).not.toMatch(/new@riverbend|Confirm your/)
  const participant = await addPerson(runtime, site)
  const stranger = await withViewer(createCtx(runtime, site), participant.token)
  await expect(readOutboxMail(stranger, mail?.id ?? '')).rejects.toMatchObject({ code: 'forbidden' })
})

describe('the link of an invitation', () => {
  let hubId: string
  let projectId: string
  let hubAdmin: Person
  let invited: string
  const link = (person: Person, id = invited) =>
    api(person).post('/invitation-links', buildResourceDocument('invitation-links', {}, { to: user(id) }))

  beforeEach(async () => {
    ;[hubId, projectId] = [createId(), createId()]
    await ctx.db.tx(async (tx) => {
      await tx.insert(hubs).values({ siteId: site.id, id: hubId, slug: 'roads', title: { en: 'Roads' } })
      await tx.insert(projects).values({ siteId: site.id, id: projectId, hubId, slug: 'bus', title: { en: 'Bus' } })
    })
    hubAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId })
    const role = buildResourceDocument('memberships', { role: 'site_admin', email: 'nia@riverbend.example' })
    await api(siteAdmin).post('/memberships', role)
    const found = requireItems(await api(siteAdmin).get('/users?filter[status]=invited'))
    invited = found[0]?.id ?? ''
  })

  test('can be handed over by those who may give the role if the site sends no email, works once, and is audited', async () => {
    const made = await link(siteAdmin)
    expect(made.status).toBe(201)
    const address = new URL(String(requireItem(made).attributes['address']))
    expect(address.pathname).toBe('/en/reset-password')
    const token = address.searchParams.get('token') ?? ''
    const choose = () =>
      api().post('/password-changes', buildResourceDocument('password-changes', { token, password: 'a-brand-new-password' }))
    expect((await choose()).status).toBe(201)
    expect((await choose()).codes).toEqual(['link-expired'])
    expect((await link(siteAdmin)).codes).toEqual(['conflict'])
    const trail = await ctx.db.tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.action, 'memberships.copy-invitation')))
    expect(trail).toMatchObject([{ actorId: siteAdmin.id, subjectId: invited }])
    expect(JSON.stringify(trail)).not.toContain(token)
  })

  test('is refused to those who may not give the role, and for people with a password or without a role', async () => {
    for (const person of [hubAdmin, await addPerson(runtime, site)]) expect([403, 404]).toContain((await link(person)).status)
    const ann = await addAccount(runtime, site, { role: 'site_admin' })
    expect((await link(siteAdmin, ann.id)).codes).toEqual(['conflict'])
    expect((await link(siteAdmin, (await addPerson(runtime, site)).id)).status).toBe(404)
  })

  test('is only in the email if the site sends email', async () => {
    await ctx.db.tx((tx) =>
      tx.insert(installations).values({ siteId: site.id, id: createId(), integration: 'smtp', settings: {}, enabledAt: new Date() }),
    )
    expect(await link(siteAdmin)).toMatchObject({ status: 409, codes: ['mail-goes-out'] })
  })
})
