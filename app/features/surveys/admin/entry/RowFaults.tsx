import { useTranslation } from 'react-i18next'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Notice } from '#app/ui/notice.tsx'
import { WideTable } from '#app/ui/admin/wide-table.tsx'
import type { RowFault } from '../../entry/entry.schema.ts'

/** Why a table was refused: each row and column that is invalid. */
export function RowFaults({ faults }: { faults: readonly RowFault[] }) {
  const { t } = useTranslation('survey-data')
  const { t: errors } = useTranslation('errors')
  const format = useFormat()
  return (
    <>
      <Notice kind="error" title={t('csv.refused', { count: faults.length, number: format.number(faults.length) })}>
        {t('csv.mend')}
      </Notice>
      <WideTable label={t('csv.fault')} isPanel>
        <table className="admin-table">
          <caption className="visually-hidden">{t('csv.fault')}</caption>
          <thead>
            <tr>
              <th scope="col" data-align="end">
                {t('csv.row')}
              </th>
              <th scope="col">{t('csv.column')}</th>
              <th scope="col">{t('csv.fault')}</th>
            </tr>
          </thead>
          <tbody>
            {faults.map((fault, index) => (
              <tr key={index}>
                <th scope="row" data-align="end">
                  {format.number(fault.row)}
                </th>
                <td>{fault.column}</td>
                <td>{fault.code === 'required' && fault.column === '' ? t('csv.empty-row') : errors(...toFaultTitle(fault))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </>
  )
}
