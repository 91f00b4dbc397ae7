import { and, eq, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { storeOldAddress } from '#app/features/sites/old-addresses.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { chooseFreeSlug, refuseDuplicate } from '#app/server/save-checks.ts'
import { checkTranslations } from '#app/server/translations.ts'
import type { pageShape } from './pages.api.schema.ts'
import { listPageTexts } from './pages.schema.ts'

export type PageRow = typeof pages.$inferSelect

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text))

/** @returns the new page's id @throws {AppError} `forbidden`; `invalid` with `taken`, or with what publishing lacks in a language of the site */
export async function createPage(ctx: Ctx, input: CreateInput<typeof pageShape>): Promise<string> {
  requirePermission(ctx, 'site.edit')
  const id = createId()
  await refuseDuplicate('/slug', () =>
    ctx.db.tx(async (tx) => {
      const slug = await chooseFreeSlug(input.slug, input.titleTranslations, ctx.site.locale, 'page', async (wanted) => {
        const found = await tx
          .select({ id: pages.id })
          .from(pages)
          .where(and(eq(pages.siteId, ctx.site.id), eq(pages.slug, wanted)))
        return found.length > 0
      })
      await tx.insert(pages).values({
        siteId: ctx.site.id,
        id,
        slug,
        kind: input.kind ?? 'page',
        title: input.titleTranslations,
        body: input.bodyTranslations,
        publishedAt: toDate(input.publishedAt ?? null),
        position: input.position ?? 0,
        ...buildSearchFields(input.titleTranslations, input.bodyTranslations),
      })
      await checkTranslations(ctx, tx, {
        subjectId: id,
        before: [],
        after: listPageTexts({ title: input.titleTranslations, body: input.bodyTranslations }),
        wasPublic: false,
        isPublic: Boolean(input.publishedAt),
        waived: input.waived,
      })
      await recordAudit(ctx, tx, { action: 'pages.create', subject: { type: 'pages', id } })
    }),
  )
  return id
}

/** @throws {AppError} `forbidden`, `stale`; `invalid` with `taken`, or with what publishing lacks in a language of the site */
export async function updatePage(ctx: Ctx, row: PageRow, input: UpdateInput<typeof pageShape>, lockVersion: number): Promise<void> {
  requirePermission(ctx, 'site.edit')
  const title = input.titleTranslations ?? row.title
  const body = input.bodyTranslations ?? row.body
  const saved: Partial<PageRow> = {
    title,
    body,
    ...(input.slug && { slug: input.slug }),
    ...(input.kind && { kind: input.kind }),
    ...(input.publishedAt !== undefined && { publishedAt: toDate(input.publishedAt) }),
    ...(input.position !== undefined && { position: input.position }),
  }
  await refuseDuplicate('/slug', () =>
    ctx.db.tx(async (tx) => {
      const changed = await tx
        .update(pages)
        .set({
          ...saved,
          ...buildSearchFields(title, body),
          updatedAt: ctx.now(),
          lockVersion: sql`${pages.lockVersion} + 1`,
        })
        .where(and(eq(pages.siteId, ctx.site.id), eq(pages.id, row.id), eq(pages.lockVersion, lockVersion)))
        .returning({ id: pages.id })
      if (!changed.length) throw new AppError('stale')
      await checkTranslations(ctx, tx, {
        subjectId: row.id,
        before: listPageTexts(row),
        after: listPageTexts({ title, body }),
        wasPublic: row.publishedAt !== null,
        isPublic: { ...row, ...saved }.publishedAt !== null,
        waived: input.waived,
      })
      await storeOldAddress(ctx, tx, 'pages', row, input.slug)
      await recordAudit(ctx, tx, {
        action: 'pages.update',
        subject: { type: 'pages', id: row.id },
        changes: listChanges(row, saved),
      })
    }),
  )
}

/** @throws {AppError} `forbidden` */
export async function deletePage(ctx: Ctx, row: PageRow): Promise<void> {
  requirePermission(ctx, 'site.edit')
  await ctx.db.tx(async (tx) => {
    await tx.delete(pages).where(and(eq(pages.siteId, ctx.site.id), eq(pages.id, row.id)))
    await recordAudit(ctx, tx, { action: 'pages.delete', subject: { type: 'pages', id: row.id }, detail: { title: row.title } })
  })
}
