import { eq } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { responseRecounts } from '#app/server/db/schema/response-figures.ts'

/** Records that figures about the site's responses or visits changed, so that what is derived from them is counted again. */
export async function recordFiguresChanged(tx: Tx, siteId: string, now: Date): Promise<void> {
  await tx.update(responseRecounts).set({ changedAt: now }).where(eq(responseRecounts.siteId, siteId))
}
