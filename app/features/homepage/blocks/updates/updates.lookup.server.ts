import { loadLatestUpdates } from '#app/features/updates/updates.server.ts'
import { toExcerpt } from '#app/lib/rich-text.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { HomeBlock } from '../../homepage.schema.ts'
import type { PageFacts } from '../../block-lookups.server.ts'
import type { UpdatesData } from './updates.block.ts'

const MAX_TEXT_LENGTH = 160

export async function lookUpUpdates(ctx: Ctx, { limit }: HomeBlock<'updates'>, { hubId }: PageFacts): Promise<UpdatesData> {
  const localise = (text: Parameters<typeof localiseText>[0]) => localiseText(text, ctx.contentLanguage, ctx.site.locale)
  const rows = await loadLatestUpdates(ctx, limit, hubId)
  return {
    updates: rows.map((row) => ({
      id: row.id,
      slug: row.slug,
      title: localise(row.title),
      text: toExcerpt(localise(row.body).text, MAX_TEXT_LENGTH),
      publishedAt: row.publishedAt?.toISOString() ?? '',
      project: { slug: row.project.slug, title: localise(row.project.title) },
    })),
  }
}
