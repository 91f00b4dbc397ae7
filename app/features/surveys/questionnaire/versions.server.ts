import { and, asc, eq, inArray } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '#app/lib/app-error.ts'
import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { processMemory } from '#app/server/memory/memory-budget.ts'
import { surveyVersions } from '#app/server/db/schema/surveys.ts'
import { listChangedQuestions } from './change-effects.ts'
import { omitPipedAnswers } from './piped-answers.ts'
import { resolveRelativeDays } from './relative-days.ts'
import { expandCarriedOptions } from './carried-options.ts'
import { combineVersions, type CombinedDefinition } from './check-definition.ts'
import { type Definition, definitionSchema } from '../surveys.schema.ts'

/** The definition as it applies to answers of that day, on the site's clocks. */
export const resolveForDay = ({ site, now }: Ctx, definition: Definition, at: Date = now()): Definition =>
  resolveRelativeDays(definition, toCalendarDay(site.timeZone, at))

export const readDefinition = (stored: unknown): Definition => v.parse(definitionSchema, stored)

/** A definition takes more memory than its JSON text: a list of thousands of options takes megabytes. */
const BYTES_PER_LETTER = 3
const BYTES_PER_QUESTION = 100
const versionCache = processMemory.open<Definition>('survey definitions')

const buildCacheKey = (siteId: string, surveyId: string, number: number) => `${siteId}/${surveyId}/${number}`

/** A published version's definition, if it is cached. */
export const findCachedVersion = (siteId: string, surveyId: string, number: number): Definition | undefined =>
  versionCache.find(buildCacheKey(siteId, surveyId, number))

/** A published version's definition. Versions are immutable, so they are cached. @throws `not-found` */
export async function loadVersion(tx: Tx, siteId: string, surveyId: string, number: number): Promise<Definition> {
  const key = buildCacheKey(siteId, surveyId, number)
  const known = versionCache.find(key)
  if (known) return known
  const [row] = await tx
    .select({ definition: surveyVersions.definition })
    .from(surveyVersions)
    .where(and(eq(surveyVersions.siteId, siteId), eq(surveyVersions.surveyId, surveyId), eq(surveyVersions.number, number)))
  if (!row) throw new AppError('not-found')
  const definition = expandCarriedOptions(readDefinition(row.definition))
  versionCache.set(key, definition, JSON.stringify(definition).length * BYTES_PER_LETTER)
  return definition
}

const changesCache = processMemory.open<ReadonlySet<string>>('changed questions')

/**
 * Questions whose answers lose their meaning between a version and the newest: publishing now forbids such changes, but did not always.
 * Versions are immutable, so the result is cached.
 */
export async function loadChangedQuestions(
  tx: Tx,
  siteId: string,
  survey: { id: string; publishedVersion: number | null },
  version: number,
): Promise<ReadonlySet<string>> {
  const newest = survey.publishedVersion ?? version
  if (version >= newest) return NO_QUESTIONS
  const key = `${buildCacheKey(siteId, survey.id, version)}-${newest}`
  const known = changesCache.find(key)
  if (known) return known
  const changed = listChangedQuestions(await loadVersion(tx, siteId, survey.id, version), await loadVersion(tx, siteId, survey.id, newest))
  changesCache.set(key, changed, 2 * key.length + (changed.size + 1) * BYTES_PER_QUESTION)
  return changed
}

const NO_QUESTIONS: ReadonlySet<string> = new Set()

interface EveryVersion {
  versions: Map<number, Definition>
  everything: CombinedDefinition
}

/** Every published version of a survey by number, oldest first, and all the questions they ever asked. */
export const loadEveryVersion = async (tx: Tx, siteId: string, surveyId: string): Promise<EveryVersion> =>
  (await loadVersionsOfSurveys(tx, siteId, [surveyId])).get(surveyId) ?? combineEveryVersion([])

/** The same of each of several surveys, in one statement. */
export async function loadVersionsOfSurveys(tx: Tx, siteId: string, ids: readonly string[]): Promise<Map<string, EveryVersion>> {
  const rows = await tx
    .select({ survey: surveyVersions.surveyId, number: surveyVersions.number, definition: surveyVersions.definition })
    .from(surveyVersions)
    .where(and(eq(surveyVersions.siteId, siteId), inArray(surveyVersions.surveyId, [...ids])))
    .orderBy(asc(surveyVersions.surveyId), asc(surveyVersions.number))
  const bySurvey = Map.groupBy(rows, ({ survey }) => survey)
  return new Map(ids.map((id) => [id, combineEveryVersion(bySurvey.get(id) ?? [])]))
}

function combineEveryVersion(rows: readonly { number: number; definition: unknown }[]): EveryVersion {
  const versions = new Map(rows.map((row) => [row.number, expandCarriedOptions(readDefinition(row.definition))]))
  return { versions, everything: omitPipedAnswers(combineVersions([...versions.values()])) }
}
