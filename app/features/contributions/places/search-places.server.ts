import { and, desc, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { type FoundOnMap, type NamedPoint, searchOnMap } from '#app/features/areas/map/find-on-map.server.ts'
import { splitTyped } from '#app/features/areas/streets/rank-names.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { contributions, isPublished } from '#app/server/db/schema/contributions.ts'
import { type ActivityAddress, type ActivityRow, requireActivityAt } from '../record/activities.policy.server.ts'

/** Newer ones count more. */
const MAX_PUBLISHED = 100

/** What the map's search finds in an activity: what the site knows, and places that people have named in what is published there. */
export async function searchPlaces(ctx: Ctx, activity: Pick<ActivityRow, 'id'>, text: string): Promise<FoundOnMap[]> {
  return searchOnMap(ctx, text, await findPublishedPlaces(ctx, activity, text))
}

/** @throws {AppError} `not-found` */
export async function searchPlacesAt(ctx: Ctx, { text, ...address }: ActivityAddress & { text: string }): Promise<FoundOnMap[]> {
  const { activity } = await ctx.db.read((tx) => requireActivityAt(ctx, tx, address))
  return searchPlaces(ctx, activity, text)
}

/** Names of places with a pin, of contributions in whose texts all the words occur. */
async function findPublishedPlaces(ctx: Ctx, activity: Pick<ActivityRow, 'id'>, text: string): Promise<NamedPoint[]> {
  const words = splitTyped(text)
  if (words.length === 0) return []
  const rows = await ctx.db.read((tx) =>
    tx
      .select({ name: contributions.placeText, lng: contributions.lng, lat: contributions.lat })
      .from(contributions)
      .where(
        and(
          eq(contributions.siteId, ctx.site.id),
          eq(contributions.activityId, activity.id),
          isPublished,
          isNotNull(contributions.lng),
          ne(contributions.placeText, ''),
          ...words.map((word) => sql`position(${word} in ${contributions.searchText}) > 0`),
        ),
      )
      .orderBy(desc(contributions.number))
      .limit(MAX_PUBLISHED),
  )
  return rows.flatMap(({ name, lng, lat }) => (lng === null || lat === null ? [] : [{ name, point: [lng, lat] as const }]))
}
