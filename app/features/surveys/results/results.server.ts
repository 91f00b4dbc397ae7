import { AppError } from '#app/lib/app-error.ts'
import { loadAreaShapes } from '#app/features/areas/area-map.server.ts'
import { loadOutcomesOfSurveys, type PlacedOutcome } from '#app/features/outcomes/outcomes.server.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { omitUndefined } from '#app/lib/search-params.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { type ContentScopes, readWithin } from '#app/server/memory/content-reads.ts'
import { loadAnswerPairs } from '../responses/response-bitmaps.server.ts'
import { loadTalliesOfSurveys } from '../responses/response-counts.server.ts'
import { type CrossTable, buildCrossTable, toPublishableCrossTable } from './cross-table.ts'
import { computeFigures, type QuestionFigures, type SurveyFigures } from './figures.ts'
import { addRanges, describeSample, findLetterSample } from './letter-sample.server.ts'
import { groupPlacesByArea } from './place-areas.ts'
import { type PlacedSurvey, requireSurveyFor, requireSurveysFor } from '../surveys.policy.server.ts'
import { type Cohort, parseCohort, type ResultsFilter } from './results-filter.ts'
import { parseProfileFilter } from '#app/features/profile-answers/profile-answers.schema.ts'
import { getSurveyWords } from '../questionnaire/survey-words.server.ts'
import { buildPeopleWhoSaid, findPublication, loadPublication, type Publication, type PublishedPart } from './publication.server.ts'
import { isCohortTooSmall, toPublishableFigures, roundFiguresToFive } from './publishable-figures.ts'
import { requireSurveyAt, type SurveyAddress, toSurveyView } from '../surveys.server.ts'
import { loadEveryVersion, loadVersionsOfSurveys } from '../questionnaire/versions.server.ts'
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
  const { id } = placed.survey
  return { survey, ...published, figures: localiseFigures(ctx, published.figures, (await loadOutcomesOfSurveys(ctx, tx, [id])).get(id)) }
}

/**
 * The figures of a survey, for people who may see its responses. With access to personal data every number is exact. Otherwise the
 * published figures, and for a cohort numbers rounded to fives, or nothing if few people belong to it or are outside it. Figures by area
 * are the published ones for everybody.
 * @throws {AppError} `not-found`, `forbidden`; `invalid-parameter` if an area is combined with other filters
 */
export async function getResults(ctx: Ctx, surveyId: string, filter: ResultsFilter = {}): Promise<SurveyFigures> {
  const [figures] = await getResultsOfSurveys(ctx, [surveyId], filter)
  if (!figures) throw new AppError('not-found')
  return figures
}

/**
 * The same for several surveys, in the order of their ids. For a viewer who sees exact numbers it takes as many statements as for one survey, and more
 * only for surveys of which the filter leaves out some responses.
 */
export function getResultsOfSurveys(ctx: Ctx, ids: readonly string[], filter: ResultsFilter = {}): Promise<SurveyFigures[]> {
  return ctx.db.tx(async (tx) => {
    const placed = await requireSurveysFor(ctx, tx, 'responses.see', ids)
    const figures = await loadFigures(ctx, tx, placed, requireAlone(filter))
    const outcomes = await loadOutcomesOfSurveys(ctx, tx, ids)
    return placed.map(({ survey: { id } }, index) => localiseFigures(ctx, figures[index] as SurveyFigures, outcomes.get(id)))
  })
}

async function loadFigures(ctx: Ctx, tx: Tx, all: readonly PlacedSurvey[], filter: ResultsFilter): Promise<SurveyFigures[]> {
  const part = parseCohort(filter)
  const alone = findPublishedPart(filter)
  const exactIds = all.filter((placed) => !alone && canSeeExactNumbers(ctx, placed)).map(({ survey }) => survey.id)
  const exact = await loadExactFigures(ctx, tx, exactIds, part)
  const shapes = exactIds.length > 0 ? await loadAreaShapes(ctx, tx) : []
  const figures: SurveyFigures[] = []
  for (const placed of all) {
    const own = exact.get(placed.survey.id)
    const sample = own && !part ? await findLetterSample(ctx, tx, placed.survey, own.sources) : undefined
    figures.push(own ? addRanges(groupPlacesByArea(own, shapes), sample) : await loadGuardedFigures(ctx, tx, placed, { part, alone }))
  }
  return figures
}

/** For viewers who do not see exact numbers, and for parts whose exact numbers are never shown. */
async function loadGuardedFigures(
  ctx: Ctx,
  tx: Tx,
  placed: PlacedSurvey,
  { part, alone }: { part: Cohort | undefined; alone: Exclude<PublishedPart, ''> | undefined },
): Promise<SurveyFigures> {
  const { id } = placed.survey
  const loadEmptyFigures = async () => computeFigures({ ...(await loadEveryVersion(tx, ctx.site.id, id)), marks: [] })
  if (alone) return (await loadPublication(ctx, tx, placed, alone))?.figures ?? loadEmptyFigures()
  if (!part) return (await loadPublication(ctx, tx, placed))?.figures ?? loadEmptyFigures()
  if (await isCohortHidden(ctx, tx, placed, part)) return loadEmptyFigures()
  return toPublishableFigures(
    groupPlacesByArea(roundFiguresToFive(await loadExactFiguresOf(ctx, tx, id, part)), await loadAreaShapes(ctx, tx)),
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
  const whole = await loadExactFiguresOf(ctx, tx, placed.survey.id)
  const counted = await loadExactFiguresOf(ctx, tx, placed.survey.id, part)
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
function localiseFigures(ctx: Ctx, figures: SurveyFigures, changed: readonly PlacedOutcome[] = []): SurveyFigures {
  const outcomes = Map.groupBy(changed, ({ question }) => question)
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

async function loadExactFiguresOf(ctx: Ctx, tx: Tx, surveyId: string, part?: Cohort): Promise<SurveyFigures> {
  const figures = (await loadExactFigures(ctx, tx, [surveyId], part)).get(surveyId)
  if (!figures) throw new AppError('not-found')
  return figures
}

/** From the stored tallies; for a cohort, from the stored bitmaps. */
async function loadExactFigures(ctx: Ctx, tx: Tx, ids: readonly string[], part?: Cohort): Promise<Map<string, SurveyFigures>> {
  if (ids.length === 0) return new Map()
  const tallies = await loadTalliesOfSurveys(tx, ctx.site.id, ids, part)
  const versions = await loadVersionsOfSurveys(tx, ctx.site.id, ids)
  return new Map([...versions].map(([id, asked]) => [id, computeFigures({ ...asked, marks: tallies.get(id) ?? [] })]))
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
    const { questions } = await loadExactFiguresOf(ctx, tx, placed.survey.id)
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
