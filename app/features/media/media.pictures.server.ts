import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { findPictureId, buildShownAddress } from '#app/lib/picture-address.ts'
import type { Ctx } from '#app/server/context.ts'
import { mediaAssets } from '#app/server/db/schema/media.ts'

/** Selects the current address of the library picture in a column; any other path is returned as is. Costs one primary-key lookup. */
export const selectShownPicture = (siteId: AnyPgColumn, picture: AnyPgColumn): SQL<string | null> => sql<string | null>`coalesce((
  select '/media/' || m.id || '/' || m.version || '/' || least(1280, m.width) || '#' || m.width || 'x' || m.height || ',' || m.focal_x || ',' || m.focal_y
  from media_assets m where m.site_id = ${siteId} and ${picture} like '/media/%' and m.id::text = substr(${picture}, 8)
), ${picture})`

/** The same for addresses in content: maps each library address to its current one. */
export async function loadShownPictures(ctx: Ctx, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = new Map(addresses.flatMap((address) => [[findPictureId(address), address] as const]).filter(([id]) => id !== undefined))
  if (!wanted.size) return new Map()
  const rows = await ctx.db.read((tx) =>
    tx
      .select()
      .from(mediaAssets)
      .where(and(eq(mediaAssets.siteId, ctx.site.id), inArray(mediaAssets.id, [...wanted.keys()].map(String)))),
  )
  return new Map(rows.map((row) => [wanted.get(row.id) ?? '', buildShownAddress(row)]))
}
