import { getTranslator } from '#app/server/i18n.ts'
import { formatAmount } from '../questionnaire/question-types/budget/budget.ts'
import { getScaleEnds } from '../questionnaire/question-types/scales/scales.ts'
import type { SurveyWords } from '../questionnaire/use-survey-words.ts'
import type { QuestionFigures } from './figures.ts'
import { canChooseSeveral } from './publishable-figures.ts'
import { OUTSIDE_AREAS } from './place-areas.ts'
import { formatItemLabel, formatValueLabel } from './value-labels.ts'

/** Below this many answers a sentence has counts: a share would sound more certain than it is. */
const FEW_ANSWERS = 30
/** A share below this is said as a count. */
const LEAST_SHARE = 0.01
/** Options with equal figures that a sentence still names. */
const MOST_NAMED = 3

/** Shares that have words, each with how far the exact one may be from it. No two overlap. */
const SHARE_WORDS = [
  { words: 'one-in-ten', share: 0.1, tolerance: 0.015 },
  { words: 'two-in-ten', share: 0.2, tolerance: 0.015 },
  { words: 'quarter', share: 1 / 4, tolerance: 0.01 },
  { words: 'three-in-ten', share: 0.3, tolerance: 0.015 },
  { words: 'third', share: 1 / 3, tolerance: 0.01 },
  { words: 'four-in-ten', share: 0.4, tolerance: 0.015 },
  { words: 'half', share: 0.5, tolerance: 0 },
  { words: 'six-in-ten', share: 0.6, tolerance: 0.015 },
  { words: 'two-thirds', share: 2 / 3, tolerance: 0.01 },
  { words: 'seven-in-ten', share: 0.7, tolerance: 0.015 },
  { words: 'three-quarters', share: 3 / 4, tolerance: 0.01 },
  { words: 'eight-in-ten', share: 0.8, tolerance: 0.015 },
  { words: 'nine-in-ten', share: 0.9, tolerance: 0.015 },
  { words: 'everybody', share: 1, tolerance: 0 },
] as const
/** "Just over half" and "just under half" reach this far. */
const AROUND_HALF = 0.03
const NEARLY_ALL = 0.95
/** Keeps a share at the very end of a tolerance from depending on how computers round. */
const ROUNDING = 1e-9

/**
 * What the figures of a question say, in one sentence: the answer given most, the share at the top of a scale, a median, or the first of a
 * ranking. It is made only from the figures that the reader sees, so it reveals nothing that they hide.
 * @returns undefined if there are none, or if what is hidden could change the sentence
 */
export function writeFinding(words: SurveyWords, figures: QuestionFigures): string | undefined {
  if (!figures.answered) return undefined
  switch (figures.shape) {
    case 'bars':
    case 'list':
      return figures.question.type === 'consent' ? undefined : writeMostChosen(words, figures, listChoices(words, figures))
    case 'places':
      return writeMostChosen(words, figures, listAreas(figures))
    case 'scale':
      return writeTopOfScale(words, figures) ?? writeMedian(words, figures)
    case 'grid':
      return writeGrid(words, figures)
    case 'ranking':
    case 'budget':
      return writeBestRow(words, figures)
    case 'words':
      return undefined
  }
}

interface Choice {
  label: string
  count: number | null
}

const listChoices = (words: SurveyWords, { question, cells }: QuestionFigures): Choice[] =>
  cells.map(({ value, count }) => ({ label: formatValueLabel(words, question, value), count }))

/** Points outside all areas have no place that a sentence could name. */
const listAreas = ({ rows }: QuestionFigures): Choice[] =>
  rows[0]?.value === OUTSIDE_AREAS ? [] : rows.map(({ value, answered }) => ({ label: value, count: answered }))

function writeMostChosen(words: SurveyWords, figures: QuestionFigures, choices: readonly Choice[]): string | undefined {
  const { t, quote } = getFindingWords(words)
  const answered = figures.answered ?? 0
  const seen = choices.flatMap(({ label, count }) => (count === null || count === 0 ? [] : [{ label, count }]))
  const most = Math.max(0, ...seen.map(({ count }) => count))
  const first = seen.filter(({ count }) => count === most)
  const isSeveral = canChooseSeveral(figures.question.type)
  // Published counts move in steps, so for a while they may add up to more than the people.
  if (most === 0 || most > answered || (!isSeveral && most === answered && seen.length > 1)) return undefined
  if (first.length > MOST_NAMED) return undefined
  const people = countPeople(words, answered)
  const each = { count: most, number: words.format.number(most) }
  if (first.length > 1) return t('tie', { options: first.map(({ label }) => quote(label)).join(', '), ...each, people })
  const option = quote(first[0]?.label ?? '')
  const share = describeShare(words, most, answered)
  if (!share)
    return t('chosen-by-few', { option, number: words.format.number(most), count: answered, total: words.format.number(answered) })
  const rest = answered - seen.reduce((sum, { count }) => sum + count, 0)
  const isWhole = seen.length === choices.filter(({ count }) => count !== 0).length && !figures.hasUnlisted
  const isMost = isWhole && (isSeveral || rest < most) && seen.length > 1 && most * 2 < answered
  return isMost ? t('chosen-most', { share, option, people }) : t('chosen', { share, option, people })
}

