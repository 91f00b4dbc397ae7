import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { loadAppliedMigrations, withClient } from '#app/server/db/migrate.ts'
import { chooseAddress, listTargets, type Role, type Target } from '#tests/bench/list-pages.ts'
import { createSender, findTargets } from '#tests/faults/contributions.ts'
import { startSending, startWriters, type Writers } from '#tests/faults/writers.ts'
import { buildResourceDocument } from '#tests/support/api.ts'
import { TEST_SECRET } from '#tests/support/cluster.ts'
import { type Product, runParley, type Settings, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { callApi, loadResponseIds, makeSurvey, queryAsOwner, signInForToken } from '#tests/support/remote-api.ts'
import { sendRequest } from '#tests/support/send-request.ts'
import { startSmtp, type TestSmtp } from '#tests/support/smtp.ts'
import { buildFormerVersion, explainMissingSource } from '#tests/upgrade/former-version.ts'
import { listReleases, readCommit, readRelease } from '#tests/upgrade/releases.ts'

const HOST = 'riverbend.localhost'
const PEOPLE = 4
/** Installing packages and building take a minute, and many on a busy machine. */
const BEGINS_WITHIN_MS = 900_000
/** Exports that wait while processes of both versions run the jobs. */
const EXPORTS = 4

const [release = ''] = listReleases().slice(-1)
const commit = readCommit(release)
if (!commit) throw new Error(`${release} was kept without its commit: npm run keep-release writes it`)
const missing = explainMissingSource(commit)

type One = { data: { id: string; attributes: Record<string, unknown>; meta?: { lockVersion?: number } } }
type Many = { data: One['data'][] }

const dir = temporaryFolder('rolling-upgrade')
const root = join(dir, 'former')
const database = `r_${randomBytes(6).toString('hex')}`
const ownerUrl = inject('ownerUrl').replace(/template_parley$/, database)
const runOnCluster = (statement: string) =>
  withClient(inject('ownerUrl').replace(/template_parley$/, 'postgres'), (client: pg.Client) => client.query(statement))

let smtp: TestSmtp
let settings: Settings
let former: Product
let newer: Product
let tokens: Record<Role, string | undefined>
let survey: string
let targets: Target[]
/** The status of every address before the upgrade began. */
let before: Map<Target, number>
const started: Product[] = []

/** Both machines have the same settings, and share the folder of files as they would a bucket. */
async function startVersion(version: 'former' | 'newer', ...words: string[]): Promise<Product> {
  const product = await startProduct(settings, version === 'former' ? { root } : {}, ['start', ...words])
  started.push(product)
  return product
}

const admin = () => tokens.administrator ?? ''

/** Asks for everything as everybody. */
async function askForAll({ port }: Product): Promise<Map<Target, number>> {
  const statuses = new Map<Target, number>()
  const waiting = [...targets]
  const askInTurn = async () => {
    for (let target = waiting.shift(); target; target = waiting.shift()) {
      const { role, path, isApi } = target
      const token = tokens[role]
      const answer = await sendRequest(port, path.replace('{n}', '1'), {
        host: `${HOST}:${port}`,
        accept: isApi ? 'application/vnd.api+json' : 'text/html',
        'x-forwarded-for': chooseAddress(),
        ...(token && (isApi ? { 'x-api-token': `Bearer ${token}` } : { cookie: `token=${token}` })),
      })
      statuses.set(target, answer.status)
    }
  }
  await Promise.all(Array.from({ length: PEOPLE }, askInTurn))
  return statuses
}

/** What was served before and is not now, and whatever failed. */
const findFaults = (now: ReadonlyMap<Target, number>): string[] =>
  [...now].flatMap(([target, status]) =>
    status >= 500 || (before.get(target) === 200 && status !== 200) ? [`${target.role} ${target.path}: ${status}`] : [],
  )

/** Everything that a version logged as an error: it would name a table, a column or a job. */
const readErrors = ({ output }: Product): string[] =>
  output()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))

/** All rows of a list of the API. */
async function listAll(product: Product, path: string): Promise<string[]> {
  const ids: string[] = []
  for (let offset = 0; ; offset += 100) {
    const page = `page%5Bsize%5D=100&page%5Bnumber%5D=${offset / 100 + 1}`
    const { data } = await callApi<Many>(product, 'GET', `${path}${path.includes('?') ? '&' : '?'}${page}`, admin())
    ids.push(...data.map(({ id }) => id))
    if (data.length < 100) return ids
  }
}

