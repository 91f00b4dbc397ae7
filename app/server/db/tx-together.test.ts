import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { AppError } from '#app/lib/app-error.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { TEST_SECRET } from '#tests/support/cluster.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'
import { buildAppUrl, getAppRole } from '../connection-string.ts'
import type { Site } from '../site-directory.ts'
import { joinTx, markContentChanged, openDatabase, type Tx } from './client.ts'
import { projects } from './schema/projects.ts'
import { sites } from './schema/sites.ts'

let runtime: TestRuntime
let site: Site
let ids: string[]
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
})
beforeEach(async () => {
  ids = []
  for (let count = 0; count < 4; count++) ids.push((await addProject(runtime, site, { picture: 'before' })).id)
})

const open = (siteId = site.id) => runtime.database.site(siteId)
const setPicture = (id: string, picture: string) => async (tx: Tx) => {
  await tx.update(projects).set({ picture }).where(eq(projects.id, id))
  await markContentChanged(tx, site.id)
  return picture
}
const readPictures = async () => {
  const rows = await open().read((tx) => tx.select({ id: projects.id, picture: projects.picture }).from(projects))
  return ids.map((id) => rows.find((row) => row.id === id)?.picture)
}
const readVersion = async () =>
  (await runtime.database.global.select({ version: sites.contentVersion }).from(sites).where(eq(sites.id, site.id)))[0]?.version ?? 0

/** Sends all at once, each as a request of its own: the first is on its way before the others can join it. */
const saveAll = (works: ((id: string) => (tx: Tx) => Promise<unknown>)[]) =>
  Promise.allSettled(works.map((createWork, at) => open().txTogether(ids[at] ?? '', createWork(ids[at] ?? ''))))

test('what arrives during one transaction shares the next, and changes what all of them lock once', async () => {
  const version = await readVersion()
  const { transactions } = await recordDatabaseUse(runtime, async () => {
    const saved = await saveAll(ids.map((_, at) => (id) => setPicture(id, `after ${at}`)))
    expect(saved.map((outcome) => outcome.status === 'fulfilled' && outcome.value)).toEqual(['after 0', 'after 1', 'after 2', 'after 3'])
  })
  expect(transactions).toBe(2)
  expect(await readPictures()).toEqual(['after 0', 'after 1', 'after 2', 'after 3'])
  expect(await readVersion()).toBe(version + 2)
})

test('rows are locked in the order of their ids, in whichever order they come', async () => {
  const [first = '', ...others] = ids
  const { values } = await recordDatabaseUse(runtime, () =>
    Promise.all([first, ...others.toSorted().toReversed()].map((id) => open().txTogether(id, setPicture(id, 'after')))),
  )
  const locked = values.flat().filter((value) => others.includes(String(value)))
  expect(locked).toEqual(others.toSorted())
})

test('works on one row run one after another, so that each knows what the one before it stored', async () => {
  const [first = '', second = ''] = ids
  const addLetter = (id: string, letter: string) => async (tx: Tx) => {
    const [row] = await tx.select({ picture: projects.picture }).from(projects).where(eq(projects.id, id))
    return setPicture(id, `${row?.picture}${letter}`)(tx)
  }
  const { transactions } = await recordDatabaseUse(runtime, () =>
    Promise.all([
      open().txTogether(second, addLetter(second, '!')),
      ...['a', 'b', 'c'].map((letter) => open().txTogether(first, addLetter(first, letter))),
    ]),
  )
  expect(transactions).toBe(2)
  expect(await readPictures()).toEqual(['beforeabc', 'before!', 'before', 'before'])
})

test('one that is refused does not stop the others', async () => {
  const refuse = () => async (tx: Tx) => {
    await tx.select({ id: projects.id }).from(projects)
    throw new AppError('stale')
  }
  const after = (id: string) => setPicture(id, 'after')
  const [, refused, ...others] = await saveAll([after, refuse, after, after])
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'stale' } })
  expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(await readPictures()).toEqual(['after', 'before', 'after', 'after'])
})

