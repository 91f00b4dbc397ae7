import { and, asc, count, eq, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { requireScopeAccess } from '#app/features/revisions/revisions.policy.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { requireValid } from '#app/lib/validate.ts'
import type { Ctx } from '#app/server/context.ts'
import { collateFor } from '#app/server/db/collation.ts'
import { savedSections } from '#app/server/db/schema/homepage.ts'
import { pageContentSchema } from './homepage.schema.ts'

export type SectionRow = typeof savedSections.$inferSelect

/** Saves blocks under a name. @throws {AppError} `forbidden`, or `invalid` with the faults in the blocks */
export async function saveSection(ctx: Ctx, input: { name: string; content: unknown; hubId: string | null }): Promise<string> {
  const { name, hubId } = input
  requireScopeAccess(ctx, hubId)
  const content = requireValid(pageContentSchema, input.content, { at: '/content' })
  return ctx.db.tx(async (tx) => {
    const id = createId()
    await tx.insert(savedSections).values({
      siteId: ctx.site.id,
      id,
      hubId,
      name,
      content,
      createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
      createdAt: ctx.now(),
    })
    await recordAudit(ctx, tx, { action: 'saved-sections.create', subject: { type: 'saved-sections', id }, hubId, detail: { name } })
    return id
  })
}

/** Pages built from it keep their own copy of the blocks. @throws {AppError} `forbidden` */
export async function removeSection(ctx: Ctx, { id, hubId, name }: SectionRow): Promise<void> {
  requireScopeAccess(ctx, hubId)
  await ctx.db.tx(async (tx) => {
    await tx.delete(savedSections).where(and(eq(savedSections.siteId, ctx.site.id), eq(savedSections.id, id)))
    await recordAudit(ctx, tx, { action: 'saved-sections.delete', subject: { type: 'saved-sections', id }, hubId, detail: { name } })
  })
}

/** Sections of the pages that the viewer may edit, by name. */
export async function listSections(
  ctx: Ctx,
  query: { hub?: string | undefined; ofSite?: boolean | undefined; page: { limit: number; offset: number } },
): Promise<{ rows: SectionRow[]; total: number }> {
  const where = and(
    buildAccessCondition(ctx),
    query.hub ? eq(savedSections.hubId, query.hub) : undefined,
    query.ofSite === undefined ? undefined : query.ofSite ? isNull(savedSections.hubId) : isNotNull(savedSections.hubId),
  )
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(savedSections).where(where)
    const rows = await tx
      .select()
      .from(savedSections)
      .where(where)
      .orderBy(asc(collateFor(ctx.language, savedSections.name)), asc(savedSections.id))
      .limit(query.page.limit)
      .offset(query.page.offset)
    return { rows, total: counted?.total ?? 0 }
  })
}

export const loadSectionsById = (ctx: Ctx, ids: readonly string[]): Promise<SectionRow[]> =>
  ctx.db.read((tx) =>
    tx
      .select()
      .from(savedSections)
      .where(and(buildAccessCondition(ctx), inArray(savedSections.id, [...ids]))),
  )

function buildAccessCondition({ site, viewer }: Ctx): SQL | undefined {
  const ofSite = checkPermission(viewer, 'site.edit').ok ? isNull(savedSections.hubId) : sql`false`
  const ofHubs = and(isNotNull(savedSections.hubId), scopeWhere(viewer, 'hubs.edit-homepage', { hub: savedSections.hubId }))
  return and(eq(savedSections.siteId, site.id), or(ofSite, ofHubs))
}
