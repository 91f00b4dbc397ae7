import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { setFollowing } from '#app/features/follows/follows.server.ts'
import { listProjects } from '#app/features/projects/projects.list.server.ts'
import { getProject } from '#app/features/projects/projects.server.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx, withTx } from './context.ts'
import { projectMembers, topics } from './db/schema/projects.ts'
import { sites, siteFeatures } from './db/schema/sites.ts'
import { MemoryBudget } from './memory/memory-budget.ts'
import { PublicReads, readPublic, readSiteWide } from './public-reads.ts'
import type { Site } from './site-directory.ts'

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
    await runtime.database.site(site.id).tx((tx) => tx.insert(topics).values({ siteId: site.id, id: createId(), slug: 'trees', title: {} }))
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

describe('what the site shows to everybody, whatever their role', () => {
  /** Counts the reads of the site's features that reached the database. */
  function countSiteReads() {
    const seen: Ctx[] = []
    const read = (ctx: Ctx, name: string) =>
      readSiteWide(ctx, [name], async (given) => {
        seen.push(given)
        const rows = await given.db.read((tx) => tx.select().from(siteFeatures).where(eq(siteFeatures.siteId, given.site.id)))
        return { features: rows.length, site: given.site.name }
      })
    return { seen, read }
  }
  const addFeature = (site: Site) =>
    runtime.database.site(site.id).tx(async (tx) => {
      await tx.insert(siteFeatures).values({ siteId: site.id, name: 'show_revised_survey', enabled: true })
    })
  const renew = async (site: Site) => {
    runtime.sites.forget(site.id)
    const found = await runtime.sites.find(site.host)
    if (!found) throw new Error('The site is gone')
    return found
  }
  const addRoles = async (site: Site) => ({
    admin: await addAccount(runtime, site, { role: 'site_admin' }),
    colleague: await addAccount(runtime, site, { role: 'site_admin' }),
    participant: await addAccount(runtime, site),
  })

  test('is read once for visitors, participants and administrators together, and without who asks', async () => {
    const site = await addSite(runtime, { slug: 'wide' })
    const { seen, read } = countSiteReads()
    const { admin, colleague, participant } = await addRoles(site)
    await read(await admin.ctx({ address: '203.0.113.9' }), 'once')
    await read(await colleague.ctx(), 'once')
    await read(await participant.ctx(), 'once')
    await read(createCtx(runtime, site), 'once')
    expect(seen.map(({ viewer, address }) => [viewer.kind, address])).toEqual([['visitor', null]])
  })

  test('is read again for another language and another site', async () => {
    const [site, other] = [await addSite(runtime, { slug: 'languages' }), await addSite(runtime, { slug: 'languages-elsewhere' })]
    const { seen, read } = countSiteReads()
    const [{ admin }, { admin: theirs }] = [await addRoles(site), await addRoles(other)]
    // Both sites are at the same version of their content.
    await runtime.database
      .site(other.id)
      .tx((tx) => tx.insert(siteFeatures).values({ siteId: other.id, name: 'show_revised_survey', enabled: true }))
    await read(await admin.ctx(), 'place')
    await read(await admin.ctx({ language: 'cy' }), 'place')
    expect(seen.map(({ language }) => language)).toEqual(['en', 'cy'])
    expect(await read(await theirs.ctx(), 'place')).toMatchObject({ features: 1 })
    expect(await read(await admin.ctx(), 'place')).toMatchObject({ features: 0 })
  })

  test('shows administrators at once what another process has saved, though this one has not heard of it', async () => {
    const site = await addSite(runtime, { slug: 'unheard' })
    const { read } = countSiteReads()
    const { admin, participant } = await addRoles(site)
    expect(await read(await admin.ctx(), 'saved')).toMatchObject({ features: 0 })
    await addFeature(site)
    // Their contexts still have the site as it was.
    expect(await read(await admin.ctx(), 'saved')).toMatchObject({ features: 1 })
    expect(await read(await participant.ctx(), 'saved')).toMatchObject({ features: 0 })
    const heard = await renew(site)
    expect(await read({ ...(await participant.ctx()), site: heard }, 'saved')).toMatchObject({ features: 1 })
  })

  test('shows them their own save in the same request', async () => {
    const site = await addSite(runtime, { slug: 'own-save' })
    const { read } = countSiteReads()
    const { admin } = await addRoles(site)
    const ctx = await admin.ctx()
    expect(await read(ctx, 'own')).toMatchObject({ features: 0 })
    await ctx.db.tx(async (tx) => {
      await tx.insert(siteFeatures).values({ siteId: site.id, name: 'show_revised_survey', enabled: true })
    })
    expect(await read(ctx, 'own')).toMatchObject({ features: 1 })
  })

  test('is never remembered with an outdated name of the site for its new version', async () => {
    const site = await addSite(runtime, { slug: 'renamed' })
    const { read } = countSiteReads()
    const { admin, participant } = await addRoles(site)
    await runtime.database.site(site.id).tx(async (tx) => {
      await tx.update(sites).set({ name: 'New name' }).where(eq(sites.id, site.id))
    })
    await read(await admin.ctx(), 'renamed')
    const heard = await renew(site)
    expect(await read({ ...(await participant.ctx()), site: heard }, 'renamed')).toMatchObject({ site: 'New name' })
    expect(await read({ ...(await admin.ctx()), site: heard }, 'renamed')).toMatchObject({ site: 'New name' })
  })

  test('is not remembered from a transaction that may be rolled back', async () => {
    const site = await addSite(runtime, { slug: 'rolled-back' })
    const { read } = countSiteReads()
    const { admin, participant } = await addRoles(site)
    for (const account of [admin, participant]) {
      const ctx = await account.ctx()
      const saving = ctx.db.tx(async (tx) => {
        await tx.insert(siteFeatures).values({ siteId: site.id, name: 'show_revised_survey', enabled: true })
        expect(await read(withTx({ ...ctx, viewer: (await admin.ctx()).viewer }, tx), 'uncommitted')).toMatchObject({ features: 1 })
        throw new Error('changed my mind')
      })
      await expect(saving).rejects.toThrow('changed my mind')
    }
    expect(await read(await admin.ctx(), 'uncommitted')).toMatchObject({ features: 0 })
  })

  test('is not remembered as of another moment', async () => {
    const site = await addSite(runtime, { slug: 'moment' })
    const { seen, read } = countSiteReads()
    const { admin } = await addRoles(site)
    await read({ ...(await admin.ctx()), now: () => new Date('2031-01-01T00:00:00Z') }, 'moment')
    await read(await admin.ctx(), 'moment')
    expect(seen).toHaveLength(2)
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
  const reads = new PublicReads({ budget: new MemoryBudget(100_000) })
  let read = 0
  const obtain = (key: string) =>
    reads.obtain({ id: 'site', contentVersion: 1 }, key, () => {
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
  const obtain = () => reads.obtain({ id: 'site', contentVersion: 1 }, 'a', () => Promise.resolve(++read))
  expect([await obtain(), await obtain()]).toEqual([1, 1])
  now = 60_000
  expect(await obtain()).toBe(2)
})