async function requestExport(product: Product): Promise<string> {
  const document = buildResourceDocument('exports', { format: 'csv' }, { to: { survey: { type: 'surveys', id: survey } } })
  return (await callApi<One>(product, 'POST', '/exports', admin(), document)).data.id
}

/** Waits until the file is there, and reads it as an administrator does. */
async function readExport(product: Product, id: string): Promise<string> {
  const load = async () => (await callApi<One>(product, 'GET', `/exports/${id}`, admin())).data.attributes
  await expect.poll(async () => (await load())['state'], { timeout: 60_000 }).toBe('done')
  const headers = { host: `${HOST}:${product.port}`, cookie: `token=${admin()}` }
  const file = await sendRequest(product.port, String((await load())['address']), headers)
  expect(file.status).toBe(200)
  return file.text
}

/** Sends the sign-up form of a demo event, like a browser without JavaScript. @returns the id of the sign-up */
async function signUp({ port }: Product, path: string, email: string): Promise<string> {
  const id = createId()
  const form = new URLSearchParams({ id, sendKey: randomBytes(16).toString('base64url'), name: 'Ines Okafor', email, website: '' })
  const host = `${HOST}:${port}`
  const headers = {
    host,
    origin: `http://${host}`,
    'content-type': 'application/x-www-form-urlencoded',
    'x-forwarded-for': chooseAddress(),
  }
  const answer = await sendRequest(port, path, headers, 'POST', form.toString())
  expect([answer.status, answer.headers.location], answer.text.slice(0, 500)).toEqual([303, `${path}/receipt`])
  return id
}

/** The mails to an address, each once in spite of both versions sending. */
const countMails = (email: string) => smtp.received.filter(({ to }) => to.some((one) => one.includes(email))).length

afterAll(async () => {
  await Promise.all(started.map((product) => product.stop()))
  if (!missing) await runOnCluster(`drop database if exists ${database} with (force)`)
  rmSync(dir, { recursive: true, force: true })
})

if (missing) console.warn(missing)

