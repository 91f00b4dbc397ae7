import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { withClient } from '../db/migrate.ts'
import { projects } from '../db/schema/projects.ts'
import { contentChanges, features, siteDomains, sites } from '../db/schema/sites.ts'
import { type Site, SiteDirectory } from '../site-directory.ts'
import { ContentMemory } from './content-memory.ts'
import { noteStatement, readWithin } from './content-reads.ts'
import { CONTENT_TABLES, type ContentScope } from './content-tables.ts'
import { MemoryBudget } from './memory-budget.ts'

let runtime: TestRuntime
let site: Site
let other: Site
beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  site = await addSite(runtime, { slug: `a${crypto.randomUUID()}` })
  other = await addSite(runtime, { slug: `b${crypto.randomUUID()}` })
})

/** A process that keeps things in memory, and what it finds there. */
async function startProcess() {
  const directory = new SiteDirectory(runtime.database)
  const memory = new ContentMemory<string>({ budget: new MemoryBudget(1_000_000), name: 'test', ttlMs: 60_000, changes: directory.changes })
  const find = async ({ host }: Site): Promise<Site> => {
    const found = await directory.find(host)
    if (!found) throw new Error('The site is gone')
    return found
  }
  const keep = async (
    key: string,
    table: string,
    { of = site, within }: { of?: Site; within?: Partial<Record<ContentScope, string>> } = {},
  ) =>
    memory.obtain(await find(of), key, async () => {
      const read = () => {
        noteStatement(`select * from "${table}"`)
        return Promise.resolve({ value: key, bytes: 100 })
      }
      return within ? readWithin(within, read) : read()
    })
  const hears = () => directory.forget()
  const has = async (key: string, of = site) => memory.find(await find(of), key) !== undefined
  await Promise.all([find(site), find(other)])
  return { directory, memory, find, keep, hears, has }
}

const rename = (id: string, title: string) =>
  runtime.database.site(site.id).tx((tx) =>
    tx
      .update(projects)
      .set({ title: { en: title } })
      .where(eq(projects.id, id)),
  )
const readVersion = async () =>
  (await runtime.database.global.select({ version: sites.contentVersion }).from(sites).where(eq(sites.id, site.id)))[0]?.version ?? 0

