import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { responseDrafts, responses } from '#app/server/db/schema/responses.ts'
import type { Answers } from '../surveys.schema.ts'
import type { SavedMeanwhile } from '../surveys.views.ts'

/** What was sent since the change with this draft began; null if nothing was. */
export async function findSavedMeanwhile(tx: Tx, siteId: string, draftId: string): Promise<SavedMeanwhile | null> {
  const [row] = await tx
    .select({ edit: responses.editId, answers: responses.answers, editedAt: responses.editedAt })
    .from(responseDrafts)
    .innerJoin(responses, and(eq(responses.siteId, siteId), eq(responses.id, responseDrafts.replaces)))
    .where(
      and(
        eq(responseDrafts.siteId, siteId),
        eq(responseDrafts.id, draftId),
        isNull(responses.withdrawnAt),
        sql`${responses.editId} is distinct from ${responseDrafts.replacesEdit}`,
      ),
    )
  return row?.edit && row.editedAt ? { edit: row.edit, answers: row.answers as Answers, editedAt: row.editedAt } : null
}