describe.skipIf(missing)(`while machines are upgraded one after the other, the version before (${release})`, () => {
  let event: { id: string; path: string }
  let round: string
  let contributions: Awaited<ReturnType<typeof findTargets>>
  const sent: Record<string, Writers> = {}

  beforeAll(async () => {
    const began = performance.now()
    await Promise.all([buildFormerVersion(commit, root), runOnCluster(`create database ${database} template template0`)])
    console.log(`The version before was built in ${Math.round((performance.now() - began) / 1000)} s`)
    smtp = await startSmtp()
    settings = {
      DATABASE_URL: ownerUrl,
      SECRET_KEY: TEST_SECRET,
      DATA_DIR: join(dir, 'data'),
      SMTP_URL: smtp.url,
      TRUSTED_PROXIES: '1',
      LOG_LEVEL: 'warn',
    }
    const seeding = runParley(['seed'], settings, { root })
    if ((await seeding.ended) !== 0) throw new Error(seeding.output())
    former = await startVersion('former')
    const signIn = (email: string) => signInForToken(former, email)
    tokens = {
      visitor: undefined,
      participant: await signIn('participant@riverbend.example'),
      administrator: await signIn('site.admin@riverbend.example'),
      platform: await signIn('platform@parley.example'),
    }
    survey = await makeSurvey(former, admin())
    contributions = await findTargets(ownerUrl, TEST_SECRET)
    const [place] = await queryAsOwner<{ id: string; path: string }>(
      ownerUrl,
      `update events e set capacity = null, questions = '[]' from projects p
       where e.id = (select id from events where site_id = $1 and status = 'published' and access = 'anyone' and starts_at > now() limit 1)
         and p.site_id = e.site_id and p.id = e.project_id
       returning e.id, '/projects/' || p.slug || '/events/' || e.slug as path`,
      [contributions.siteId],
    )
    const [open] = await queryAsOwner<{ id: string }>(
      ownerUrl,
      `update budget_rounds set verification = null, access = 'confirmed' where status = 'published' and closes_at > now() and site_id = $1 returning id`,
      [contributions.siteId],
    )
    if (!place || !open) throw new Error('The demo has no event to sign up for, or no round to vote in')
    event = place
    round = open.id
    const found = await listTargets({ port: former.port, host: `${HOST}:${former.port}`, tokens })
    // Pages of one route read the same tables.
    targets = [...Map.groupBy(found, ({ role, route }) => `${role} ${route}`).values()].flatMap(([first]) => first ?? [])
    before = await askForAll(former)
  }, BEGINS_WITHIN_MS)

  test('has the migrations that were kept of it', () => {
    const folder = join(root, 'app/server/db/migrations')
    const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
    expect(files.toSorted().map((name) => ({ name, sql: readFileSync(join(folder, name), 'utf8') }))).toEqual(readRelease(release))
  })

  test('acknowledges everything that is sent while the first new process changes the tables', async () => {
    const { origin } = former
    sent['responses'] = startWriters(origin, survey, join(dir, 'responses'), PEOPLE)
    for (const type of ['contributions', 'reactions'] as const)
      sent[type] = startSending(join(dir, type), PEOPLE, createSender(origin, type, contributions))
    const writers = Object.values(sent)
    const haveAllSent = (more: number) => {
      const counts = writers.map(({ statuses }) => statuses['201'] ?? 0)
      return expect.poll(() => writers.every(({ statuses }, at) => (statuses['201'] ?? 0) >= (counts[at] ?? 0) + more)).toBe(true)
    }
    await haveAllSent(5)
    newer = await startVersion('newer', '--only', 'web')
    await haveAllSent(20)
    await Promise.all(writers.map((one) => one.stop()))
    for (const { statuses, refusals } of writers) expect(Object.keys(statuses), JSON.stringify(refusals[0])).toEqual(['201'])
    expect(newer.output()).toContain('Migrated the database')
    const had = new Set(readRelease(release).map(({ name }) => name))
    expect((await withClient(ownerUrl, loadAppliedMigrations)).some((name) => name.endsWith('.sql') && !had.has(name))).toBe(true)
  })

  test('serves every page and every list as before, as does the new one', async () => {
    expect([...before.values()].filter((status) => status === 200).length).toBeGreaterThan(targets.length / 2)
    expect(findFaults(before)).toEqual([])
    const [byFormer, byNewer] = await Promise.all([askForAll(former), askForAll(newer)])
    expect(findFaults(byFormer)).toEqual([])
    expect([...byNewer].flatMap(([{ path }, status]) => (status >= 500 ? [`${path}: ${status}`] : []))).toEqual([])
  })

  test('saves what the new one saved, and the new one what it did', async () => {
    const make = (product: Product, title: string) =>
      callApi<One>(product, 'POST', '/projects', admin(), buildResourceDocument('projects', { titleTranslations: { en: title } }))
    for (const [first, second] of [
      [former, newer],
      [newer, former],
    ] as const) {
      const { id, meta } = (await make(first, 'A bridge')).data
      const change = buildResourceDocument(
        'projects',
        { titleTranslations: { en: 'Two bridges' } },
        { id, lockVersion: meta?.lockVersion ?? 0 },
      )
      await callApi<One>(second, 'PATCH', `/projects/${id}`, admin(), change)
      const read = async (product: Product) => (await callApi<One>(product, 'GET', `/projects/${id}`, admin())).data.attributes['title']
      expect([await read(first), await read(second)]).toEqual(['Two bridges', 'Two bridges'])
    }
    const [option] = await queryAsOwner<{ number: number }>(
      ownerUrl,
      'select number from budget_options where round_id = $1 order by cost, number limit 1',
      [round],
    )
    const vote = (product: Product, seen: number) => {
      const sending = { seen, sendingId: createId(), sendKey: 'known-to-the-sender-alone' }
      const document = buildResourceDocument(
        'budget-ballots',
        { options: [option?.number], ...sending },
        { to: { round: { type: 'budget-rounds', id: round } } },
      )
      return callApi<One>(product, 'POST', '/budget-ballots', tokens.participant, document)
    }
    for (const [at, product] of [former, newer, former].entries()) expect((await vote(product, at)).data.attributes['version']).toBe(at + 1)
    const { data } = await callApi<Many>(newer, 'GET', `/budget-ballots?filter%5Bround%5D=${round}`, tokens.participant)
    expect(data.map(({ attributes }) => attributes['version'])).toEqual([3])
  })

  test('starts again on the new tables, as after a restart of its machine', async () => {
    await former.stop()
    await makeAllJobsDue()
    former = await startVersion('former')
    const answer = await sendRequest(former.port, '/readyz')
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { status: 'ready', database: 'up' }])
    expect(findFaults(await askForAll(former))).toEqual([])
  })

  test('does every job on the new tables, and what the new one queued', async () => {
    const file = await readExport(newer, await requestExport(newer))
    expect(file.trim().split('\n')).toHaveLength(1 + (sent['responses']?.acknowledged().length ?? 0))
    await signUp(newer, event.path, 'from-newer@people.example')
    await expect.poll(() => countMails('from-newer@people.example'), { timeout: 60_000 }).toBe(1)
    await expect.poll(listWaitingJobs, { timeout: 90_000, interval: 500 }).toEqual([])
  })

  test('shares the jobs with the new one, and each is done once', async () => {
    await startVersion('newer', '--only', 'jobs')
    const ids = await Promise.all(Array.from({ length: EXPORTS }, (_, at) => requestExport(at % 2 ? former : newer)))
    const files = await Promise.all(ids.map((id) => readExport(newer, id)))
    expect(new Set(files).size).toBe(1)
    await Promise.all(['both-1', 'both-2'].map((name, at) => signUp(at ? former : newer, event.path, `${name}@people.example`)))
    await expect.poll(() => [countMails('both-1@'), countMails('both-2@')], { timeout: 60_000 }).toEqual([1, 1])
  })

  test('leaves the jobs that it queues to the new one', async () => {
    await former.stop()
    former = await startVersion('former', '--only', 'web')
    await readExport(former, await requestExport(former))
    await signUp(former, event.path, 'from-former@people.example')
    await expect.poll(() => countMails('from-former@people.example'), { timeout: 60_000 }).toBe(1)
  })

  test('leaves everything that it acknowledged to the new one, each once', async () => {
    await former.stop()
    const read = {
      responses: await listAll(newer, `/responses?filter%5Bsurvey%5D=${survey}`),
      contributions: await listAll(newer, `/contributions?filter%5Bactivity%5D=${contributions.activityId}`),
      reactions: (await queryAsOwner<{ id: string }>(ownerUrl, 'select id from reactions')).map(({ id }) => id),
    }
    for (const [type, ids] of Object.entries(read)) {
      const acknowledged = new Set(sent[type]?.acknowledged())
      expect(ids.filter((id) => acknowledged.has(id)).toSorted(), type).toEqual([...acknowledged].toSorted())
    }
    expect(read.responses.toSorted()).toEqual((await loadResponseIds(ownerUrl, survey)).toSorted())
    const signUps = await callApi<Many>(newer, 'GET', `/event-sign-ups?filter%5Bevent%5D=${event.id}&page%5Bsize%5D=100`, admin())
    const emails = signUps.data.map(({ attributes }) => String(attributes['email'])).filter((email) => email.endsWith('@people.example'))
    expect(emails.toSorted()).toEqual(['both-1', 'both-2', 'from-former', 'from-newer'].map((name) => `${name}@people.example`))
    expect(findFaults(await askForAll(newer))).toEqual([])
  })

  test('and the new one logged no error, and no job failed', async () => {
    expect(started.flatMap(readErrors)).toEqual([])
    expect(await queryAsOwner(ownerUrl, 'select name from job_turns where failures > 0')).toEqual([])
  })

  test('a version whose tables were taken away says so instead: it is not ready any more, and does not start', async () => {
    await queryAsOwner(ownerUrl, `insert into parley_migrations (name) values ('needs 9999-later')`)
    const answer = await sendRequest(newer.port, '/readyz')
    expect([answer.status, JSON.parse(answer.text)]).toEqual([503, { status: 'not ready', database: 'of a later version' }])
    const refused = runParley(['start'], settings)
    expect(await refused.ended).toBe(1)
    expect(refused.complaint()).toContain('This database was upgraded by a later version of Parley')
  })
})

/** Otherwise jobs that run once a day would not be tried. The queue of 2026-11-29 is in the schema pgboss. */
async function makeAllJobsDue(): Promise<void> {
  await queryAsOwner(ownerUrl, 'update job_turns set done_at = null, due_at = now()')
  if (release === '2026-11-29') await queryAsOwner(ownerUrl, 'delete from pgboss.job')
}

const listWaitingJobs = async () =>
  (await queryAsOwner<{ name: string }>(ownerUrl, 'select name from job_turns where done_at is null')).map(({ name }) => name)
