import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { seedDemo } from '#app/cli/demo/seed.ts'
import { checkChain } from '#app/features/audit/audit.chain.server.ts'
import { buildExportFolder, buildExportPath } from '#app/features/surveys/export/exports.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { siteDeletions } from '#app/server/db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { createPicture, uploadFile } from '#tests/support/pictures.ts'
import { makeSiteArchives } from './make-archives.server.ts'
import { buildArchiveKey, buildPieceKey } from './archive.storage.server.ts'
import { serveSiteArchive } from './deletions.server.ts'
import { eraseDueSites } from './erase-sites.server.ts'
import { requestContext } from '#tests/support/request-context.ts'
import { readZip } from '#tests/support/read-zip.ts'

let runtime: TestRuntime
let home: Site
let leaving: Site
let other: Site
let platform: Person
let siteAdmin: Person
let owner: pg.Client

const DAY_MS = 864e5
const api = (person?: Person, at = home) => createApiClient(runtime, at, person?.token)
const ask = (site: Site, name = site.name, person = platform) =>
  api(person).post(
    '/site-deletions',
    buildResourceDocument('site-deletions', { name, reason: 'Merged with the county' }, { to: { site: { type: 'sites', id: site.id } } }),
  )
const told = (answer: ApiAnswer) => (answer.body as { data: { attributes: Record<string, unknown>; meta?: unknown } }).data.attributes
const later = (days: number) => runtime.setNow(new Date(Date.now() + days * DAY_MS))

