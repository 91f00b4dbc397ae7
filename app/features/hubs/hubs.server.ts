import { and, asc, eq, getTableColumns, isNotNull, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { buildPictureAttributes } from '#app/lib/picture-address.ts'
import { isSlug } from '#app/lib/slug.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { selectShownPicture } from '#app/features/media/media.pictures.server.ts'
import { listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { phaseSql } from '#app/features/projects/project-cards.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { readPublic } from '#app/server/public-reads.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import type { HubCardView, HubView } from './hubs.schema.ts'

type HubRow = typeof hubs.$inferSelect
interface CountedHub {
  hub: HubRow
  projects: number
  openProjects: number
}

/** Hubs with the number of their projects that the viewer may see. */
function selectHubs(ctx: Ctx, tx: Tx) {
  const now = ctx.now()
  return tx
    .select({
      hub: { ...getTableColumns(hubs), picture: selectShownPicture(hubs.siteId, hubs.picture) },
      projects: sql<number>`count(${projects.id})`.mapWith(Number),
      openProjects: sql<number>`count(${projects.id}) filter (where ${phaseSql(now)} = 'open')`.mapWith(Number),
    })
    .from(hubs)
    .leftJoin(projects, and(eq(projects.siteId, hubs.siteId), eq(projects.hubId, hubs.id), listedWhere(ctx)))
    .groupBy(hubs.siteId, hubs.id)
    .$dynamic()
}

function toHubCard(ctx: Ctx, { hub, ...counts }: CountedHub): HubCardView {
  const localise = (translated: HubRow['title']) => localiseText(translated, ctx.contentLanguage, ctx.site.locale)
  return {
    id: hub.id,
    slug: hub.slug,
    title: localise(hub.title),
    summary: localise(hub.summary),
    picture: hub.picture === null ? null : buildPictureAttributes(hub.picture),
    ...counts,
  }
}

/** The site's published hubs, in the order its administrators chose. */
export const listHubs = (ctx: Ctx): Promise<HubCardView[]> => readPublic(ctx, ['hubs'], loadHubs)

function loadHubs(ctx: Ctx): Promise<HubCardView[]> {
  return ctx.db.read(async (tx) => {
    const rows = await selectHubs(ctx, tx)
      .where(and(eq(hubs.siteId, ctx.site.id), isNotNull(hubs.publishedAt)))
      .orderBy(asc(hubs.position), asc(hubs.slug))
    return rows.map((row) => toHubCard(ctx, row))
  })
}

/** @throws {AppError} `not-found` */
export async function getHub(ctx: Ctx, input: { slug: string }): Promise<HubView> {
  if (!isSlug(input.slug)) throw new AppError('not-found')
  return readPublic(ctx, ['hub', input.slug], (reader) => loadHub(reader, input))
}

function loadHub(ctx: Ctx, input: { slug: string }): Promise<HubView> {
  return ctx.db.read(async (tx) => {
    const [row] = await selectHubs(ctx, tx).where(and(eq(hubs.siteId, ctx.site.id), eq(hubs.slug, input.slug), isNotNull(hubs.publishedAt)))
    if (!row) throw new AppError('not-found')
    return {
      ...toHubCard(ctx, row),
      body: localiseText(row.hub.body, ctx.contentLanguage, ctx.site.locale),
      pictureAlt: localiseText(row.hub.pictureAlt, ctx.contentLanguage, ctx.site.locale),
      contactEmail: row.hub.contactEmail,
    }
  })
}

/** The hub's row by its slug. @throws {AppError} `not-found` */
export async function requireHub(ctx: Ctx, slug: string): Promise<HubRow> {
  const [row] = isSlug(slug)
    ? await ctx.db.read((tx) =>
        tx
          .select()
          .from(hubs)
          .where(and(eq(hubs.siteId, ctx.site.id), eq(hubs.slug, slug))),
      )
    : []
  if (!row) throw new AppError('not-found')
  return row
}
