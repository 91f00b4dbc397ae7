import { and, asc, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '#app/lib/app-error.ts'
import type { Tx } from '#app/server/db/client.ts'
import { surveyVersions } from '#app/server/db/schema.ts'
import { changedQuestions } from './change-effects.ts'
import { withCarried } from './logic.ts'
import { keepEverything, type KeptDefinition } from './check-definition.ts'
import { type Definition, definitionSchema } from '../surveys.schema.ts'

export const readDefinition = (stored: unknown): Definition => v.parse(definitionSchema, stored)

const MOST_KEPT = 500
const kept = new Map<string, Definition>()

const keyOf = (siteId: string, surveyId: string, number: number) => `${siteId}/${surveyId}/${number}`

/** A published version's definition, where it was read before. */
export const knownVersion = (siteId: string, surveyId: string, number: number): Definition | undefined =>
  kept.get(keyOf(siteId, surveyId, number))

/** A published version's definition. Versions never change, so that one that was read is kept. @throws `not-found` */
export async function versionOf(tx: Tx, siteId: string, surveyId: string, number: number): Promise<Definition> {
  const key = keyOf(siteId, surveyId, number)
  const known = kept.get(key)
  if (known) return known
  const [row] = await tx
    .select({ definition: surveyVersions.definition })
    .from(surveyVersions)
    .where(and(eq(surveyVersions.siteId, siteId), eq(surveyVersions.surveyId, surveyId), eq(surveyVersions.number, number)))
  if (!row) throw new AppError('not-found')
  const definition = withCarried(readDefinition(row.definition))
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(key, definition)
  return definition
}

const keptChanges = new Map<string, ReadonlySet<string>>()

/**
 * Questions whose answers lose their meaning between a version and the newest: what is published is fixed, but was not always. Versions never
 * change, so that what was found out is kept.
 */
export async function changedSince(
  tx: Tx,
  siteId: string,
  survey: { id: string; publishedVersion: number | null },
  version: number,
): Promise<ReadonlySet<string>> {
  const newest = survey.publishedVersion ?? version
  if (version >= newest) return NONE
  const key = `${keyOf(siteId, survey.id, version)}-${newest}`
  const known = keptChanges.get(key)
  if (known) return known
  const changed = changedQuestions(await versionOf(tx, siteId, survey.id, version), await versionOf(tx, siteId, survey.id, newest))
  if (keptChanges.size >= MOST_KEPT) keptChanges.clear()
  keptChanges.set(key, changed)
  return changed
}

const NONE: ReadonlySet<string> = new Set()

/** Every published version of a survey by its number, oldest first, and all they ever asked. */
export async function versionsOf(
  tx: Tx,
  siteId: string,
  surveyId: string,
): Promise<{ versions: Map<number, Definition>; everything: KeptDefinition }> {
  const rows = await tx
    .select({ number: surveyVersions.number, definition: surveyVersions.definition })
    .from(surveyVersions)
    .where(and(eq(surveyVersions.siteId, siteId), eq(surveyVersions.surveyId, surveyId)))
    .orderBy(asc(surveyVersions.number))
  const versions = new Map(rows.map((row) => [row.number, withCarried(readDefinition(row.definition))]))
  return { versions, everything: keepEverything([...versions.values()]) }
}