/** Number of the site's rows in each table with a site column, from the database's own catalogue. */
async function rowsOf(siteId: string): Promise<Record<string, number>> {
  const { rows } = await owner.query<{ name: string }>(
    `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and column_name = 'site_id' and table_type = 'BASE TABLE' order by 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of rows) {
    const found = await owner.query<{ n: number }>(`select count(*)::int as n from ${name} where site_id = '${siteId}'`)
    counts[name] = found.rows[0]?.n ?? 0
  }
  return counts
}

async function keysBelow(prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const key of openStorage(runtime.env).keysBelow(prefix)) keys.push(key)
  return keys.toSorted()
}

async function take(person: Person | undefined, id: string): Promise<Response> {
  const viewer = await loadViewer({ db: runtime.database.site(home.id), database: runtime.database }, person?.token, runtime.now())
  const ctx = createCtx(runtime, home, { viewer, reason: 'The data officer asks' })
  return serveSiteArchive({ context: requestContext(ctx), params: { site: id } })
}

/** Simulates a process that dies at its nth transaction: earlier commits stay, nothing comes after. */
function dying(after: number): Runtime {
  let left = after
  const { database } = runtime
  const site: Runtime['database']['site'] = (id) => ({
    siteId: id,
    tx: (work) => {
      left -= 1
      if (left < 0) throw new Error('killed')
      return database.site(id).tx(work)
    },
    read: (work) => database.site(id).read(work),
    readTogether: (work) => database.site(id).readTogether(work),
    readOnce: (_, work) => work(),
  })
  return { ...runtime, database: { ...database, site } }
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  await seedDemo(runtime.database)
  const at = async (slug: string) => {
    const site = await runtime.sites.find(`${slug}.localhost`)
    if (!site) throw new Error(`The demo has no ${slug}`)
    return site
  }
  ;[home, leaving, other] = [await at('dyffryn'), await at('riverbend'), await at('harbour')]
  platform = await addPerson(runtime, home, { role: 'platform_admin' })
  siteAdmin = await addPerson(runtime, leaving, { role: 'site_admin', email: 'clerk@riverbend.example' })
  owner = new pg.Client({ connectionString: runtime.ownerUrl })
  await owner.connect()
  return () => owner.end()
})

test("deletion needs the site's name typed in; the site is offline until somebody cancels", async () => {
  expect((await ask(leaving, 'Dyfryn')).codes).toEqual(['not-its-name'])
  expect((await ask(home)).codes).toEqual(['conflict'])
  expect((await ask(other, other.name, siteAdmin)).status).toBe(401)
  const asked = await ask(leaving)
  expect(asked.status).toBe(201)
  const { dueAt, askedAt, exportState, exportAddress } = told(asked)
  expect(Date.parse(dueAt as string) - Date.parse(askedAt as string)).toBe(30 * DAY_MS)
  expect([exportState, exportAddress]).toEqual(['waiting', null])
  expect((await api(undefined, leaving).get('/projects')).codes).toEqual(['no-such-site'])
  expect((await ask(leaving)).codes).toEqual(['conflict'])
  expect((await api(platform).delete(`/site-suspensions/${leaving.id}`)).codes).toEqual(['conflict'])
  const mails = () =>
    runtime.database
      .site(leaving.id)
      .tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.recipient, siteAdmin.email)).orderBy(outboxMails.createdAt))
  expect((await mails()).map(({ kind, bodyText }) => [kind, bodyText.includes('Merged with the county')])).toEqual([
    ['site-deletion', true],
  ])

  later(0.01)
  expect(await makeSiteArchives(runtime)).toBe(1)
  later(29)
  expect(await eraseDueSites(runtime)).toBe(0)
  runtime.setNow(undefined)
  expect((await api(platform).delete(`/site-deletions/${leaving.id}`)).status).toBe(204)
  expect((await api(siteAdmin, leaving).get('/projects')).status).toBe(200)
  expect((await mails()).map(({ kind }) => kind)).toEqual(['site-deletion', 'site-kept'])
  expect(await keysBelow(buildArchiveKey(leaving.id))).toEqual([])
  expect((await checkChain(runtime.database.site(leaving.id))).brokenAt).toBeNull()
  later(31)
  expect(await eraseDueSites(runtime)).toBe(0)
  runtime.setNow(undefined)
})

test('the export has every row and file, without secrets; only platform administrators can download it, which is audited', async () => {
  const bytes = await createPicture(40, 30).png().toBuffer()
  const given = await uploadFile(runtime, leaving, siteAdmin.token, bytes)
  expect((await api(siteAdmin, leaving).post('/media-assets', buildResourceDocument('media-assets', { upload: given }))).status).toBe(201)
  expect((await ask(leaving)).status).toBe(201)
  expect((await take(platform, leaving.id)).status).toBe(404)
  later(0.01)
  expect(await makeSiteArchives(runtime)).toBe(1)
  expect((await take(undefined, leaving.id)).status).toBe(401)
  expect((await take(await addPerson(runtime, home, { role: 'site_admin' }), leaving.id)).status).toBe(403)
  const row = told(await api(platform).get(`/site-deletions/${leaving.id}`))
  const counted = await rowsOf(leaving.id)
  const answer = await take(platform, leaving.id)
  expect(answer.headers.get('content-disposition')).toContain(`${leaving.host}-`)
  const archive = Buffer.from(await answer.arrayBuffer())
  expect([archive.length, createHash('sha256').update(archive).digest('hex')]).toEqual([row['exportBytes'], row['exportSha256']])
  const files = readZip(archive)
  const manifest = JSON.parse(String(files.get('manifest.json'))) as {
    site: { name: string }
    tables: { name: string; rows: number; withheld: string[] }[]
    files: { name: string; sha256: string }[]
  }
  expect(manifest.site.name).toBe(leaving.name)
  for (const { name, sha256 } of manifest.files) {
    expect([
      name,
      createHash('sha256')
        .update(files.get(name) ?? '')
        .digest('hex'),
    ]).toEqual([name, sha256])
  }
  const told1 = Object.fromEntries(manifest.tables.map(({ name, rows }) => [name, rows]))
  for (const [name, rows] of Object.entries(counted)) if (name in told1) expect([name, told1[name]]).toEqual([name, rows])
  const missing = Object.keys(counted).filter((name) => !(name in told1))
  expect(missing.toSorted()).toEqual([
    'budget_paper_typings',
    'budget_secrets',
    'content_changes',
    'engaged_days',
    'engaged_days_due',
    'one_time_links',
    'phone_codes',
    'place_people',
    'project_people',
    'rate_limits',
    'reach_salts',
    'reach_visits',
    'response_changes',
    'response_days',
    'response_recounts',
    'response_totals',
    'sessions',
    'site_figures',
  ])
  const people = String(files.get('data/users.jsonl')).trim().split('\n')
  expect(people).toHaveLength(counted['users'] ?? 0)
  expect(people.join()).toContain(siteAdmin.email)
  expect(people.join()).not.toContain('password_hash')
  expect([...files.keys()].some((name) => name.startsWith('files/media/') && name.endsWith('/original'))).toBe(true)
  const trail = await api(platform).get('/audit-events?filter[action]=sites.export')
  expect((trail.body as { data: unknown[] }).data).toHaveLength(1)
  runtime.setNow(undefined)
})

test('nothing is deleted while the export is incomplete', async () => {
  const [row] = await runtime.database.global.select().from(siteDeletions).where(eq(siteDeletions.id, leaving.id))
  const storage = openStorage(runtime.env)
  const key = buildPieceKey(leaving.id, row?.exportAttempt ?? '', 0)
  const before = await rowsOf(leaving.id)
  await storage.put(key, Buffer.from('not what was made'))
  later(31)
  expect(await eraseDueSites(runtime)).toBe(0)
  expect(await eraseDueSites(runtime)).toBe(0)
  expect(await rowsOf(leaving.id)).toEqual(before)
  expect(await makeSiteArchives(runtime)).toBe(1)
  runtime.setNow(undefined)
  expect(told(await api(platform).get(`/site-deletions/${leaving.id}`))).toMatchObject({ state: 'waiting', exportState: 'done' })
})

test("once due, every row and file is gone, however often the work is interrupted, and nobody else's", async () => {
  onTestFinished(() => runtime.setNow(undefined))
  await mkdir(buildExportFolder(runtime, leaving.id), { recursive: true })
  await writeFile(buildExportPath(runtime, { siteId: leaving.id, id: createId() }), 'answers')
  const bytes = await createPicture(40, 30).png().toBuffer()
  const clerk = await addPerson(runtime, other, { role: 'site_admin' })
  const theirs = await uploadFile(runtime, other, clerk.token, bytes)
  await api(clerk, other).post('/media-assets', buildResourceDocument('media-assets', { upload: theirs }))
  later(31)
  // Sessions do not last as long as the waiting period.
  const then = await addPerson(runtime, home, { role: 'platform_admin' })
  const before = await rowsOf(leaving.id)
  const strangers = async () => [await rowsOf(other.id), await rowsOf(home.id), await keysBelow(other.id)]
  const untouched = await strangers()
  expect(Object.values(before).filter((rows) => rows > 0).length).toBeGreaterThan(30)

  let lives = 0
  while ((await eraseDueSites(dying(lives * 2 + 2))) === 0) {
    lives += 1
    expect(lives).toBeLessThan(200)
    // Once started it cannot be cancelled.
    expect((await api(then).delete(`/site-deletions/${leaving.id}`)).codes).toEqual(['conflict'])
  }
  expect(lives).toBeGreaterThan(5)
  expect(Object.entries(await rowsOf(leaving.id)).filter(([, rows]) => rows > 0)).toEqual([])
  const { rows: left } = await owner.query('select 1 from sites where id = $1', [leaving.id])
  expect(left).toEqual([])
  expect(await keysBelow(leaving.id)).toEqual([])
  expect(existsSync(buildExportFolder(runtime, leaving.id))).toBe(false)
  expect(await strangers()).toEqual(untouched)

  const record = told(await api(then).get(`/site-deletions/${leaving.id}`))
  expect(record).toMatchObject({ state: 'erased', reason: 'Merged with the county', name: leaving.name })
  const { files, ...erased } = record['erased'] as Record<string, number>
  // With the site's own row.
  const { site_domains: _, content_changes: __, ...ofTables } = before
  expect(erased).toEqual(Object.fromEntries(Object.entries(ofTables).filter(([, rows]) => rows > 0)))
  expect(files).toBeGreaterThan(0)
  for (const site of [PLATFORM_SITE_ID, home.id, other.id]) {
    expect([site, (await checkChain(runtime.database.site(site))).brokenAt]).toEqual([site, null])
  }
  const trail = await api(then).get('/audit-events?filter[action]=sites.delete')
  expect(JSON.stringify(trail.body)).toContain('Merged with the county')
  expect((await api(then).get('/sites')).body?.data).toHaveLength(2)

  expect((await take(then, leaving.id)).status).toBe(200)
  later(31 + 15)
  await eraseDueSites(runtime)
  expect((await take(await addPerson(runtime, home, { role: 'platform_admin' }), leaving.id)).status).toBe(404)
  expect(await keysBelow(buildArchiveKey(leaving.id))).toEqual([])
})

test('nobody can erase the audit trail of a site that is not being deleted', async () => {
  const tx = runtime.database.site(other.id).tx((inside) => inside.execute(sql`select erase_audit_trail(${other.id})`))
  await expect(tx).rejects.toThrow()
  expect((await rowsOf(other.id))['audit_events']).toBeGreaterThan(0)
})
