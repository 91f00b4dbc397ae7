import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readReport } from '#app/features/reports/report.server.ts'
import { buildExportPath, requestExport } from '#app/features/surveys/export/exports.server.ts'
import { makeExports } from '#app/features/surveys/export/make-exports.server.ts'
import { createId } from '#app/lib/uuid.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import { buildAppUrl, deriveAppPassword } from '#app/server/connection-string.ts'
import { createCtx, withTx } from '#app/server/context.ts'
import { type Database, openDatabase, REQUEST_LIMITS } from '#app/server/db/client.ts'
import { migrateDatabase } from '#app/server/db/migrate.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveyExports } from '#app/server/db/schema/results.ts'
import { readEnv } from '#app/server/env.ts'
import { createLogger } from '#app/server/log.ts'
import { readFromStandby } from '#app/server/read-from-standby.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { type Site, SiteDirectory } from '#app/server/site-directory.ts'
import { addPerson, addSurvey } from '#tests/factories/surveys.ts'
import { addSite } from '#tests/support/database.ts'
import { type ForeignPostgres, startForeignPostgres } from '#tests/support/foreign-postgres.ts'
import { freePort, runParley, startProduct } from '#tests/support/product.ts'
import { callApi, signInForToken } from '#tests/support/remote-api.ts'

const SECRET = 'a-key-of-the-tests-with-more-than-32-characters'
/** A frozen server may hold a request this long, and the machine is busy. */
const SOON_MS = 10_000
const dir = mkdtempSync(join(tmpdir(), 'parley-reading-'))
const logged: string[] = []
let primary: ForeignPostgres
let copy: ForeignPostgres
let runtime: Runtime
let site: Site
let admin: SignedInViewer
let survey: { id: string; projectId: string }
/** How often a handle on the standby was asked for. */
let asked = 0

const countHandles = (database: Database): Database => ({
  ...database,
  site: (id) => {
    asked += 1
    return database.site(id)
  },
})
const openAt = (postgres: ForeignPostgres) =>
  openDatabase(buildAppUrl(postgres.url('town'), SECRET), { max: 4, limits: REQUEST_LIMITS, onError: () => {} })

beforeAll(async () => {
  primary = await startForeignPostgres()
  await primary.run('postgres', 'create database town', 'create database demo')
  await migrateDatabase(primary.url('town'), deriveAppPassword(SECRET))
  copy = await primary.startStandby()
  const database = openAt(primary)
  runtime = {
    env: readEnv({ DATA_DIR: dir }),
    secret: SECRET,
    database,
    standby: countHandles(openAt(copy)),
    sites: new SiteDirectory(database),
    log: createLogger('warn', (line) => logged.push(line)),
    now: () => new Date(),
  }
  site = await addSite(runtime, { slug: 'town' })
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  survey = await addSurvey(runtime, site)
}, 180_000)
afterAll(async () => {
  await Promise.all([runtime.database.close(), runtime.standby?.close()])
  await Promise.all([primary.stop(), copy.stop()])
  rmSync(dir, { recursive: true, force: true })
})

const as = () => createCtx(runtime, site, { viewer: admin })
const answer = (street: string) =>
  runtime.database.site(site.id).tx((tx) =>
    tx.insert(responses).values({
      siteId: site.id,
      id: createId(),
      surveyId: survey.id,
      version: 1,
      language: 'en',
      answers: { name: street },
      receiptHash: Buffer.from(createId()),
      submittedAt: runtime.now(),
    }),
  )
const countAnswers = () => readFromStandby(as(), (reading) => reading.db.read(async (tx) => (await tx.select().from(responses)).length))
const stopRepeating = () => copy.run('postgres', 'select pg_wal_replay_pause()')
const repeatAgain = () => copy.run('postgres', 'select pg_wal_replay_resume()')
/** @returns what `work` resolves with, and how many handles on the standby it asked for */
async function watch<T>(work: () => Promise<T>): Promise<[value: T, asked: number]> {
  const before = asked
  return [await work(), asked - before]
}

