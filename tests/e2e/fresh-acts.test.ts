import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FreshAction } from '#app/features/permissions/permissions.schema.ts'
import { authenticatorApps, sessions, users } from '#app/server/db/schema/accounts.ts'
import { siteDeletions, siteFeatures } from '#app/server/db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { createId } from '#app/lib/uuid.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { addSite } from '#tests/support/database.ts'
import { listServerFunctions } from '#tests/support/every-endpoint.ts'
import { useSharedProduct } from '#tests/support/own-product.ts'
import { sendRequest } from '#tests/support/send-request.ts'

/**
 * What needs a fresh sign-in, by the transports of pages: forms, server functions and files. `tests/api/fresh-acts.test.ts` goes through all
 * actions by the API.
 */
const { db, product } = useSharedProduct()
const site = await addSite(db.runtime)
const leaving = await addSite(db.runtime, { slug: 'leaving' })
const inSite = db.database.site(site.id)
await inSite.tx((tx) => tx.insert(siteFeatures).values({ siteId: site.id, name: 'marketplace_sms_integration', enabled: true }))

let admin: Account
let platform: Account

/** Another process wrote it, of which the product hears within a second: waits until it has. */
async function setConfirmed(person: Account, minutes: number): Promise<void> {
  const siteId = person === platform ? PLATFORM_SITE_ID : site.id
  const confirmedAt = new Date(Date.now() - minutes * 60_000)
  await db.database.site(siteId).tx((tx) =>
    tx
      .update(sessions)
      .set({ confirmedAt })
      .where(and(eq(sessions.siteId, siteId), eq(sessions.userId, person.id))),
  )
  await expect.poll(async () => (await send(person, '/admin/audit.csv?reason=A+test')).status).toBe(minutes < 15 ? 200 : 303)
}

function send(
  person: Account,
  path: string,
  sent?: { body: string; type: string; more?: Record<string, string> },
  more: Record<string, string> = {},
) {
  const host = `${site.host}:${product.port}`
  const headers = {
    host,
    cookie: `token=${person.token}`,
    ...more,
    ...(sent && { origin: `http://${host}`, 'content-type': sent.type, 'content-length': Buffer.byteLength(sent.body), ...sent.more }),
  }
  return sendRequest(product.port, path, headers, sent ? 'POST' : 'GET', sent?.body)
}

const sendForm = (path: string, fields: Record<string, string>) =>
  send(admin, path, { body: new URLSearchParams(fields).toString(), type: 'application/x-www-form-urlencoded' })

/** The payload of a call without data, as the framework's client serialises it. */
const EMPTY_CALL = JSON.stringify({ t: { t: 10, i: 0, p: { k: [], v: [] }, o: 0 }, f: 127, m: [] })

const readApps = () => inSite.tx((tx) => tx.select().from(authenticatorApps).where(eq(authenticatorApps.userId, admin.id)))

beforeAll(async () => {
  admin = await addAccount(db.runtime, site, { role: 'site_admin' })
  platform = await addAccount(db.runtime, site, { role: 'platform_admin' })
})

test.each<[string, Record<string, string>]>([
  ['/account/two-step', { form: 'remove-app' }],
  ['/account/two-step', { form: 'renew-codes' }],
  ['/account/two-step', { form: 'remove-passkey', passkey: createId() }],
  ['/account/two-step/app', { setup: 'a sealed key', code: '123456' }],
  ['/account/two-step/passkey', { name: 'Laptop', passkey: '{"id":"a"}' }],
])('the form of %s refuses an old session and changes nothing: %j', async (path, fields) => {
  const siteId = site.id
  await inSite.tx(async (tx) => {
    await tx.delete(authenticatorApps)
    if (fields['form'])
      await tx
        .insert(authenticatorApps)
        .values({ siteId, id: createId(), userId: admin.id, sealedKey: 'sealed', lastUsedStep: 0, createdAt: new Date() })
  })
  const before = await readApps()
  await setConfirmed(admin, 16)
  expect((await sendForm(path, fields)).status).toBe(403)
  expect(await readApps()).toEqual(before)
  await setConfirmed(admin, 0)
  // Refused for what it says, if at all.
  expect((await sendForm(path, fields)).status).not.toBe(403)
  await inSite.tx((tx) => tx.delete(authenticatorApps))
  await inSite.tx((tx) => tx.update(users).set({ secondStepSince: null }).where(eq(users.id, admin.id)))
})

