import { eq } from 'drizzle-orm'
import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { JOBS } from '#app/root/jobs.ts'
import { identityProviders } from '#app/server/db/schema/identity.ts'
import { loadMailsTo, addAccount } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { createSamlKeys } from '#tests/support/saml-provider.ts'

const DAY_MS = 86_400_000

test('administrators are told 30, 14 and 3 days before the last certificate of an active provider ends, each time once', async () => {
  const runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
  const site = await addSite(runtime)
  const [ana, bob] = [await addAccount(runtime, site, { role: 'site_admin' }), await addAccount(runtime, site, { role: 'site_admin' })]
  const hubAdmin = await addAccount(runtime, site, { role: 'hub_admin' })
  const { certificate } = createSamlKeys()
  const end = Date.parse(new X509Certificate(certificate).validTo)
  const made = await createApiClient(runtime, site, ana.token).post(
    '/identity-providers',
    buildResourceDocument('identity-providers', {
      name: 'Council account',
      protocol: 'saml',
      issuer: 'https://council.example/saml',
      ssoUrl: 'https://127.0.0.1/sso',
      certificates: [certificate],
    }),
  )
  const provider = made.body?.data as { id: string; attributes: { certificatesEndAt: string } }
  expect([made.status, Date.parse(provider.attributes.certificatesEndAt)]).toEqual([201, end])
  const setState = (state: 'draft' | 'active' | 'suspended') =>
    runtime.database.site(site.id).tx((tx) => tx.update(identityProviders).set({ state }).where(eq(identityProviders.id, provider.id)))
  const job = JOBS.find(({ name }) => name === 'remind-of-certificates')
  const loadReminders = async ({ email }: { email: string }) =>
    (await loadMailsTo(runtime, site.id, email)).filter(({ kind }) => kind === 'certificate-ends')
  const countMails = async (daysBefore: number) => {
    runtime.setNow(new Date(end - daysBefore * DAY_MS))
    // Two processes run it at the same moment.
    await Promise.all([1, 2].map(async () => job?.run(runtime, AbortSignal.timeout(60_000))))
    return Promise.all([ana, bob, hubAdmin].map(async (person) => (await loadReminders(person)).length))
  }
  expect(await countMails(20), 'a draft').toEqual([0, 0, 0])
  await setState('active')
  expect(await countMails(30.1)).toEqual([0, 0, 0])
  expect(await countMails(29.9)).toEqual([1, 1, 0])
  expect(await countMails(15)).toEqual([1, 1, 0])
  expect(await countMails(14)).toEqual([2, 2, 0])
  expect(await countMails(2)).toEqual([3, 3, 0])
  expect(await countMails(-1)).toEqual([3, 3, 0])
  const [mail] = await loadReminders(ana)
  expect(mail?.subject).toContain('Council account')
  expect(mail?.bodyText).toContain(`/admin/sign-in/${provider.id}`)
})
