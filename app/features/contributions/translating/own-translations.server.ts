import { and, asc, eq, inArray, isNotNull, or } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, replies } from '#app/server/db/schema/contributions.ts'
import { textTranslations } from '#app/server/db/schema/translations.ts'

/** For the copy of a person's own data: into which languages what they wrote was translated, and what it says there. */
export const readOwnTranslations = (tx: Tx, siteId: string, userId: string) =>
  tx
    .select({
      of: textTranslations.sourceType,
      id: textTranslations.sourceId,
      language: textTranslations.language,
      texts: textTranslations.texts,
      service: textTranslations.service,
      translatedAt: textTranslations.createdAt,
      correctedAt: textTranslations.correctedAt,
    })
    .from(textTranslations)
    .leftJoin(
      contributions,
      and(
        eq(contributions.siteId, textTranslations.siteId),
        eq(contributions.id, textTranslations.contributionId),
        inArray(textTranslations.sourceType, ['contributions', 'contribution-versions']),
      ),
    )
    .leftJoin(replies, and(eq(replies.siteId, textTranslations.siteId), eq(replies.id, textTranslations.sourceId)))
    .where(
      and(
        eq(textTranslations.siteId, siteId),
        isNotNull(textTranslations.texts),
        or(eq(contributions.authorId, userId), eq(replies.authorId, userId)),
      ),
    )
    .orderBy(asc(textTranslations.createdAt), asc(textTranslations.id))
