import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createCtx, withReader } from '#app/server/context.ts'
import { openDatabase, type Tx } from '#app/server/db/client.ts'
import { getAppRole, buildAppUrl } from '#app/server/connection-string.ts'
import { memberships, sessions, supportGrants, users } from '#app/server/db/schema/accounts.ts'
import { projectMembers } from '#app/server/db/schema/projects.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { createId } from '#app/lib/uuid.ts'
import { watchContent } from '#app/serve/watch-content.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { createApiClient } from '#tests/support/api.ts'
import { TEST_SECRET } from '#tests/support/cluster.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'
import { RememberedViewers } from '#app/server/auth/remembered-viewers.ts'
import { type Viewer, VISITOR } from '#app/server/auth/viewer.ts'

/** One process writes and forgets by itself; the other, whose clock stands still, only hears of changes. */
let writing: Runtime
let hearing: TestRuntime
let heard: RememberedViewers
let stop: () => Promise<void>
let site: Site

beforeAll(async () => {
  hearing = await createTestRuntime()
  const url = buildAppUrl(hearing.ownerUrl, TEST_SECRET, getAppRole('template_parley'))
  heard = new RememberedViewers(() => 0)
  hearing.viewers = heard
  const viewers = new RememberedViewers(() => 0)
  const database = openDatabase(url, { max: 2, onWritten: (siteId) => viewers.forget(siteId) })
  writing = { ...hearing, database, viewers }
  site = await addSite(hearing)
  const watch = watchContent(url, { sites: hearing.sites, viewers: heard }, hearing.log)
  stop = async () => {
    await watch.stop()
    await database.close()
  }
})
afterAll(() => stop())
beforeEach(() => heard.forget())

const findViewer = async (runtime: Runtime, { token }: Account) => (await withReader(createCtx(runtime, site), token)).viewer
const loadsSession = async (work: () => Promise<unknown>) =>
  (await recordDatabaseUse(hearing, work)).statements.some((text) => text.includes('"sessions"."token_hash"'))

test('who reads again within a second is not looked up again; who writes is', async () => {
  const person = await addAccount(hearing, site, { role: 'site_admin' })
  const api = createApiClient(hearing, site, person.token)
  expect(await loadsSession(() => api.get('/projects'))).toBe(true)
  // What was told of the new person may arrive after they asked.
  await expect.poll(() => loadsSession(() => api.get('/projects'))).toBe(false)
  expect(await loadsSession(() => api.delete(`/projects/${createId()}`))).toBe(true)
})

test('is looked up again after a second, though nobody told of a change', async () => {
  let now = 0
  const person = await addAccount(hearing, site)
  const viewers = new RememberedViewers(() => now)
  const runtime = { ...hearing, viewers }
  await findViewer(runtime, person)
  now = 999
  expect(await loadsSession(() => findViewer(runtime, person))).toBe(true)
})

test('a token is somebody on its own site only, and nobody anywhere else', async () => {
  const person = await addAccount(hearing, site)
  await findViewer(hearing, person)
  const elsewhere = await addSite(hearing, { slug: 'harbour' })
  expect((await withReader(createCtx(hearing, elsewhere), person.token)).viewer.kind).toBe('visitor')
})

test('a lookup that began before a right was taken away is not remembered', async () => {
  const person = await addAccount(hearing, site)
  const { viewer } = await person.ctx()
  const viewers = new RememberedViewers(() => 0)
  const begun = Promise.withResolvers<Viewer>()
  const before = viewers.obtain(site.id, person.token, () => begun.promise)
  viewers.forget(site.id)
  begun.resolve(viewer)
  expect(await before).toEqual(viewer)
  expect(await viewers.obtain(site.id, person.token, async () => VISITOR)).toEqual(VISITOR)
})

interface Act {
  name: string
  make: (tx: Tx, account: Account) => Promise<unknown>
  /** What holds before, and no more after. */
  holds: (viewer: Awaited<ReturnType<typeof findViewer>>) => boolean
}

const isUser: Act['holds'] = (viewer) => viewer.kind === 'user'
const ACTS: readonly Act[] = [
  {
    name: 'the session ends',
    make: (tx, { id }) => tx.delete(sessions).where(and(eq(sessions.siteId, site.id), eq(sessions.userId, id))),
    holds: isUser,
  },
  {
    name: 'the account is blocked',
    make: (tx, { id }) =>
      tx
        .update(users)
        .set({ blockedAt: new Date() })
        .where(and(eq(users.siteId, site.id), eq(users.id, id))),
    holds: isUser,
  },
  {
    name: 'the role is taken away',
    make: (tx, { id }) => tx.delete(memberships).where(and(eq(memberships.siteId, site.id), eq(memberships.userId, id))),
    holds: (viewer) => viewer.kind === 'user' && viewer.roles.length > 0,
  },
  {
    name: 'they are let out of a project',
    make: (tx, { id }) => tx.delete(projectMembers).where(and(eq(projectMembers.siteId, site.id), eq(projectMembers.userId, id))),
    holds: (viewer) => viewer.kind === 'user' && viewer.memberOf?.length === 1,
  },
]

test.for(ACTS)('$name: at once in the same process, and in others as soon as they hear of it', async ({ make, holds }) => {
  const person = await addAccount(hearing, site, { role: 'site_admin' })
  const { id: projectId } = await addProject(hearing, site)
  await hearing.database.site(site.id).tx((tx) => tx.insert(projectMembers).values({ siteId: site.id, projectId, userId: person.id }))
  await expect.poll(async () => holds(await findViewer(hearing, person))).toBe(true)
  expect(holds(await findViewer(writing, person))).toBe(true)
  await writing.database.site(site.id).tx((tx) => make(tx, person))
  expect(holds(await findViewer(writing, person))).toBe(false)
  await expect.poll(async () => holds(await findViewer(hearing, person)), { timeout: 5000 }).toBe(false)
})

test('a support grant that is revoked ends for the platform’s administrators', async () => {
  const person = await addAccount(hearing, site, { role: 'platform_admin' })
  const grant = { siteId: site.id, id: createId(), grantedBy: person.id, expiresAt: new Date(Date.now() + 60_000) }
  const inSite = (work: (tx: Tx) => Promise<unknown>) => writing.database.site(site.id).tx(work)
  const isGranted = async (runtime: Runtime) => {
    const viewer = await findViewer(runtime, person)
    return viewer.kind === 'user' && viewer.siteId === PLATFORM_SITE_ID && viewer.supportGranted
  }
  await inSite((tx) => tx.insert(supportGrants).values(grant))
  await expect.poll(() => isGranted(hearing)).toBe(true)
  await inSite((tx) => tx.update(supportGrants).set({ revokedAt: new Date() }).where(eq(supportGrants.id, grant.id)))
  expect(await isGranted(writing)).toBe(false)
  await expect.poll(() => isGranted(hearing), { timeout: 5000 }).toBe(false)
})
