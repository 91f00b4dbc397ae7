import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { createCtx, type Ctx } from '../context.ts'
import { rateLimits } from '../db/schema/limits.ts'
import type { Site } from '../site-directory.ts'
import { forgetGuesses, type GuessLimit, limitGuesses, limitGuessesByAddress, limitGuessesOf } from './guesses.ts'

let runtime: TestRuntime
let site: Site
const noon = new Date('2026-03-02T12:00:00Z').getTime()
const pass = (seconds: number) => runtime.setNow(new Date(runtime.now().getTime() + seconds * 1000))
const at = (address: string | null = '192.0.2.7'): Ctx => createCtx(runtime, site, { address })

/** @returns `right`, `wrong`, or how many seconds to wait */
async function guess(ctx: Ctx, limits: readonly GuessLimit[], isRight = false): Promise<'right' | 'wrong' | number> {
  try {
    return await limitGuesses(ctx, limits, async () => {
      if (!isRight) throw new AppError('wrong-credentials')
      return Promise.resolve('right' as const)
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.code === 'too-many-requests' ? Number(error.meta?.['retryAfter']) : 'wrong'
  }
}

/** Guesses as often as it is let, for an hour. @returns how many guesses were made */
async function attackForAnHour(next: () => { ctx: Ctx; limits: readonly GuessLimit[] }): Promise<number> {
  const end = runtime.now().getTime() + 3_600_000
  let made = 0
  while (runtime.now().getTime() < end) {
    const { ctx, limits } = next()
    const outcome = await guess(ctx, limits)
    if (typeof outcome === 'number') pass(outcome)
    else made += 1
  }
  return made
}

const one = (of: string, more: Partial<GuessLimit> = {}): GuessLimit[] => [{ name: 'guess', of, free: 3, minutes: 60, ...more }]

beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  runtime.setNow(new Date(noon))
  site = await addSite(runtime, { slug: `site-${createId()}` })
})

describe('guessing', () => {
  test('costs nothing at first, then a wait that doubles with each wrong guess', async () => {
    const waits = []
    for (let i = 0; i < 8; i++) {
      expect(await guess(at(), one('ann'))).toBe('wrong')
      const wait = await guess(at(), one('ann'), true)
      if (wait === 'right') continue
      waits.push(wait)
      pass(Number(wait))
    }
    expect(waits).toEqual([1, 2, 4, 8, 16])
  })

  test('is refused with the time to wait, in seconds below a minute', async () => {
    for (let i = 0; i < 4; i++) await guess(at(), one('ann'))
    await expect(limitGuesses(at(), one('ann'), () => Promise.resolve())).rejects.toMatchObject({
      status: 429,
      faults: [{ code: 'too-many-requests', values: { minutes: 1, seconds: 1 } }],
      meta: { retryAfter: 1 },
    })
  })

  test('does not punish persistence: what comes too early does not count', async () => {
    for (let i = 0; i < 4; i++) await guess(at(), one('ann'))
    for (let i = 0; i < 30; i++) expect(await guess(at(), one('ann'))).toBe(1)
    pass(1)
    expect(await guess(at(), one('ann'), true)).toBe('right')
  })

  test('that is right counts nothing, however often', async () => {
    for (let i = 0; i < 20; i++) expect(await guess(at(), one('ann'), true)).toBe('right')
    for (let i = 0; i < 3; i++) expect(await guess(at(), one('ann'))).toBe('wrong')
    expect(await guess(at(), one('ann'), true)).toBe('right')
  })

  test('that is right gives back its own count and nobody else’s', async () => {
    for (let i = 0; i < 4; i++) await guess(at(), one('ann'))
    pass(1)
    expect(await guess(at(), one('ann'), true)).toBe('right')
    expect(await guess(at(), one('ann'))).toBe('wrong')
    expect(await guess(at(), one('ann'))).toBe(2)
  })

  test('that an outage ended counts nothing', async () => {
    const failing = () => limitGuesses(at(), one('ann'), () => Promise.reject(new AppError('unavailable')))
    for (let i = 0; i < 10; i++) await expect(failing()).rejects.toMatchObject({ code: 'unavailable' })
    expect(await guess(at(), one('ann'), true)).toBe('right')
  })

  test('at the same time does not outrun the limit', async () => {
    const made = await Promise.all(Array.from({ length: 30 }, () => guess(at(), one('ann'))))
    expect(made.filter((outcome) => outcome === 'wrong')).toHaveLength(4)
  })

  test('counts against no limit if one of them refuses', async () => {
    for (let i = 0; i < 4; i++) await guess(at(), one('ann'))
    for (let i = 0; i < 10; i++) expect(await guess(at(), [...one('bob'), ...one('ann')])).toBe(1)
    const other = await addSite(runtime, { slug: `site-${createId()}` })
    for (let i = 0; i < 10; i++) expect(await guess(at(), [...one('bob', { siteId: other.id }), ...one('ann')])).toBe(1)
    for (let i = 0; i < 3; i++) expect(await guess(at(), one('bob'))).toBe('wrong')
    for (let i = 0; i < 3; i++) expect(await guess(at(), one('bob', { siteId: other.id }))).toBe('wrong')
    expect(await guess(at(), one('bob'), true)).toBe('right')
    expect(await guess(at(), one('bob', { siteId: other.id }), true)).toBe('right')
  })

  test('is forgotten with time, and by proof', async () => {
    for (let i = 0; i < 9; i++) await guess(at(), one('ann')).then((wait) => typeof wait === 'number' && pass(wait))
    pass(2 * 3600)
    for (let i = 0; i < 3; i++) expect(await guess(at(), one('ann'))).toBe('wrong')
    await guess(at(), one('ann'))
    expect(await guess(at(), one('ann'))).toBe(1)
    await forgetGuesses(at(), one('ann'))
    expect(await guess(at(), one('ann'), true)).toBe('right')
  })

  test('stores only a keyed hash of what is counted', async () => {
    await guess(at(), [
      ...limitGuessesOf(at(), { name: 'sign-in', of: 'ann@riverbend.example' }),
      ...limitGuessesByAddress(at(), 'sign-in'),
    ])
    const rows = await at().db.tx((tx) => tx.select().from(rateLimits))
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows)).not.toMatch(/riverbend|192\.0\.2\.7/)
  })
})

