import { and, count, eq, gt, gte, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { loadAreaShapes } from '#app/features/areas/area-map.server.ts'
import { buildProfileCondition, isOptionSuppressed } from '#app/features/profile-answers/profile-answers.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { changedWithCrowd, isCounted, responses } from '#app/server/db/schema/responses.ts'
import { surveyPublications } from '#app/server/db/schema/results.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { loadCohortTallies } from '../responses/response-bitmaps.server.ts'
import { toSurveyCounts, moveCountsInSteps, type SurveyCounts, applyCounts } from './count-steps.ts'
import { loadSurveyTallies } from '../responses/response-counts.server.ts'
import { computeFigures, type SurveyFigures } from './figures.ts'
import { addRanges, findLetterSample } from './letter-sample.server.ts'
import { SUPPRESSION_THRESHOLD } from '#app/lib/suppressed-cells.ts'
import { groupPlacesByArea } from './place-areas.ts'
import { countTallied } from '../responses/tallies.ts'
import type { PlacedSurvey } from '../surveys.policy.server.ts'
import { toPublishableFigures } from './publishable-figures.ts'
import { getSurveyState } from '../surveys.state.server.ts'
import { loadEveryVersion } from '../questionnaire/versions.server.ts'

const RECOUNT_INTERVAL_MS = 3_600_000

/** A survey's figures as published: a snapshot, the same for everybody. */
export interface Publication {
  figures: SurveyFigures
  countedAt: Date
  /** Earliest time of the next recount; null once the survey is closed and counted. */
  nextAt: Date | null
}

/** Everybody, the residents of one area, or the people who gave one option of a question about themselves. */
export type PublishedPart = '' | `area:${string}` | `profile:${string}`

interface StoredPublication {
  countedAt: Date
  firstNumber: number
  closed: boolean
  exact: SurveyCounts
  counts: SurveyCounts
  shown: SurveyCounts
}

/**
 * A survey's published figures, from the stored snapshot: pages, the API, open data and exports all read these. They are recounted at most
 * once an hour, after at least five people have answered, changed or withdrawn their answers, and when the survey closes.
 * @returns undefined while too few people have answered to publish anything
 */
export async function loadPublication(ctx: Ctx, tx: Tx, placed: PlacedSurvey, part: PublishedPart = ''): Promise<Publication | undefined> {
  const { survey } = placed
  const isClosed = getSurveyState(ctx.now(), placed) === 'closed'
  let kept = await findStoredPublication(ctx, tx, survey.id, part)
  if (!kept || (await isRecountDue(ctx, tx, survey.id, part, kept, isClosed))) {
    // Lock the survey: one recount at a time, and no response is stored in the meantime.
    const [held] = await tx
      .select({ numbered: surveys.responsesNumbered })
      .from(surveys)
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, survey.id)))
      .for('update')
    kept = await findStoredPublication(ctx, tx, survey.id, part)
    if (held && (!kept || (await isRecountDue(ctx, tx, survey.id, part, kept, isClosed))))
      kept = await recountPublication(ctx, tx, { surveyId: survey.id, part, isClosed, firstNumber: held.numbered, before: kept })
  }
  return kept && toPublication(ctx, tx, { survey, part, kept, isClosed })
}

/** As `loadPublication`, in a transaction that only reads. @returns null if the figures have to be counted first */
export async function findPublication(ctx: Ctx, tx: Tx, placed: PlacedSurvey): Promise<Publication | undefined | null> {
  const { id } = placed.survey
  const isClosed = getSurveyState(ctx.now(), placed) === 'closed'
  const kept = await findStoredPublication(ctx, tx, id, '')
  // Nothing is stored while too few have answered, so counting would change nothing.
  if (!kept) return (await haveFewAnswered(tx, ctx.site.id, id)) ? undefined : null
  if (await isRecountDue(ctx, tx, id, '', kept, isClosed)) return null
  return toPublication(ctx, tx, { survey: placed.survey, part: '', kept, isClosed })
}

interface StoredPart {
  survey: PlacedSurvey['survey']
  part: PublishedPart
  kept: StoredPublication
  isClosed: boolean
}