describe('with a standby to read from', () => {
  let stored = 0

  test('a file of answers is written from it, with all that were given before it was asked for', async () => {
    for (const street of ['Elm', 'Oak']) await answer(street)
    stored = 2
    const id = await requestExport(as(), { surveyId: survey.id, format: 'csv', personal: false })
    const [made, handles] = await watch(() => makeExports(runtime))
    expect([made, handles]).toEqual([1, 1])
    const [row] = await as().db.read((tx) => tx.select().from(surveyExports))
    expect([row?.id, row?.state, row?.done]).toEqual([id, 'done', 2])
    const text = await readFile(buildExportPath(runtime, row!), 'utf8')
    expect(text).toMatch(/Elm[\s\S]*Oak/)
  })

  test('a report is counted on it, and its rights are those of whoever reads it', async () => {
    const [report, handles] = await watch(() => readReport(as(), { sections: ['short'] }))
    expect([report.projects.map(({ id }) => id), handles]).toEqual([[survey.projectId], 1])
    const visitor = createCtx(runtime, site)
    await expect(readReport(visitor, {})).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  test('what was committed before is waited for', async () => {
    await stopRepeating()
    await answer('Ash')
    stored += 1
    const counting = watch(countAnswers)
    await wait(300)
    await repeatAgain()
    expect(await counting).toEqual([stored, 1])
  })

  test('within an open transaction nothing else is read', async () => {
    const [seen, handles] = await watch(() =>
      runtime.database.site(site.id).tx((tx) => readFromStandby(withTx(as(), tx), async (reading) => reading.db.isJoined)),
    )
    expect([seen, handles]).toEqual([true, 0])
  })

  test('a standby that is too late, frozen or stopped is passed over, and the log says so', async () => {
    await stopRepeating()
    await answer('Yew')
    stored += 1
    expect(await watch(countAnswers)).toEqual([stored, 0])
    await repeatAgain()
    expect(logged.splice(0).join('\n')).toContain('the standby is late')

    copy.freeze()
    const began = Date.now()
    expect(await watch(countAnswers)).toEqual([stored, 0])
    expect(Date.now() - began).toBeLessThan(SOON_MS)
    copy.thaw()

    await copy.shutDown()
    expect(await watch(countAnswers)).toEqual([stored, 0])
    expect(logged.splice(0).join('\n')).toContain('the standby cannot be read')
    await copy.startAgain()
    await expect.poll(() => watch(countAnswers)).toEqual([stored, 1])
  })

  test('one that breaks off while it is read leaves the work to the database itself', async () => {
    let attempts = 0
    const counted = await readFromStandby(as(), async (reading) => {
      attempts += 1
      if (attempts === 1) {
        await reading.db.read((tx) => tx.select().from(responses))
        await copy.run('postgres', `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'parley_app_town'`)
      }
      return reading.db.read(async (tx) => (await tx.select().from(responses)).length)
    })
    expect(counted).toBe(stored)
  })

  test('an attempt to write on it goes to the database itself', async () => {
    let attempts = 0
    await readFromStandby(as(), async (reading) => {
      attempts += 1
      await reading.db.tx((tx) => tx.update(responses).set({ language: 'cy' }))
    })
    expect(attempts).toBe(2)
  })

  test('the product reads its reports there, as the role that it serves with', async () => {
    const settings = { SECRET_KEY: SECRET, LOG_LEVEL: 'warn', DATABASE_URL: primary.url('demo') }
    const seeded = runParley(['seed'], { ...settings, DATA_DIR: join(dir, 'seed') })
    expect(await seeded.ended, seeded.output()).toBe(0)
    const product = await startProduct({ ...settings, DATA_DIR: join(dir, 'data'), DATABASE_READ_URL: copy.url('demo') })
    try {
      const token = await signInForToken(product, 'site.admin@riverbend.example')
      const { data } = await callApi<{ data: object[] }>(product, 'GET', '/project-figures', token)
      expect(data.length).toBeGreaterThan(0)
      const readers = await copy.run('postgres', `select distinct usename from pg_stat_activity where datname = 'demo'`)
      expect(readers).toEqual([{ usename: 'parley_app_demo' }])
      const doctor = async (url: string) =>
        runParley(['doctor'], { ...settings, PORT: String(await freePort()), DATA_DIR: join(dir, 'doctor'), DATABASE_READ_URL: url })
      const [healthy, mistaken] = [await doctor(copy.url('demo')), await doctor(primary.url('demo'))]
      await Promise.all([healthy.ended, mistaken.ended])
      expect(healthy.output()).toMatch(/ok +standby: \d+\.\d MB behind/)
      expect(mistaken.output()).toContain('FAULT  standby: the server of DATABASE_READ_URL repeats nothing')
    } finally {
      await product.stop()
    }
  })

  // The last: afterwards it is a database of its own.
  test('one that has taken over elsewhere, and repeats nothing any more, is not read', async () => {
    await copy.run('postgres', 'select pg_promote()')
    expect(await watch(countAnswers)).toEqual([stored, 0])
  })
})

test('it is named only beside the database that it repeats, and alone', () => {
  const URL = 'postgres://reader:secret@one:5432/town'
  expect(() => readEnv({ DATABASE_READ_URL: URL })).toThrow('DATABASE_URL must be set where DATABASE_READ_URL is')
  expect(() => readEnv({ DATABASE_URL: URL, DATABASE_READ_URL: URL.replace('one:5432', 'one:5432,two:5432') })).toThrow(
    'DATABASE_READ_URL must name one host',
  )
})
