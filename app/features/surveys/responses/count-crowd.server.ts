import { and, eq, isNull, sql } from 'drizzle-orm'
import type { ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { loadVersion, resolveForDay } from '../questionnaire/versions.server.ts'
import type { Answers } from '../surveys.schema.ts'
import { addParticipants } from './intake.server.ts'
import { givePlacesBack, listQuotaPlaces, takePlaces } from './quotas.server.ts'
import { deleteBlocks } from './response-bitmaps.server.ts'
import { countResponses, lockSurvey } from './response-counts.server.ts'

/** The largest number that a quota can hold. */
const MOST_PLACES = 2_147_483_647

interface CountedCrowd {
  surveyId: string
  project: ProjectRow
  crowdId: string
  isCounted: boolean
}

/**
 * Lets a crowd's responses count, or not, in every figure. They come from people without an account, each of whom is one person. They also
 * take places in quotas that are full meanwhile: somebody decided that they are real.
 * @returns how many changed
 */
export async function countCrowd(tx: Tx, ctx: Ctx, { surveyId, project, crowdId, isCounted }: CountedCrowd): Promise<number> {
  const siteId = ctx.site.id
  await lockSurvey(tx, siteId, surveyId)
  const changed = await tx
    .update(responses)
    .set({ counted: isCounted })
    .where(
      and(
        eq(responses.siteId, siteId),
        eq(responses.surveyId, surveyId),
        eq(responses.crowdId, crowdId),
        eq(responses.counted, !isCounted),
        isNull(responses.withdrawnAt),
      ),
    )
    .returning()
  if (changed.length === 0) return 0
  const by = isCounted ? 1 : -1
  await tx
    .update(surveys)
    .set({ responsesCount: sql`greatest(0, ${surveys.responsesCount} + ${by * changed.length})` })
    .where(and(eq(surveys.siteId, siteId), eq(surveys.id, surveyId)))
  await deleteBlocks(
    tx,
    { siteId, id: surveyId },
    changed.map(({ number }) => number),
  )
  await countResponses(
    tx,
    siteId,
    surveyId,
    changed.map((row) => ({ ...row, answers: row.answers as Answers })),
    by,
  )
  await addParticipants(tx, siteId, project.id, by * changed.length)
  for (const row of changed) {
    const definition = resolveForDay(ctx, await loadVersion(tx, siteId, surveyId, row.version), row.editedAt ?? row.submittedAt)
    const places = listQuotaPlaces(definition, row.answers as Answers)
    if (isCounted) {
      await takePlaces(
        tx,
        siteId,
        surveyId,
        places.map((place) => ({ ...place, limit: MOST_PLACES })),
      )
    } else await givePlacesBack(tx, siteId, surveyId, places)
  }
  return changed.length
}
