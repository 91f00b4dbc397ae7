import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { type Viewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { Site } from '#app/server/site-directory.ts'
import { getProject } from '#app/features/projects/projects.server.ts'
import { addPerson, addProject } from '#tests/factories/surveys.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { setFollowing } from './follows.server.ts'

let runtime: TestRuntime
let site: Site
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  await addProject(runtime, site, { slug: 'bus' })
  await addProject(runtime, site, { slug: 'draft', status: 'draft', publishedAt: null })
})

const as = (viewer: Viewer) => createCtx(runtime, site, { viewer })
const state = async (viewer: Viewer) => {
  const { following, followers } = await getProject(as(viewer), { slug: 'bus' })
  return { following, followers }
}

test('a signed-in person can follow and unfollow, and repeating either changes nothing', async () => {
  const [ana, ben] = [await addPerson(runtime, site), await addPerson(runtime, site)]
  await setFollowing(as(ana), { slug: 'bus', following: true })
  await setFollowing(as(ana), { slug: 'bus', following: true })
  await setFollowing(as(ben), { slug: 'bus', following: true })
  expect(await state(ana)).toEqual({ following: true, followers: 2 })
  expect(await state(VISITOR)).toEqual({ following: false, followers: 2 })
  await setFollowing(as(ana), { slug: 'bus', following: false })
  await setFollowing(as(ana), { slug: 'bus', following: false })
  expect(await state(ana)).toEqual({ following: false, followers: 1 })
})

test('refuses visitors, projects that are not visible, and platform accounts', async () => {
  const ana = await addPerson(runtime, site)
  await expect(setFollowing(as(VISITOR), { slug: 'bus', following: true })).rejects.toMatchObject({ code: 'unauthenticated' })
  await expect(setFollowing(as(ana), { slug: 'draft', following: true })).rejects.toMatchObject({ code: 'not-found' })
  await expect(setFollowing(as(ana), { slug: 'nothing', following: true })).rejects.toMatchObject({ code: 'not-found' })
  await expect(
    setFollowing(as({ ...ana, siteId: (await addSite(runtime, { slug: 'other' })).id }), { slug: 'bus', following: true }),
  ).rejects.toMatchObject({
    code: 'forbidden',
  })
})

test('a follower leaves a project that is no longer visible; to anybody else it does not exist', async () => {
  const [ana, ben] = [await addPerson(runtime, site), await addPerson(runtime, site)]
  const { id } = await addProject(runtime, site, { slug: 'withdrawn' })
  await setFollowing(as(ana), { slug: 'withdrawn', following: true })
  await createCtx(runtime, site).db.tx((tx) => tx.update(projects).set({ status: 'draft', publishedAt: null }).where(eq(projects.id, id)))
  await expect(setFollowing(as(ben), { slug: 'withdrawn', following: false })).rejects.toMatchObject({ code: 'not-found' })
  await setFollowing(as(ana), { slug: 'withdrawn', following: false })
  await expect(setFollowing(as(ana), { slug: 'withdrawn', following: false })).rejects.toMatchObject({ code: 'not-found' })
})
