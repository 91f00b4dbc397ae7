import { formatCsv } from '#app/lib/csv.ts'
import { and, asc, eq } from 'drizzle-orm'
import { listRangeEnds } from '#app/lib/wilson-interval.ts'
import { getPublicResults } from '#app/features/surveys/results/results.server.ts'
import type { Row } from '#app/features/surveys/surveys.schema.ts'
import type { Translated } from '#app/lib/translated.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { hasOpenResults } from './published-datasets.server.ts'

/** A consultation whose results are public. */
export interface OpenResult {
  surveyId: string
  project: string
  survey: string
  title: Translated
  description: Translated
  publishedAt: Date | null
  /** Version of the published questions, from 1. */
  questionsVersion: number | null
}

const MAX_RESULTS = 1000

/** Consultations with published results in public projects; or only the named one. */
export function listOpenResults(ctx: Ctx, one?: { project: string; survey: string }): Promise<OpenResult[]> {
  return ctx.db.read((tx) =>
    tx
      .select({
        surveyId: surveys.id,
        project: projects.slug,
        survey: surveys.slug,
        title: surveys.title,
        description: surveys.intro,
        publishedAt: projects.publishedAt,
        questionsVersion: surveys.publishedVersion,
      })
      .from(surveys)
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .where(and(hasOpenResults(ctx), one && and(eq(projects.slug, one.project), eq(surveys.slug, one.survey))))
      .orderBy(asc(surveys.createdAt))
      .limit(MAX_RESULTS),
  )
}

/** One line of the open results: how often a question got a given answer. */
const COLUMNS = [
  'question',
  'question_text',
  'question_type',
  'answer',
  'answer_text',
  'count',
  'asked',
  'answered',
  'mean',
  'median',
  'part',
  'part_text',
  'share_from',
  'share_until',
  'sample',
  'text',
  'not_shown',
] as const
/** Versions made earlier have lines without the newer columns. */
export type ResultLine = Partial<Record<(typeof COLUMNS)[number], string | number | null>>

/** What each column means, for readers who only have the file. In English, like the column names. */
const DICTIONARY: Record<(typeof COLUMNS)[number], { type: 'string' | 'number'; description: string }> = {
  question: { type: 'string', description: 'Identifier of the question; it stays the same for the life of the survey.' },
  question_text: { type: 'string', description: 'The question as it was put, in the language of this file.' },
  question_type: { type: 'string', description: 'Kind of question, such as one_choice, several_choices or rating.' },
  answer: {
    type: 'string',
    description:
      'Identifier of the option, or the step of the scale. Empty for questions without fixed answers. Of places, “area”, or the south-western corner of a square.',
  },
  answer_text: { type: 'string', description: 'The option as it was put. Of places, the name of the area; empty outside all areas.' },
  count: {
    type: 'number',
    description: 'How many people gave this answer. Empty where it is not shown. Until the survey closes it moves by five at least.',
  },
  asked: { type: 'number', description: 'How many people were asked the question.' },
  answered: { type: 'number', description: 'How many of them answered it. Empty where it is not shown.' },
  mean: {
    type: 'number',
    description:
      'Mean of a rating, a rank or, over everybody who answered, an amount. Empty where it would give away a number that is not shown.',
  },
  median: { type: 'number', description: 'Median of a rating.' },
  part: {
    type: 'string',
    description:
      'Identifier of the row of a grid, or of the option that was ranked or given an amount. “answered” is then about this part, and of a ranking “answer” is the rank.',
  },
  part_text: { type: 'string', description: 'The row or the option as it was put.' },
  text: {
    type: 'string',
    description:
      'What somebody wrote, word for word, in the language it was written in. Only where it was read and approved for publication; one line each, in no order, connected with no other answer.',
  },
  share_from: {
    type: 'number',
    description:
      'Only if everybody who could answer was drawn at random: the lower end of the 95% interval (Wilson) of “count” as a share of “answered”, from 0 to 1. Otherwise empty, because the shares of people who chose to answer have no margin of error.',
  },
  share_until: { type: 'number', description: 'The upper end of that interval.' },
  sample: { type: 'string', description: 'What the people were drawn from, how many of them answered, and what the interval means.' },
  not_shown: {
    type: 'string',
    description:
      'Why numbers of this line are not shown, in the language of this file. Empty if all are. A number is not shown if it is small, or if a small one could be worked out from it; nothing says which of the two.',
  },
}

const DISCLOSURE =
  'Counts, and what people wrote only where it was read and approved: no single response, no personal data. Results of fewer than five responses are not published, and counts below five are not shown, with further ones from which they could be worked out: “not_shown” says so on each line. Counts are those of the results page: taken anew at most once an hour, after five more people have answered, and until the survey closes each moves by five at least or stays.'

