import { AppError } from '#app/lib/app-error.ts'
import { loadAreaShapes } from '#app/features/areas/area-map.server.ts'
import { loadOutcomesOfSurvey } from '#app/features/outcomes/outcomes.server.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { omitUndefined } from '#app/lib/search-params.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { type ContentScopes, readWithin } from '#app/server/memory/content-reads.ts'
import { loadCohortTallies, loadAnswerPairs } from '../responses/response-bitmaps.server.ts'
import { loadSurveyTallies } from '../responses/response-counts.server.ts'
import { type CrossTable, buildCrossTable, toPublishableCrossTable } from './cross-table.ts'
import { computeFigures, type QuestionFigures, type SurveyFigures } from './figures.ts'
import { addRanges, describeSample, findLetterSample } from './letter-sample.server.ts'
import { groupPlacesByArea } from './place-areas.ts'
import { type PlacedSurvey, requireSurveyFor } from '../surveys.policy.server.ts'
import { type Cohort, parseCohort, type ResultsFilter } from './results-filter.ts'
import { parseProfileFilter } from '#app/features/profile-answers/profile-answers.schema.ts'
import { getSurveyWords } from '../questionnaire/survey-words.server.ts'
import { buildPeopleWhoSaid, findPublication, loadPublication, type Publication, type PublishedPart } from './publication.server.ts'
import { isCohortTooSmall, toPublishableFigures, roundFiguresToFive } from './publishable-figures.ts'
import { requireSurveyAt, type SurveyAddress, toSurveyView } from '../surveys.server.ts'
import { loadEveryVersion } from '../questionnaire/versions.server.ts'
import { writeFinding } from './write-finding.server.ts'
import { localiseDefinition, type SurveyView } from '../surveys.views.ts'

/** Answers of a long list in a cross-table. */
const MOST_LISTED = 20

export interface PublicResults {
  survey: SurveyView
  /** Null while there are too few responses to show any. */
  figures: SurveyFigures | null
  /** When they were counted, and when the next recount may happen (null if the survey is closed). */
  countedAt: Date | null
  nextAt: Date | null
}

/**
 * The results of a survey that publishes them, as last published. People who may see its responses can open the page before that.
 * @throws {AppError} `not-found`, also if the results are not published
 */
export async function getPublicResults(ctx: Ctx, address: SurveyAddress): Promise<PublicResults> {
  // A preview may look at another moment, but nothing is published before its time.
  const today = { ...ctx, now: ctx.runtime.now }
  const scopes: ContentScopes = {}
  const known = await readWithin(
    () => scopes,
    () =>
      ctx.db.read((tx) =>
        readPublicResults(today, tx, address, (reader, reading, placed) => {
          Object.assign(scopes, { project: placed.project.id, survey: placed.survey.id })
          return findPublication(reader, reading, placed)
        }),
      ),
  )
  if (known) return known
  // The caller may be in a transaction that only reads.
  const counted = await ctx.runtime.database.site(ctx.site.id).tx((tx) => readPublicResults(today, tx, address, loadPublication))
  if (!counted) throw new Error('The results were not counted')
  return counted
}

/** @returns null if `find` does */
async function readPublicResults(
  ctx: Ctx,
  tx: Tx,
  address: SurveyAddress,
  find: (ctx: Ctx, tx: Tx, placed: PlacedSurvey) => Promise<Publication | undefined | null>,
): Promise<PublicResults | null> {
  const placed = await requireSurveyAt(ctx, tx, address)
  const mayLookAhead = () => checkPermission(ctx.viewer, 'responses.see', toPermissionTarget(placed.project)).ok
  if (!placed.survey.resultsPublic && !mayLookAhead()) throw new AppError('not-found')
  const survey = toSurveyView(ctx, placed)
  const published = await find(ctx, tx, placed)
  if (published === null) return null
  if (!published) return { survey, figures: null, countedAt: null, nextAt: null }
  return { survey, ...published, figures: await localiseFigures(ctx, tx, placed.survey.id, published.figures) }
}

