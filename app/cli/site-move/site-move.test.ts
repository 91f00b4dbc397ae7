import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkChain } from '#app/features/audit/audit.chain.server.ts'
import { createUnsubscribeToken, parseUnsubscribeToken } from '#app/features/follows/unsubscribe-links.server.ts'
import { openSettings } from '#app/features/marketplace/installation-settings.server.ts'
import { eraseDueSites } from '#app/features/sites/deletion/erase-sites.server.ts'
import { requireContribution } from '#app/features/surveys/responses/receipts.server.ts'
import { submitResponse } from '#app/features/surveys/responses/submit-response.server.ts'
import { requireVisibleSurvey } from '#app/features/surveys/surveys.policy.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { seedDemo } from '#app/cli/demo/seed.ts'
import { buildAppUrl, getAppRole } from '#app/server/connection-string.ts'
import { createCtx } from '#app/server/context.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { siteDeletions, sites } from '#app/server/db/schema/sites.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import { createSiteKey } from '#app/server/site-key.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { TEST_SECRET } from '#tests/support/cluster.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import type { MoveRuntime } from './move-runtime.ts'
import { printDirectory, recordMove, reopenSite, runExport, runImport } from './run-moves.ts'
import { readSiteArchive } from './site-archive.ts'
import { MOVED_TABLES } from './site-tables.ts'

const NEW_SECRET = 'the key of another installation, of 32 characters or more'
const PASSPHRASE = 'a passphrase that only these tests know'
const AT_ONCE = { settleMs: 0, giveUpAfterMs: 5000 }
/** Columns that are another installation's own: a version of the row, and what its key sealed. */
const MADE_ANEW = [
  'row_version',
  'sealed_secrets',
  'sealed_token',
  'sealed_key',
  'sealed_secret',
  'sealed_keys',
  'sealed_receipt',
  'sealed_phone',
]

