import { csvLine } from '../../export/csv.ts'
import type { CountedValue, QuestionFigures } from '../../surveys.figures.ts'
import type { Row } from '../../surveys.schema.ts'
import { labelOf } from '../../QuestionChart.tsx'
import type { SurveyWords } from '../../use-survey-words.ts'

const HEADS = ['question', 'question_text', 'row_text', 'answer', 'answer_text', 'count', 'asked', 'answered', 'mean', 'median']

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
