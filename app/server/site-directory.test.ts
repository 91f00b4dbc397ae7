import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { sites } from './db/schema/sites.ts'
import { type Site, SiteDirectory } from './site-directory.ts'

let runtime: TestRuntime
let site: Site
beforeEach(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: `s${crypto.randomUUID()}` })
})

/** Keeps all connections busy until it is called. */
async function holdConnections(): Promise<() => Promise<unknown>> {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const holding = Array.from({ length: 20 }, () => runtime.database.global.transaction(() => held))
  await wait(100)
  return () => {
    release()
    return Promise.all(holding)
  }
}

test('a site that was found a second ago is found at once, while others hold all connections to the database', async () => {
  const directory = new SiteDirectory(runtime.database)
  await directory.find(site.host)
  const release = await holdConnections()
  await wait(1000)
  const askedAt = performance.now()
  const found = await directory.find(site.host)
  const took = performance.now() - askedAt
  await release()
  expect(found?.id).toBe(site.id)
  expect(took).toBeLessThan(100)
})

test('what changed is read anew, once somebody says that it changed or a second later', async () => {
  const directory = new SiteDirectory(runtime.database)
  const rename = (name: string) => runtime.database.global.update(sites).set({ name })
  await directory.find(site.host)
  await rename('First')
  directory.forget(site.id)
  expect((await directory.find(site.host))?.name).toBe('First')
  await rename('Second')
  await wait(1000)
  await directory.find(site.host)
  await expect.poll(async () => (await directory.find(site.host))?.name).toBe('Second')
  await rename('Third')
  await wait(2000)
  expect((await directory.find(site.host))?.name).toBe('Third')
})

test('a site that was closed stays closed when the database goes away, although nobody asked for it since', async () => {
  const open = await addSite(runtime, { slug: `s${crypto.randomUUID()}` })
  const directory = new SiteDirectory(runtime.database)
  await Promise.all([directory.find(site.host), directory.find(open.host)])
  await runtime.database.global.update(sites).set({ status: 'suspended' }).where(eq(sites.id, site.id))
  await directory.rereadAll()
  await wait(1000)
  runtime.database.pool.leave()
  try {
    expect(await directory.find(site.host)).toBeUndefined()
    expect((await directory.find(open.host))?.id).toBe(open.id)
  } finally {
    runtime.database.pool.comeBack()
  }
})
