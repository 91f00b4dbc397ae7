import { sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { createCtx, type Ctx } from '../context.ts'
import { rateLimits } from '../db/schema/limits.ts'
import type { Site } from '../site-directory.ts'
import { limitByAddress, countAttempt, toNetwork, sweepLimits, takeBackAttempt } from './limits.ts'

let runtime: TestRuntime
let site: Site
let ctx: Ctx
const noon = new Date('2026-03-02T12:00:00Z')
const later = (minutes: number) => runtime.setNow(new Date(noon.getTime() + minutes * 60_000))
const guesses = (of: string) => [{ name: 'guess', of, most: 3, minutes: 15 }]
const tooMany = expect.objectContaining({ code: 'too-many-requests' }) as Error

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
})
beforeEach(() => {
  runtime.setNow(noon)
  ctx = createCtx(runtime, site, { address: '192.0.2.7' })
})

describe('a limit', () => {
  test('lets its quota through and then says how long to wait', async () => {
    for (let i = 0; i < 3; i++) await countAttempt(ctx, guesses('ann'))
    await expect(countAttempt(ctx, guesses('ann'))).rejects.toMatchObject({
      status: 429,
      faults: [{ code: 'too-many-requests', values: { minutes: 15 } }],
      meta: { retryAfter: 900 },
    })
    await countAttempt(ctx, guesses('bob'))
  })

  test('slides: right after a window most attempts still count, later they do not', async () => {
    for (let i = 0; i < 3; i++) await countAttempt(ctx, guesses('slide'))
    later(16)
    await expect(countAttempt(ctx, guesses('slide'))).rejects.toEqual(tooMany)
    later(29)
    await countAttempt(ctx, guesses('slide'))
  })

  test('does not punish persistence: somebody who kept trying waits no longer than others', async () => {
    for (let i = 0; i < 40; i++) await countAttempt(ctx, guesses('siege')).catch(() => {})
    later(29)
    await expect(countAttempt(ctx, guesses('siege'))).resolves.toBeUndefined()
  })

  test('holds against concurrent attempts', async () => {
    const done = await Promise.allSettled(Array.from({ length: 8 }, () => countAttempt(ctx, guesses('burst'))))
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  })

  test('counts even if the surrounding work is rolled back', async () => {
    const attempt = () =>
      ctx.db.tx(async () => {
        await countAttempt(ctx, guesses('rolled-back'))
        throw new Error('refused')
      })
    for (let i = 0; i < 3; i++) await expect(attempt()).rejects.toThrow('refused')
    await expect(attempt()).rejects.toEqual(tooMany)
  })

  test('gives a legitimate attempt back, and never more than was taken', async () => {
    for (let i = 0; i < 12; i++) {
      await countAttempt(ctx, guesses('rightful'))
      await takeBackAttempt(ctx, guesses('rightful'))
      await takeBackAttempt(ctx, guesses('rightful'))
    }
    for (let i = 0; i < 3; i++) await countAttempt(ctx, guesses('rightful'))
    await expect(countAttempt(ctx, guesses('rightful'))).rejects.toEqual(tooMany)
  })

  test('is separate for each site', async () => {
    const other = createCtx(runtime, await addSite(runtime, { slug: `site-${createId()}` }))
    for (let i = 0; i < 3; i++) await countAttempt(ctx, guesses('both'))
    await expect(countAttempt(other, guesses('both'))).resolves.toBeUndefined()
  })
})

test('only a keyed hash of what is counted is stored', async () => {
  await countAttempt(ctx, [...guesses('ann@riverbend.example'), ...limitByAddress(ctx, { name: 'guess', most: 50, minutes: 15 })])
  const rows = await ctx.db.tx((tx) => tx.select().from(rateLimits))
  expect(rows.length).toBeGreaterThan(1)
  expect(JSON.stringify(rows)).not.toMatch(/riverbend|192\.0\.2\.7/)
})

test('without a network address there is no limit by address', () => {
  expect(limitByAddress(createCtx(runtime, site), { name: 'guess', most: 1, minutes: 1 })).toEqual([])
})

test('all addresses of one IPv6 connection count as one', () => {
  expect(toNetwork('2001:db8:1:2:aaaa:bbbb:cccc:dddd')).toBe(toNetwork('2001:0DB8:0001:0002::1'))
  expect(toNetwork('2001:db8:1:3::1')).not.toBe(toNetwork('2001:db8:1:2::1'))
  expect(toNetwork('::1')).toBe('0:0:0:0::/64')
  expect(toNetwork('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  expect(toNetwork('::ffff:192.0.2.7')).toBe('192.0.2.7')
  expect(toNetwork('192.0.2.7')).toBe('192.0.2.7')
})

test('sweeps old counts and keeps those still in use', async () => {
  await countAttempt(ctx, guesses('old'))
  later(3 * 24 * 60)
  await countAttempt(ctx, guesses('new'))
  await ctx.db.tx((tx) => sweepLimits(tx, site.id, runtime.now()))
  const { rows } = await ctx.db.tx((tx) => tx.execute<{ n: number }>(sql`select count(*)::int as n from rate_limits`))
  expect(rows).toEqual([{ n: 1 }])
})