test('one that fails is rolled back by itself, and the others are stored', async () => {
  const fail = (id: string) => async (tx: Tx) => {
    await setPicture(id, 'never')(tx)
    await tx.execute(sql`select 1 / 0`)
  }
  const after = (id: string) => setPicture(id, 'after')
  const [, failed, ...others] = await saveAll([after, fail, after, after])
  expect(failed).toMatchObject({ status: 'rejected', reason: { cause: { message: 'division by zero' } } })
  expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(await readPictures()).toEqual(['after', 'before', 'after', 'after'])
})

test('a slow one sends nothing after the transaction has ended because of another', async () => {
  const failAtOnce = () => (tx: Tx) => tx.execute(sql`select 1 / 0`)
  const attempts: string[] = []
  const saveLate = (id: string) => async (tx: Tx) => {
    await new Promise((done) => setTimeout(done, 20))
    await setPicture(
      id,
      'after',
    )(tx).then(
      () => attempts.push('stored'),
      (error: unknown) => {
        attempts.push('refused')
        throw error
      },
    )
  }
  const after = (id: string) => setPicture(id, 'after')
  const [, failed, late] = await saveAll([after, failAtOnce, saveLate])
  expect([failed?.status, late?.status]).toEqual(['rejected', 'fulfilled'])
  // First in the shared transaction, which had failed by then; then in one of its own.
  expect(attempts).toEqual(['refused', 'stored'])
  expect((await readPictures()).slice(0, 3)).toEqual(['after', 'before', 'after'])
})

test('sites never share a transaction, and none writes another’s rows', async () => {
  const other = await addSite(runtime, { slug: `harbour-${ids[0]}` })
  const mine = ids.slice(0, 2).map((id) => open().txTogether(id, setPicture(id, 'mine')))
  const theirs = ids
    .slice(2)
    .map((id) => open(other.id).txTogether(id, (tx) => tx.update(projects).set({ picture: 'theirs' }).where(eq(projects.id, id))))
  await Promise.all([...mine, ...theirs])
  expect(await readPictures()).toEqual(['mine', 'mine', 'before', 'before'])
})

test('a handle reads what it has just written together with others', async () => {
  const handles = ids.map((id) => ({ id, db: open() }))
  await Promise.all(
    handles.map(async ({ id, db }) => {
      const read = () => db.read((tx) => tx.select({ picture: projects.picture }).from(projects).where(eq(projects.id, id)))
      await read()
      await db.txTogether(id, setPicture(id, `of ${id}`))
      expect(await read()).toEqual([{ picture: `of ${id}` }])
    }),
  )
})

test('inside a transaction it is part of that one', async () => {
  const [id = ''] = ids
  const saving = open().tx(async (tx) => {
    await joinTx(site.id, tx).txTogether(id, setPicture(id, 'never'))
    throw new Error('changed my mind')
  })
  await expect(saving).rejects.toThrow('changed my mind')
  expect(await readPictures()).toEqual(['before', 'before', 'before', 'before'])
})

test('a save whose commit was executed but never answered is not made again', async () => {
  const [first = '', second = '', third = ''] = ids
  const database = openDatabase(buildAppUrl(runtime.ownerUrl, TEST_SECRET, getAppRole('template_parley')), { max: 1 })
  const addLetter = (id: string, letter: string) => async (tx: Tx) => {
    await tx
      .update(projects)
      .set({ picture: sql`${projects.picture} || ${letter}` })
      .where(eq(projects.id, id))
    return letter
  }
  try {
    let commits = 0
    database.pool.once('acquire', function loseAnswers(client) {
      const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
      const losing = async (...args: [string | { text: string }, ...unknown[]]) => {
        const [asked] = args
        const answered = await query(...args)
        // The first transaction is that of the save on its way; the second is shared by those that came meanwhile.
        if ((typeof asked === 'string' ? asked : asked.text) === 'commit' && ++commits === 2) throw new Error('Connection terminated')
        return answered
      }
      client.query = losing as typeof client.query
    })
    const db = database.site(site.id)
    const saved = await Promise.allSettled([
      db.txTogether(first, addLetter(first, 'a')),
      db.txTogether(second, addLetter(second, 'b')),
      db.txTogether(third, addLetter(third, 'c')),
    ])
    expect(commits).toBe(2)
    // Whoever asked is told that it is unknown, and can look.
    expect(saved.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await readPictures()).toEqual(['beforea', 'beforeb', 'beforec', 'before'])
  } finally {
    await database.close()
  }
})