/** Reads the answers themselves: loading tallies may write, because it brings them up to date. */
async function haveFewAnswered(tx: Tx, siteId: string, surveyId: string): Promise<boolean> {
  const some = await tx
    .select({ id: responses.id })
    .from(responses)
    .where(and(eq(responses.siteId, siteId), eq(responses.surveyId, surveyId), isCounted))
    .limit(SUPPRESSION_THRESHOLD)
  return some.length < SUPPRESSION_THRESHOLD
}

async function toPublication(ctx: Ctx, tx: Tx, { survey, part, kept, isClosed }: StoredPart): Promise<Publication | undefined> {
  if (kept.shown.responses < SUPPRESSION_THRESHOLD) return undefined
  const skeleton = computeFigures({ ...(await loadEveryVersion(tx, ctx.site.id, survey.id)), marks: [] })
  const sample = part ? undefined : await findLetterSample(ctx, tx, survey, kept.exact.sources)
  return {
    figures: addRanges(applyCounts(skeleton, kept.shown), sample),
    countedAt: kept.countedAt,
    nextAt: isClosed ? null : new Date(kept.countedAt.getTime() + RECOUNT_INTERVAL_MS),
  }
}

async function isRecountDue(
  ctx: Ctx,
  tx: Tx,
  surveyId: string,
  part: PublishedPart,
  kept: StoredPublication,
  isClosed: boolean,
): Promise<boolean> {
  if (isClosed && !kept.closed) return true
  const isOld = ctx.now().getTime() - kept.countedAt.getTime() >= RECOUNT_INTERVAL_MS
  return isOld && (await haveEnoughChanged(ctx, tx, surveyId, part, kept))
}

interface RecountInput {
  surveyId: string
  part: PublishedPart
  isClosed: boolean
  /** The first response number that is not counted. */
  firstNumber: number
  before: StoredPublication | undefined
}

/** @returns the new snapshot, or the previous one; undefined while too few people have answered */
async function recountPublication(
  ctx: Ctx,
  tx: Tx,
  { surveyId, part, isClosed, firstNumber, before }: RecountInput,
): Promise<StoredPublication | undefined> {
  const areMoved = !before || (await haveEnoughChanged(ctx, tx, surveyId, part, before))
  const { now, last } = areMoved
    ? {
        now: { countedAt: ctx.now(), firstNumber, exact: toSurveyCounts(await computeExactFigures(ctx, tx, surveyId, part)) },
        last: before,
      }
    : { now: before, last: before }
  if (!last && now.exact.responses < SUPPRESSION_THRESHOLD) return undefined
  if (part && (await areFewLeftOut(tx, { siteId: ctx.site.id, id: surveyId }, now.exact.responses))) return last
  if (part.startsWith('profile:') && (await isSaidByFew(ctx, tx, surveyId, part.slice('profile:'.length)))) return last
  // Once the survey is closed no later step can single anyone out, so the counts are exact, over the responses counted last.
  const counts = last && !isClosed ? moveCountsInSteps(last.counts, now.exact) : now.exact
  const skeleton = computeFigures({ ...(await loadEveryVersion(tx, ctx.site.id, surveyId)), marks: [] })
  const shown = toPublishableFigures(groupPlacesByArea(applyCounts(skeleton, counts), await loadAreaShapes(ctx, tx)), last?.shown)
  const row: StoredPublication = {
    countedAt: now.countedAt,
    firstNumber: now.firstNumber,
    exact: now.exact,
    closed: isClosed,
    counts,
    shown: toSurveyCounts(shown),
  }
  await tx
    .insert(surveyPublications)
    .values({ siteId: ctx.site.id, surveyId, part, ...row })
    .onConflictDoUpdate({ target: [surveyPublications.siteId, surveyPublications.surveyId, surveyPublications.part], set: row })
  return row
}

async function findStoredPublication(ctx: Ctx, tx: Tx, surveyId: string, part: PublishedPart): Promise<StoredPublication | undefined> {
  const [row] = await tx
    .select()
    .from(surveyPublications)
    .where(and(eq(surveyPublications.siteId, ctx.site.id), eq(surveyPublications.surveyId, surveyId), eq(surveyPublications.part, part)))
  return row as StoredPublication | undefined
}

