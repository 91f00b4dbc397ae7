import { and, eq } from 'drizzle-orm'
import { readSiteFeatures } from '#app/features/feature-switches/feature-switches.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { embedDomains } from '#app/server/db/schema/sites.ts'

/** Domains that may be framed: the site's list, if the platform granted it `whitelist-embed`. */
export async function listEmbedDomains(ctx: Ctx): Promise<string[]> {
  if (!(await readSiteFeatures(ctx)).includes('whitelist-embed')) return []
  const rows = await ctx.db.read((tx) =>
    tx
      .select({ host: embedDomains.host })
      .from(embedDomains)
      .where(and(eq(embedDomains.siteId, ctx.site.id), eq(embedDomains.showsHere, true))),
  )
  return rows.map((row) => row.host).sort()
}

/** Origin of an https address, if its domain or a parent domain is on the site's list. */
export async function findAllowedOrigin(ctx: Ctx, address: string): Promise<string | undefined> {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '') return undefined
  const allowed = await listEmbedDomains(ctx)
  if (url.hostname === ctx.site.host) return undefined
  return allowed.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`)) ? url.origin : undefined
}
