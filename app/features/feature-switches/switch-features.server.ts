import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission, checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { isSiteMatching } from '#app/features/sites/sites.list.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { collateFor } from '#app/server/db/collation.ts'
import { features, siteFeatures, sites } from '#app/server/db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { SWITCHABLE_FEATURES, type SwitchableFeature, type SwitchSetting } from './feature-switches.schema.ts'

export interface FeatureSwitch {
  /** The feature's name; for a site, followed by a dot and the site's id. */
  id: string
  feature: SwitchableFeature
  /** Null for the platform's default. */
  site: SwitchSite | null
  setting: SwitchSetting
  enabled: boolean
}

interface SwitchSite {
  id: string
  name: string
}

interface SwitchQuery {
  feature?: SwitchableFeature | undefined
  site?: string | undefined
  place?: 'platform' | 'site' | undefined
  /** Part of the site's name or hosts. */
  q?: string | undefined
  offset: number
  limit: number
}

/** Switches of the platform and all sites: the platform's first, then site by site. @throws {AppError} `forbidden` */
export async function listSwitches(ctx: Ctx, wanted: SwitchQuery): Promise<{ rows: FeatureSwitch[]; total: number }> {
  requirePermission(ctx, 'features.switch')
  const places: (SwitchSite | null)[] = [
    ...(wanted.place === 'site' || wanted.site || wanted.q ? [] : [null]),
    ...(wanted.place === 'platform' ? [] : await loadSites(ctx, wanted.site ? [wanted.site] : undefined, wanted.q)),
  ]
  const names = wanted.feature ? [wanted.feature] : SWITCHABLE_FEATURES
  const all = places.flatMap((site) => names.map((feature) => ({ feature, site })))
  return { rows: await loadSwitchStates(ctx, all.slice(wanted.offset, wanted.offset + wanted.limit)), total: all.length }
}

/** Loads switches by id, for platform administrators only; none for anyone else. */
export async function loadSwitchesById(ctx: Ctx, ids: readonly string[]): Promise<FeatureSwitch[]> {
  if (!checkPermission(ctx.viewer, 'features.switch').ok) return []
  const asked = ids.map((id) => ({ name: id.split('.')[0], siteId: id.split('.')[1] }))
  const known = await loadSites(
    ctx,
    asked.flatMap(({ siteId }) => siteId ?? []),
  )
  const found = asked.flatMap(({ name, siteId }) => {
    const feature = SWITCHABLE_FEATURES.find((one) => one === name)
    const site = siteId === undefined ? null : known.find((one) => one.id === siteId)
    return feature && site !== undefined ? [{ feature, site }] : []
  })
  return loadSwitchStates(ctx, found)
}

/**
 * Sets a switch. It takes effect with the next request in every process: settings are read for each rendered page, and stored pages are
 * invalidated.
 * @throws {AppError} `forbidden`; `invalid` if the platform's default is set to `platform`
 */
export async function setSwitch(ctx: Ctx, { feature, site }: FeatureSwitch, setting: SwitchSetting | undefined): Promise<void> {
  requirePermission(ctx, 'features.switch')
  if (setting === undefined) return
  const entry = { action: 'features.switch' as const, detail: { feature, setting } }
  if (!site) {
    if (setting === 'platform') throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/setting' }] })
    return ctx.runtime.database.site(PLATFORM_SITE_ID).tx(async (tx) => {
      await tx
        .update(features)
        .set({ enabled: setting === 'on' })
        .where(eq(features.name, feature))
      await recordAudit(ctx, tx, { ...entry, siteId: PLATFORM_SITE_ID })
    })
  }
  const key = { siteId: site.id, name: feature }
  await ctx.runtime.database.site(site.id).tx(async (tx) => {
    if (setting === 'platform') {
      await tx.delete(siteFeatures).where(and(eq(siteFeatures.siteId, site.id), eq(siteFeatures.name, feature)))
    } else {
      const enabled = setting === 'on'
      await tx
        .insert(siteFeatures)
        .values({ ...key, enabled })
        .onConflictDoUpdate({ target: [siteFeatures.siteId, siteFeatures.name], set: { enabled } })
    }
    await recordAudit(ctx, tx, { ...entry, siteId: site.id })
  })
}

const loadSites = (ctx: Ctx, ids?: string[], q?: string): Promise<SwitchSite[]> =>
  ctx.runtime.database.global
    .select({ id: sites.id, name: sites.name })
    .from(sites)
    .where(
      and(ne(sites.id, PLATFORM_SITE_ID), ids && (ids.length ? inArray(sites.id, ids) : sql`false`), q ? isSiteMatching(q) : undefined),
    )
    .orderBy(collateFor(ctx.language, sites.name), asc(sites.id))

/** Loads the state of switches. Each site is read separately, because no query can see the rows of two sites. */
async function loadSwitchStates(ctx: Ctx, wanted: { feature: SwitchableFeature; site: SwitchSite | null }[]): Promise<FeatureSwitch[]> {
  const { database } = ctx.runtime
  const rows = await database.global.select({ name: features.name, enabled: features.enabled }).from(features)
  const defaults = new Map(rows.map(({ name, enabled }) => [name, enabled]))
  const own = new Map<string, boolean>()
  for (const siteId of new Set(wanted.flatMap(({ site }) => site?.id ?? []))) {
    const set = await database.site(siteId).read((tx) => tx.select().from(siteFeatures).where(eq(siteFeatures.siteId, siteId)))
    for (const { name, enabled } of set) own.set(`${name}.${siteId}`, enabled)
  }
  return wanted.map(({ feature, site }) => {
    const id = site ? `${feature}.${site.id}` : feature
    const byDefault = defaults.get(feature) ?? false
    const set = site ? own.get(id) : byDefault
    return { id, feature, site, setting: set === undefined ? 'platform' : set ? 'on' : 'off', enabled: set ?? byDefault }
  })
}
