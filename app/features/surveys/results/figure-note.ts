import type { QuestionFigures } from './figures.ts'
import { canChooseSeveral } from './publishable-figures.ts'
import type { ChartWords } from './use-chart-words.ts'

const HAS_CELLS: ReadonlySet<string> = new Set(['bars', 'list', 'scale', 'places'])
const roundToTenth = (value: number) => Math.round(value * 10) / 10

/** Whether a number of the figure is hidden. */
const hidesSome = ({ answered, cells, rows }: QuestionFigures): boolean =>
  [answered, ...cells.map(({ count }) => count), ...rows.flatMap((row) => [row.answered, ...row.cells.map(({ count }) => count)])].includes(
    null,
  )

export interface FigureNoteInput {
  words: ChartWords
  figures: QuestionFigures
  /** The texts or files people sent are hidden from this reader. */
  withheld?: boolean
}

/** How many people a figure is based on, and its average. */
export function writeFigureNote({ words: { t, format, whyNotShown }, figures, withheld = false }: FigureNoteInput): string {
  const { question, answered, asked, mean, median, score, hasUnlisted = false } = figures
  const isFile = question.type === 'file'
  const isWhole = figures.shape === 'words' && asked <= (answered ?? 0)
  const counted = { count: answered ?? 0, number: format.number(answered ?? 0) }
  const base =
    answered === null ? t('results.base-hidden') : t(!isWhole ? 'results.base' : isFile ? 'results.files' : 'results.words', counted)
  const most = question.type === 'rating' || question.type === 'scale' ? question.scale.max : question.type === 'nps' ? 10 : undefined
  const numbers = { mean: format.number(roundToTenth(mean ?? 0)), median: format.number(median ?? 0) }
  const isEmpty = Boolean(answered) && HAS_CELLS.has(figures.shape) && figures.cells.length === 0 && figures.rows.length === 0
  return [
    answered !== null && asked > answered ? t('results.base-of', { answers: base, count: asked, number: format.number(asked) }) : base,
    ...(mean === null || median === null
      ? []
      : [most === undefined ? t('results.average', numbers) : t('results.mean', { ...numbers, max: most })]),
    ...(score === null ? [] : [t('results.score', { score: format.number(score) })]),
    ...(question.type === 'budget' ? [t('results.shared')] : []),
    ...(canChooseSeveral(question.type) ? [t('results.several')] : []),
    ...(hasUnlisted && isEmpty ? [t('results.none-shown')] : []),
    ...(hasUnlisted && !isEmpty ? [t('results.some-unlisted')] : []),
    ...(hasUnlisted || hidesSome(figures) ? [whyNotShown] : []),
    ...(question.removed ? [t('results.removed')] : []),
    ...(withheld ? [t(isFile ? 'results.files-none' : 'results.words-none')] : []),
  ]
    .map((sentence) => sentence.replace(/\.$/, ''))
    .join('. ')
}
