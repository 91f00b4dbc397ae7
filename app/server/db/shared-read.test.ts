import { eq } from 'drizzle-orm'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { addProject } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'
import type { Site } from '../site-directory.ts'
import type { Tx } from './client.ts'
import { projects } from './schema/projects.ts'

let runtime: TestRuntime
let site: Site

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  await addProject(runtime, site, { slug: 'bridge' })
})

const open = () => runtime.database.site(site.id)
const readSlugs = async (tx: Tx) => (await tx.select({ slug: projects.slug }).from(projects)).map(({ slug }) => slug).toSorted()
const setPicture = (picture: string) => open().tx((tx) => tx.update(projects).set({ picture }).where(eq(projects.slug, 'bridge')))
const readPicture = async (tx: Tx) =>
  (await tx.select({ picture: projects.picture }).from(projects).where(eq(projects.slug, 'bridge')))[0]?.picture

test('reads of one handle share one transaction, side by side or one after the other', async () => {
  const db = open()
  const { transactions, statements } = await recordDatabaseUse(runtime, async () => {
    await Promise.all([db.read(readSlugs), db.read(readPicture)])
    await db.read(readSlugs)
  })
  expect({ transactions, statements: statements.length }).toEqual({ transactions: 1, statements: 3 })
})

test('reads that run together see one state of the data, whatever is committed meanwhile', async () => {
  await setPicture('before')
  const db = open()
  const seen = await db.read(async (tx) => {
    const first = await readPicture(tx)
    await setPicture('after')
    return [first, await db.read(readPicture)]
  })
  expect(seen).toEqual(['before', 'before'])
})

test('a handle reads what it has just written, even while another of its reads goes on', async () => {
  await setPicture('old')
  const db = open()
  const held = Promise.withResolvers<void>()
  const slow = db.read(async (tx) => {
    await readPicture(tx)
    await held.promise
  })
  await db.tx((tx) => tx.update(projects).set({ picture: 'new' }).where(eq(projects.slug, 'bridge')))
  expect(await db.read(readPicture)).toBe('new')
  held.resolve()
  await slow
})

test('a later read sees what others have committed since', async () => {
  const db = open()
  await setPicture('one')
  expect(await db.read(readPicture)).toBe('one')
  await setPicture('two')
  expect(await db.read(readPicture)).toBe('two')
})

test('a read cannot write', async () => {
  await expect(open().read((tx) => tx.update(projects).set({ picture: 'written' }))).rejects.toMatchObject({ cause: { code: '25006' } })
})

test('a read sees the rows of its own site only', async () => {
  const other = await addSite(runtime, { slug: 'harbour' })
  await addProject(runtime, other, { slug: 'pier' })
  expect(await open().read(readSlugs)).toEqual(['bridge'])
  expect(await runtime.database.site(other.id).read(readSlugs)).toEqual(['pier'])
})

test('a failed read takes down neither the next one nor a connection', async () => {
  const { pool } = runtime.database
  for (let round = 0; round < pool.options.max * 2; round++) {
    const db = open()
    await expect(db.read((tx) => tx.execute('select 1 / 0'))).rejects.toThrow()
    expect(await db.read(readSlugs)).toEqual(['bridge'])
  }
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0)
})

test('a read ends soon, though its connection is not used again', async () => {
  const owner = new pg.Client({ connectionString: runtime.ownerUrl })
  await owner.connect()
  try {
    await open().read(readSlugs)
    const countOpen = async () =>
      (await owner.query("select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'")).rowCount
    await expect.poll(countOpen).toBe(0)
  } finally {
    await owner.end()
  }
})

