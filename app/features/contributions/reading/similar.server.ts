import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import { contributions, isPublished } from '#app/server/db/schema/contributions.ts'
import { searchTexts, toSearchWords } from '#app/server/db/text-search.ts'
import { type ActivityAddress, requireActivityAt } from '../record/activities.policy.server.ts'
import { MAX_SIMILAR, type SimilarView } from '../record/contributions.schema.ts'
import { toLang } from './text-language.server.ts'

/** Published contributions of the activity that say something similar, by their titles above all. */
export function findSimilar(ctx: Ctx, address: ActivityAddress, title: string): Promise<SimilarView[]> {
  const words = toSearchWords(title)
  const telling = words.filter((word) => word.length > 3)
  const sought = telling.length > 0 ? telling : words
  if (sought.length === 0) return Promise.resolve([])
  return ctx.db.read(async (tx) => {
    const { activity } = await requireActivityAt(ctx, tx, address)
    const found = await searchTexts(tx, ctx.site.id, sought)
    const score = found.score(contributions.id)
    const rows = await tx
      .select({
        number: contributions.number,
        title: contributions.title,
        language: contributions.language,
        supports: contributions.supports,
        disagrees: contributions.disagrees,
        answered: contributions.answered,
      })
      .from(contributions)
      .where(
        and(
          eq(contributions.siteId, ctx.site.id),
          eq(contributions.activityId, activity.id),
          isPublished,
          found.where(contributions.id),
          // All of the words in the text, or almost half of them in the title.
          sql`${score} >= ${sought.length}::real`,
        ),
      )
      .orderBy(sql`${score} desc`, desc(contributions.supports), asc(contributions.number))
      .limit(MAX_SIMILAR)
    return rows.map(({ language, answered, ...row }) => ({ ...row, isAnswered: answered === 'public', ...toLang(ctx, language) }))
  })
}
