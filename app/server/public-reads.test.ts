import { beforeAll, describe, expect, test } from 'vitest'
import { setFollowing } from '#app/features/follows/follows.server.ts'
import { listProjects } from '#app/features/projects/projects.list.server.ts'
import { getProject } from '#app/features/projects/projects.server.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { createCtx, type Ctx } from './context.ts'
import { markContentChanged } from './db/client.ts'
import { projectMembers } from './db/schema/projects.ts'
import { PublicReads, readPublic } from './public-reads.ts'

let runtime: TestRuntime
let host: string

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.publicReads = new PublicReads()
  host = (await addSite(runtime)).host
})

const findSite = async () => {
  const site = await runtime.sites.find(host)
  if (!site) throw new Error('The site is gone')
  return site
}

/** Counts how often the value was really read. */
function countReads() {
  const seen: Ctx[] = []
  return {
    seen,
    read: (ctx: Ctx, name: string) =>
      readPublic(ctx, [name], (given) => {
        seen.push(given)
        return Promise.resolve({ name, viewer: given.viewer })
      }),
  }
}

describe('what everybody sees alike', () => {
  test('is read once for all visitors, and once for all participants', async () => {
    const site = await findSite()
    const { seen, read } = countReads()
    const [ann, bob] = [await addAccount(runtime, site), await addAccount(runtime, site)]
    await read(createCtx(runtime, site), 'once')
    await read(createCtx(runtime, site), 'once')
    await read(await ann.ctx(), 'once')
    await read(await bob.ctx(), 'once')
    expect(seen).toHaveLength(2)
  })

  test('is read without the person who asks: nothing of theirs can be remembered for others', async () => {
    const { seen, read } = countReads()
    const ann = await addAccount(runtime, await findSite())
    const asked = { ...(await ann.ctx({ address: '203.0.113.9', userAgent: 'Firefox' })) }
    await read(asked, 'anonymous')
    const [given] = seen
    expect(JSON.stringify([given?.viewer, given?.address, given?.userAgent])).not.toMatch(
      new RegExp([ann.id, ann.email, '203\\.0\\.113\\.9', 'Firefox'].join('|')),
    )
  })

  test('is read anew for people with a role, who may see more', async () => {
    const { seen, read } = countReads()
    const admin = await addAccount(runtime, await findSite(), { role: 'site_admin' })
    await read(await admin.ctx(), 'role')
    await read(await admin.ctx(), 'role')
    expect(seen.map(({ viewer }) => viewer.kind === 'user' && viewer.id)).toEqual([admin.id, admin.id])
  })

  test('is read again after a publication, in another language and on another site', async () => {
    const { seen, read } = countReads()
    const site = await findSite()
    await read(createCtx(runtime, site), 'version')
    await read(createCtx(runtime, site, { language: 'cy' }), 'version')
    await runtime.database.site(site.id).tx((tx) => markContentChanged(tx, site.id))
    runtime.sites.refresh()
    await read(createCtx(runtime, await findSite()), 'version')
    await read(createCtx(runtime, await addSite(runtime, { slug: 'harbour' })), 'version')
    expect(seen).toHaveLength(4)
  })

  test('is not remembered when it is looked at as of another moment, as previews do', async () => {
    const { seen, read } = countReads()
    const ctx = createCtx(runtime, await findSite())
    await read({ ...ctx, now: () => new Date('2031-01-01T00:00:00Z') }, 'moment')
    await read(ctx, 'moment')
    expect(seen).toHaveLength(2)
  })

  test('is not remembered if it could not be read', async () => {
    const ctx = createCtx(runtime, await findSite())
    await expect(readPublic(ctx, ['fails'], () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await readPublic(ctx, ['fails'], () => Promise.resolve('back'))).toBe('back')
  })

  test('cannot be changed by who reads it', async () => {
    const ctx = createCtx(runtime, await findSite())
    const shown = await readPublic(ctx, ['frozen'], () => Promise.resolve({ list: [{ title: 'Benches' }] }))
    expect(() => shown.list.push({ title: 'Trees' })).toThrow(TypeError)
  })
})

describe('a member of a project', () => {
  let member: Account
  let stranger: Account

  beforeAll(async () => {
    const site = await findSite()
    const hidden = await addProject(runtime, site, { slug: 'for-members', visibility: 'members', title: { en: 'For members' } })
    ;[member, stranger] = [await addAccount(runtime, site), await addAccount(runtime, site)]
    await runtime.database
      .site(site.id)
      .tx((tx) => tx.insert(projectMembers).values({ siteId: site.id, projectId: hidden.id, userId: member.id }))
  })

  const listSlugs = async (account: Account) => (await listProjects(await account.ctx(), {})).projects.map(({ slug }) => slug)

  test('sees it in lists, and other participants do not, whoever asks first', async () => {
    for (const round of [1, 2]) {
      expect(await listSlugs(member), `round ${round}`).toContain('for-members')
      expect(await listSlugs(stranger), `round ${round}`).not.toContain('for-members')
    }
  })

  test('opens it, and other participants do not', async () => {
    expect(await getProject(await member.ctx(), { slug: 'for-members' })).toMatchObject({ slug: 'for-members' })
    await expect(getProject(await stranger.ctx(), { slug: 'for-members' })).rejects.toMatchObject({ code: 'not-found' })
  })
})

test('whether somebody follows a project is shown to them alone', async () => {
  const site = await findSite()
  const { slug } = await addProject(runtime, site, { slug: 'followed' })
  const [follower, other] = [await addAccount(runtime, site), await addAccount(runtime, site)]
  await setFollowing(await follower.ctx(), { slug, following: true })
  expect(await getProject(await follower.ctx(), { slug })).toMatchObject({ following: true, followers: 1 })
  expect(await getProject(await other.ctx(), { slug })).toMatchObject({ following: false, followers: 1 })
  await setFollowing(await follower.ctx(), { slug, following: false })
  expect(await getProject(await follower.ctx(), { slug })).toMatchObject({ following: false, followers: 0 })
})

test('the memory is bounded, and keeps what was asked for last', async () => {
  const reads = new PublicReads({ maxBytes: 100_000 })
  let read = 0
  const obtain = (key: string) =>
    reads.obtain(key, () => {
      read += 1
      return Promise.resolve('x'.repeat(10_000))
    })
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await obtain(key)
  expect(reads.bytes).toBeLessThanOrEqual(100_000)
  const before = read
  await obtain('f')
  expect(read).toBe(before)
  await obtain('a')
  expect(read).toBe(before + 1)
})

test('a value is read again after a while, since it may depend on the time', async () => {
  let now = 0
  const reads = new PublicReads({ now: () => now })
  let read = 0
  const obtain = () => reads.obtain('a', () => Promise.resolve(++read))
  expect([await obtain(), await obtain()]).toEqual([1, 1])
  now = 60_000
  expect(await obtain()).toBe(2)
})
