import { and, eq, inArray, isNotNull } from 'drizzle-orm'
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
  const foreign = listForeign(ctx, sources)
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

const listForeign = (ctx: Ctx, sources: readonly TextSource[]): TextSource[] =>
  sources.filter(({ language, texts }) => language !== ctx.contentLanguage && Object.keys(texts).length > 0)

/**
 * The same for a list, each entry of another contribution: translations are only read if the reader asked for one.
 * @param shown ids of the contributions that the reader asked for
 */
export async function loadEntryTranslations(
  ctx: Ctx,
  tx: Tx,
  sources: readonly TextSource[],
  shown: readonly string[],
): Promise<PageTranslations> {
  const foreign = listForeign(ctx, sources)
  const asked = foreign.filter(({ id }) => shown.includes(id)).map(({ id }) => id)
  if (foreign.length === 0) return {}
  const translator = await findTranslator(ctx)
  const rows =
    asked.length === 0
      ? []
      : await tx
          .select()
          .from(textTranslations)
          .where(
            and(
              eq(textTranslations.siteId, ctx.site.id),
              eq(textTranslations.sourceType, 'contributions'),
              inArray(textTranslations.sourceId, asked),
              eq(textTranslations.language, ctx.contentLanguage),
              isNotNull(textTranslations.texts),
            ),
          )
  return Object.fromEntries(
    foreign.flatMap((source) => {
      const row = rows.find(({ sourceId, sourceHash }) => sourceId === source.id && sourceHash === hashSource(source))
      if (!row && !translator?.canTranslate(countLetters(source), source.language, ctx.contentLanguage)) return []
      return [[source.id, { type: source.type, id: source.id, shown: row ? toTranslationView(ctx, row) : null }]]
    }),
  )
}
