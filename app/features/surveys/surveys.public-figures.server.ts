import { eq, and } from 'drizzle-orm'
import { getFormatter } from '#app/lib/format.ts'
import { type LocalisedText, localiseText } from '#app/lib/localised-text.ts'
import type { SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import type { Interval } from '#app/lib/wilson-interval.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { formatAmount } from './questionnaire/question-types/budget/budget.ts'
import { loadEveryVersion } from './questionnaire/versions.server.ts'
import { writeFigureNote } from './results/figure-note.ts'
import type { QuestionFigures, SurveyFigures } from './results/figures.ts'
import { canGroupPublicly } from './results/compare-publicly.server.ts'
import { findPublication, loadPublication } from './results/publication.server.ts'
import { describeSample } from './results/letter-sample.server.ts'
import { formatShare } from './results/format-share.ts'
import { formatValueLabel } from './results/value-labels.ts'
import type { PlacedSurvey } from './surveys.policy.server.ts'
import type { Row } from './surveys.schema.ts'

export type { SurveyFigures } from './results/figures.ts'
export { comparePublicly } from './results/compare-publicly.server.ts'

/** The surveys of a project that people could answer, the oldest first. */
export const loadAskedSurveys = async (ctx: Ctx, tx: Tx, projectId: string): Promise<PlacedSurvey[]> =>
  (
    await tx
      .select({ survey: surveys, project: projects })
      .from(surveys)
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.projectId, projectId)))
      .orderBy(surveys.createdAt, surveys.id)
  ).filter(({ survey }) => survey.status !== 'draft')

/**
 * A survey's figures as anyone may see them, with small groups suppressed: the snapshot that its results page shows, counted if it is due.
 * @returns undefined while too few people have answered
 */
export async function loadPublicFigures(ctx: Ctx, tx: Tx, placed: PlacedSurvey): Promise<SurveyFigures | undefined> {
  // A preview may look at another moment, but nothing is published before its time.
  const today = { ...ctx, now: ctx.runtime.now }
  const known = await findPublication(today, tx, placed)
  if (known !== null) return known?.figures
  // The caller may be in a transaction that only reads.
  return (await ctx.runtime.database.site(ctx.site.id).tx((own) => loadPublication(today, own, placed)))?.figures
}

/** Counts what is due of a project's surveys, in a transaction that may write, so that `loadPublicFigures` finds it there. */
export async function countPublicFigures(ctx: Ctx, tx: Tx, projectId: string): Promise<void> {
  for (const placed of await loadAskedSurveys(ctx, tx, projectId)) await loadPublication(ctx, tx, placed)
}

/** The questions of a survey that have figures: all but those that people answered with words or files. */
export async function listCountedQuestions(
  ctx: Ctx,
  tx: Tx,
  surveyId: string,
): Promise<{ id: string; title: Translated; /** Others can be compared by it. */ isGroup: boolean }[]> {
  const { everything } = await loadEveryVersion(tx, ctx.site.id, surveyId)
  return everything.pages
    .flatMap(({ questions }) => questions)
    .flatMap((question) =>
      WORDED.has(question.type) ? [] : [{ id: question.id, title: question.title, isGroup: canGroupPublicly(question) }],
    )
}

const WORDED: ReadonlySet<string> = new Set(['info', 'short_text', 'long_text', 'file', 'email', 'phone'])

/** A figure in words of one language, for pages and documents. */
export interface FigureTable {
  title: LocalisedText
  /** How many answered, and its average. */
  note: string
  /** Of people; null if it is hidden. */
  answered: SuppressibleCount
  heads: { label: string; bar: string; count: string }
  /** Bars of one number each, with their share of those who answered; or a table of several numbers each. */
  rows: FigureBar[] | null
  grid: { heads: string[]; rows: string[][] } | null
}

export interface FigureBar {
  label: string
  /** From 0 to 1; null if it is hidden. */
  part: number | null
  /** The part in words: a share, an average rank, an amount. */
  words: string
  /** The number of people in words. */
  counted: string
}

/** Says a figure in the language of the request. */
export function describeFigure(ctx: Ctx, figures: QuestionFigures): FigureTable {
  const words = getWords(ctx)
  const { t, format, say, notShown } = words
  const { question, shape, answered } = figures
  const count = (value: number) => t('results.counted', { count: value, number: format.number(value) })
  const hidden = (label: string): FigureBar => ({ label, part: null, words: notShown, counted: notShown })
  const toBar = (label: string, value: SuppressibleCount, range?: Interval): FigureBar => {
    if (value === null) return hidden(label)
    const part = answered ? Math.min(1, value / answered) : 0
    return { label, part, words: formatShare(format, part, range), counted: count(value) }
  }
  const nameRow = (rows: readonly Row[], id: string) => {
    const row = rows.find((one) => one.id === id)
    const label = row ? say(row.label).text : id
    return row?.removed ? t('results.removed-option', { option: label }) : label
  }
  const heads = { label: t('results.heads.answer'), bar: t('results.heads.share'), count: t('results.heads.people') }
  const table = {
    title: say(question.title),
    note: [writeFigureNote({ words, figures }), describeSample(ctx, figures) ?? []].flat().join('. '),
    answered,
    heads,
    rows: null,
    grid: null,
  }
  if (shape === 'grid' && 'columns' in question) {
    const columns: readonly Row[] = question.columns
    return {
      ...table,
      grid: {
        heads: [heads.label, ...columns.map(({ label }) => say(label).text)],
        rows: figures.rows.map((row) => [
          nameRow(question.rows, row.value),
          ...row.cells.map((cell) => (cell.count === null ? notShown : format.number(cell.count))),
        ]),
      },
    }
  }
  const options: readonly Row[] = 'options' in question ? question.options : []
  if (shape === 'ranking' || shape === 'budget') {
    const most = shape === 'ranking' ? options.length : Math.max(1, ...figures.rows.map(({ mean }) => mean ?? 0))
    return {
      ...table,
      heads: { ...heads, bar: t(shape === 'ranking' ? 'results.heads.place' : 'results.heads.average') },
      rows: figures.rows.map(({ value, mean, answered: people }) => {
        const label = nameRow(options, value)
        if (mean === null || people === null) return hidden(label)
        const rounded = Math.round(mean * 10) / 10
        return {
          label,
          part: shape === 'ranking' ? (most + 1 - mean) / Math.max(1, most) : mean / most,
          words:
            question.type === 'budget' ? formatAmount(words, question, rounded) : t('results.place', { place: format.number(rounded) }),
          counted: count(people),
        }
      }),
    }
  }
  if (shape === 'places' && figures.rows.length > 0)
    return {
      ...table,
      heads: { ...heads, label: t('results.heads.area') },
      rows: figures.rows.map((row) => toBar(row.value || t('results.outside-areas'), row.answered)),
    }
  const rows = figures.cells.map(({ value, count: people }) =>
    toBar(
      formatValueLabel(words, question, value),
      people,
      figures.sample?.ranges.find((range) => range.value === value),
    ),
  )
  return { ...table, rows: rows.length > 0 ? rows : null }
}

function getWords({ language, contentLanguage, site }: Ctx) {
  const common = getTranslator(language, 'common')
  return {
    t: getTranslator(language, 'survey'),
    language,
    format: getFormatter({ language, timeZone: site.timeZone, region: site.region }),
    say: (text: Translated | undefined): LocalisedText => localiseText(text, contentLanguage, site.locale),
    notShown: common('not-shown'),
    whyNotShown: common('not-shown-why'),
  }
}
