import { formatAnswerValue, hasSeveralAnswers, type QuestionFigures } from '#app/features/surveys/surveys.figures.server.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Describe } from './describe-report.server.ts'

/** The newest surveys, as many as fit side by side on paper. */
const MAX_SURVEYS = 5

const TYPES: ReadonlySet<string> = new Set([
  'one_choice',
  'several_choices',
  'dropdown',
  'picture_choice',
  'yes_no',
  'rating',
  'scale',
  'nps',
])

/** The answers of one survey to a question that other surveys may have asked too. */
export interface AskedQuestion {
  /** Equal for questions that are the same: of one type, in the same words, with the same answers to choose from. */
  key: string
  title: string
  isSeveral: boolean
  answered: number
  cells: { value: string; label: string; count: SuppressibleCount }[]
}

/** A question that several surveys asked, the oldest survey first. */
export interface QuestionSeries {
  title: string
  isSeveral: boolean
  surveys: { title: string; day: string; answered: number }[]
  /** One share for each survey, of the people who answered the question there; null if it is hidden, or if the survey did not offer this answer. */
  rows: { label: string; shares: (number | null)[] }[]
}

/**
 * @param figures with small groups suppressed
 * @returns undefined if the question is of a type that is not compared over time, or has no answers
 */
export function findAsked(ctx: Ctx, figures: QuestionFigures): AskedQuestion | undefined {
  const { question, answered, cells } = figures
  if (!answered || !TYPES.has(question.type)) return undefined
  const { locale } = ctx.site
  const choices = 'options' in question ? question.options.map(({ id }) => id).toSorted() : 'scale' in question ? question.scale : null
  return {
    key: JSON.stringify([question.type, getTranslation(question.title, locale, locale).trim(), choices]),
    title: getTranslation(question.title, ctx.contentLanguage, locale),
    isSeveral: hasSeveralAnswers(question.type),
    answered,
    cells: cells.map(({ value, count }) => ({ value, label: formatAnswerValue(ctx, question, value), count })),
  }
}

/** The questions that more than one of the surveys asked, those asked most often first. */
export function buildSeries(surveys: readonly { title: string; day: string; asked: readonly AskedQuestion[] }[]): QuestionSeries[] {
  const byKey = new Map<string, { title: string; day: string; question: AskedQuestion }[]>()
  for (const { title, day, asked } of surveys.toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
    const first = new Map(asked.toReversed().map((question) => [question.key, question]))
    for (const [key, question] of first) byKey.set(key, [...(byKey.get(key) ?? []), { title, day, question }])
  }
  return [...byKey.values()]
    .filter((times) => times.length > 1)
    .toSorted((a, b) => b.length - a.length)
    .map((all) => {
      const times = all.slice(-MAX_SURVEYS)
      const newest = times.at(-1)?.question
      const labels = new Map(
        times.toReversed().flatMap(({ question }) => question.cells.map(({ value, label }) => [value, label] as const)),
      )
      const order = [...new Set([...(newest?.cells ?? []).map(({ value }) => value), ...labels.keys()])]
      return {
        title: newest?.title ?? '',
        isSeveral: newest?.isSeveral ?? false,
        surveys: times.map(({ title, day, question: { answered } }) => ({ title, day, answered })),
        rows: order.map((value) => ({
          label: labels.get(value) ?? value,
          shares: times.map(({ question: { cells, answered } }) => {
            const count = cells.find((cell) => cell.value === value)?.count ?? null
            return count === null ? null : count / answered
          }),
        })),
      }
    })
}

/** A table of each question that was asked more than once. Undefined if there is none. */
export const describeSeries: Describe = ({ surveys }, { t, count, share, formatMonth }) => {
  const series = surveys?.series ?? []
  if (series.length === 0) return undefined
  return {
    blocks: [
      ...series.map(({ title, isSeveral, surveys: times, rows }) => ({
        kind: 'table' as const,
        caption: isSeveral ? `${title} ${t('groups.several')}` : title,
        hasShownCaption: true,
        heads: [t('heads.answer'), ...times.map((time) => t('series-head', { survey: time.title, month: formatMonth(time.day) }))],
        rows: [
          ...rows.map(({ label, shares }) => [{ text: label, value: label }, ...shares.map((part) => share(part))]),
          [{ text: t('heads.answered'), value: t('heads.answered') }, ...times.map(({ answered }) => count(answered))],
        ],
        hasTotal: true,
      })),
      { kind: 'text', text: t('series-note') },
    ],
    figures: [],
  }
}
