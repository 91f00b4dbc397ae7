import { and, count, desc, eq, gt, or } from 'drizzle-orm'
import { suppressSmallChanges } from '#app/features/areas/area-counts.server.ts'
import { type CountedArea, countByArea } from '#app/features/areas/areas.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { type Ctx, withLanguage } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { changedWithCrowd, isCounted, responses } from '#app/server/db/schema/responses.ts'
import { openResultVersions } from '#app/server/db/schema/results.ts'
import { type ApprovedAnswer, loadApprovedAnswers, countApprovedSince, loadApprovedTexts } from './open-answers.server.ts'
import type { OpenResultTeaser } from './dataset-views.schema.ts'
import { countOpenResults, type ResultLine, listOpenResults, type OpenResult, addTextLines } from './open-results.server.ts'

/** A snapshot of a consultation's results with its own address. */
export interface OpenVersion {
  /** Version of the questions and date: `2.20261122`, then `2.20261122.2`. */
  version: string
  countedAt: Date
  madeAt: Date
  questionsVersion: number
  responses: number
}
interface StoredVersion extends OpenVersion {
  lines: Partial<Record<Language, ResultLine[]>>
  texts: ApprovedAnswer[]
  areas: CountedArea[]
}

export interface VersionedResult extends OpenResult {
  /** The newest; null while there are too few responses to show any. */
  latest: OpenVersion | null
}

/** With fewer new responses no version is made: the difference would reveal what a few people said. */
const MIN_NEW_RESPONSES = 5
const RECOUNT_AFTER_MS = 24 * 3_600_000
const NEW_TEXTS_AFTER_MS = 3_600_000

/** Every consultation with open results and its newest version, which is made now if one is due. */
export async function listVersionedResults(ctx: Ctx): Promise<VersionedResult[]> {
  const results = await listOpenResults(ctx)
  const versioned: VersionedResult[] = []
  for (const result of results) versioned.push({ ...result, latest: (await ensureNewestVersion(ctx, result)) ?? null })
  return versioned
}

/** The same for a page, in its language. */
export async function listResultTeasers(ctx: Ctx): Promise<OpenResultTeaser[]> {
  const results = await listVersionedResults(ctx)
  return results.map(({ project, survey, title, latest }) => ({
    project,
    survey,
    title: localiseText(title, ctx.contentLanguage, ctx.site.locale),
    updatedAt: latest?.madeAt.toISOString() ?? null,
  }))
}

/** One version as published, with a list of all versions. */
export interface VersionedResults {
  result: OpenResult
  version: OpenVersion | null
  lines: ResultLine[]
  /** How many people live in each area, of those who said where. */
  areas: CountedArea[]
  /** Newest first. */
  versions: OpenVersion[]
}

/**
 * A consultation's results in one version.
 * @param input.version defaults to the newest
 * @throws {AppError} `not-found`, also if they are no longer published
 */
export async function readOpenResults(ctx: Ctx, input: { project: string; survey: string; version?: string }): Promise<VersionedResults> {
  const [result] = await listOpenResults(ctx, input)
  if (!result) throw new AppError('not-found')
  await ensureNewestVersion(ctx, result)
  return ctx.db.read(async (tx) => {
    const versions = await loadVersions(ctx, tx, result.surveyId)
    const version = input.version === undefined ? versions[0] : versions.find((one) => one.version === input.version)
    if (!version && input.version !== undefined) throw new AppError('not-found')
    const told = version?.lines[ctx.language] ?? version?.lines[ctx.site.locale] ?? []
    const texts = version ? await loadApprovedTexts(ctx, tx, result.surveyId, version.texts) : []
    return { result, version: version ?? null, lines: addTextLines(told, texts), areas: version?.areas ?? [], versions }
  })
}

async function loadVersions(ctx: Ctx, tx: Tx, surveyId: string, most = 1000): Promise<StoredVersion[]> {
  const rows = await tx
    .select()
    .from(openResultVersions)
    .where(and(eq(openResultVersions.siteId, ctx.site.id), eq(openResultVersions.surveyId, surveyId)))
    .orderBy(desc(openResultVersions.madeAt))
    .limit(most)
  return rows as StoredVersion[]
}