/**
 * A consultation's current results in one language: counts with small numbers hidden, never single responses or free text.
 * @throws {AppError} `not-found` if they are not published
 */
export async function countOpenResults(
  ctx: Ctx,
  address: { project: string; survey: string },
): Promise<{ responses: number | null; lines: ResultLine[] }> {
  const { figures } = await getPublicResults({ ...ctx, viewer: VISITOR }, address)
  const why = getTranslator(ctx.language, 'common')('not-shown-why')
  const lines = (figures?.questions ?? []).flatMap((each) =>
    listLines(ctx, each).map(({ hasHidden, ...line }): ResultLine => ({ ...line, not_shown: hasHidden ? why : null })),
  )
  return { responses: figures?.responses ?? null, lines }
}

type QuestionFigures = NonNullable<Awaited<ReturnType<typeof getPublicResults>>['figures']>['questions'][number]

/** The lines of one question: one for each answer or, of grids, rankings and amounts, for each answer about each part. */
function listLines(
  ctx: Ctx,
  { question, shape, asked, answered, cells, rows, mean, median, sample, hasUnlisted = false }: QuestionFigures,
): (ResultLine & { hasHidden: boolean })[] {
  const localise = (text: Translated | undefined) => localiseText(text, ctx.contentLanguage, ctx.site.locale).text
  const findLabel = (items: readonly Row[], id: string) => localise(items.find((item) => item.id === id)?.label)
  const common = {
    question: question.id,
    question_text: localise(question.title),
    question_type: question.type,
    asked,
    answered,
    mean,
    median,
    part: '',
    part_text: '',
    text: '',
  }
  const options = 'options' in question ? question.options : []
  if (shape === 'places' && rows.length > 0)
    return rows.flatMap((area) => [
      { ...common, answer: 'area', answer_text: area.value, count: area.answered, hasHidden: area.answered === null },
      ...area.cells.map(({ value, count }) => ({ ...common, answer: value, answer_text: area.value, count, hasHidden: count === null })),
    ])
  if (shape === 'grid' || shape === 'ranking' || shape === 'budget') {
    const [parts, columns] = 'rows' in question ? [question.rows, question.columns] : [options, []]
    return rows.flatMap((row) => {
      const own = { ...common, answered: row.answered, mean: row.mean, part: row.value, part_text: findLabel(parts, row.value) }
      if (row.cells.length === 0) return [{ ...own, answer: '', answer_text: '', count: null, hasHidden: row.answered === null }]
      return row.cells.map(({ value, count }) => ({
        ...own,
        answer: value,
        answer_text: findLabel(columns, value),
        count,
        hasHidden: count === null || row.answered === null,
      }))
    })
  }
  if (cells.length === 0) return [{ ...common, answer: '', answer_text: '', count: null, hasHidden: answered === null || hasUnlisted }]
  const t = getTranslator(ctx.language, 'survey')
  const findAnswerText = (value: string) =>
    question.type === 'yes_no' || question.type === 'consent' ? t(value === 'yes' ? 'choice.yes' : 'choice.no') : findLabel(options, value)
  return cells.map(({ value, count }) => {
    const [from, until] = listRangeEnds(sample?.ranges.find((range) => range.value === value))
    return {
      ...common,
      answer: value,
      answer_text: findAnswerText(value),
      count,
      share_from: from,
      share_until: until,
      sample: sample?.note ?? '',
      hasHidden: count === null || answered === null,
    }
  })
}

/** Adds one line per text after the lines of its question. */
export function addTextLines(lines: readonly ResultLine[], texts: readonly { question: string; text: string }[]): ResultLine[] {
  const byQuestion = Map.groupBy(texts, ({ question }) => question)
  return lines.flatMap((line, index) => {
    const isLast = lines[index + 1]?.question !== line.question
    const own = (isLast && byQuestion.get(String(line.question))) || []
    return [
      line,
      ...own.map(({ text }) => ({
        ...line,
        answer: '',
        answer_text: '',
        count: null,
        mean: null,
        median: null,
        part: '',
        part_text: '',
        share_from: null,
        share_until: null,
        sample: '',
        not_shown: null,
        text,
      })),
    ]
  })
}

export const formatResultsCsv = (lines: readonly ResultLine[]): string =>
  formatCsv([COLUMNS, ...lines.map((line) => COLUMNS.map((name) => line[name] ?? null))])

/** Describes the lines inside the file itself. */
export const linesDescription = {
  disclosureControl: DISCLOSURE,
  dictionary: COLUMNS.map((name) => ({ name, ...DICTIONARY[name] })),
}
