import { csvLine } from '../../export/csv.ts'
import type { CountedValue, QuestionFigures } from '../../results/figures.ts'
import type { Row } from '../../surveys.schema.ts'
import { labelOf } from '../../results/QuestionChart.tsx'
import type { CrossTable } from '../../results/cross-table.ts'
import { SMALLEST_CELL } from '../../results/hidden-cells.ts'
import type { SurveyWords } from '../../questionnaire/use-survey-words.ts'

const HEADS = [
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
  'small_group',
]

/** The figures in view as a table: a line for each answer that is counted. What is hidden from view is empty. */
export function figuresCsv(words: SurveyWords, questions: readonly QuestionFigures[]): string {
  const lines = questions.flatMap(({ question, asked, answered, cells, rows, mean, median }) => {
    const title = words.say(question.title).text
    const named = (items: readonly Row[], id: string) => words.say(items.find((item) => item.id === id)?.label).text || id
    const label = (value: string) => ('columns' in question ? named(question.columns, value) : labelOf(words, question, value))
    const line = (
      row: string,
      cell: CountedValue | undefined,
      of: { answered: number | null; mean: number | null; median: number | null },
    ) => [
      question.id,
      title,
      row,
      cell?.value ?? null,
      cell ? label(cell.value) : null,
      cell?.count ?? null,
      asked,
      of.answered,
      of.mean,
      of.median,
      isSmall(cell?.count ?? null) || isSmall(of.answered) ? 'yes' : null,
    ]
    const own = (cells.length ? cells : rows.length ? [] : [undefined]).map((cell) => line('', cell, { answered, mean, median }))
    const ofRows = rows.flatMap((row) => {
      const name = 'rows' in question ? named(question.rows, row.value) : labelOf(words, question, row.value)
      return (row.cells.length ? row.cells : [undefined]).map((cell) =>
        line(name, cell, { answered: row.answered, mean: row.mean, median: null }),
      )
    })
    return [...own, ...ofRows]
  })
  return `\uFEFF${[HEADS, ...lines].map(csvLine).join('')}`
}

/** A table of two questions: a line for each pair of answers, with the people it is a share of. */
export function crossTableCsv(words: SurveyWords, table: CrossTable, of: { rows: QuestionFigures; columns: QuestionFigures }): string {
  const title = (figures: QuestionFigures) => words.say(figures.question.title).text
  const lines = table.rows.flatMap((row) =>
    row.cells.map((cell) => [
      title(of.rows),
      labelOf(words, of.rows.question, row.value),
      title(of.columns),
      labelOf(words, of.columns.question, cell.value),
      cell.count,
      row.people,
      table.people,
      isSmall(cell.count) || isSmall(row.people) ? 'yes' : null,
    ]),
  )
  return `\uFEFF${[CROSS_HEADS, ...lines].map(csvLine).join('')}`
}

const CROSS_HEADS = [
  'row_question',
  'row_answer',
  'column_question',
  'column_answer',
  'people',
  'people_who_gave_row_answer',
  'people_who_answered_both',
  'small_group',
]

/** So few that a person might be recognised. */
export const isSmall = (count: number | null): boolean => count !== null && count > 0 && count < SMALLEST_CELL
