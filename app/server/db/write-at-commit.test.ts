import { eq, type SQL, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addProject } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'
import type { Site } from '../site-directory.ts'
import { type Tx, writeAtCommit } from './client.ts'
import { projects } from './schema/projects.ts'
import { sites } from './schema/sites.ts'

let runtime: TestRuntime
let site: Site
let id: string
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
})
beforeEach(async () => {
  id = (await addProject(runtime, site, { picture: 'before' })).id
})

const runAtCommit = (tx: Tx, statement: SQL) => writeAtCommit(tx, 'one statement', undefined, () => statement)
const open = () => runtime.database.site(site.id)
const setPicture = (tx: Tx, picture: string) => tx.update(projects).set({ picture }).where(eq(projects.id, id))
const readPicture = () =>
  open().read(async (tx) => (await tx.select({ picture: projects.picture }).from(projects).where(eq(projects.id, id)))[0]?.picture)
const readVersion = async () =>
  (await runtime.database.global.select({ version: sites.contentVersion }).from(sites).where(eq(sites.id, site.id)))[0]?.version ?? 0

test('a statement runs after the work, and is stored with it', async () => {
  const pictureAtCommit = sql`update projects set picture = picture || ' and last' where id = ${id}`
  await open().tx(async (tx) => {
    await runAtCommit(tx, pictureAtCommit)
    await setPicture(tx, 'first')
  })
  expect(await readPicture()).toBe('first and last')
})

test('what is kept under one name is written by one statement, in the order that it came', async () => {
  const addPictures = (pictures: readonly string[]) => sql`update projects set picture = picture || ${pictures.join()} where id = ${id}`
  const { statements } = await recordDatabaseUse(runtime, () =>
    open().tx(async (tx) => {
      for (const picture of ['first', 'second']) await writeAtCommit(tx, 'pictures', picture, addPictures)
      await writeAtCommit(tx, 'other pictures', 'third', addPictures)
    }),
  )
  expect(await readPicture()).toBe('beforefirst,secondthird')
  expect(statements).toHaveLength(2)
})

test('if it fails, so does the transaction, and nothing of it is stored', async () => {
  const version = await readVersion()
  const saving = open().tx(async (tx) => {
    await setPicture(tx, 'after')
    await runAtCommit(tx, sql`select 1 / (length(${'x'}) - 1)`)
  })
  await expect(saving).rejects.toThrow('division by zero')
  expect([await readPicture(), await readVersion()]).toEqual(['before', version])
  // The connection is whole, and forgot the statement.
  await open().tx((tx) => setPicture(tx, 'later'))
  expect(await readPicture()).toBe('later')
})

test('if the work fails, it does not run', async () => {
  const version = await readVersion()
  const saving = open().tx(async (tx) => {
    await setPicture(tx, 'after')
    throw new Error('changed my mind')
  })
  await expect(saving).rejects.toThrow('changed my mind')
  expect(await readVersion()).toBe(version)
})

test('in a transaction that the site’s handle did not begin, it runs at once', async () => {
  await runtime.database.global.transaction(async (tx) => {
    await tx.execute(sql`select set_config('parley.site_id', ${site.id}, true)`)
    await runAtCommit(tx, sql`update projects set picture = 'at once' where id = ${id}`)
    const [row] = await tx.select({ picture: projects.picture }).from(projects).where(eq(projects.id, id))
    expect(row?.picture).toBe('at once')
  })
})
