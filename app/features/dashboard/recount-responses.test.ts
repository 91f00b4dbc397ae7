import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { loadSitesWithWork } from '#app/server/jobs/sites-with-work.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { checkFigures, recountResponses } from './recount-responses.server.ts'

/** 2 a.m. in Toronto, 7 a.m. in Cardiff. */
const NIGHT = new Date('2026-05-04T06:00:00Z')
let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NIGHT)
})
let place = 0
beforeEach(async () => {
  await runtime.database.global
    .update(sites)
    .set({ status: 'suspended' })
    .where(sql`status = 'active'`)
})
afterEach(() => vi.restoreAllMocks())

/** A site whose figures were last compared so many hours ago, in this or another time zone. */
async function addCountedSite(hoursAgo: number, zones: { timeZone?: string; countedIn?: string } = {}): Promise<string> {
  const { timeZone = 'America/Toronto', countedIn = timeZone } = zones
  const { id } = await addSite(runtime, { slug: `site-${++place}`, timeZone })
  const at = new Date(NIGHT.getTime() - hoursAgo * 3_600_000).toISOString()
  await runtime.database
    .site(id)
    .tx((tx) =>
      tx.execute(
        sql`insert into response_recounts (site_id, time_zone, changed_at, recounted_at) values (${id}, ${countedIn}, ${at}, ${at})`,
      ),
    )
  return id
}

async function readRecount(id: string): Promise<{ time_zone: string; at: number } | undefined> {
  const { rows } = await runtime.database.site(id).tx((tx) =>
    tx.execute<{ time_zone: string; at: number }>(sql`
      select time_zone, extract(epoch from recounted_at)::int as at from response_recounts where site_id = ${id}`),
  )
  return rows[0]
}
const isCompared = async (id: string) => (await readRecount(id))?.at === NIGHT.getTime() / 1000

test('sites that were never counted, or in another time zone, are counted', async () => {
  const fresh = await addSite(runtime, { slug: 'fresh' })
  const moved = await addCountedSite(20, { timeZone: 'America/Halifax', countedIn: 'America/Toronto' })
  const counted = await addCountedSite(20)
  expect((await loadSitesWithWork(runtime, 'recount-responses')).toSorted()).toEqual([fresh.id, moved].toSorted())
  await recountResponses(runtime)
  expect(await readRecount(fresh.id)).toMatchObject({ time_zone: 'America/Toronto' })
  expect(await readRecount(moved)).toMatchObject({ time_zone: 'America/Halifax' })
  expect(await isCompared(counted)).toBe(false)
  expect(await loadSitesWithWork(runtime, 'recount-responses')).toEqual([])
})

test('at night, every site that was compared 12 hours ago is compared again, the one that has waited longest first', async () => {
  const [second, first] = [await addCountedSite(12), await addCountedSite(30)]
  const others = [
    await addCountedSite(11.9),
    await addCountedSite(40, { timeZone: 'Europe/London' }),
    await addCountedSite(40, { countedIn: 'America/Halifax' }),
  ]
  expect(await loadSitesWithWork(runtime, 'check-figures')).toEqual([first, second])
  expect(await checkFigures(runtime)).toBe(0)
  expect(await Promise.all([first, second, ...others].map(isCompared))).toEqual([true, true, false, false, false])
  expect(await loadSitesWithWork(runtime, 'check-figures')).toEqual([])
})

test('counts of contributions are compared with reactions and replies, and put right', async () => {
  const id = await addCountedSite(13)
  const site = (await runtime.sites.loadActive()).find((one) => one.id === id)
  if (!site) throw new Error('The site is not there')
  const activity = await addActivity(runtime, site)
  const wrong = await addContribution(runtime, site, { activityId: activity.id, number: 1, supports: 7, repliesCount: 2 })
  await addContribution(runtime, site, { activityId: activity.id, number: 2 })
  const logged = vi.spyOn(runtime.log, 'error').mockReturnValue(undefined)
  expect(await checkFigures(runtime)).toBe(1)
  expect(logged).toHaveBeenCalledWith('counts of contributions differed from reactions and replies', {
    siteId: id,
    differing: 1,
    contributions: [wrong.id],
  })
  const rows = await runtime.database.site(id).tx((tx) => tx.select().from(contributions))
  expect(rows.map(({ supports, repliesCount }) => [supports, repliesCount])).toEqual([
    [0, 0],
    [0, 0],
  ])
})

test('a run begins no other site after half a minute, and the next one goes on', async () => {
  const [second, first] = [await addCountedSite(13), await addCountedSite(14)]
  let elapsed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => elapsed)
  const slow: Runtime = {
    ...runtime,
    now: () => {
      elapsed += 31_000
      return NIGHT
    },
  }
  await checkFigures(slow)
  expect([await isCompared(first), await isCompared(second)]).toEqual([true, false])
  await checkFigures(slow)
  expect(await isCompared(second)).toBe(true)
})

test('a site that fails does not keep the others from being compared', async () => {
  const [second, first] = [await addCountedSite(13), await addCountedSite(14)]
  const broken: Runtime = { ...runtime, database: { ...runtime.database, site: (id) => runtime.database.site(id === first ? 'none' : id) } }
  await expect(checkFigures(broken)).rejects.toThrow('A site handle needs a site id')
  expect([await isCompared(first), await isCompared(second)]).toEqual([false, true])
})
