import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { surveyQuotas } from '#app/server/db/schema/surveys.ts'
import { isConditionMet } from '../questionnaire/conditions.ts'
import type { Answers, Definition } from '../surveys.schema.ts'

/** A quota that a response falls under. */
export interface QuotaPlace {
  id: string
  limit: number
  /** Id of the closing page to show once the quota is full. */
  end: string | undefined
}

/** Quotas that a response falls under, in id order, so that two transactions cannot deadlock. */
export const listQuotaPlaces = ({ quotas = [] }: Definition, answers: Answers): QuotaPlace[] =>
  quotas
    .filter(({ when }) => isConditionMet(when, answers))
    .map(({ id, limit, end }) => ({ id, limit, end }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

/** Takes a place in every quota or in none. @returns the quota that is full */
export async function takePlaces(tx: Tx, siteId: string, surveyId: string, places: readonly QuotaPlace[]): Promise<QuotaPlace | undefined> {
  for (const [index, place] of places.entries()) {
    const taken = await tx
      .insert(surveyQuotas)
      .values({ siteId, surveyId, quotaId: place.id, taken: 1 })
      .onConflictDoUpdate({
        target: [surveyQuotas.siteId, surveyQuotas.surveyId, surveyQuotas.quotaId],
        set: { taken: sql`${surveyQuotas.taken} + 1` },
        setWhere: lt(surveyQuotas.taken, place.limit),
      })
      .returning({ taken: surveyQuotas.taken })
    if (taken.length > 0) continue
    await givePlacesBack(tx, siteId, surveyId, places.slice(0, index))
    return place
  }
  return undefined
}

/** Releases the places of a response that was withdrawn or not stored after all. */
export async function givePlacesBack(tx: Tx, siteId: string, surveyId: string, places: readonly QuotaPlace[]): Promise<void> {
  for (const { id } of places) {
    await tx
      .update(surveyQuotas)
      .set({ taken: sql`${surveyQuotas.taken} - 1` })
      .where(
        and(eq(surveyQuotas.siteId, siteId), eq(surveyQuotas.surveyId, surveyId), eq(surveyQuotas.quotaId, id), gt(surveyQuotas.taken, 0)),
      )
  }
}