const toPeople = (ctx: Ctx, part: Exclude<PublishedPart, ''>) =>
  part.startsWith('area:') ? { area: part.slice('area:'.length) } : { people: buildPeopleWhoSaid(ctx, part.slice('profile:'.length)) }

/** Limits responses to people who said this about themselves. Sensitive answers too, since small numbers are never shown. */
export const buildPeopleWhoSaid = (ctx: Ctx, filter: string): SQL =>
  buildProfileCondition({ siteId: ctx.site.id, now: ctx.now(), filter, column: responses.userId, includesSensitive: true })

async function computeExactFigures(ctx: Ctx, tx: Tx, surveyId: string, part: PublishedPart): Promise<SurveyFigures> {
  const survey = { siteId: ctx.site.id, id: surveyId }
  const tallies = part
    ? await loadCohortTallies(tx, survey, { groups: [], from: undefined, to: undefined, ...toPeople(ctx, part) })
    : await loadSurveyTallies(tx, ctx.site.id, surveyId)
  return computeFigures({ ...(await loadEveryVersion(tx, ctx.site.id, surveyId)), marks: tallies })
}

/** Whether the other options of the question would give away how many people gave one, or this one would give away another. */
async function isSaidByFew(ctx: Ctx, tx: Tx, surveyId: string, filter: string): Promise<boolean> {
  const inSurvey = and(eq(responses.siteId, ctx.site.id), eq(responses.surveyId, surveyId), isCounted)
  const [counted] = await tx.select({ all: count() }).from(responses).where(inSurvey)
  const people = sql`select ${responses.userId} from ${responses} where ${inSurvey} and ${responses.userId} is not null`
  return isOptionSuppressed(tx, { siteId: ctx.site.id, now: ctx.now(), filter, people, all: counted?.all ?? 0 })
}

/** Whether subtracting a part from the total would reveal the few people outside it. */
async function areFewLeftOut(tx: Tx, { siteId, id }: { siteId: string; id: string }, people: number): Promise<boolean> {
  const all = countTallied(await loadSurveyTallies(tx, siteId, id))
  return all - people > 0 && all - people < SUPPRESSION_THRESHOLD
}

/**
 * Whether at least five people answered, changed or withdrew their answers; for an area, whether its number of people changed by five.
 * People who answered and withdrew since the snapshot do not count.
 */
async function haveEnoughChanged(ctx: Ctx, tx: Tx, surveyId: string, part: PublishedPart, before: StoredPublication): Promise<boolean> {
  if (part) {
    const { responses: people } = await computeExactFigures(ctx, tx, surveyId, part)
    return Math.abs(people - before.exact.responses) >= SUPPRESSION_THRESHOLD
  }
  const { countedAt, firstNumber } = before
  const isNew = or(gte(responses.number, firstNumber), and(isNull(responses.number), gt(responses.submittedAt, countedAt)))
  const wasCounted = or(lt(responses.number, firstNumber), isNull(responses.number))
  const kinds = [
    and(isNew, isCounted),
    and(wasCounted, isNotNull(responses.withdrawnAt), gt(responses.withdrawnAt, countedAt)),
    and(wasCounted, isCounted, isNotNull(responses.editedAt), gt(responses.editedAt, countedAt)),
    and(wasCounted, isNull(responses.withdrawnAt), changedWithCrowd(countedAt)),
  ]
  let changed = 0
  for (const kind of kinds) if (changed < SUPPRESSION_THRESHOLD) changed += await countUpToFive(ctx, tx, surveyId, kind)
  return changed >= SUPPRESSION_THRESHOLD
}

async function countUpToFive(ctx: Ctx, tx: Tx, surveyId: string, which: SQL | undefined): Promise<number> {
  const found = await tx
    .select({ id: responses.id })
    .from(responses)
    .where(and(eq(responses.siteId, ctx.site.id), eq(responses.surveyId, surveyId), which))
    .limit(SUPPRESSION_THRESHOLD)
  return found.length
}