/**
 * The newest version of an open result. Makes a new one if five or more responses came or changed and the last is a day old or has older
 * questions; or, with the last one's counts, if texts were approved.
 */
async function ensureNewestVersion(ctx: Ctx, result: OpenResult): Promise<OpenVersion | undefined> {
  const last = await ctx.db.read(async (tx) => (await loadVersions(ctx, tx, result.surveyId, 1))[0])
  const questionsVersion = result.questionsVersion ?? 1
  const age = last ? ctx.now().getTime() - last.madeAt.getTime() : Infinity
  const counts = !last || (await isRecountDue(ctx, result, last, questionsVersion))
  const texts =
    !counts && age >= NEW_TEXTS_AFTER_MS && (await ctx.db.read((tx) => countApprovedSince(ctx, tx, result.surveyId, last.madeAt))) > 0
  if (!counts && !texts) return last
  const fresh = counts
    ? await countInEachLanguage(ctx, result, last?.areas ?? [])
    : { lines: last.lines, responses: last.responses, areas: last.areas, countedAt: last.countedAt }
  if (!fresh) return last
  await ctx.db.tx(async (tx) => {
    const name = `${questionsVersion}.${ctx.now().toISOString().slice(0, 10).replaceAll('-', '')}`
    const known = new Set((await loadVersions(ctx, tx, result.surveyId)).map(({ version }) => version))
    let version = name
    for (let more = 2; known.has(version); more++) version = `${name}.${more}`
    await tx
      .insert(openResultVersions)
      .values({
        siteId: ctx.site.id,
        surveyId: result.surveyId,
        version,
        questionsVersion,
        madeAt: ctx.now(),
        ...fresh,
        texts: await loadApprovedAnswers(ctx, tx, result.surveyId),
      })
      .onConflictDoNothing()
  })
  return ctx.db.read(async (tx) => (await loadVersions(ctx, tx, result.surveyId, 1))[0])
}

async function isRecountDue(ctx: Ctx, result: OpenResult, last: OpenVersion, questionsVersion: number): Promise<boolean> {
  const isOld = ctx.now().getTime() - last.countedAt.getTime() >= RECOUNT_AFTER_MS
  if (!isOld && last.questionsVersion === questionsVersion) return false
  const isAfterLastCount = (column: typeof responses.submittedAt | typeof responses.editedAt | typeof responses.withdrawnAt) =>
    gt(column, last.countedAt)
  const [changed] = await ctx.db.read((tx) =>
    tx
      .select({ total: count() })
      .from(responses)
      .where(
        and(
          eq(responses.siteId, ctx.site.id),
          eq(responses.surveyId, result.surveyId),
          or(
            and(isCounted, isAfterLastCount(responses.submittedAt)),
            changedWithCrowd(last.countedAt),
            isAfterLastCount(responses.editedAt),
            isAfterLastCount(responses.withdrawnAt),
          ),
        ),
      ),
  )
  return (changed?.total ?? 0) >= MIN_NEW_RESPONSES
}

/** The counts in each of the site's languages; undefined while there are too few responses. */
async function countInEachLanguage(
  ctx: Ctx,
  result: OpenResult,
  before: readonly CountedArea[],
): Promise<Pick<StoredVersion, 'lines' | 'responses' | 'areas' | 'countedAt'> | undefined> {
  const lines: StoredVersion['lines'] = {}
  let total: number | null = null
  for (const language of ctx.site.languages) {
    const counted = await countOpenResults(withLanguage(ctx, language), result)
    lines[language] = counted.lines
    total = counted.responses
  }
  if (total === null) return undefined
  const areas = suppressSmallChanges(before, await ctx.db.read((tx) => countByArea(ctx, tx, result.surveyId, before)))
  return { lines, responses: total, areas, countedAt: ctx.now() }
}
