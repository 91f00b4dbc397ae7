import { and, eq, isNotNull } from 'drizzle-orm'
import { findTranslator } from '#app/features/marketplace/translator.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { textTranslations } from '#app/server/db/schema/translations.ts'
import { countLetters, hashSource, type TextSource } from './text-sources.server.ts'
import type { PageTranslations, TranslationView } from '../record/translations.schema.ts'

export type TranslationRow = typeof textTranslations.$inferSelect

const toTranslationView = (ctx: Pick<Ctx, 'site'>, row: TranslationRow): TranslationView => ({
  texts: row.texts ?? {},
  service: row.service,
  correctedBy: row.correctedAt ? row.team || ctx.site.name : null,
})

/**
 * Which of a page's texts can be read translated, and the translations that its reader asked to see. Asks no service.
 * @param sources all of one contribution's page
 * @param shown ids of the sources that the reader asked for
 */
export async function loadPageTranslations(
  ctx: Ctx,
  tx: Tx,
  contributionId: string,
  sources: readonly TextSource[],
  shown: readonly string[],
): Promise<PageTranslations> {
  const foreign = sources.filter(({ language, texts }) => language !== ctx.contentLanguage && Object.keys(texts).length > 0)
  if (foreign.length === 0) return {}
  const translator = await findTranslator(ctx)
  const rows = await tx
    .select()
    .from(textTranslations)
    .where(
      and(
        eq(textTranslations.siteId, ctx.site.id),
        eq(textTranslations.contributionId, contributionId),
        eq(textTranslations.language, ctx.contentLanguage),
        isNotNull(textTranslations.texts),
      ),
    )
  const bySource = new Map(rows.map((row) => [row.sourceId, row]))
  return Object.fromEntries(
    foreign.flatMap((source) => {
      const row = bySource.get(source.id)
      const stored = row?.sourceHash === hashSource(source) ? row : undefined
      if (!stored && !translator?.canTranslate(countLetters(source), source.language, ctx.contentLanguage)) return []
      const { type, id } = source
      return [[id, { type, id, shown: stored && shown.includes(id) ? toTranslationView(ctx, stored) : null }]]
    }),
  )
}
