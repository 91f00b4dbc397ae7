import type { QuestionFigures } from './figures.ts'
import { SUPPRESSION_THRESHOLD } from '#app/lib/suppressed-cells.ts'
import { canChooseSeveral } from './publishable-figures.ts'
import type { SurveyWords } from '../questionnaire/use-survey-words.ts'

const HAS_CELLS: ReadonlySet<string> = new Set(['bars', 'list', 'scale', 'places'])
const roundToTenth = (value: number) => Math.round(value * 10) / 10

/** Whether people chose options of a long list that are not even named. */
const hasUnlisted = ({ shape, answered, cells }: QuestionFigures): boolean =>
  shape === 'list' && cells.length > 0 && cells.reduce((sum, { count }) => sum + (count ?? 0), 0) < (answered ?? 0)

interface FigureNoteProps {
  words: SurveyWords
  figures: QuestionFigures
  /** The texts or files people sent are hidden from this reader. */
  withheld?: boolean
}

/** How many people a figure is based on, and its average. */
export function FigureNote({ words: { t, format }, figures, withheld = false }: FigureNoteProps) {
  const { question, answered, asked, mean, median, score } = figures
  const isFile = question.type === 'file'
  const isWhole = figures.shape === 'words' && asked <= (answered ?? 0)
  const counted = { count: answered ?? 0, number: format.number(answered ?? 0) }
  const base =
    answered === null
      ? t('results.few', { count: SUPPRESSION_THRESHOLD })
      : t(!isWhole ? 'results.base' : isFile ? 'results.files' : 'results.words', counted)
  const most = question.type === 'rating' || question.type === 'scale' ? question.scale.max : question.type === 'nps' ? 10 : undefined
  const numbers = { mean: format.number(roundToTenth(mean ?? 0)), median: format.number(median ?? 0) }
  return [
    asked > (answered ?? 0) ? t('results.base-of', { answers: base, count: asked, number: format.number(asked) }) : base,
    ...(mean === null || median === null
      ? []
      : [most === undefined ? t('results.average', numbers) : t('results.mean', { ...numbers, max: most })]),
    ...(score === null ? [] : [t('results.score', { score: format.number(score) })]),
    ...(question.type === 'budget' ? [t('results.shared')] : []),
    ...(canChooseSeveral(question.type) ? [t('results.several')] : []),
    ...(answered && HAS_CELLS.has(figures.shape) && figures.cells.length === 0 && figures.rows.length === 0
      ? [t('results.none-shown', { count: SUPPRESSION_THRESHOLD })]
      : []),
    ...(hasUnlisted(figures) ? [t('results.unlisted-few', { count: SUPPRESSION_THRESHOLD })] : []),
    ...(question.removed ? [t('results.removed')] : []),
    ...(withheld ? [t(isFile ? 'results.files-none' : 'results.words-none')] : []),
  ]
    .map((sentence) => sentence.replace(/\.$/, ''))
    .join('. ')
}
