import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { Language } from '#app/lib/languages.ts'
import { createRandom } from '#app/lib/random.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { reachDays, reachSteps, reachStepStates } from '#app/server/db/schema/reach.ts'
import { engagedDays } from '#app/server/db/schema/response-figures.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { type FiguresQuery, loadPlaceFigures } from './reach.figures.server.ts'
import { listDaysUntil } from './reach.days.server.ts'
import { listSpansBetween } from './reach-steps.server.ts'
import { sumUpSteps } from './sum-up-steps.server.ts'

const TODAY = '2026-11-20'
const PLACES = [createId(), createId(), createId()]
let runtime: TestRuntime
let site: Site

const load = (asked: Partial<FiguresQuery>) => {
  const ctx = createCtx(runtime, site)
  return ctx.db.read((tx) => loadPlaceFigures(ctx, tx, { kind: 'project', from: '2026-01-01', ...asked }))
}
const db = () => runtime.database.site(site.id)
const buildVisits = (day: string, placeId: string, language: Language, aware: number, informed: number) => ({
  siteId: site.id,
  kind: 'project',
  placeId,
  day,
  saltId: createId(),
  language,
  source: 'direct',
  campaign: '',
  aware,
  informed,
})
const countReadRows = async () =>
  (await db().read((tx) => tx.select().from(reachSteps).where(eq(reachSteps.step, 'month')))).filter(({ start }) => start === '2026-03-01')

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  const random = createRandom('reach of a year')
  const upTo = (most: number) => random.int(0, most)
  const visits: (typeof reachDays.$inferInsert)[] = []
  const engaged: (typeof engagedDays.$inferInsert)[] = []
  for (const day of listDaysUntil(TODAY, 330)) {
    for (const placeId of PLACES) {
      for (const language of ['en', 'cy'] as const) {
        if (random.chance(0.4)) visits.push(buildVisits(day, placeId, language, upTo(9), upTo(9)))
        if (random.chance(0.3)) engaged.push({ siteId: site.id, kind: 'project', placeId, day, language, web: upTo(12), other: upTo(2) })
      }
    }
  }
  await db().tx(async (tx) => {
    await tx.insert(reachDays).values(visits)
    await tx.insert(engagedDays).values(engaged)
  })
})

const PERIODS = [
  { from: '2026-01-01' },
  { from: '2026-01-29', until: '2026-11-02' },
  { from: '2026-02-10', until: '2026-02-12' },
  { from: '2026-02-01', until: '2026-02-28' },
  { from: '2026-01-05', until: '2026-02-01' },
]

/** Sums of single days, which is how the figures are defined. */
async function addUpDays(period: { from: string; until?: string }, step: 'week' | 'month') {
  const { totals, places, languages, days } = await load(period)
  const start = (day: string) =>
    step === 'month'
      ? `${day.slice(0, 8)}01`
      : new Date(Date.parse(`${day}T12:00:00Z`) - ((new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7) * 86_400_000)
          .toISOString()
          .slice(0, 10)
  const sums = new Map<string, number>()
  for (const [day, { engaged }] of days) sums.set(start(day), (sums.get(start(day)) ?? 0) + engaged)
  return { totals, places: new Map(places), languages: new Map(languages), sums }
}
async function expectSameAsDays() {
  for (const period of PERIODS) {
    for (const step of ['week', 'month'] as const) {
      const { days, totals, places, languages } = await load({ ...period, step })
      const sums = new Map([...days].map(([day, { engaged }]) => [day, engaged]))
      expect({ totals, places, languages, sums }).toEqual(await addUpDays(period, step))
    }
  }
}

test('weeks and months add up their days: before these are summed up, after that, and after a day changed', async () => {
  await expectSameAsDays()
  // 47 whole weeks and ten whole months since 26 December, and the parts of December's last ones.
  expect(await sumUpSteps(db(), TODAY)).toBe(47 + 11)
  expect(await sumUpSteps(db(), TODAY)).toBe(0)
  await expectSameAsDays()
  await db().tx((tx) => tx.insert(reachDays).values(buildVisits('2026-03-10', PLACES[0] ?? '', 'fr-CA', 4, 1)))
  await expectSameAsDays()
  await db().tx((tx) => tx.update(engagedDays).set({ web: 40 }).where(eq(engagedDays.day, '2026-05-03')))
  await db().tx((tx) => tx.delete(reachDays).where(eq(reachDays.day, '2026-07-31')))
  await expectSameAsDays()
  expect(await sumUpSteps(db(), TODAY)).toBe(6)
  await expectSameAsDays()
  // This week and month have not ended.
  expect(await db().read((tx) => tx.select().from(reachStepStates).where(eq(reachStepStates.isCurrent, false)))).toHaveLength(2)
})

test('whole steps are read from their sums, not from their days', async () => {
  await sumUpSteps(db(), TODAY)
  const before = await load({ step: 'month' })
  await db().tx((tx) => tx.execute(sql`update reach_steps set aware = aware + 1000 where step = 'month' and start = '2026-04-01'`))
  const added = (await db().read((tx) => tx.select().from(reachSteps).where(eq(reachSteps.step, 'month')))).filter(
    ({ start }) => start === '2026-04-01',
  )
  expect((await load({ step: 'month' })).totals.aware - before.totals.aware).toBe(1000 * added.length)
  await db().tx((tx) => tx.execute(sql`update reach_steps set aware = aware - 1000 where step = 'month' and start = '2026-04-01'`))
})

test('of a month that is not whole, whole weeks are read from their sums', async () => {
  await sumUpSteps(db(), TODAY)
  const read = () => load({ from: '2026-09-03', until: '2026-09-29', step: 'month' })
  const before = await read()
  const change = (by: number) =>
    db().tx((tx) =>
      tx.execute(
        sql`update reach_steps set aware = aware + ${by} where step = 'week' and start in ('2026-08-31', '2026-09-14', '2026-09-28')`,
      ),
    )
  await change(1000)
  const after = await read()
  await change(-1000)
  const added = (await db().read((tx) => tx.select().from(reachSteps).where(eq(reachSteps.start, '2026-09-14')))).length
  // The first of these weeks begins before the period, the last one ends after it.
  expect(after.totals.aware - before.totals.aware).toBe(1000 * added)
  expect([...after.days.keys()]).toEqual(['2026-09-01'])
})

test('a day that changes while its month is added up makes the sum outdated', async () => {
  await sumUpSteps(db(), TODAY)
  const march = await countReadRows()
  const change = (aware: number) => db().tx((tx) => tx.insert(reachDays).values(buildVisits('2026-03-15', PLACES[1] ?? '', 'en', aware, 0)))
  await change(1)
  const racing = Promise.all([sumUpSteps(db(), TODAY), ...[10, 100, 1000].map(change)])
  await racing
  await expectSameAsDays()
  await sumUpSteps(db(), TODAY)
  await expectSameAsDays()
  expect((await countReadRows()).reduce((sum, row) => sum + row.awareSeen, 0) - march.reduce((sum, row) => sum + row.awareSeen, 0)).toBe(
    1111,
  )
})

test.each([
  [[], [{ from: '2026-01-10', until: '2026-03-09' }]],
  [
    ['2026-02-01'],
    [
      { from: '2026-01-10', until: '2026-01-31' },
      { from: '2026-03-01', until: '2026-03-09' },
    ],
  ],
])('days outside %j are read alone', (starts, spans) => {
  expect(listSpansBetween(starts, 'month', { from: '2026-01-10', until: '2026-03-09' })).toEqual(spans)
})
