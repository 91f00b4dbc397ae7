import { and, eq } from 'drizzle-orm'
import { readSiteFeatures } from '#app/features/feature-switches/feature-switches.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { embedDomains } from '#app/server/db/schema.ts'

/** Where pages of other places may be framed from: the site's list, while the platform lets it have one. */
export async function listEmbedDomains(ctx: Ctx): Promise<string[]> {
  if (!(await readSiteFeatures(ctx)).includes('whitelist-embed')) return []
  const rows = await ctx.db.tx((tx) =>
    tx
      .select({ host: embedDomains.host })
      .from(embedDomains)
      .where(and(eq(embedDomains.siteId, ctx.site.id), eq(embedDomains.showsHere, true))),
  )
  return rows.map((row) => row.host).sort()
}

/** The origin of an https address whose domain, or a domain above it, is on the site's list. */
export async function findAllowedOrigin(ctx: Ctx, address: string): Promise<string | undefined> {
  const url = URL.parse(address)
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '') return undefined
  const allowed = await listEmbedDomains(ctx)
  if (url.hostname === ctx.site.host) return undefined
  return allowed.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`)) ? url.origin : undefined
}
