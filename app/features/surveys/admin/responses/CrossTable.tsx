import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Notice } from '#app/ui/notice.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { WideTable } from '#app/ui/admin/wide-table.tsx'
import type { QuestionFigures } from '../../results/figures.ts'
import { SUPPRESSION_THRESHOLD, type SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import type { ResponseTableSearch } from '../../responses/response-table-search.ts'
import type { CrossTable as CrossTableFigures } from '../../results/cross-table.ts'
import { canChooseSeveral } from '../../results/publishable-figures.ts'
import { crossTableQuery } from '../../surveys.queries.ts'
import { useChartWords } from '../../results/use-chart-words.ts'
import { saveText } from '#app/shell/admin/save-text.ts'
import { formatCrossTableCsv, isSmallCount } from './figures-csv.ts'

interface CrossTableProps {
  survey: string
  /** The cohort to compare. */
  search: ResponseTableSearch
  /** Questions with options or steps. */
  questions: readonly QuestionFigures[]
  label: (question: QuestionFigures['question'], value: string) => string
}

const NO_QUESTION = 'none'

/** Cross-tabulates two questions: how many people gave each pair of answers, among those who answered both. */
export function CrossTable({ survey, search, questions, label }: CrossTableProps) {
  const { t } = useTranslation('survey-admin')
  const { t: words } = useTranslation('survey')
  const surveyWords = useChartWords()
  const { say, notShown, whyNotShown } = surveyWords
  const format = useFormat()
  const [chosen, setChosen] = useState({ rows: NO_QUESTION, columns: NO_QUESTION })
  const rows = questions.find((each) => each.question.id === chosen.rows)
  const columns = questions.find((each) => each.question.id === chosen.columns)
  const { data } = useQuery({
    ...crossTableQuery(survey, chosen.rows, chosen.columns, search),
    enabled: Boolean(rows && columns && rows !== columns),
  })
  if (questions.length < 2) return null
  const options = [
    { value: NO_QUESTION, label: t('cross.none') },
    ...questions.map(({ question }) => ({ value: question.id, label: say(question.title).text })),
  ]
  const formatCount = (count: SuppressibleCount) => (count === null ? notShown : format.number(count))
  const renderShare = (count: SuppressibleCount, of: SuppressibleCount) =>
    Boolean(count && of) && <small>{format.percent((count ?? 0) / (of ?? 1))}</small>
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
        <>
          <p className="meta">
            {data.people === null
              ? t('cross.base-hidden')
              : t('cross.base', { count: data.people, number: format.number(data.people) })}
            {[rows, columns].some(({ question }) => canChooseSeveral(question.type)) && ` ${t('cross.several')}`}
            {hidesSome(data) && ` ${whyNotShown}`}
          </p>
          {data.rows.some((row) => row.cells.some(({ count }) => isSmallCount(count))) && (
            <Notice kind="warning" title={t('results.small-groups', { count: SUPPRESSION_THRESHOLD })}>
              {t('results.small-groups-text')}
            </Notice>
          )}
          <WideTable label={t('cross.title')}>
            <table className="admin-table">
              <caption className="visually-hidden">{t('cross.title')}</caption>
              <thead>
                <tr>
                  <td>{words('results.heads.answer')}</td>
                  {data.columns.map((cell) => (
                    <th scope="col" data-align="end" key={cell.value}>
                      {label(columns.question, cell.value)}
                    </th>
                  ))}
                  <th scope="col" data-align="end">
                    {t('cross.people')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.rows.map((row) => (
                  <tr key={row.value}>
                    <th scope="row">{label(rows.question, row.value)}</th>
                    {row.cells.map(({ value, count }) => (
                      <td data-align="end" key={value}>
                        {formatCount(count)}
                        {renderShare(count, row.people)}
                      </td>
                    ))}
                    <td data-align="end">{formatCount(row.people)}</td>
                  </tr>
                ))}
                <tr>
                  <th scope="row">{t('cross.all')}</th>
                  {data.columns.map(({ value, count }) => (
                    <td data-align="end" key={value}>
                      {formatCount(count)}
                      {renderShare(count, data.people)}
                    </td>
                  ))}
                  <td data-align="end">{formatCount(data.people)}</td>
                </tr>
              </tbody>
            </table>
          </WideTable>
          <Button
            kind="secondary"
            size="small"
            onClick={() => saveText('cross-table.csv', 'text/csv;charset=utf-8', formatCrossTableCsv(surveyWords, data, { rows, columns }))}
          >
            {t('cross.csv')}
          </Button>
        </>
      )}
    </details>
  )
}

const hidesSome = ({ people, rows, columns }: CrossTableFigures): boolean =>
  [people, ...columns.map(({ count }) => count), ...rows.flatMap((row) => [row.people, ...row.cells.map(({ count }) => count)])].includes(null)
