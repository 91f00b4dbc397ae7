import { and, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { installations, webhookDeliveries } from '#app/server/db/schema/marketplace.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { servePortal } from '#tests/support/portals/serve.ts'
import { deliverWebhooks } from './deliver-webhooks.server.ts'
import { recordEvents } from './webhook-events.server.ts'

const runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1' })
const START = new Date('2026-11-22T10:00:00Z')
let posts: string[] = []
/** Runs once, before the given number of posts is answered. */
let meanwhile: { posts: number; work: () => Promise<unknown> } | undefined
let answers = 204
const receiver = await servePortal((url, response) => {
  posts.push(url.pathname)
  const work = meanwhile?.posts === posts.length ? meanwhile.work : undefined
  if (work) meanwhile = undefined
  void Promise.resolve(work?.()).then(() => response.writeHead(answers).end())
})
let site: Site
let ctx: Ctx
let api: ReturnType<typeof createApiClient>
let installation: string

const one = (answer: ApiAnswer) => {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body?.data as { id: string; meta: { lockVersion: number } }
}
const change = async (attributes: Record<string, unknown>) => {
  const { meta } = one(await api.get(`/installations/${installation}`))
  const { id } = { id: installation }
  return one(
    await api.patch(`/installations/${id}`, buildResourceDocument('installations', attributes, { id, lockVersion: meta.lockVersion })),
  )
}

beforeEach(async () => {
  runtime.setNow(START)
  ;[posts, meanwhile, answers] = [[], undefined, 204]
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}` })
  ctx = createCtx(runtime, site)
  api = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
  const settings = { address: `${receiver.origin}/first` }
  installation = one(await api.post('/installations', buildResourceDocument('installations', { integration: 'webhooks', settings }))).id
  await change({ enabled: true })
})

const happen = (times: number) =>
  ctx.db.tx((tx) =>
    recordEvents(
      tx,
      site.id,
      'response.received',
      runtime.now(),
      Array.from({ length: times }, () => ({ subjectId: createId(), data: {} })),
    ),
  )
const ofInstallation = () => and(eq(installations.siteId, site.id), eq(installations.id, installation))
const setStatus = (status: 'active' | 'suspended') => runtime.database.global.update(sites).set({ status }).where(eq(sites.id, site.id))
const rows = () => ctx.db.tx((tx) => tx.select().from(webhookDeliveries).where(eq(webhookDeliveries.siteId, site.id)))
const waiting = async () => (await rows()).filter(({ status }) => status === 'waiting').length

const ENDS: readonly [string, () => Promise<unknown>, number][] = [
  ['were disabled', () => ctx.db.tx((tx) => tx.update(installations).set({ enabledAt: null }).where(ofInstallation())), 1],
  ['were taken off the site', () => ctx.db.tx((tx) => tx.delete(installations).where(ofInstallation())), 0],
  ['belong to a site that was suspended', () => setStatus('suspended'), 1],
]

describe('webhooks', () => {
  test.each(ENDS)('that %s after a failed first attempt are not retried', async (_why, happens, left) => {
    answers = 500
    await happen(1)
    await deliverWebhooks(runtime)
    expect(posts).toHaveLength(1)
    answers = 204
    await happens()
    runtime.setNow(new Date(START.getTime() + 3_600_000))
    await deliverWebhooks(runtime)
    expect(posts).toHaveLength(1)
    expect(await waiting()).toBe(left)
  })

  test.each(ENDS)('that %s during a run send nothing more in that run', async (_why, happens, left) => {
    await happen(5)
    runtime.setNow(new Date(START.getTime() + 1000))
    await happen(1)
    // Deliveries are posted in batches of five.
    meanwhile = { posts: 5, work: happens }
    await deliverWebhooks(runtime)
    expect(posts).toHaveLength(5)
    expect(await waiting()).toBe(left)
  })

  test('redirected during a run post the rest to the new address', async () => {
    await happen(5)
    runtime.setNow(new Date(START.getTime() + 1000))
    await happen(1)
    meanwhile = { posts: 5, work: () => change({ settings: { address: `${receiver.origin}/second` } }) }
    await deliverWebhooks(runtime)
    expect(posts.toSorted()).toEqual([...Array.from({ length: 5 }, () => '/first'), '/second'])
  })

  test('delivered by another process meanwhile keep that result', async () => {
    answers = 500
    await happen(1)
    const another = async () => {
      answers = 204
      runtime.setNow(new Date(START.getTime() + 3_600_000))
      await deliverWebhooks(runtime)
      answers = 500
    }
    meanwhile = { posts: 1, work: another }
    await deliverWebhooks(runtime)
    expect(posts).toHaveLength(2)
    expect(await rows()).toMatchObject([{ status: 'delivered', answered: 204, nextAttemptAt: null }])
  })
})