/**
 * The figures of a survey, for people who may see its responses. With access to personal data every number is exact. Otherwise the
 * published figures, and for a cohort numbers rounded to fives, or nothing if few people belong to it or are outside it. Figures by area
 * are the published ones for everybody.
 * @throws {AppError} `not-found`, `forbidden`; `invalid-parameter` if an area is combined with other filters
 */
export function getResults(ctx: Ctx, surveyId: string, filter: ResultsFilter = {}): Promise<SurveyFigures> {
  return ctx.db.tx(async (tx) => {
    const placed = await requireSurveyFor(ctx, tx, 'responses.see', surveyId)
    return localiseFigures(ctx, tx, surveyId, await loadFigures(ctx, tx, placed, requireAlone(filter)))
  })
}

async function loadFigures(ctx: Ctx, tx: Tx, placed: PlacedSurvey, filter: ResultsFilter): Promise<SurveyFigures> {
  const { id } = placed.survey
  const part = parseCohort(filter)
  const loadEmptyFigures = async () => computeFigures({ ...(await loadEveryVersion(tx, ctx.site.id, id)), marks: [] })
  const alone = findPublishedPart(filter)
  if (alone) return (await loadPublication(ctx, tx, placed, alone))?.figures ?? loadEmptyFigures()
  if (canSeeExactNumbers(ctx, placed)) {
    const exact = await loadExactFigures(ctx, tx, id, part)
    const sample = part ? undefined : await findLetterSample(ctx, tx, placed.survey, exact.sources)
    return addRanges(groupPlacesByArea(exact, await loadAreaShapes(ctx, tx)), sample)
  }
  if (!part) return (await loadPublication(ctx, tx, placed))?.figures ?? loadEmptyFigures()
  if (await isCohortHidden(ctx, tx, placed, part)) return loadEmptyFigures()
  return toPublishableFigures(
    groupPlacesByArea(roundFiguresToFive(await loadExactFigures(ctx, tx, id, part)), await loadAreaShapes(ctx, tx)),
  )
}

const canSeeExactNumbers = (ctx: Ctx, { project }: PlacedSurvey): boolean =>
  checkPermission(ctx.viewer, 'responses.export-personal', toPermissionTarget(project)).ok

/**
 * Whether a cohort would reveal a few people: because few belong to it, few are outside it, or it is defined by an answer whose count is
 * suppressed.
 */
async function isCohortHidden(ctx: Ctx, tx: Tx, placed: PlacedSurvey, part: Cohort): Promise<boolean> {
  const published = await loadPublication(ctx, tx, placed)
  if (!published) return true
  const whole = await loadExactFigures(ctx, tx, placed.survey.id)
  const counted = await loadExactFigures(ctx, tx, placed.survey.id, part)
  return isCohortTooSmall(published.figures, part, { people: counted.responses, of: whole.responses })
}

/** Figures by area, or by what people said about themselves, are published ones. */
const findPublishedPart = ({ area, profile }: ResultsFilter): Exclude<PublishedPart, ''> | undefined =>
  area === undefined ? (profile === undefined ? undefined : `profile:${profile}`) : `area:${area}`

/**
 * Combining an area, or what people said about themselves, with other filters could reveal who somebody is.
 * @throws {AppError} `invalid-parameter`
 */
function requireAlone(filter: ResultsFilter): ResultsFilter {
  const { area, profile, ...others } = filter
  if (area !== undefined && (profile !== undefined || parseCohort(others)))
    throw new AppError('invalid-parameter', { parameter: 'filter[area]' })
  const isOneOption = profile === undefined || parseProfileFilter(profile)?.reduce((sum, { options }) => sum + options.length, 0) === 1
  if (!isOneOption || (profile !== undefined && parseCohort(others)))
    throw new AppError('invalid-parameter', { parameter: 'filter[profile]' })
  return filter
}

