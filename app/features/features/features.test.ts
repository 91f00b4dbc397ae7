import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#app/lib/roles.ts'
import { newId } from '#app/lib/uuid.ts'
import type { SignedIn } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { features } from '#app/server/db/schema.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSite, testRuntime } from '#tests/support/database.ts'
import { FEATURES, SITE_FEATURES } from './features.schema.ts'
import { readFeatures, readSiteFeatures, switchSiteFeature } from './features.server.ts'

const runtime = await testRuntime()
let riverbend: Site
let harbour: Site
const holder = (role: Role): SignedIn => ({
  kind: 'user',
  id: newId(),
  siteId: riverbend.id,
  sessionId: newId(),
  email: 'a@example.org',
  login: 'A',
  type: 'administrator',
  confirmed: true,
  lastSeenAt: null,
  roles: [{ role, hubId: null, projectId: null, mayExportPersonalData: false }],
  roleName: role,
  supportGranted: false,
})

beforeAll(async () => {
  riverbend = await addSite(runtime, { slug: 'riverbend' })
  harbour = await addSite(runtime, { slug: 'harbour' })
})

describe('features of a site', () => {
  it('are all known and off on a new platform', async () => {
    const ctx = createCtx(runtime, riverbend)
    expect(await readFeatures(ctx)).toEqual(Object.fromEntries(FEATURES.map((name) => [name, { enabled: false }])))
    expect(await readSiteFeatures(ctx)).toEqual([])
    const known = await runtime.database.global.select({ name: features.name }).from(features)
    expect(known.map(({ name }) => name).sort()).toEqual([...FEATURES, ...SITE_FEATURES].sort())
  })

  it('follow the platform’s default until the site has a setting of its own', async () => {
    await runtime.database.global.update(features).set({ enabled: true }).where(eq(features.name, 'segment_analytics_admin'))
    const platform = createCtx(runtime, riverbend, { viewer: holder('platform_admin') })
    expect((await readFeatures(platform)).segment_analytics_admin.enabled).toBe(true)
    await switchSiteFeature(platform, { name: 'segment_analytics_admin', enabled: false })
    expect((await readFeatures(platform)).segment_analytics_admin.enabled).toBe(false)
    expect((await readFeatures(createCtx(runtime, harbour))).segment_analytics_admin.enabled).toBe(true)
  })

  it('are switched by the platform’s administrators alone, and stored pages know at once', async () => {
    const version = async () => {
      runtime.sites.refresh()
      return (await runtime.sites.find(riverbend.host))?.contentVersion ?? 0
    }
    const before = await version()
    for (const role of ['site_admin', 'hub_admin', 'project_admin'] as const) {
      const ctx = createCtx(runtime, riverbend, { viewer: holder(role) })
      await expect(switchSiteFeature(ctx, { name: 'whitelist-embed', enabled: true })).rejects.toThrow('forbidden')
    }
    expect(await version()).toBe(before)
    await switchSiteFeature(createCtx(runtime, riverbend, { viewer: holder('platform_admin') }), { name: 'whitelist-embed', enabled: true })
    expect(await readSiteFeatures(createCtx(runtime, riverbend))).toEqual(['whitelist-embed'])
    expect(await readSiteFeatures(createCtx(runtime, harbour))).toEqual([])
    expect(await version()).toBeGreaterThan(before)
  })
})