test('the server function that prepares a passkey refuses an old session', async () => {
  const { id } = listServerFunctions().find(({ name }) => name === 'startPasskeySetup') ?? { id: 'none' }
  const call = () => send(admin, `/_serverFn/${id}`, { body: EMPTY_CALL, type: 'application/json', more: { 'x-tsr-serverfn': 'true' } })
  await setConfirmed(admin, 16)
  const refused = await call()
  expect(refused.text).toContain('fresh-sign-in-required')
  expect(refused.text).not.toContain('challenge')
  await setConfirmed(admin, 14)
  expect((await call()).text).toContain('challenge')
})

describe('a file', () => {
  const FILES: [FreshAction, string, () => Promise<string>][] = [
    ['participants.export', 'the list of people', async () => '/admin/people.csv?reason=A+test'],
    ['participants.export-one', 'everything about a person', async () => `/admin/people/${admin.id}/data.json?reason=A+test`],
    ['audit.export', 'the audit trail', async () => '/admin/audit.csv?reason=A+test'],
    ['consents.export', 'consents to email', async () => '/admin/mail-consents.csv?reason=A+test'],
    ['consents.export', 'consents to texts', async () => '/admin/sms-consents.csv?reason=A+test'],
    [
      'responses.export-personal',
      'answers with names',
      async () => {
        const project = await addProject(db.runtime, site)
        return `/admin/surveys/${(await addSurvey(db.runtime, site, { projectId: project.id })).id}/download/csv?personal=true&reason=A+test`
      },
    ],
    [
      'responses.export-personal',
      'contributions with names',
      async () => {
        const project = await addProject(db.runtime, site)
        return `/admin/contributions/activities/${(await addActivity(db.runtime, site, { projectId: project.id })).id}/download/csv?personal=true&reason=A+test`
      },
    ],
    [
      'sites.export',
      'the export of a site',
      async () => {
        const now = new Date()
        const later = new Date(now.getTime() + 864e5)
        await db.database.global.insert(siteDeletions).values({
          id: leaving.id,
          name: leaving.name,
          was: 'active',
          reason: 'It moved',
          askedBy: platform.id,
          askedByName: 'Gwen',
          askedAt: now,
          dueAt: later,
          exportState: 'done',
          exportPieces: 0,
          exportAttempt: createId(),
          exportExpiresAt: later,
        })
        return `/admin/sites/${leaving.id}/export?reason=A+test`
      },
    ],
  ]

  test.each(FILES)('%s: %s leads an old session to where it is confirmed, and is there for a fresh one', async (action, _, prepare) => {
    const person = action === 'sites.export' ? platform : admin
    const path = await prepare()
    await setConfirmed(person, 16)
    const refused = await send(person, path)
    expect([refused.status, refused.headers.location]).toEqual([303, `/account/confirm?next=${encodeURIComponent(path)}`])
    await setConfirmed(person, 14)
    expect((await send(person, path)).status).toBe(200)
    // A program is told that the reason is missing; a browser is led to where it is asked for.
    const bare = path.replace(/[?&]reason=A\+test/, '')
    expect((await send(person, bare)).status).toBe(422)
    const asked = await send(person, bare, undefined, { accept: 'text/html' })
    expect([asked.status, asked.headers.location]).toEqual([303, `/account/reason?next=${encodeURIComponent(bare)}`])
  })
})