/** Figures in the reader's language, with what they say and what changed because of them. */
async function localiseFigures(ctx: Ctx, tx: Tx, surveyId: string, figures: SurveyFigures): Promise<SurveyFigures> {
  const outcomes = Map.groupBy(await loadOutcomesOfSurvey(ctx, tx, surveyId), ({ question }) => question)
  const page = { id: 'all', questions: figures.questions.map(toShownQuestion) }
  const [localised] = localiseDefinition({ schema: 1, pages: [page] }, ctx.contentLanguage, ctx.site.locale).pages
  const words = getSurveyWords(ctx)
  return {
    ...figures,
    questions: figures.questions.map((each, index) => {
      const shown = { ...each, question: { ...each.question, ...localised?.questions[index] } }
      return {
        ...shown,
        ...(shown.sample && { sample: { ...shown.sample, ...omitUndefined({ note: describeSample(ctx, shown) }) } }),
        ...omitUndefined({ finding: writeFinding(words, shown), outcomes: outcomes.get(each.question.id)?.map(({ outcome }) => outcome) }),
      }
    }),
  }
}

/** Omits options of a long list that have no answers. */
function toShownQuestion({ question, shape, cells }: QuestionFigures): QuestionFigures['question'] {
  if (shape !== 'list' || !('options' in question)) return question
  const shown = new Set(cells.map(({ value }) => value))
  return { ...question, options: question.options.filter(({ id }) => shown.has(id)) }
}

/** From the stored tallies; for a cohort, from the stored bitmaps. */
async function loadExactFigures(ctx: Ctx, tx: Tx, surveyId: string, part?: Cohort): Promise<SurveyFigures> {
  const tallies = part
    ? await loadCohortTallies(tx, { siteId: ctx.site.id, id: surveyId }, part)
    : await loadSurveyTallies(tx, ctx.site.id, surveyId)
  return computeFigures({ ...(await loadEveryVersion(tx, ctx.site.id, surveyId)), marks: tallies })
}

/**
 * Cross-tabulates two questions by options and steps, over the people who answered both. Small numbers are suppressed for people who may
 * not see personal data, and for everybody when filtered by area. Of a long list, the table has the answers given most.
 * @throws {AppError} `not-found`, `forbidden`; `invalid-parameter` as `getResults`
 */
export function crossTabulate(
  ctx: Ctx,
  input: { surveyId: string; rows: string; columns: string; filter?: ResultsFilter },
): Promise<CrossTable> {
  return ctx.db.tx(async (tx) => {
    const placed = await requireSurveyFor(ctx, tx, 'responses.see', input.surveyId)
    const filter = requireAlone(input.filter ?? {})
    const counted = parseCohort(filter)
    const part = counted && filter.profile !== undefined ? { ...counted, people: buildPeopleWhoSaid(ctx, filter.profile) } : counted
    const isWhole = canSeeExactNumbers(ctx, placed) && !findPublishedPart(filter)
    const isHidden = !isWhole && part && !findPublishedPart(filter) && (await isCohortHidden(ctx, tx, placed, part))
    const pairs = isHidden ? [] : await loadAnswerPairs(tx, { siteId: ctx.site.id, id: placed.survey.id }, input, part)
    const { questions } = await loadExactFigures(ctx, tx, placed.survey.id)
    const shown = isWhole ? questions : ((await loadPublication(ctx, tx, placed))?.figures.questions ?? [])
    const valuesOf = (id: string) => {
      const isThis = ({ question }: QuestionFigures) => question.id === id
      const exact = questions.find(isThis)
      const cells = exact?.shape === 'list' ? shown.find(isThis)?.cells.slice(0, MOST_LISTED) : exact?.cells
      return cells?.map(({ value }) => value) ?? []
    }
    const table = buildCrossTable(pairs, { rows: valuesOf(input.rows), columns: valuesOf(input.columns) })
    return isWhole ? table : toPublishableCrossTable(table)
  })
}
