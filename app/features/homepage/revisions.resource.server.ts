import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { decide, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { appearanceRevisions, homepageRevisions } from '#app/server/db/schema.ts'
import { appearanceRevisionShape, homepageRevisionShape } from './revisions.api.schema.ts'

type Table = typeof homepageRevisions | typeof appearanceRevisions

const publishedWhere = (ctx: Ctx, table: Table) => and(isNotNull(table.publishedAt), lte(table.publishedAt, ctx.now()))
const maySee = (ctx: Ctx, table: Table, drafts: SQL | undefined) =>
  and(eq(table.siteId, ctx.site.id), or(publishedWhere(ctx, table), drafts))

/** Drafts of a homepage that the viewer edits: the site's, or that of a hub of theirs. */
function homepageDrafts({ viewer }: Ctx): SQL | undefined {
  const ofSite = decide(viewer, 'site.edit').ok ? isNull(homepageRevisions.hubId) : undefined
  const ofHubs = and(isNotNull(homepageRevisions.hubId), scopeWhere(viewer, 'hubs.edit-homepage', { hub: homepageRevisions.hubId }))
  return or(ofSite, ofHubs)
}

const appearanceDrafts = ({ viewer }: Ctx): SQL => (decide(viewer, 'site.edit').ok ? sql`true` : sql`false`)

export const homepageRevisionResource = implementResource(homepageRevisionShape, {
  load: (ctx, ids) =>
    ctx.db.tx((tx) =>
      tx
        .select()
        .from(homepageRevisions)
        .where(and(maySee(ctx, homepageRevisions, homepageDrafts(ctx)), inArray(homepageRevisions.id, [...ids]))),
    ),
  list: (ctx, { filter, sort, page }) => {
    const where = and(maySee(ctx, homepageRevisions, homepageDrafts(ctx)), onlyPublished(ctx, homepageRevisions, filter.published))
    return ctx.db.tx(async (tx) => {
      const [counted] = await tx.select({ total: count() }).from(homepageRevisions).where(where)
      const rows = await tx
        .select()
        .from(homepageRevisions)
        .where(where)
        .orderBy(...sort.map(({ by, descending }) => (descending ? desc : asc)(homepageRevisions[by])), asc(homepageRevisions.id))
        .limit(page.limit)
        .offset(page.offset)
      return { rows, total: counted?.total ?? 0 }
    })
  },
  can: ({ viewer }, row) => ({
    update: row.hubId ? decide(viewer, 'hubs.edit-homepage', { hubId: row.hubId }).ok : decide(viewer, 'site.edit').ok,
  }),
  attributes: (row) => ({
    note: row.note,
    createdAt: row.createdAt,
    publishedAt: row.publishedAt,
    content: row.content as Record<string, unknown>,
  }),
  relationships: { hub: { id: (row) => row.hubId } },
})

export const appearanceRevisionResource = implementResource(appearanceRevisionShape, {
  load: (ctx, ids) =>
    ctx.db.tx((tx) =>
      tx
        .select()
        .from(appearanceRevisions)
        .where(and(maySee(ctx, appearanceRevisions, appearanceDrafts(ctx)), inArray(appearanceRevisions.id, [...ids]))),
    ),
  list: (ctx, { filter, sort, page }) => {
    const where = and(maySee(ctx, appearanceRevisions, appearanceDrafts(ctx)), onlyPublished(ctx, appearanceRevisions, filter.published))
    return ctx.db.tx(async (tx) => {
      const [counted] = await tx.select({ total: count() }).from(appearanceRevisions).where(where)
      const rows = await tx
        .select()
        .from(appearanceRevisions)
        .where(where)
        .orderBy(...sort.map(({ by, descending }) => (descending ? desc : asc)(appearanceRevisions[by])), asc(appearanceRevisions.id))
        .limit(page.limit)
        .offset(page.offset)
      return { rows, total: counted?.total ?? 0 }
    })
  },
  can: ({ viewer }) => ({ update: decide(viewer, 'site.edit').ok }),
  attributes: (row) => ({
    note: row.note,
    createdAt: row.createdAt,
    publishedAt: row.publishedAt,
    tokens: row.tokens as Record<string, unknown>,
  }),
})

function onlyPublished(ctx: Ctx, table: Table, published: boolean | undefined): SQL | undefined {
  if (published === undefined) return undefined
  return published ? publishedWhere(ctx, table) : or(isNull(table.publishedAt), sql`${table.publishedAt} > ${ctx.now()}`)
}
