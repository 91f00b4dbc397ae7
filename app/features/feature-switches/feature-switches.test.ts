import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { features } from '#app/server/db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { Site } from '#app/server/site-directory.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { FEATURES, SITE_FEATURES, type SwitchSetting } from './feature-switches.schema.ts'
import { readFeatures, readSiteFeatures } from './feature-switches.server.ts'

const runtime = await createTestRuntime()
let riverbend: Site
let harbour: Site
/** The platform's administrator, on Riverbend's host. */
let api: ReturnType<typeof createApiClient>
const set = (id: string, setting: SwitchSetting): Promise<ApiAnswer> =>
  api.patch(`/feature-switches/${id}`, buildResourceDocument('feature-switches', { setting }, { id }))

beforeAll(async () => {
  riverbend = await addSite(runtime, { slug: 'riverbend' })
  harbour = await addSite(runtime, { slug: 'harbour' })
  api = createApiClient(runtime, riverbend, (await addPerson(runtime, riverbend, { role: 'platform_admin' })).token)
})

describe('features of a site', () => {
  it('are all known, and off on a new platform', async () => {
    const ctx = createCtx(runtime, riverbend)
    expect(await readFeatures(ctx)).toEqual(Object.fromEntries(FEATURES.map((name) => [name, { enabled: false }])))
    expect(await readSiteFeatures(ctx)).toEqual([])
    const known = await runtime.database.global.select({ name: features.name }).from(features)
    expect(known.map(({ name }) => name).sort()).toEqual([...FEATURES, ...SITE_FEATURES].sort())
  })

  it('follow the platform’s default, unless the site has its own setting', async () => {
    expect((await set('segment_analytics_admin', 'on')).status).toBe(200)
    const enabled = async (site: Site) => (await readFeatures(createCtx(runtime, site))).segment_analytics_admin.enabled
    expect([await enabled(riverbend), await enabled(harbour)]).toEqual([true, true])
    const answer = await set(`segment_analytics_admin.${riverbend.id}`, 'off')
    expect(answer.body?.data).toMatchObject({
      attributes: { feature: 'segment_analytics_admin', site: { id: riverbend.id, name: 'Riverbend' }, setting: 'off', enabled: false },
    })
    expect([await enabled(riverbend), await enabled(harbour)]).toEqual([false, true])
    await set(`segment_analytics_admin.${riverbend.id}`, 'platform')
    expect([await enabled(riverbend), await enabled(harbour)]).toEqual([true, true])
    expect(await set('segment_analytics_admin', 'platform')).toMatchObject({ status: 422, codes: ['not-a-choice'] })
  })

  it('can be switched for any site from any site, which invalidates that site’s stored pages', async () => {
    const version = async (site: Site) => {
      runtime.sites.refresh()
      return (await runtime.sites.find(site.host))?.contentVersion ?? 0
    }
    const before = { riverbend: await version(riverbend), harbour: await version(harbour) }
    await set(`whitelist-embed.${harbour.id}`, 'on')
    expect(await readSiteFeatures(createCtx(runtime, harbour))).toEqual(['whitelist-embed'])
    expect(await readSiteFeatures(createCtx(runtime, riverbend))).toEqual([])
    expect(await version(harbour)).toBeGreaterThan(before.harbour)
    expect(await version(riverbend)).toBe(before.riverbend)
    await set('show_revised_survey', 'on')
    expect(await version(riverbend)).toBeGreaterThan(before.riverbend)
  })

  it('can be listed for the platform, for one site and for one feature', async () => {
    const list = async (query: string) => {
      const { data, meta } = (await api.get(`/feature-switches?${query}`)).body as { data: { id: string }[]; meta: { total: number } }
      return { ids: data.map(({ id }) => id), total: meta.total }
    }
    const all = await list('page[size]=200')
    expect(all.ids).toHaveLength(3 * (FEATURES.length + SITE_FEATURES.length))
    expect(all.ids.slice(0, 2)).toEqual([FEATURES[0], FEATURES[1]])
    expect((await list('filter[place]=platform')).ids).toEqual([...FEATURES, ...SITE_FEATURES])
    expect((await list(`filter[site]=${harbour.id}&filter[feature]=whitelist-embed`)).ids).toEqual([`whitelist-embed.${harbour.id}`])
    expect(await list('filter[feature]=whitelist-embed&filter[place]=site&page[size]=1&page[number]=2')).toEqual({
      ids: [`whitelist-embed.${riverbend.id}`],
      total: 2,
    })
    for (const id of ['nothing', `nothing.${harbour.id}`, `whitelist-embed.${createId()}`, 'whitelist-embed.x'])
      expect((await api.get(`/feature-switches/${id}`)).status).toBe(404)
  })

  it('are audited in the trail of the site, or in the platform’s', async () => {
    const trail = (siteId: string) =>
      runtime.database
        .site(siteId)
        .tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.action, 'features.switch')).orderBy(auditEvents.id))
    const count = (await trail(harbour.id)).length
    await set(`marketplace_sms_integration.${harbour.id}`, 'on')
    const written = await trail(harbour.id)
    expect(written).toHaveLength(count + 1)
    expect(written.at(-1)).toMatchObject({
      detail: { feature: 'marketplace_sms_integration', setting: 'on' },
      actorRole: 'platform_admin',
    })
    await set('marketplace_sms_integration', 'on')
    expect((await trail(PLATFORM_SITE_ID)).at(-1)).toMatchObject({ detail: { feature: 'marketplace_sms_integration', setting: 'on' } })
  })

  it('do not exist for site administrators', async () => {
    const { token } = await addPerson(runtime, riverbend, { role: 'site_admin' })
    const theirs = createApiClient(runtime, riverbend, token)
    const id = `whitelist-embed.${riverbend.id}`
    expect((await theirs.get('/feature-switches')).status).toBe(403)
    expect((await theirs.get(`/feature-switches/${id}`)).status).toBe(404)
    expect(
      (await theirs.patch(`/feature-switches/${id}`, buildResourceDocument('feature-switches', { setting: 'on' }, { id }))).status,
    ).toBe(404)
  })
})
