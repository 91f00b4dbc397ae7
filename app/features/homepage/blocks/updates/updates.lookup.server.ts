import { latestUpdates } from '#app/features/updates/updates.server.ts'
import { excerpt } from '#app/lib/rich-text.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { HomeBlock } from '../../homepage.schema.ts'
import type { PageFacts } from '../../lookups.server.ts'
import type { UpdatesData } from './updates.block.ts'

const LONGEST_TEXT = 160

export async function lookUpUpdates(ctx: Ctx, { limit }: HomeBlock<'updates'>, { hubId }: PageFacts): Promise<UpdatesData> {
  const words = (text: Parameters<typeof localiseText>[0]) => localiseText(text, ctx.language, ctx.site.locale)
  const rows = await latestUpdates(ctx, limit, hubId)
  return {
    updates: rows.map((row) => ({
      id: row.id,
      slug: row.slug,
      title: words(row.title),
      text: excerpt(words(row.body).text, LONGEST_TEXT),
      publishedAt: row.publishedAt?.toISOString() ?? '',
      project: { slug: row.project.slug, title: words(row.project.title) },
    })),
  }
}