describe('each table that pages show', () => {
  const SITE_TABLES = Object.entries(CONTENT_TABLES).filter(([table]) => !['sites', 'site_domains', 'features', 'crowds'].includes(table))
  const VALUES: Readonly<Record<string, string>> = {
    uuid: 'gen_random_uuid()',
    text: `'published'`,
    bool: 'true',
    jsonb: `'{}'`,
    timestamptz: 'now()',
    date: 'now()',
    bytea: `'\\x00'`,
  }

  /** Without other constraints, a row needs no others. */
  beforeAll(async () => {
    await withClient(runtime.ownerUrl, async (client) => {
      const { rows } = await client.query<{ table: string; name: string }>(
        `select conrelid::regclass::text as table, conname as name from pg_constraint
         where connamespace = 'public'::regnamespace and contype in ('f', 'c') and conrelid <> 'content_changes'::regclass`,
      )
      for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint if exists "${name}"`)
      // A check that looks at other rows.
      await client.query('drop trigger heard_report_quotes_check on heard_report_quotes')
    })
  })

  /** Inserts a row that pages show. @returns it */
  async function insertRow(table: string): Promise<Record<string, string>> {
    return withClient(runtime.ownerUrl, async (client) => {
      const { rows: columns } = await client.query<{ name: string; type: string }>(
        `select a.attname as name, t.typname as type from pg_attribute a join pg_type t on t.oid = a.atttypid
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [table],
      )
      const values = columns.map(({ name, type }) =>
        name === 'site_id' ? `'${site.id}'` : (VALUES[type] ?? (type.startsWith('_') ? `'{}'` : '1')),
      )
      const names = columns.map(({ name }) => `"${name}"`)
      await client.query(`select set_config('parley.site_id', $1, false)`, [site.id])
      const { rows } = await client.query<Record<string, string>>(
        `insert into ${table} (${names.join()}) values (${values.join()}) returning *`,
      )
      return rows[0] ?? {}
    })
  }
  const inSite = (statement: string) =>
    withClient(runtime.ownerUrl, async (client) => {
      await client.query(`select set_config('parley.site_id', $1, false)`, [site.id])
      const { rowCount } = await client.query(statement)
      expect(rowCount).toBe(1)
    })

  const findShownColumn = async (table: string, except: readonly string[]): Promise<string> => {
    const { rows } = await runtime.database.global.execute<{ name: string }>(
      sql`select a.attname as name from pg_trigger t join pg_attribute a on a.attrelid = t.tgrelid and a.attnum = any (t.tgattr)
          where t.tgname = 'content_changed' and t.tgrelid = ${table}::regclass order by a.attnum desc`,
    )
    return rows.find(({ name }) => !except.includes(name))?.name ?? 'site_id'
  }

  /** What is kept in a process of its own, before something is written and after. */
  async function write(table: string, row: Record<string, string>, work: () => Promise<unknown>) {
    const product = await startProcess()
    const scopes = Object.entries(CONTENT_TABLES[table] ?? {}) as [ContentScope, readonly string[]][]
    const columns = scopes.flatMap(([scope, names]) => names.map((column) => ({ scope, column })))
    await product.keep('table', table)
    await product.keep('another table', table === 'topics' ? 'hubs' : 'topics')
    await product.keep('another site', table, { of: other })
    for (const { scope, column } of columns) await product.keep(column, table, { within: { [scope]: row[column] ?? createId() } })
    for (const [scope] of scopes) await product.keep(`another ${scope}`, table, { within: { [scope]: createId() } })
    await work()
    product.hears()
    const kept: string[] = []
    for (const key of ['table', 'another table', ...columns.map(({ column }) => column), ...scopes.map(([scope]) => `another ${scope}`)])
      if (await product.has(key)) kept.push(key)
    if (await product.has('another site', other)) kept.push('another site')
    return { kept, unrelated: ['another table', ...scopes.map(([scope]) => `another ${scope}`), 'another site'], columns }
  }

  test.each(SITE_TABLES)('%s: a new, a changed and a deleted row end what shows it, and nothing else', async (table) => {
    let row: Record<string, string> = {}
    const added = await write(table, row, async () => (row = await insertRow(table)))
    // Nothing could be kept of what the new row belongs to: its ids are new.
    expect(added.kept.filter((key) => !added.columns.some(({ column }) => column === key))).toEqual(added.unrelated)
    const ofRow = `where site_id = '${site.id}'`
    const column = await findShownColumn(table, ['site_id', 'id', ...added.columns.map((known) => known.column)])
    const changed = await write(table, row, () => inSite(`update ${table} set ${column} = ${column} ${ofRow}`))
    expect(changed.kept).toEqual(changed.unrelated)
    const deleted = await write(table, row, () => inSite(`delete from ${table} ${ofRow}`))
    expect(deleted.kept).toEqual(deleted.unrelated)
  })

  test('what somebody decides about unusually many supports ends everything that shows their counts', async () => {
    const product = await startProcess()
    await product.keep('counts', 'contributions', { within: { contribution: createId() } })
    await insertRow('crowds')
    product.hears()
    expect(await product.has('counts')).toBe(false)
  })

  test('the platform’s features end the pages of every site', async () => {
    const product = await startProcess()
    await product.keep('here', 'features')
    await product.keep('there', 'features', { of: other })
    await runtime.database.global.update(features).set({ enabled: true })
    product.hears()
    expect([await product.has('here'), await product.has('there', other)]).toEqual([false, false])
  })

  test('the site’s own settings end all of its pages', async () => {
    const product = await startProcess()
    await product.keep('here', 'topics')
    await runtime.database.global.update(sites).set({ name: 'Renamed' }).where(eq(sites.id, site.id))
    product.hears()
    expect(await product.has('here')).toBe(false)
  })

  test('so does another address of it', async () => {
    const product = await startProcess()
    await product.keep('here', 'topics')
    await runtime.database.global.insert(siteDomains).values({ host: `${site.slug}.example.org`, siteId: site.id })
    product.hears()
    expect(await product.has('here')).toBe(false)
  })
})

