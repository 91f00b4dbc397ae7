import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { TEST_SECRET } from '#tests/support/cluster.ts'
import { type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { buildAppUrl, getAppRole } from '../connection-string.ts'
import { openDatabase } from '../db/client.ts'
import { jobTurns } from '../db/schema/jobs.ts'
import { type Job, startJobs } from './run-jobs.ts'

let runtime: TestRuntime
const running: { stop: () => Promise<void> }[] = []
beforeAll(async () => {
  runtime = await createTestRuntime()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((jobs) => jobs.stop()))
})
const start = (...jobs: Job[]) => {
  const started = startJobs(runtime, jobs)
  running.push(started)
  return started
}

describe('jobs', () => {
  test('run as the application’s own role, one run at a time across all processes', async () => {
    let turns = 0
    const job = { name: 'counted', everySeconds: 10, run: async () => (turns += 1) }
    start(job)
    start(job)
    start(job)
    await expect.poll(() => turns, { timeout: 15_000 }).toBe(1)
    await wait(2500)
    expect(turns).toBe(1)
  })

  test('that fail are logged, do not affect others and run again', async () => {
    let tries = 0
    let done = 0
    start(
      {
        name: 'failing',
        everySeconds: 1,
        run: () => {
          tries += 1
          return Promise.reject(new Error('the printer is on fire'))
        },
      },
      { name: 'steady', everySeconds: 1, run: async () => (done += 1) },
    )
    await expect.poll(() => tries, { timeout: 15_000 }).toBeGreaterThan(1)
    await expect.poll(() => done, { timeout: 15_000 }).toBeGreaterThan(1)
    expect(
      runtime.logged.filter((line) => line.includes('job failing failed') && line.includes('the printer is on fire')).length,
    ).toBeGreaterThan(0)
    const noted = async () =>
      Object.fromEntries(
        (await runtime.database.global.select().from(jobTurns)).map(({ name, failures, doneAt }) => [
          name,
          [failures > 1, doneAt !== null],
        ]),
      )
    await expect.poll(noted).toMatchObject({ failing: [true, false], steady: [false, true] })
  })

  test('that are running when the process stops are finished', async () => {
    let state = 'waiting'
    const jobs = start({
      name: 'slow',
      everySeconds: 5,
      run: async () => {
        state = 'running'
        await wait(1000)
        state = 'finished'
      },
    })
    await expect.poll(() => state, { timeout: 15_000 }).toBe('running')
    await jobs.stop()
    expect(state).toBe('finished')
  })

  test('run no more often than their interval, however many processes there are', async () => {
    const begun: number[] = []
    const job = { name: 'frequent', everySeconds: 2, run: async () => void begun.push(performance.now()) }
    start(job)
    start(job)
    start(job)
    await expect.poll(() => begun.length, { timeout: 20_000 }).toBeGreaterThan(2)
    // The database's clock decides, so a run may begin a little later than it was due.
    for (const [index, at] of begun.slice(1).entries()) expect(at - (begun[index] ?? 0)).toBeGreaterThan(1500)
  })

  test('that take longer than their interval do not start again in the same process', async () => {
    let [begun, most, now] = [0, 0, 0]
    start({
      name: 'long',
      everySeconds: 1,
      run: async () => {
        begun += 1
        most = Math.max(most, (now += 1))
        await wait(2500)
        now -= 1
      },
    })
    await expect.poll(() => begun, { timeout: 20_000 }).toBeGreaterThan(1)
    expect(most).toBe(1)
  })

  test('whose process died run again at their next interval', async () => {
    const url = buildAppUrl(runtime.ownerUrl, TEST_SECRET, getAppRole('template_parley'))
    const dying = { ...runtime, database: openDatabase(url, { max: 4 }) }
    let turns = 0
    const job = { name: 'orphaned', everySeconds: 1, run: async () => void (turns += 1) }
    await new Promise<void>((resolve) => {
      startJobs(dying, [{ ...job, run: () => new Promise(() => resolve()) }])
    })
    // From now on it can neither finish its run nor say that it is alive.
    dying.database.pool.leave()
    start(job)
    await expect.poll(() => turns, { timeout: 15_000 }).toBeGreaterThan(0)
  })

  test('go on after a crash of the database, which empties the table of turns, also one that was running meanwhile', async () => {
    let [quick, slow] = [0, 0]
    let finish = () => {}
    start(
      { name: 'quick', everySeconds: 1, run: async () => void (quick += 1) },
      { name: 'slow', everySeconds: 1, run: () => new Promise<void>((done) => ((slow += 1), (finish = done))) },
    )
    await expect.poll(() => [quick > 0, slow]).toEqual([true, 1])
    await runtime.database.global.delete(jobTurns)
    const before = quick
    await expect.poll(() => quick).toBeGreaterThan(before)
    // As it ends, it is recorded in a row that says nothing of when it is due.
    await runtime.database.global.delete(jobTurns)
    finish()
    await expect.poll(() => slow).toBe(2)
    finish()
  })

  test('that are due all at once after a long stop begin a few at a time', async () => {
    const begun: number[] = []
    const jobs = Array.from({ length: 12 }, (_, index) => ({
      name: `due-${index}`,
      everySeconds: 3600,
      run: async () => void begun.push(performance.now()),
    }))
    start(...jobs)
    await expect.poll(() => begun.length, { timeout: 20_000 }).toBe(12)
    const [first = 0] = begun
    expect(begun.filter((at) => at - first < 500)).toHaveLength(8)
  })
})
