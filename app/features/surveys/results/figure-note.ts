import type { QuestionFigures } from './figures.ts'
import { canChooseSeveral } from './publishable-figures.ts'
import type { ChartWords } from './use-chart-words.ts'

const HAS_CELLS: ReadonlySet<string> = new Set(['bars', 'list', 'scale', 'places'])
const roundToTenth = (value: number) => Math.round(value * 10) / 10

export interface FigureNoteInput {
  words: ChartWords
  figures: QuestionFigures
  /** The texts or files people sent are hidden from this reader. */
  withheld?: boolean
}

/** How many people a figure is based on, and its average. */
export const writeFigureNote = (input: FigureNoteInput): string =>
  [writeBase(input), ...listAverages(input), ...listRemarks(input)].map((sentence) => sentence.replace(/\.$/, '')).join('. ')

function writeBase({ words: { t, format }, figures: { question, shape, answered, asked } }: FigureNoteInput): string {
  if (answered === null) return t('results.base-hidden')
  const counted = { count: answered, number: format.number(answered) }
  const isWhole = shape === 'words' && asked <= answered
  const base = t(!isWhole ? 'results.base' : question.type === 'file' ? 'results.files' : 'results.words', counted)
  return asked > answered ? t('results.base-of', { answers: base, count: asked, number: format.number(asked) }) : base
}

function listAverages({ words: { t, format }, figures: { question, mean, median, score } }: FigureNoteInput): string[] {
  const most = question.type === 'rating' || question.type === 'scale' ? question.scale.max : question.type === 'nps' ? 10 : undefined
  const numbers = { mean: format.number(roundToTenth(mean ?? 0)), median: format.number(median ?? 0) }
  return [
    ...(mean === null || median === null
      ? []
      : [most === undefined ? t('results.average', numbers) : t('results.mean', { ...numbers, max: most })]),
    ...(score === null ? [] : [t('results.score', { score: format.number(score) })]),
  ]
}

function listRemarks({ words: { t, whyNotShown }, figures, withheld = false }: FigureNoteInput): string[] {
  const { question, answered, hasUnlisted = false } = figures
  const isEmpty = Boolean(answered) && HAS_CELLS.has(figures.shape) && figures.cells.length === 0 && figures.rows.length === 0
  return [
    ...(question.type === 'budget' ? [t('results.shared')] : []),
    ...(canChooseSeveral(question.type) ? [t('results.several')] : []),
    ...(hasUnlisted ? [t(isEmpty ? 'results.none-shown' : 'results.some-unlisted')] : []),
    ...(hasUnlisted || hidesSome(figures) ? [whyNotShown] : []),
    ...(question.removed ? [t('results.removed')] : []),
    ...(withheld ? [t(question.type === 'file' ? 'results.files-none' : 'results.words-none')] : []),
  ]
}

/** Whether a number of the figure is hidden. */
const hidesSome = ({ answered, cells, rows }: QuestionFigures): boolean =>
  [answered, ...cells.map(({ count }) => count), ...rows.flatMap((row) => [row.answered, ...row.cells.map(({ count }) => count)])].includes(
    null,
  )
