import { beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'

const inService = await createTestRuntime()
const inDevelopment = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })

const WEB = ['webhooks', 'address', {}] as const
const MAIL = ['smtp', 'host', { from: 'hello@city.example' }] as const
const ELSEWHERE = 'https://8.8.8.8/hook'

async function siteAdmin(runtime: typeof inService) {
  const site = await addSite(runtime, { slug: `s${createId().slice(-12)}` })
  return createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
}

describe('an address that the server would connect to', () => {
  let api: ReturnType<typeof createApiClient>
  beforeEach(async () => {
    api = await siteAdmin(inService)
  })
  const keep = (integration: string, settings: Record<string, unknown>) =>
    api.post('/installations', buildResourceDocument('installations', { integration, settings }))

  test.each([
    [...WEB, 'https://127.0.0.1/hook', 'not-public'],
    [...WEB, 'https://[::1]/hook', 'not-public'],
    [...WEB, 'https://[::ffff:10.0.0.7]/hook', 'not-public'],
    [...WEB, 'https://localhost/hook', 'not-public'],
    [...WEB, 'https://192.168.1.20/hook', 'not-public'],
    [...WEB, 'https://169.254.169.254/latest/meta-data', 'not-public'],
    [...WEB, 'https://name:password@8.8.8.8/hook', 'not-public'],
    [...WEB, 'https://8.8.8.8:5432/hook', 'not-public'],
    [...WEB, 'http://8.8.8.8/hook', 'not-encrypted'],
    [...MAIL, '127.0.0.1', 'not-public'],
    [...MAIL, 'localhost', 'not-public'],
    [...MAIL, '10.1.2.3', 'not-public'],
  ] as const)('of %s (%s) is refused on saving: %s %s', async (integration, name, more, value, code) => {
    const answer = await keep(integration, { ...more, [name]: value })
    expect(answer.status).toBe(422)
    expect(answer.body?.errors).toMatchObject([{ code, source: { pointer: `/data/attributes/settings/${name}` } }])
    expect((await api.get('/installations')).body?.data).toEqual([])
  })

  test('is also refused on update; a public address is saved', async () => {
    const made = await keep('webhooks', { address: ELSEWHERE })
    expect(made.status).toBe(201)
    const { id, meta } = (made.body?.data ?? {}) as { id: string; meta: { lockVersion: number } }
    const change = (address: string) =>
      api.patch(
        `/installations/${id}`,
        buildResourceDocument('installations', { settings: { address } }, { id, lockVersion: meta.lockVersion }),
      )
    expect((await change('https://10.0.0.7/hook')).codes).toEqual(['not-public'])
    expect((await change('https://8.8.4.4/hook')).status).toBe(200)
    expect((await keep('smtp', { host: '8.8.8.8', from: 'hello@city.example' })).status).toBe(201)
  })
})

test('development allows this machine, but no other private address', async () => {
  const api = await siteAdmin(inDevelopment)
  const keep = (address: string) =>
    api.post('/installations', buildResourceDocument('installations', { integration: 'webhooks', settings: { address } }))
  expect((await keep('http://10.0.0.7/hook')).codes).toEqual(['not-public'])
  expect((await keep('http://127.0.0.1:4399/hook')).status).toBe(201)
})
