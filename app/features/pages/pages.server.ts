import { DESCRIPTION_LETTERS, toExcerpt } from '#app/lib/rich-text.ts'
import { and, eq, isNotNull, lte } from 'drizzle-orm'
import { listProcessors } from '#app/features/privacy/processors.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isSlug } from '#app/lib/slug.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { readPublic } from '#app/server/public-reads.ts'
import { PRIVACY_SLUGS, type PageView } from './pages.schema.ts'

/** A published legal or free page. @throws {AppError} `not-found` */
export async function getPage(ctx: Ctx, input: { slug: string }): Promise<PageView> {
  if (!isSlug(input.slug)) throw new AppError('not-found')
  return readPublic(ctx, ['page', input.slug], (reader) => loadPage(reader, input))
}

async function loadPage(ctx: Ctx, input: { slug: string }): Promise<PageView> {
  const [row] = await ctx.db.read((tx) =>
    tx
      .select()
      .from(pages)
      .where(
        and(eq(pages.siteId, ctx.site.id), eq(pages.slug, input.slug), isNotNull(pages.publishedAt), lte(pages.publishedAt, ctx.now())),
      ),
  )
  if (!row) throw new AppError('not-found')
  const body = localiseText(row.body, ctx.contentLanguage, ctx.site.locale)
  return {
    slug: row.slug,
    kind: row.kind,
    title: localiseText(row.title, ctx.contentLanguage, ctx.site.locale),
    body,
    description: toExcerpt(body.text, DESCRIPTION_LETTERS),
    updatedAt: row.updatedAt.toISOString(),
    processors: row.kind === 'legal' && PRIVACY_SLUGS.includes(row.slug) ? await listProcessors(ctx) : null,
  }
}
