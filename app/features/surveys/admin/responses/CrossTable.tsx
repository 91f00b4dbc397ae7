import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { type QuestionFigures, SMALLEST_CELL } from '../../surveys.figures.ts'
import type { ResponseTableSearch } from '../../response-table-search.ts'
import { crossTableQuery } from '../../surveys.queries.ts'
import { useSurveyWords } from '../../use-survey-words.ts'

interface CrossTableProps {
  survey: string
  /** Which part of the responses is compared. */
  search: ResponseTableSearch
  /** Those with options or steps. */
  questions: readonly QuestionFigures[]
  label: (question: QuestionFigures['question'], value: string) => string
}

const NONE = 'none'

/** Two questions against each other: how many who said the one thing also said the other. */
export function CrossTable({ survey, search, questions, label }: CrossTableProps) {
  const { t } = useTranslation('survey-admin')
  const { t: words } = useTranslation('survey')
  const { say } = useSurveyWords()
  const format = useFormat()
  const [chosen, setChosen] = useState({ rows: NONE, columns: NONE })
  const rows = questions.find((each) => each.question.id === chosen.rows)
  const columns = questions.find((each) => each.question.id === chosen.columns)
  const { data } = useQuery({
    ...crossTableQuery(survey, chosen.rows, chosen.columns, search),
    enabled: Boolean(rows && columns && rows !== columns),
  })
  if (questions.length < 2) return null
  const options = [
    { value: NONE, label: t('cross.none') },
    ...questions.map(({ question }) => ({ value: question.id, label: say(question.title).text })),
  ]
  const countOf = (row: string, column: string) =>
    data?.rows.find((each) => each.value === row)?.cells.find((each) => each.value === column)?.count
  return (
    <details className="panel cross-table">
      <summary>{t('cross.title')}</summary>
      <div className="field-row">
        {(['rows', 'columns'] as const).map((name) => (
          <SelectInput
            key={name}
            name={`cross-${name}`}
            label={t(`cross.${name}`)}
            value={chosen[name]}
            onChange={(value) => setChosen((now) => ({ ...now, [name]: value }))}
            options={options}
          />
        ))}
      </div>
      {data && rows && columns && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table is scrolled by keyboard too
        <section className="data-scroll" aria-label={t('cross.title')} tabIndex={0}>
          <table className="admin-table">
            <caption className="visually-hidden">{t('cross.title')}</caption>
            <thead>
              <tr>
                <td>{words('results.heads.answer')}</td>
                {columns.cells.map((cell) => (
                  <th scope="col" data-align="end" key={cell.value}>
                    {label(columns.question, cell.value)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.cells.map((row) => {
                const total = columns.cells.reduce((sum, column) => sum + (countOf(row.value, column.value) ?? 0), 0)
                return (
                  <tr key={row.value}>
                    <th scope="row">{label(rows.question, row.value)}</th>
                    {columns.cells.map((column) => {
                      const count = countOf(row.value, column.value)
                      return (
                        <td data-align="end" key={column.value}>
                          {count === null ? words('results.few', { count: SMALLEST_CELL }) : format.number(count ?? 0)}
                          {Boolean(count) && <small>{format.percent((count ?? 0) / Math.max(1, total))}</small>}
                        </td>
                      )
                    })}
                  </tr>
                )
              })}
            </tbody>
          </table>
        </section>
      )}
    </details>
  )
}
