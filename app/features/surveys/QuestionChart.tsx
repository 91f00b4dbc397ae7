import { type Bar, BarChart } from '#app/ui/bar-chart.tsx'
import { StackedBars } from '#app/ui/stacked-bars.tsx'
import { Text } from '#app/ui/text.tsx'
import { FigureNote } from './FigureNote.tsx'
import { amountWords } from './question-types/budget/budget.ts'
import { optionOf } from './question-types/choices/options.ts'
import { endsOf } from './question-types/scales/scales.ts'
import { type CountedValue, type FigureRow, type QuestionFigures, SMALLEST_CELL } from './surveys.figures.ts'
import type { Row } from './surveys.schema.ts'
import { type SurveyWords, useSurveyWords } from './use-survey-words.ts'

interface QuestionChartProps {
  figures: QuestionFigures
  /** What people wrote stands beside it. */
  written?: boolean
}

/** One question's figures, drawn as its type asks for, with the numbers they stand for; or how many wrote something. */
export function QuestionChart({ figures, written = false }: QuestionChartProps) {
  const words = useSurveyWords()
  const { t, say, format } = words
  const { question, answered, shape } = figures
  const title = <Text words={say(question.title)} />
  const note = <FigureNote words={words} figures={figures} />
  const heads = { label: t('results.heads.answer'), bar: t('results.heads.share'), count: t('results.heads.people') }
  const full = Math.max(1, answered ?? 1)
  if (shape === 'bars' || shape === 'scale') {
    const largest = Math.max(1, ...figures.cells.map((cell) => cell.count ?? 0))
    return (
      <BarChart
        title={title}
        note={note}
        heads={heads}
        bars={figures.cells.map((cell) => barOf(words, figures, cell))}
        full={shape === 'bars' ? full : largest}
      />
    )
  }
  if (shape === 'grid' && 'columns' in question) {
    const columns: readonly Row[] = question.columns
    return (
      <StackedBars
        title={title}
        note={note}
        series={columns.map((column) => say(column.label).text)}
        words={{ label: t('results.heads.answer'), table: t('results.table') }}
        rows={figures.rows.map((row) => ({
          label: itemLabel(words, question.rows, row.value),
          ...(row.mean === null ? {} : { note: t('results.row-mean', { mean: format.number(round(row.mean)), max: columns.length }) }),
          parts: row.cells.map((cell) => partOf(words, row, cell)),
        }))}
      />
    )
  }
  if (shape === 'ranking' && 'options' in question) {
    return (
      <BarChart
        title={title}
        note={note}
        heads={{ ...heads, count: t('results.heads.place') }}
        full={Math.max(1, question.options.length)}
        bars={figures.rows.map((row) => ({
          label: itemLabel(words, question.options, row.value),
          count: row.mean === null ? 0 : question.options.length + 1 - row.mean,
          share: row.mean === null ? '–' : t('results.place', { place: format.number(round(row.mean)) }),
          counted: counted(words, row.answered),
        }))}
      />
    )
  }
  if (shape === 'budget' && question.type === 'budget') {
    const most = Math.max(1, ...figures.rows.map((row) => row.mean ?? 0))
    return (
      <BarChart
        title={title}
        note={note}
        heads={{ ...heads, bar: t('results.heads.average') }}
        full={most}
        bars={figures.rows.map((row) => ({
          label: itemLabel(words, question.options, row.value),
          count: row.mean ?? 0,
          share: row.mean === null ? '–' : amountWords(words, question, round(row.mean)),
          counted: counted(words, row.answered),
        }))}
      />
    )
  }
  return (
    <section className="chart">
      <h2 className="chart-title">{title}</h2>
      <p className="chart-note">
        <FigureNote words={words} figures={figures} withheld={!written} />
      </p>
    </section>
  )
}

const round = (value: number) => Math.round(value * 10) / 10

const counted = ({ t, format }: SurveyWords, count: number | null) =>
  count === null ? t('results.few', { count: SMALLEST_CELL }) : t('results.counted', { count, number: format.number(count) })

function partOf(words: SurveyWords, row: FigureRow, { count }: CountedValue) {
  return {
    count,
    counted: counted(words, count),
    ...(count === null ? {} : { share: words.format.percent(row.answered ? count / row.answered : 0) }),
  }
}

function barOf(words: SurveyWords, { question, answered }: QuestionFigures, { value, count }: CountedValue): Bar {
  const { format } = words
  const label = labelOf(words, question, value)
  if (count === null) return { label, count: 0, counted: counted(words, null) }
  return { label, count, share: format.percent(answered ? count / answered : 0), counted: counted(words, count) }
}

function itemLabel({ t, say }: SurveyWords, items: readonly Row[], id: string): string {
  const item = items.find((each) => each.id === id)
  const label = item ? say(item.label).text : id
  return item?.removed ? t('results.removed-option', { option: label }) : label
}

/** A counted value in words: an option, a step with what it means, a month, a time, a range. */
export function labelOf({ t, say, format }: SurveyWords, question: QuestionFigures['question'], value: string): string {
  switch (question.type) {
    case 'rating':
    case 'scale':
    case 'nps': {
      const { min, max, low, high } = endsOf(question)
      const end = Number(value) === min ? say(low) : Number(value) === max ? say(high) : undefined
      return end?.text ? t('results.end', { step: value, words: end.text }) : value
    }
    case 'yes_no':
      return value === 'no' ? t('choice.no') : t('choice.yes')
    case 'consent':
      return t('choice.agreed')
    case 'date':
      return format.month(`${value}-15T12:00:00Z`)
    case 'time':
      return `${value.slice(0, -1)}:00`
    case 'address':
      return value.replace(/^area:/, '')
    case 'number':
    case 'slider': {
      const [from, to] = value.split('..')
      const number = (text = '') => format.number(Number(text))
      return to === undefined ? number(from) : t('results.range', { from: number(from), to: number(to) })
    }
    default: {
      const option = 'options' in question ? optionOf(question, value) : undefined
      const label = option ? say(option.label).text : value
      return question.removedOptions?.includes(value) ? t('results.removed-option', { option: label }) : label
    }
  }
}
