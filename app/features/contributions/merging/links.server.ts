import { and, eq, isNull, type SQL } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { contributionLinks } from '#app/server/db/schema/contributions.ts'

export type LinkRow = typeof contributionLinks.$inferSelect

export const isActiveMergeOf = (siteId: string, contributionId: string): SQL | undefined =>
  and(
    eq(contributionLinks.siteId, siteId),
    eq(contributionLinks.contributionId, contributionId),
    eq(contributionLinks.kind, 'duplicate_of'),
    isNull(contributionLinks.endedAt),
  )

export async function findActiveMerge(tx: Tx, siteId: string, id: string): Promise<LinkRow | undefined> {
  const [link] = await tx.select().from(contributionLinks).where(isActiveMergeOf(siteId, id))
  return link
}

/** What an author objected goes with their text. */
export async function eraseObjections(tx: Tx, siteId: string, contributionId: string): Promise<void> {
  await tx
    .update(contributionLinks)
    .set({ objection: '', objectionAnswer: '' })
    .where(and(eq(contributionLinks.siteId, siteId), eq(contributionLinks.contributionId, contributionId)))
}