describe('a transaction', () => {
  let id: string
  beforeEach(async () => {
    id = (await addProject(runtime, site)).id
  })

  test('counts the version up once, whatever it changes, and none if it is rolled back', async () => {
    const before = await readVersion()
    await runtime.database.site(site.id).tx(async (tx) => {
      await tx.update(projects).set({ title: { en: 'Elm' } })
      await tx.update(projects).set({ title: { en: 'Oak' } })
      await addProject(runtime, other)
    })
    expect(await readVersion()).toBe(before + 1)
    const failing = runtime.database.site(site.id).tx(async (tx) => {
      await tx.update(projects).set({ title: { en: 'Ash' } })
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    expect(await readVersion()).toBe(before + 1)
    expect(
      await runtime.database.global
        .select()
        .from(contentChanges)
        .where(sql`${contentChanges.version} is null`),
    ).toEqual([])
  })

  test('that changes only what is not shown, or shown as of a minute ago, counts nothing up', async () => {
    const before = await readVersion()
    await runtime.database.site(site.id).tx((tx) => tx.update(projects).set({ participants: 12 }))
    expect(await readVersion()).toBe(before)
  })

  test('that changes a draft counts nothing up, and the one that publishes it does', async () => {
    const draft = await addProject(runtime, site, { status: 'draft' })
    const before = await readVersion()
    await rename(draft.id, 'Still a draft')
    expect(await readVersion()).toBe(before)
    await runtime.database.site(site.id).tx((tx) => tx.update(projects).set({ status: 'published' }).where(eq(projects.id, draft.id)))
    expect(await readVersion()).toBe(before + 1)
  })

  test('that commits while something is read never leaves what was read before it as current, in any process', async () => {
    const [here, there] = [await startProcess(), await startProcess()]
    for (const process of [here, there]) {
      let goOn = () => {}
      const reading = new Promise<void>((resolve) => (goOn = resolve))
      const current = await process.find(site)
      let title = ''
      const slow = process.memory.obtain(current, 'page', async () => {
        title = await runtime.database
          .site(site.id)
          .read(async (tx) => (await tx.select({ title: projects.title }).from(projects).where(eq(projects.id, id)))[0]?.title.en ?? '')
        await reading
        return { value: title, bytes: 100 }
      })
      await expect.poll(() => title).not.toBe('')
      await rename(id, `${title} again`)
      // The process hears of it before the page is finished.
      process.hears()
      await process.find(site)
      goOn()
      expect(await slow).toBe(title)
      expect(await process.has('page')).toBe(false)
    }
  })

  test('is heard of by a process that missed many versions as a change of everything', async () => {
    const product = await startProcess()
    await product.keep('topics', 'topics')
    await runtime.database.global.execute(sql`update sites set content_version = content_version + 1 where id = ${site.id}`)
    await rename(id, 'Elm')
    product.hears()
    expect(await product.has('topics')).toBe(false)
  })

  test('is forgotten after a thousand more', async () => {
    await rename(id, 'Elm')
    await withClient(runtime.ownerUrl, (client) =>
      client.query(`update sites set content_version = content_version + 1000 where id = '${site.id}'`),
    )
    await rename(id, 'Oak')
    const rows = await runtime.database.global.select().from(contentChanges).where(eq(contentChanges.siteId, site.id))
    expect(rows.map(({ tableName, scopeId }) => [tableName, scopeId])).toEqual([['projects', id]])
  })
})
