import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { features, siteFeatures } from '#app/server/db/schema/sites.ts'
import { readSiteWide } from '#app/server/public-reads.ts'
import { FEATURES, type Features, SITE_FEATURES, type SiteFeatureName } from './feature-switches.schema.ts'

/** State of every feature on the site: the site's own setting, or else the platform's default. */
export async function readFeatures(ctx: Ctx): Promise<Features> {
  const on = await loadEnabledFeatures(ctx)
  return Object.fromEntries(FEATURES.map((name) => [name, { enabled: on.has(name) }])) as Features
}

/** The enabled site features. */
export async function readSiteFeatures(ctx: Ctx): Promise<SiteFeatureName[]> {
  const on = await loadEnabledFeatures(ctx)
  return SITE_FEATURES.filter((name) => on.has(name))
}

async function loadEnabledFeatures(ctx: Ctx): Promise<Set<string>> {
  const rows = await readSiteWide(ctx, ['features'], ({ db, site }) => db.read((tx) => selectSettings(tx, site.id)))
  return new Set(rows.filter((row) => row.own ?? row.platform).map((row) => row.name))
}

const selectSettings = (tx: Tx, siteId: string) =>
  tx
    .select({ name: features.name, platform: features.enabled, own: siteFeatures.enabled })
    .from(features)
    .leftJoin(siteFeatures, and(eq(siteFeatures.siteId, siteId), eq(siteFeatures.name, features.name)))
