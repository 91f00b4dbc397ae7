import { BYTE_ORDER_MARK, formatCsv } from '#app/lib/csv.ts'
import type { CountedValue, QuestionFigures } from '../../results/figures.ts'
import { listRangeEnds } from '#app/lib/wilson-interval.ts'
import type { Row } from '../../surveys.schema.ts'
import { formatValueLabel } from '../../results/value-labels.ts'
import type { CrossTable } from '../../results/cross-table.ts'
import { SUPPRESSION_THRESHOLD } from '#app/lib/suppressed-cells.ts'
import type { ChartWords } from '../../results/use-chart-words.ts'

const FIGURE_HEADS = [
  'question',
  'question_text',
  'row_text',
  'answer',
  'answer_text',
  'count',
  'asked',
  'answered',
  'mean',
  'median',
  'share_from',
  'share_until',
  'sample',
  'small_group',
  'not_shown',
]

/** The figures on screen as CSV: one line per counted answer, with the range of its share if there is one. Hidden numbers are empty, and the last column says why. */
export function formatFiguresCsv(words: ChartWords, questions: readonly QuestionFigures[]): string {
  const lines = questions.flatMap(({ question, asked, answered, cells, rows, mean, median, sample, hasUnlisted = false }) => {
    const title = words.say(question.title).text
    const findLabel = (items: readonly Row[], id: string) => words.say(items.find((item) => item.id === id)?.label).text || id
    const formatValue = (value: string) =>
      'columns' in question ? findLabel(question.columns, value) : formatValueLabel(words, question, value)
    const createLine = (
      row: string,
      cell: CountedValue | undefined,
      of: { answered: number | null; mean: number | null; median: number | null },
    ) => [
      question.id,
      title,
      row,
      cell?.value ?? null,
      cell ? formatValue(cell.value) : null,
      cell?.count ?? null,
      asked,
      of.answered,
      of.mean,
      of.median,
      ...listRangeEnds(sample?.ranges.find(({ value }) => value === cell?.value)),
      sample?.note ?? null,
      isSmallCount(cell?.count ?? null) || isSmallCount(of.answered) ? 'yes' : null,
      cell?.count === null || of.answered === null || (hasUnlisted && !cell) ? words.whyNotShown : null,
    ]
    const own = (cells.length ? cells : rows.length ? [] : [undefined]).map((cell) => createLine('', cell, { answered, mean, median }))
    const ofRows = rows.flatMap((row) => {
      const name = 'rows' in question ? findLabel(question.rows, row.value) : formatValueLabel(words, question, row.value)
      return (row.cells.length ? row.cells : [undefined]).map((cell) =>
        createLine(name, cell, { answered: row.answered, mean: row.mean, median: null }),
      )
    })
    return [...own, ...ofRows]
  })
  return BYTE_ORDER_MARK + formatCsv([FIGURE_HEADS, ...lines])
}

/** A cross-table as CSV: one line per pair of answers, with the base of its share. */
export function formatCrossTableCsv(words: ChartWords, table: CrossTable, of: { rows: QuestionFigures; columns: QuestionFigures }): string {
  const title = (figures: QuestionFigures) => words.say(figures.question.title).text
  const lines = table.rows.flatMap((row) =>
    row.cells.map((cell) => [
      title(of.rows),
      formatValueLabel(words, of.rows.question, row.value),
      title(of.columns),
      formatValueLabel(words, of.columns.question, cell.value),
      cell.count,
      row.people,
      table.people,
      isSmallCount(cell.count) || isSmallCount(row.people) ? 'yes' : null,
      [cell.count, row.people, table.people].includes(null) ? words.whyNotShown : null,
    ]),
  )
  return BYTE_ORDER_MARK + formatCsv([CROSS_TABLE_HEADS, ...lines])
}

const CROSS_TABLE_HEADS = [
  'row_question',
  'row_answer',
  'column_question',
  'column_answer',
  'people',
  'people_who_gave_row_answer',
  'people_who_answered_both',
  'small_group',
  'not_shown',
]

/** So few that a person might be recognised. */
export const isSmallCount = (count: number | null): boolean => count !== null && count > 0 && count < SUPPRESSION_THRESHOLD