const dir = mkdtempSync(join(tmpdir(), 'parley-site-move-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

let from: TestRuntime
let to: TestRuntime
const said: string[] = []

const toMoveRuntime = (runtime: TestRuntime): MoveRuntime => ({
  runtime,
  databaseUrl: buildAppUrl(runtime.ownerUrl, TEST_SECRET, getAppRole('template_parley')),
  say: (line) => said.push(line),
})
const exportTo = (path: string, site: Site, options: { withInstallationKey?: boolean; purpose?: 'move' | 'backup' } = {}) =>
  runExport(
    toMoveRuntime(from),
    site.slug,
    { path, passphrase: PASSPHRASE, purpose: 'move', withInstallationKey: false, ...options },
    AT_ONCE,
  )
const importFrom = (path: string, options: { host?: string; withoutKey?: boolean; passphrase?: string; at?: TestRuntime } = {}) =>
  runImport(toMoveRuntime(options.at ?? to), {
    path,
    passphrase: options.passphrase ?? PASSPHRASE,
    host: options.host,
    withoutKey: options.withoutKey ?? false,
  })

async function withOwner<T>(runtime: TestRuntime, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: runtime.ownerUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** How many rows of the site each table that moves has, and what they say together. */
const describeRows = (runtime: TestRuntime, siteId: string, tables: readonly string[] = MOVED_TABLES) =>
  withOwner(runtime, async (client) => {
    await client.query(`set timezone = 'UTC'`)
    const found: Record<string, string> = {}
    for (const table of [...tables, 'search_places']) {
      const { rows } = await client.query<{ n: string; hash: string | null }>(
        `select count(*) as n, md5(string_agg(line, E'\\n' order by line collate "C")) as hash
         from (select (to_jsonb(t) - $2::text[])::text as line from ${table} t where site_id = $1) l`,
        [siteId, MADE_ANEW],
      )
      found[table] = `${rows[0]?.n} ${rows[0]?.hash}`
    }
    return found
  })

async function readFiles(runtime: Runtime, siteId: string): Promise<Map<string, string>> {
  const storage = openStorage(runtime.env)
  const files = new Map<string, string>()
  for await (const key of storage.keysBelow(siteId)) files.set(key, (await storage.get(key))?.toString('base64') ?? '')
  return new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

async function findSite(runtime: Runtime, host: string): Promise<Site> {
  runtime.sites.refresh()
  const site = await runtime.sites.find(host)
  if (!site) throw new Error(`No site at ${host}`)
  return site
}

async function answerSurvey(runtime: Runtime, site: Site): Promise<string> {
  const ctx = createCtx(runtime, site)
  const survey = await addSurvey(runtime, site)
  const sending = { id: createId(), sendKey: 'k'.repeat(22), answers: { name: 'Fern Street' } }
  const { code } = await submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, survey.id)), sending)
  if (!code) throw new Error('The answer has no receipt')
  return code
}

beforeAll(async () => {
  from = await createTestRuntime()
  to = await createTestRuntime()
  Object.assign(to, { secret: NEW_SECRET, keys: [NEW_SECRET] })
  await seedDemo(from.database, { storage: openStorage(from.env), secret: from.secret })
})

describe('the demo’s Riverbend, moved to an installation with another key', () => {
  const path = join(dir, 'riverbend.site')
  let here: Site
  let there: Site
  let code: string
  let link: string
  let rowsBefore: Record<string, string>

  beforeAll(async () => {
    here = await findSite(from, 'riverbend.localhost')
    code = await answerSurvey(from, here)
    await openStorage(from.env).put(`${here.id}/media/a/1/original`, randomBytes(700_000))
    link = createUnsubscribeToken(createCtx(from, here), { kind: 'news', userId: createId() })
    const admin = await addPerson(from, here, { role: 'site_admin' })
    const settings = { address: 'https://hooks.example.org/x' }
    const made = await createApiClient(from, here, admin.token).post(
      '/installations',
      buildResourceDocument('installations', { integration: 'webhooks', settings }),
    )
    if (made.status !== 201) throw new Error(`the integration was not installed: ${made.status}`)
    await exportTo(path, here, { withInstallationKey: true })
    rowsBefore = await describeRows(from, here.id)
    await importFrom(path)
    there = await findSite(to, 'riverbend.localhost')
  })

  test('every row of every table is there as it was', async () => {
    const rows = await describeRows(to, here.id)
    // The import itself is one more entry of the audit trail.
    for (const table of ['audit_events', 'audit_chains']) for (const one of [rows, rowsBefore]) delete one[table]
    expect(rows).toEqual(rowsBefore)
    expect(Object.values(rows).filter((line) => !line.startsWith('0 ')).length).toBeGreaterThan(60)
    const { id, name, theme, createdAt } = there
    expect({ id, name, theme, createdAt }).toEqual({ id: here.id, name: here.name, theme: here.theme, createdAt: here.createdAt })
    expect(there).toMatchObject({ status: 'active', hosts: here.hosts })
  })

  test('and every file', async () => {
    const files = await readFiles(from, here.id)
    expect(files.size).toBeGreaterThan(1)
    expect(await readFiles(to, here.id)).toEqual(files)
  })

  test('its audit trail is intact, and goes on', async () => {
    const [before, after] = [await checkChain(from.database.site(here.id)), await checkChain(to.database.site(here.id))]
    expect(before.brokenAt).toBeNull()
    expect(after).toMatchObject({ brokenAt: null, lines: before.lines + 1 })
    expect(said).toContain(`All ${before.lines} entries of its audit trail are intact.`)
  })

  test('a receipt opens there, and a link to unsubscribe is taken; neither is on a site that was always there', async () => {
    expect(await requireContribution(createCtx(to, there), code)).toBeTruthy()
    expect(parseUnsubscribeToken(createCtx(to, there), link)).toMatchObject({ kind: 'news' })
    expect(parseUnsubscribeToken({ runtime: to, site: there }, link)).toBeUndefined()
  })

  test('credentials of services open under the key of the new installation, and not as they were stored', async () => {
    const load = async (runtime: Runtime, site: Site) => {
      const rows = await runtime.database.site(site.id).tx((tx) => tx.select().from(installations).where(eq(installations.siteId, site.id)))
      const row = rows.find(({ integration }) => integration === 'webhooks')
      if (!row) throw new Error('The installation is gone')
      return row
    }
    const stored = await load(to, there)
    const secret = openSettings({ runtime: to }, stored)['signingSecret']
    expect(secret).toMatch(/^whsec_/)
    expect(secret).toBe(openSettings({ runtime: from }, await load(from, here))['signingSecret'])
    expect(openSettings({ runtime: from }, stored)['signingSecret']).toBeUndefined()
  })

  test('people have their passwords and no session', async () => {
    const count = (table: string) =>
      withOwner(to, async (client) =>
        Number((await client.query(`select count(*) as n from ${table} where site_id = $1`, [here.id])).rows[0]?.n),
      )
    expect(await count('sessions')).toBe(0)
    expect(await count('users')).toBeGreaterThan(0)
  })

  test('imported again it changes nothing', async () => {
    const rows = await describeRows(to, here.id)
    await importFrom(path)
    expect(said.at(-1)).toBe('Riverbend was imported from this file before. Nothing was changed.')
    expect(await describeRows(to, here.id)).toEqual(rows)
  })

  test('the key of the installation that it came from does not leave this one unasked either', async () => {
    const files = [join(dir, 'again.site'), join(dir, 'again-with-key.site')]
    for (const [index, file] of files.entries())
      await runExport(toMoveRuntime(to), 'riverbend', {
        path: file,
        passphrase: PASSPHRASE,
        purpose: 'backup',
        withInstallationKey: index === 1,
      })
    const carried = async (file: string) => {
      for await (const line of readSiteArchive(file, PASSPHRASE)) if (line.kind === 'signing-key') return line.key
      return undefined
    }
    expect(await Promise.all(files.map(carried))).toEqual([undefined, TEST_SECRET])
  })

  test('another file of it is refused while it is there', async () => {
    const other = join(dir, 'riverbend-copy.site')
    await exportTo(other, here, { purpose: 'backup', withInstallationKey: true })
    await expect(importFrom(other)).rejects.toThrow('Riverbend is here already')
  })

  test('nothing in the file can be read without its passphrase, and it is its owner’s alone', async () => {
    const bytes = readFileSync(path)
    for (const text of ['Riverbend', 'Fern Street', TEST_SECRET, 'whsec_']) expect(bytes.includes(text), text).toBe(false)
  })

  test('where it was it can be read, says no to writes, and then sends people on', async () => {
    const old = await findSite(from, 'riverbend.localhost')
    expect(old.status).toBe('moving')
    const answer = await createApiClient(from, old).post('/follow-requests', {})
    expect(answer.status).toBe(503)
    await recordMove(toMoveRuntime(from), 'riverbend', 'https://riverbend.example.org')
    from.sites.refresh()
    expect(await from.sites.find('riverbend.localhost')).toBeUndefined()
    expect(from.sites.findMove('Riverbend.localhost:3000')).toBe('https://riverbend.example.org')
    said.length = 0
    await printDirectory(toMoveRuntime(from))
    expect((JSON.parse(said[0] ?? '') as { hosts: object }).hosts).toMatchObject({
      'riverbend.localhost': 'https://riverbend.example.org',
      'dyffryn.localhost': 'http://127.0.0.1:3000',
    })
    await expect(exportTo(join(dir, 'moved.site'), here)).rejects.toThrow('Riverbend has moved to https://riverbend.example.org')
  })
})

describe('a file', () => {
  const path = join(dir, 'dyffryn.site')
  let site: Site
  beforeAll(async () => {
    site = await findSite(from, 'dyffryn.localhost')
    await openStorage(from.env).put(`${site.id}/media/a/1/original`, randomBytes(1000))
    await exportTo(path, site, { purpose: 'backup' })
  })

  const isNothingLeft = async (runtime = to) => {
    const rows = await describeRows(runtime, site.id)
    expect(Object.entries(rows).filter(([, line]) => !line.startsWith('0 '))).toEqual([])
    expect((await readFiles(runtime, site.id)).size).toBe(0)
    expect(await runtime.database.global.select().from(sites).where(eq(sites.id, site.id))).toEqual([])
  }

  test('with a changed byte, cut short, or of another kind is refused', async () => {
    const whole = readFileSync(path)
    const write = (name: string, bytes: Buffer) => {
      writeFileSync(join(dir, name), bytes)
      return join(dir, name)
    }
    const changed = Buffer.from(whole)
    const middle = Math.trunc(changed.length / 2)
    changed[middle] = (changed[middle] ?? 0) ^ 1
    await expect(importFrom(write('changed.site', changed))).rejects.toThrow('was changed or is not whole')
    await expect(importFrom(write('cut.site', whole.subarray(0, whole.length - 1)))).rejects.toThrow('was changed or is not whole')
    // At the end of a chunk.
    const head = whole.indexOf('\n') + 1
    await expect(importFrom(write('chunk.site', whole.subarray(0, head + 2 * (65_536 + 16))))).rejects.toThrow(
      'was changed or is not whole',
    )
    await expect(importFrom(write('foreign.site', Buffer.from('something else\n')))).rejects.toThrow('is no site that Parley has exported')
    await isNothingLeft()
  })

  test('with another passphrase is refused', async () => {
    await expect(importFrom(path, { passphrase: `${PASSPHRASE}!` })).rejects.toThrow('The passphrase does not open')
  })

  test('of another version is refused, with the step that differs', async () => {
    const [step, known] = ['9999-later.sql', '1046-sites-move.sql']
    const asOwner = (statement: string, name: string) => withOwner(from, (client) => client.query(statement, [name]))
    const newer = join(dir, 'newer.site')
    await asOwner('insert into parley_migrations (name) values ($1)', step)
    await exportTo(newer, site, { purpose: 'backup' })
    await asOwner('delete from parley_migrations where name = $1', step)
    await expect(importFrom(newer)).rejects.toThrow(`does not know its step ${step}`)
    const older = join(dir, 'older.site')
    await asOwner('delete from parley_migrations where name = $1', known)
    await exportTo(older, site, { purpose: 'backup' })
    await asOwner('insert into parley_migrations (name) values ($1)', known)
    await expect(importFrom(older)).rejects.toThrow(`it lacks the step ${known}`)
    await isNothingLeft()
  })

  test('without the key that signs for the site is refused, unless it is told to go without', async () => {
    await expect(importFrom(path)).rejects.toThrow('--with-installation-key')
    await isNothingLeft()
  })

  test('that breaks in the middle leaves nothing', async () => {
    // Rows come before files, and no file can be stored.
    const broken = await createTestRuntime({ DATA_DIR: join(dir, 'no-folder') })
    writeFileSync(join(dir, 'no-folder'), 'a file where the folder should be')
    await expect(importFrom(path, { at: broken })).rejects.toThrow()
    const rows = await describeRows(broken, site.id)
    expect(Object.entries(rows).filter(([, line]) => !line.startsWith('0 '))).toEqual([])
    expect(await broken.database.global.select().from(sites).where(eq(sites.id, site.id))).toEqual([])
  })

  test('may bring the site to another address', async () => {
    await importFrom(path, { host: 'valley.example.org', withoutKey: true })
    const there = await findSite(to, 'valley.example.org')
    expect(there).toMatchObject({ id: site.id, primaryHost: 'valley.example.org', hosts: 'valley.example.org', sealedKey: null })
    expect(await to.sites.find('dyffryn.localhost')).toBeUndefined()
  })

  test('is refused where another site has its address', async () => {
    const taken = await createTestRuntime()
    await addSite(taken, { slug: 'dyffryn' })
    await expect(importFrom(path, { at: taken })).rejects.toThrow('Another site answers at dyffryn.localhost')
  })
})

describe('a site with a key of its own', () => {
  let site: Site
  beforeAll(async () => {
    const made = await addSite(from, { slug: 'quayside' })
    await from.database.global
      .update(sites)
      .set({ sealedKey: createSiteKey(from, made.id) })
      .where(eq(sites.id, made.id))
    site = await findSite(from, 'quayside.localhost')
  })

  test('signs with it, and takes it along; the key of the installation stays', async () => {
    const path = join(dir, 'quayside.site')
    const link = createUnsubscribeToken(createCtx(from, site), { kind: 'news', userId: createId() })
    expect(parseUnsubscribeToken({ runtime: from, site }, link)).toBeUndefined()
    const receipt = await answerSurvey(from, site)
    await exportTo(path, site)
    await importFrom(path)
    const there = await findSite(to, 'quayside.localhost')
    expect(createCtx(to, there).runtime.secret).toBe(createCtx(from, site).runtime.secret)
    expect(createCtx(to, there).runtime.secret).not.toBe(from.secret)
    expect(parseUnsubscribeToken(createCtx(to, there), link)).toMatchObject({ kind: 'news' })
    expect(await requireContribution(createCtx(to, there), receipt)).toBeTruthy()
  })

  test('stays where it is if the move is called off', async () => {
    await reopenSite(toMoveRuntime(from), 'quayside')
    expect(await findSite(from, 'quayside.localhost')).toMatchObject({ status: 'active', movedTo: null })
    await expect(recordMove(toMoveRuntime(from), 'quayside', 'https://quayside.example.org')).rejects.toThrow('was not exported for a move')
  })

  test('comes back from its backup after it was deleted', async () => {
    const path = join(dir, 'quayside-backup.site')
    await exportTo(path, site, { purpose: 'backup' })
    expect(await findSite(from, 'quayside.localhost')).toMatchObject({ status: 'active' })
    const rows = await describeRows(from, site.id)
    await from.database.global.update(sites).set({ status: 'suspended' }).where(eq(sites.id, site.id))
    const record = { id: site.id, name: site.name, was: 'active', reason: 'A mistake', askedBy: createId(), askedByName: 'Ada' } as const
    await from.database.global.insert(siteDeletions).values({ ...record, askedAt: new Date(), dueAt: new Date(), state: 'erasing' })
    expect(await eraseDueSites(from)).toBe(1)
    await importFrom(path, { at: from })
    const back = await describeRows(from, site.id)
    for (const table of ['audit_events', 'audit_chains']) for (const one of [back, rows]) delete one[table]
    expect(back).toEqual(rows)
    expect(await findSite(from, 'quayside.localhost')).toMatchObject({ id: site.id, status: 'active' })
    expect(await from.database.global.select().from(siteDeletions).where(eq(siteDeletions.id, site.id))).toEqual([])
  })
})