/** The share who gave one of the two highest steps, of scales with at least four. */
function writeTopOfScale(words: SurveyWords, figures: QuestionFigures): string | undefined {
  const { question, cells } = figures
  if (question.type !== 'rating' && question.type !== 'scale' && question.type !== 'nps') return undefined
  const { min, max } = getScaleEnds(question)
  const answered = figures.answered ?? 0
  const countOf = (step: number) => cells.find(({ value }) => value === String(step))?.count ?? null
  const [high, low] = [countOf(max), countOf(max - 1)]
  if (max - min < 3 || high === null || low === null) return undefined
  const sum = high + low
  const others = cells.some(({ value, count }) => Number(value) < max - 1 && count !== null && count > 0)
  if (sum === 0 || sum > answered || (sum === answered && others)) return undefined
  const { t } = getFindingWords(words)
  const number = (value: number) => words.format.number(value)
  const steps = { low: number(max - 1), high: number(max), from: number(min), to: number(max) }
  const share = describeShare(words, sum, answered)
  if (!share) return t('top-by-few', { ...steps, number: number(sum), count: answered, total: number(answered) })
  return t('top-of-scale', { ...steps, share, people: countPeople(words, answered) })
}

function writeMedian(words: SurveyWords, { question, median, answered, cells, hasUnlisted }: QuestionFigures): string | undefined {
  if (median === null) return undefined
  const { t } = getFindingWords(words)
  const said = { median: words.format.number(median), people: countPeople(words, answered ?? 0) }
  const isExact = question.type !== 'number' && question.type !== 'slider' && !hasUnlisted && cells.every(({ count }) => count !== null)
  return isExact ? t('median', said) : t('median-about', said)
}

/** The answer that most people gave to one row, of all rows. */
function writeGrid(words: SurveyWords, { question, rows }: QuestionFigures): string | undefined {
  if (!('columns' in question)) return undefined
  const { t, quote } = getFindingWords(words)
  const given = rows.flatMap(({ value: row, answered, cells }) =>
    cells.flatMap(({ value, count }) => (answered && count && count <= answered ? [{ row, value, count, answered }] : [])),
  )
  const [first] = given.toSorted((a, b) => b.count / b.answered - a.count / a.answered || b.count - a.count)
  if (!first) return undefined
  return t('row', {
    row: quote(formatItemLabel(words, question.rows, first.row)),
    option: quote(formatItemLabel(words, question.columns, first.value)),
    number: words.format.number(first.count),
    count: first.answered,
    total: words.format.number(first.answered),
  })
}

/** The option with the best average rank or the largest average amount. Only if all are shown: a hidden one could be before it. */
function writeBestRow(words: SurveyWords, { question, shape, rows, answered }: QuestionFigures): string | undefined {
  if (!('options' in question) || rows.length < 2) return undefined
  const means = rows.flatMap(({ value, mean }) => (mean === null ? [] : [{ value, mean: Math.round(mean * 10) / 10 }]))
  if (means.length < rows.length) return undefined
  const values = means.map(({ mean }) => mean)
  const best = shape === 'ranking' ? Math.min(...values) : Math.max(...values)
  const first = means.filter(({ mean }) => mean === best)
  if (first.length === means.length || first.length > MOST_NAMED || best === 0) return undefined
  const { t, quote } = getFindingWords(words)
  const options = first.map(({ value }) => quote(formatItemLabel(words, question.options, value))).join(', ')
  const people = countPeople(words, answered ?? 0)
  if (question.type === 'budget') {
    const said = { options, amount: formatAmount(words, question, best), people }
    return first.length === 1 ? t('shared-most', said) : t('shared-alike', said)
  }
  const said = { options, rank: words.format.number(best), people }
  return first.length === 1 ? t('ranked-first', said) : t('ranked-alike', said)
}

/** A share in words, or in percent; undefined if a count says it better. */
function describeShare(words: SurveyWords, count: number, answered: number): string | undefined {
  const share = count / answered
  if (answered < FEW_ANSWERS || share < LEAST_SHARE) return undefined
  const { t } = getFindingWords(words)
  const known = SHARE_WORDS.find((each) => Math.abs(share - each.share) <= each.tolerance + ROUNDING)
  if (known) return t(`shares.${known.words}`)
  if (share >= NEARLY_ALL) return t('shares.nearly-all')
  if (Math.abs(share - 0.5) <= AROUND_HALF + ROUNDING) return t(share > 0.5 ? 'shares.just-over-half' : 'shares.just-under-half')
  return t('shares.percent', { percent: words.format.percent(share) })
}

const countPeople = (words: SurveyWords, count: number): string =>
  getFindingWords(words).t('people', { count, number: words.format.number(count) })

function getFindingWords({ language }: SurveyWords) {
  const t = getTranslator(language, 'findings')
  return { t, quote: (text: string) => t('quote', { text }) }
}