describe('what belongs to one account', () => {
  const limits = (ctx: Ctx, of = 'ann') => [...limitGuessesOf(ctx, { name: 'sign-in', of }), ...limitGuessesByAddress(ctx, 'sign-in')]

  test('is guessed less than thirty times an hour from one network', async () => {
    expect(await attackForAnHour(() => ({ ctx: at(), limits: limits(at()) }))).toBeLessThan(30)
  })

  test('is guessed less than fifty times an hour from many networks', async () => {
    let turn = 0
    const next = () => {
      const ctx = at(`198.51.100.${++turn % 250}`)
      return { ctx, limits: limits(ctx) }
    }
    expect(await attackForAnHour(next)).toBeLessThan(50)
  })

  test('is open to its holder elsewhere while one network guesses, and there after a short wait', async () => {
    const stranger = at('203.0.113.9')
    for (let i = 0; i < 10;) {
      const outcome = await guess(stranger, limits(stranger))
      if (typeof outcome === 'number') pass(outcome)
      else i += 1
    }
    expect(await guess(at(), limits(at()), true)).toBe('right')
    const wait = await guess(stranger, limits(stranger), true)
    expect(wait).toBeLessThanOrEqual(20)
    pass(Number(wait))
    expect(await guess(stranger, limits(stranger), true)).toBe('right')
  })
})

test('one network guesses less than 250 times an hour over many accounts, and right answers of an office do not count', async () => {
  const limits = (of: string) => [...limitGuessesOf(at(), { name: 'sign-in', of }), ...limitGuessesByAddress(at(), 'sign-in')]
  for (let i = 0; i < 300; i++) expect(await guess(at(), limits(`person-${i}`), true)).toBe('right')
  let turn = 0
  expect(await attackForAnHour(() => ({ ctx: at(), limits: limits(`account-${++turn}`) }))).toBeLessThan(250)
})

test('without a network address there is no limit by address', () => {
  expect(limitGuessesByAddress(at(null), 'sign-in')).toEqual([])
})
