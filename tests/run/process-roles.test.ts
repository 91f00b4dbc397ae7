import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ForeignPostgres, startForeignPostgres } from '#tests/support/foreign-postgres.ts'
import { runParley, type Settings, startProduct, temporaryFolder } from '#tests/support/product.ts'

const dir = temporaryFolder('process-roles')
let foreign: ForeignPostgres
let settings: Settings

beforeAll(async () => {
  foreign = await startForeignPostgres()
  await foreign.run('postgres', 'create database town')
  settings = {
    DATABASE_URL: foreign.url('town'),
    SECRET_KEY: 'a-key-of-the-tests-with-more-than-32-characters',
    LOG_LEVEL: 'warn',
    NO_DEMO: '1',
  }
}, 60_000)
afterAll(async () => {
  await foreign.stop()
  rmSync(dir, { recursive: true, force: true })
})

const countTurns = async () => (await foreign.run('town', 'select name from job_turns where done_at is not null')).length
const ask = async (origin: string, path: string) => (await fetch(origin + path)).status

test('one process serves the sites, another runs the jobs', async ({ onTestFinished }) => {
  const web = await startProduct({ ...settings, DATA_DIR: join(dir, 'web') }, {}, ['start', '--only', 'web'])
  onTestFinished(async () => void (await web.stop()))
  expect(await ask(web.origin, '/readyz')).toBe(200)
  // Some jobs run every second; a process that had them would have done so by now.
  await wait(5000)
  expect(await countTurns()).toBe(0)

  const jobs = await startProduct({ ...settings, DATA_DIR: join(dir, 'jobs') }, {}, ['start', '--only', 'jobs'])
  await expect.poll(countTurns, { timeout: 30_000 }).toBeGreaterThan(5)
  expect([await ask(jobs.origin, '/healthz'), await ask(jobs.origin, '/readyz'), await ask(jobs.origin, '/')]).toEqual([200, 200, 404])
  expect(jobs.output()).toContain('Parley runs its jobs here, and serves no sites.')
  expect(await jobs.stop()).toBe(0)
  expect(await ask(web.origin, '/readyz')).toBe(200)
})

test.each([
  [['--only'], 'After --only comes either web or jobs.'],
  [['--only', 'mails'], 'After --only comes either web or jobs.'],
  [['--jobs'], 'start knows --only web and --only jobs, but not --jobs.'],
])('start %j says what it knows', async (words, sentence) => {
  const refused = runParley(['start', ...words], { ...settings, DATA_DIR: join(dir, 'refused') })
  expect([await refused.ended, refused.complaint().trim()]).toEqual([1, sentence])
})

test('with a database of its own, one process does everything', async () => {
  const refused = runParley(['start', '--only', 'jobs'], { DATA_DIR: join(dir, 'alone'), NO_DEMO: '1' })
  expect(await refused.ended).toBe(1)
  expect(refused.complaint()).toContain('name it in DATABASE_URL')
})
