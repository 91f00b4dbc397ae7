import { useTranslation } from 'react-i18next'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { Button } from '#app/ui/button.tsx'
import { WideTable } from '#app/ui/admin/wide-table.tsx'
import { listCsvTargets, listQuestionTargets, RESPONSE_TARGETS } from '../../entry/csv-targets.ts'
import type { ResponseTableReport } from '../../entry/entry.schema.ts'
import type { Definition } from '../../surveys.schema.ts'

interface ColumnMapProps {
  definition: Definition
  report: ResponseTableReport
  /** The target of each column: its key, or ''. */
  columns: readonly string[]
  onChange: (columns: string[]) => void
  onStore: () => void
  isStoring: boolean
}

/** The columns of a file with sample values, and a select to assign each to a question. */
export function ColumnMap({ definition, report, columns, onChange, onStore, isStoring }: ColumnMapProps) {
  const { t } = useTranslation('survey-data')
  const format = useFormat()
  const site = useSite()
  const language = useLanguage()
  const listTargets = report.holds === 'answers' ? listQuestionTargets : listCsvTargets
  const targets = listTargets(definition, language, site.locale)
  const twice = columns.find((key, index) => key !== '' && columns.indexOf(key) !== index)
  const nameOf = (key: string) => targets.find((target) => target.key === key)?.label ?? key
  const blocked = twice
    ? t('csv.twice', { name: nameOf(twice) })
    : columns.every((key) => key === '' || RESPONSE_TARGETS.some((own) => own === key))
      ? t('csv.none')
      : undefined
  return (
    <div className="panel admin-stack">
      <WideTable label={t('csv.columns')}>
        <table className="admin-table">
          <caption>
            {t('csv.columns')} · {t('csv.rows', { count: report.rows, number: format.number(report.rows) })}
          </caption>
          <thead>
            <tr>
              <th scope="col">{t('csv.column')}</th>
              <th scope="col">{t('csv.samples')}</th>
              <th scope="col">{t('csv.holds')}</th>
            </tr>
          </thead>
          <tbody>
            {report.columns.map(({ heading, samples }, index) => (
              <tr key={index}>
                <th scope="row">{heading}</th>
                <td className="csv-samples">{samples.join(' · ')}</td>
                <td>
                  <select
                    className="input select"
                    aria-label={`${t('csv.holds')}: ${heading}`}
                    value={columns[index] ?? ''}
                    onChange={(event) => onChange(columns.with(index, event.currentTarget.value))}
                  >
                    <option value="">{t('csv.nothing')}</option>
                    {RESPONSE_TARGETS.map((key) => (
                      <option key={key} value={key}>
                        {t(`csv.own.${key}`)}
                      </option>
                    ))}
                    {targets.map(({ key, label }) => (
                      <option key={key} value={key}>
                        {label}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      {blocked && <output>{blocked}</output>}
      <div>
        <Button onClick={onStore} disabled={blocked !== undefined} pending={isStoring}>
          {t('csv.store')}
        </Button>
      </div>
    </div>
  )
}