test('what parts of a request ask for alike is read once, and again after a write, a failure and in the next snapshot', async () => {
  await setPicture('first')
  const db = open()
  const readNamed = () => db.readOnce('picture', () => db.read(readPicture))
  const { statements } = await recordDatabaseUse(runtime, async () => {
    expect(await Promise.all([readNamed(), readNamed(), db.readOnce('slugs', () => db.read(readSlugs))])).toEqual([
      'first',
      'first',
      ['bridge'],
    ])
  })
  expect(statements).toHaveLength(2)
  await db.read(async () => {
    expect(await readNamed()).toBe('first')
    await db.tx((tx) => tx.update(projects).set({ picture: 'second' }).where(eq(projects.slug, 'bridge')))
    expect(await readNamed()).toBe('second')
  })
  await new Promise((done) => setTimeout(done, 20))
  await setPicture('third')
  expect(await readNamed()).toBe('third')
  await expect(db.readOnce('broken', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await db.readOnce('broken', () => Promise.resolve('well'))).toBe('well')
})

test('short reads of several handles share one transaction if they come at the same time, up to 16', async () => {
  const readAll = (count: number) => Promise.all(Array.from({ length: count }, () => open().readTogether(readSlugs)))
  const few = await recordDatabaseUse(runtime, async () => {
    expect(await readAll(3)).toEqual([['bridge'], ['bridge'], ['bridge']])
  })
  expect({ transactions: few.transactions, statements: few.statements.length }).toEqual({ transactions: 1, statements: 3 })
  expect((await recordDatabaseUse(runtime, () => readAll(17))).transactions).toBe(2)
})

test('short reads of two sites at the same time see their own rows only', async () => {
  const other = await addSite(runtime, { slug: 'island' })
  await addProject(runtime, other, { slug: 'ferry' })
  const here = open()
  const there = runtime.database.site(other.id)
  const seen = await Promise.all([here, there, open()].map((db) => db.readTogether(readSlugs)))
  expect(seen).toEqual([['bridge'], ['ferry'], ['bridge']])
})

test('a short read never joins a transaction that has begun: it sees what was committed before it', async () => {
  await setPicture('early')
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const first = open().readTogether(async (tx) => {
    const picture = await readPicture(tx)
    begun.resolve()
    await held.promise
    return picture
  })
  await begun.promise
  await setPicture('late')
  expect(await open().readTogether(readPicture)).toBe('late')
  held.resolve()
  expect(await first).toBe('early')
})

test('later reads of a handle see what its short read saw, until it writes', async () => {
  await setPicture('before')
  const [mine, theirs] = [open(), open()]
  const seen = await Promise.all([
    mine.readTogether(async (tx) => {
      const first = await readPicture(tx)
      await setPicture('after')
      const joined = await mine.read(readPicture)
      await mine.tx((own) => own.update(projects).set({ picture: 'own' }).where(eq(projects.slug, 'bridge')))
      return [first, joined, await mine.read(readPicture), await mine.readTogether(readPicture)]
    }),
    theirs.readTogether(readPicture),
  ])
  expect(seen).toEqual([['before', 'before', 'own', 'own'], 'before'])
})

test('a statement that fails does not fail the short reads that share its transaction', async () => {
  const results = await Promise.allSettled([
    open().readTogether(readSlugs),
    open().readTogether((tx) => tx.execute('select 1 / 0')),
    open().readTogether(readSlugs),
    open().readTogether(async (tx) => [await readSlugs(tx), await readSlugs(tx)]),
  ])
  expect(results).toEqual([
    { status: 'fulfilled', value: ['bridge'] },
    { status: 'rejected', reason: expect.objectContaining({ cause: expect.objectContaining({ code: '22012' }) }) },
    { status: 'fulfilled', value: ['bridge'] },
    { status: 'fulfilled', value: [['bridge'], ['bridge']] },
  ])
  const { pool } = runtime.database
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0)
})

test('what a handle read once is read again after the transaction that it shared', async () => {
  await setPicture('now')
  const db = open()
  const readNamed = () => db.readOnce('picture', () => db.readTogether(readPicture))
  expect(await readNamed()).toBe('now')
  await new Promise((done) => setTimeout(done, 20))
  await setPicture('then')
  expect(await readNamed()).toBe('then')
})
