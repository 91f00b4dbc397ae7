import { and, desc, eq, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { type FoundOnMap, type NamedPoint, searchOnMap } from '#app/features/areas/map/find-on-map.server.ts'
import { splitTyped } from '#app/features/areas/streets/rank-names.server.ts'
import { listedWhere } from '#app/features/projects/projects.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { activities, contributions, isPublished } from '#app/server/db/schema/contributions.ts'
import { searchPlaces as wordPlaces, searchWords } from '#app/server/db/schema/search.ts'
import { type ActivityAddress, type ActivityRow, isInActivities, requireActivityAt } from '../record/activities.policy.server.ts'

/** Newer ones count more. */
const MAX_PUBLISHED = 100
/** What shorter words begin is nearly everything. */
const LEAST_LETTERS = 3

/** What the map's search finds in an activity: what the site knows, and places that people have named in what is published. */
export async function searchPlaces(ctx: Ctx, activity: Pick<ActivityRow, 'id'>, text: string): Promise<FoundOnMap[]> {
  return searchOnMap(ctx, text, await findPublishedPlaces(ctx, activity, text))
}

/** @throws {AppError} `not-found` */
export async function searchPlacesAt(ctx: Ctx, { text, ...address }: ActivityAddress & { text: string }): Promise<FoundOnMap[]> {
  const { activity } = await ctx.db.read((tx) => requireActivityAt(ctx, tx, address))
  return searchPlaces(ctx, activity, text)
}

/** Names of places with a pin, of contributions in whose texts all the words occur: those of the activity, then those of others. */
async function findPublishedPlaces(ctx: Ctx, activity: Pick<ActivityRow, 'id'>, text: string): Promise<NamedPoint[]> {
  const words = splitTyped(text)
  if (words.length === 0) return []
  const isOwn = eq(contributions.activityId, activity.id)
  const elsewhere = words.filter((word) => word.length >= LEAST_LETTERS)
  const rows = await ctx.db.read((tx) =>
    tx
      .select({ name: contributions.placeText, lng: contributions.lng, lat: contributions.lat })
      .from(contributions)
      .where(
        and(
          eq(contributions.siteId, ctx.site.id),
          elsewhere.length > 0 ? or(isOwn, isInOthers(ctx, elsewhere)) : isOwn,
          isPublished,
          isNotNull(contributions.lng),
          ne(contributions.placeText, ''),
          ...words.map((word) => sql`position(${word} in ${contributions.searchText}) > 0`),
        ),
      )
      .orderBy(desc(isOwn), desc(contributions.publishedAt), desc(contributions.number))
      .limit(MAX_PUBLISHED),
  )
  return rows.flatMap(({ name, lng, lat }) => (lng === null || lat === null ? [] : [{ name, point: [lng, lat] as const }]))
}

/** SQL condition: in an activity that everybody may see, and words of its texts begin with these. The index of words is asked, not the texts. */
function isInOthers(ctx: Ctx, words: readonly string[]): SQL | undefined {
  const isPublic = isInActivities(ctx, and(listedWhere(ctx), ne(activities.status, 'draft')))
  const hasWord = (word: string) => sql`${contributions.id} = any (array(select ${wordPlaces.subjectId} from ${wordPlaces}
    join ${searchWords} on ${searchWords.siteId} = ${wordPlaces.siteId} and ${searchWords.word} = ${wordPlaces.word}
    where ${searchWords.siteId} = ${ctx.site.id} and starts_with(${searchWords.word}, ${word})))`
  return and(isPublic, ...words.map(hasWord))
}
