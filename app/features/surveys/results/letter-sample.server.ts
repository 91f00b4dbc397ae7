import { isDeepStrictEqual } from 'node:util'
import { and, asc, eq } from 'drizzle-orm'
import type { LetterSample } from '#app/features/invitations/invitations.schema.ts'
import { SUPPRESSION_THRESHOLD } from '#app/lib/suppressed-cells.ts'
import { findWilsonInterval } from '#app/lib/wilson-interval.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { invitationBatches } from '#app/server/db/schema/surveys.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { getSurveyWords } from '../questionnaire/survey-words.server.ts'
import { loadEveryVersion } from '../questionnaire/versions.server.ts'
import type { SurveyRow } from '../surveys.policy.server.ts'
import type { FigureSample, QuestionFigures, SurveyFigures } from './figures.ts'
import { formatValueLabel } from './value-labels.ts'

/** Answers that administrators typed or imported, which need no code. */
const ENTERED_SOURCES: ReadonlySet<string> = new Set(['paper', 'import'])
const CHOICE_TYPES: ReadonlySet<string> = new Set(['one_choice', 'several_choices', 'dropdown', 'picture_choice', 'demographic', 'yes_no'])

/**
 * The random sample that all answers to a survey come from, or undefined. The database does not store which code an answer was sent with. So the
 * decision depends only on what administrators did: every code of the survey was sent to one sample, the survey never took answers without a
 * code, and no batch was withdrawn after the first answer. It never depends on whether a code was used, because results would then reveal that.
 * @param sources exact numbers of answers by source, such as `web` or `paper`
 */
export async function findLetterSample(
  ctx: Ctx,
  tx: Tx,
  survey: Pick<SurveyRow, 'id' | 'access' | 'sampleBroken'>,
  sources: SurveyFigures['sources'],
): Promise<LetterSample | undefined> {
  if (survey.access !== 'invited' || survey.sampleBroken) return undefined
  if (sources.some(({ value, count }) => ENTERED_SOURCES.has(value) && count !== 0)) return undefined
  const batches = await tx
    .select({ sample: invitationBatches.sample })
    .from(invitationBatches)
    .where(and(eq(invitationBatches.siteId, ctx.site.id), eq(invitationBatches.surveyId, survey.id)))
    .orderBy(asc(invitationBatches.createdAt), asc(invitationBatches.id))
  const samples = batches.flatMap(({ sample }) => sample ?? [])
  const [first] = samples
  // Samples of several lists would have to be weighted.
  const isOneList = samples.every(({ list, population }) => isDeepStrictEqual([list, population], [first?.list, first?.population]))
  if (!first || samples.length < batches.length || !isOneList) return undefined
  const sent = samples.reduce((sum, sample) => sum + sample.sent, 0)
  if (sent > first.population) return undefined
  // A quota turns people away once enough like them have answered.
  const { versions } = await loadEveryVersion(tx, ctx.site.id, survey.id)
  return [...versions.values()].some(({ quotas = [] }) => quotas.length > 0) ? undefined : { ...first, sent }
}

/** Adds an interval to each share of the questions with choices. Hidden counts get none. */
export function addRanges(figures: SurveyFigures, sample: LetterSample | undefined): SurveyFigures {
  if (!sample || figures.responses > sample.sent) return figures
  return {
    ...figures,
    questions: figures.questions.map((each) => {
      const ranges = listRanges(each)
      return ranges.length > 0 ? { ...each, sample: { ...sample, responses: figures.responses, ranges } } : each
    }),
  }
}

function listRanges({ question, answered, cells }: QuestionFigures): FigureSample['ranges'] {
  if (!CHOICE_TYPES.has(question.type) || answered === null || answered < SUPPRESSION_THRESHOLD) return []
  // Published counts move in steps, so for a while one may be above the number of people.
  return cells.flatMap(({ value, count }) =>
    count === null ? [] : [{ value, ...findWilsonInterval(Math.min(1, count / answered), answered) }],
  )
}

/** Says in the language of the request what sample the figures come from, and what their ranges mean; undefined without a sample. */
export function describeSample(ctx: Ctx, { question, cells, sample }: QuestionFigures): string | undefined {
  if (!sample) return undefined
  const words = getSurveyWords(ctx)
  const { format, say } = words
  const t = getTranslator(ctx.language, 'findings')
  const { sent, population, responses, list, ranges } = sample
  const counted = cells.flatMap(({ value, count }) => (count === null ? [] : [{ value, count }]))
  const most = counted.toSorted((one, other) => other.count - one.count)[0]
  const range = ranges.find(({ value }) => value === most?.value)
  return [
    t('letters.sample', { sent: format.number(sent), population: format.number(population), list: say(list).text }),
    t('letters.answered', { number: format.number(responses), share: format.percent(responses / sent) }),
    ...(range
      ? [
          t('letters.range', {
            from: format.percent(range.from),
            until: format.percent(range.until),
            option: t('quote', { text: formatValueLabel(words, question, range.value) }),
          }),
        ]
      : []),
    t('letters.silent'),
  ].join(' ')
}
