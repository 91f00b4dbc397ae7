import { and, asc, count, desc, eq, inArray, lte, type SQL } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { pageShape } from './pages.api.schema.ts'
import { createPage, deletePage, type PageRow, updatePage } from './pages.editing.server.ts'

/** Everyone sees published pages; those who may edit the site also see drafts. */
function isVisible(ctx: Ctx, more?: SQL): SQL | undefined {
  const all = checkPermission(ctx.viewer, 'site.edit').ok
  return and(eq(pages.siteId, ctx.site.id), all ? undefined : lte(pages.publishedAt, ctx.now()), more)
}

export const pageResource = implementResource(pageShape, {
  load: (ctx, ids): Promise<PageRow[]> =>
    ctx.db.readTogether((tx) =>
      tx
        .select()
        .from(pages)
        .where(isVisible(ctx, inArray(pages.id, [...ids]))),
    ),
  list: (ctx, { filter, sort, page }) =>
    ctx.db.readTogether(async (tx) => {
      const where = isVisible(ctx, filter.kind ? eq(pages.kind, filter.kind) : undefined)
      const [counted] = await tx.select({ total: count() }).from(pages).where(where)
      const rows = await tx
        .select()
        .from(pages)
        .where(where)
        .orderBy(...sort.map(({ descending }) => (descending ? desc : asc)(pages.position)), asc(pages.id))
        .limit(page.limit)
        .offset(page.offset)
      return { rows, total: counted?.total ?? 0 }
    }),
  can: ({ viewer }) => ({ update: checkPermission(viewer, 'site.edit').ok }),
  lockVersion: (row) => row.lockVersion,
  attributes: (row) => ({
    slug: row.slug,
    kind: row.kind,
    title: row.title,
    body: row.body,
    publishedAt: row.publishedAt,
    position: row.position,
  }),
  create: createPage,
  update: (ctx, row, input, lock) => updatePage(ctx, row, input, lock.version),
  remove: (ctx, row) => deletePage(ctx, row),
})
