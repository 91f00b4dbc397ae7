import type { ReactNode } from 'react'
import { type Bar, BarChart } from '#app/ui/bar-chart.tsx'
import { StackedBars } from '#app/ui/stacked-bars.tsx'
import { Text } from '#app/ui/text.tsx'
import { FigureNote } from './FigureNote.tsx'
import { formatShare } from './format-share.ts'
import { formatAmount } from '../questionnaire/question-types/budget/budget.ts'
import type { CountedValue, FigureRow, QuestionFigures } from './figures.ts'
import type { Interval } from '#app/lib/wilson-interval.ts'
import type { SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import { canChooseSeveral } from './publishable-figures.ts'
import type { Row } from '../surveys.schema.ts'
import type { SurveyWords } from '../questionnaire/use-survey-words.ts'
import { sortCells } from './sort-cells.ts'
import { type ChartWords, useChartWords } from './use-chart-words.ts'
import { formatItemLabel, formatValueLabel } from './value-labels.ts'

interface QuestionChartProps {
  figures: QuestionFigures
  /** The written answers are shown beside the chart. */
  written?: boolean
}

/** One question's figures as a chart that suits its type, with the numbers behind it; for text, only how many answered. */
export function QuestionChart({ figures, written = false }: QuestionChartProps) {
  const words = useChartWords()
  const { t, say, format } = words
  const { question, shape } = figures
  const title = <Text words={say(question.title)} />
  const note = <Note figures={figures} />
  const heads = { label: t('results.heads.answer'), bar: t('results.heads.share'), count: t('results.heads.people') }
  const ends = [format.percent(0), format.percent(1)] as const
  if (shape === 'bars' || shape === 'scale' || (shape === 'places' && figures.rows.length === 0)) {
    if (figures.cells.length === 0) return <TextOnly title={title} note={<Note figures={figures} withheld={!written} />} />
    return (
      <BarChart
        title={title}
        note={note}
        heads={heads}
        bars={sortCells(figures).map((cell) => createBar(words, figures, cell))}
        ends={ends}
      />
    )
  }
  if (shape === 'list') {
    if (figures.cells.length === 0) return <TextOnly title={title} note={note} />
    return <ListChart title={title} note={note} heads={heads} bars={figures.cells.map((cell) => createBar(words, figures, cell))} />
  }
  if (shape === 'grid' && 'columns' in question) {
    const columns: readonly Row[] = question.columns
    return (
      <StackedBars
        title={title}
        note={note}
        series={columns.map((column) => say(column.label).text)}
        apart={canChooseSeveral(question.type)}
        words={{ label: t('results.heads.answer'), table: t('results.table') }}
        rows={figures.rows.map((row) => ({
          label: formatItemLabel(words, question.rows, row.value),
          ...(row.mean === null
            ? {}
            : { note: t('results.row-mean', { mean: format.number(roundToTenth(row.mean)), max: columns.length }) }),
          parts: row.cells.map((cell) => createBarPart(words, row, cell)),
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
        bars={figures.rows.map((row) =>
          createAverageBar(words, row, {
            label: formatItemLabel(words, question.options, row.value),
            toCount: (mean) => question.options.length + 1 - mean,
            formatMean: (mean) => t('results.place', { place: format.number(roundToTenth(mean)) }),
          }),
        )}
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
        ends={[formatAmount(words, question, 0), formatAmount(words, question, roundToTenth(most))]}
        bars={figures.rows.map((row) =>
          createAverageBar(words, row, {
            label: formatItemLabel(words, question.options, row.value),
            toCount: (mean) => mean,
            formatMean: (mean) => formatAmount(words, question, roundToTenth(mean)),
          }),
        )}
      />
    )
  }
  if (shape === 'places') return <PlaceCharts title={title} note={note} figures={figures} />
  return <TextOnly title={title} note={<Note figures={figures} withheld={!written} />} />
}

/** What the figures say in one sentence, and how many people they are based on. */
function Note({ figures, withheld = false }: { figures: QuestionFigures; withheld?: boolean }) {
  const words = useChartWords()
  return (
    <>
      {figures.finding && <span className="chart-finding">{figures.finding}</span>}
      <FigureNote words={words} figures={figures} withheld={withheld} />
      {figures.sample?.note && <span className="chart-sample">{figures.sample.note}</span>}
    </>
  )
}

interface ListChartProps {
  title: ReactNode
  note: ReactNode
  heads: { label: string; bar: string; count: string }
  bars: readonly Bar[]
}

/** The answers of a long list that most people gave; further ones on demand. */
function ListChart({ title, note, heads, bars }: ListChartProps) {
  const { t, format } = useChartWords()
  const ends = [format.percent(0), format.percent(1)] as const
  const others = bars.slice(MOST_BARS, MOST_BARS + MOST_OTHERS)
  const unlisted = bars.length - MOST_BARS - others.length
  return (
    <>
      <BarChart title={title} note={note} heads={heads} ends={ends} bars={bars.slice(0, MOST_BARS)} />
      {others.length > 0 && (
        <details className="chart-table">
          <summary>{t('results.others', { count: others.length, number: format.number(others.length) })}</summary>
          <BarChart
            title={t('results.others-title')}
            note={unlisted > 0 ? t('results.unlisted', { count: unlisted, number: format.number(unlisted) }) : undefined}
            heads={heads}
            ends={ends}
            bars={others}
          />
        </details>
      )}
    </>
  )
}

const MOST_BARS = 20
const MOST_OTHERS = 200

function TextOnly({ title, note }: { title: ReactNode; note: ReactNode }) {
  return (
    <section className="chart">
      <h2 className="chart-title">{title}</h2>
      <p className="chart-note">{note}</p>
    </section>
  )
}

/** Points grouped by area, and the squares of each area. */
function PlaceCharts({ title, note, figures }: { title: ReactNode; note: ReactNode; figures: QuestionFigures }) {
  const words = useChartWords()
  const { t, format } = words
  const heads = { label: t('results.heads.area'), bar: t('results.heads.share'), count: t('results.heads.people') }
  const ends = [format.percent(0), format.percent(1)] as const
  const squares = figures.rows.flatMap(({ cells }) => cells).toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0))
  return (
    <>
      <BarChart
        title={title}
        note={note}
        heads={heads}
        ends={ends}
        bars={figures.rows.map((row) => ({
          ...createCountBar(words, figures, row.answered),
          label: row.value || t('results.outside-areas'),
        }))}
      />
      {squares.length > 0 && (
        <details className="chart-table">
          <summary>{t('results.squares')}</summary>
          <BarChart
            title={t('results.squares-title')}
            note={t('results.squares-note')}
            heads={{ ...heads, label: t('results.heads.square') }}
            ends={ends}
            bars={squares.slice(0, MAX_SQUARES).map((cell) => createBar(words, figures, cell))}
          />
        </details>
      )}
    </>
  )
}

const MAX_SQUARES = 60
const roundToTenth = (value: number) => Math.round(value * 10) / 10

const formatCount = ({ t, format }: SurveyWords, count: number) => t('results.counted', { count, number: format.number(count) })

const createBarPart = (words: ChartWords, row: FigureRow, { count }: CountedValue) =>
  count === null ? { notShown: words.notShown } : { counted: formatCount(words, count), ...createShare(words, count, row.answered) }

const createBar = (words: ChartWords, figures: QuestionFigures, { value, count }: CountedValue): Bar => ({
  ...createCountBar(
    words,
    figures,
    count,
    figures.sample?.ranges.find((range) => range.value === value),
  ),
  label: formatValueLabel(words, figures.question, value),
})

const createCountBar = (words: ChartWords, { answered }: QuestionFigures, count: SuppressibleCount, range?: Interval) =>
  count === null
    ? { notShown: words.notShown }
    : { count, counted: formatCount(words, count), ...createShare(words, count, answered, range) }

interface AverageWords {
  label: string
  /** The length of the bar. */
  toCount: (mean: number) => number
  formatMean: (mean: number) => string
}

function createAverageBar(words: ChartWords, { answered, mean }: FigureRow, { label, toCount, formatMean }: AverageWords): Bar {
  if (answered === 0) return { label, count: 0, value: '–', counted: formatCount(words, 0) }
  if (answered === null || mean === null) return { label, notShown: words.notShown }
  return { label, count: toCount(mean), value: formatMean(mean), counted: formatCount(words, answered) }
}

/** No share of a whole that is not shown. */
function createShare({ format }: SurveyWords, count: number, people: SuppressibleCount, range?: Interval) {
  if (people === null) return {}
  const part = people === 0 ? 0 : Math.min(1, count / people)
  return { share: { part, words: formatShare(format, part, range) } }
}
