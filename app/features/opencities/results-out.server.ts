import { stringify } from 'csv-stringify/sync'
import { and, asc, eq, max } from 'drizzle-orm'
import { getPublicResults } from '#app/features/surveys/surveys.results.server.ts'
import type { Translated } from '#app/lib/translated.ts'
import { wordsIn } from '#app/lib/words.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { projects, responses, surveys } from '#app/server/db/schema.ts'
import { resultsAreOpen } from './published.server.ts'
import type { OpenResultTeaser } from './reading.schema.ts'

/** A consultation whose results everybody may see. */
export interface OpenResult {
  project: string
  survey: string
  title: Translated
  description: Translated
  publishedAt: Date | null
  /** When the last answer came in. */
  updatedAt: Date | null
  /** Of the questions that were put, from 1. */
  questionsVersion: number | null
}

export const modifiedAt = ({ updatedAt, publishedAt }: Pick<OpenResult, 'updatedAt' | 'publishedAt'>): string | undefined =>
  (updatedAt ?? publishedAt)?.toISOString()

/** Which results these are: the version of the questions, and the day of the last answer to them. */
export const versionOf = (result: Pick<OpenResult, 'updatedAt' | 'publishedAt' | 'questionsVersion'>): string =>
  [result.questionsVersion ?? 1, modifiedAt(result)?.slice(0, 10).replaceAll('-', '')].filter(Boolean).join('.')

const MOST = 1000

/** Consultations with published results, of projects that everybody may see; or the one that is named. */
export function listOpenResults(ctx: Ctx, one?: { project: string; survey: string }): Promise<OpenResult[]> {
  return ctx.db.tx((tx) =>
    tx
      .select({
        project: projects.slug,
        survey: surveys.slug,
        title: surveys.title,
        description: surveys.intro,
        publishedAt: projects.publishedAt,
        updatedAt: max(responses.submittedAt),
        questionsVersion: surveys.publishedVersion,
      })
      .from(surveys)
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .leftJoin(responses, and(eq(responses.siteId, surveys.siteId), eq(responses.surveyId, surveys.id)))
      .where(and(resultsAreOpen(ctx), one && and(eq(projects.slug, one.project), eq(surveys.slug, one.survey))))
      .groupBy(projects.slug, surveys.slug, surveys.title, surveys.intro, surveys.publishedVersion, projects.publishedAt, surveys.createdAt)
      .orderBy(asc(surveys.createdAt))
      .limit(MOST),
  )
}

/** The same for a page, in its language. */
export async function openResultTeasers(ctx: Ctx): Promise<OpenResultTeaser[]> {
  const results = await listOpenResults(ctx)
  return results.map((result) => ({
    project: result.project,
    survey: result.survey,
    title: wordsIn(result.title, ctx.language, ctx.site.locale),
    updatedAt: modifiedAt(result) ?? null,
  }))
}

/** One line of the open results: how often one answer was given to one question. */
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
] as const
type Line = Record<(typeof COLUMNS)[number], string | number | null>

/** What each column means, for those who read the file without us. In English, as the names are. */
const DICTIONARY: Record<(typeof COLUMNS)[number], { type: 'string' | 'number'; description: string }> = {
  question: { type: 'string', description: 'Identifier of the question; it stays the same for the life of the survey.' },
  question_text: { type: 'string', description: 'The question as it was put, in the language of this file.' },
  question_type: { type: 'string', description: 'Kind of question, such as one_choice, several_choices or rating.' },
  answer: { type: 'string', description: 'Identifier of the option, or the step of the scale. Empty for questions without fixed answers.' },
  answer_text: { type: 'string', description: 'The option as it was put.' },
  count: { type: 'number', description: 'How many people gave this answer. Empty where the number is too small to be published.' },
  asked: { type: 'number', description: 'How many people were asked the question.' },
  answered: { type: 'number', description: 'How many of them answered it. Empty where the number is too small to be published.' },
  mean: { type: 'number', description: 'Mean of a rating. Empty where it would give a hidden number away.' },
  median: { type: 'number', description: 'Median of a rating.' },
}

const DISCLOSURE =
  'Counts only: no single response, no free text, no personal data. Results of fewer than five responses are not published, and counts below five are left empty, with further ones where they could be worked out.'

/**
 * The results of a consultation as open data: counts with small numbers hidden, never single responses nor what people wrote.
 * @throws {AppError} `not-found` where they are not published
 */
export async function readOpenResults(ctx: Ctx, address: { project: string; survey: string }) {
  const { survey, figures } = await getPublicResults({ ...ctx, viewer: VISITOR }, address)
  const lines: Line[] = (figures?.questions ?? []).flatMap(({ question, asked, answered, cells, mean, median }) => {
    const words = (text: Translated | undefined) => wordsIn(text, ctx.language, ctx.site.locale).text
    const common = {
      question: question.id,
      question_text: words(question.title),
      question_type: question.type,
      asked,
      answered,
      mean,
      median,
    }
    const options = 'options' in question ? question.options : []
    const textOf = (value: string) => words(options.find((option) => option.id === value)?.label)
    if (cells.length === 0) return [{ ...common, answer: '', answer_text: '', count: null }]
    return cells.map(({ value, count }) => ({ ...common, answer: value, answer_text: textOf(value), count }))
  })
  return { survey, responses: figures?.responses ?? null, lines }
}

export const resultsCsv = ({ lines }: { lines: Line[] }): string => {
  const safe = (value: string | number | null) => (typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value)
  const rows = lines.map((line) => COLUMNS.map((name) => safe(line[name])))
  return stringify([[...COLUMNS], ...rows], { record_delimiter: 'windows' })
}

export const resultsJson = (
  results: Awaited<ReturnType<typeof readOpenResults>>,
  facts: { licence: string; publisher: string; page: string; version: string; modified: string | undefined },
) => ({
  title: results.survey.title.text,
  ...facts,
  responses: results.responses,
  disclosureControl: DISCLOSURE,
  dictionary: COLUMNS.map((name) => ({ name, ...DICTIONARY[name] })),
  results: results.lines,
})
