import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Segmented } from '#app/ui/admin/toolbar.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { WideTable } from '#app/ui/admin/wide-table.tsx'
import { countOutcomes, IMPORT_OUTCOMES, type ImportedElement, type StoredImportReport } from '../../import/import.schema.ts'

/** What became of each part of the file that a survey was created from. */
export function ImportReport({ survey, report }: { survey: string; report: StoredImportReport }) {
  const { t } = useTranslation('survey-data')
  const format = useFormat()
  const [shown, setShown] = useState<'changed' | 'all'>('changed')
  const { elements, filename, moreNotes } = report
  const counts = countOutcomes(elements)
  const listed = elements.filter(({ outcome, notes, kind }) =>
    shown === 'all' ? kind !== 'survey' || notes.length > 0 : outcome !== 'carried',
  )
  return (
    <div className="admin-stack">
      <h2>{t('import.report')}</h2>
      <p>{t('import.report-text', { file: filename, format: t(`import.formats.${report.format}`) })}</p>
      <dl className="import-counts">
        {IMPORT_OUTCOMES.map((outcome) => (
          <div key={outcome} className="panel">
            <dt>{t(`import.count-${outcome}`)}</dt>
            <dd>{format.number(counts[outcome])}</dd>
          </div>
        ))}
      </dl>
      <div className="import-tools">
        <Segmented
          label={t('import.shown')}
          value={shown}
          onChange={setShown}
          options={[
            { value: 'changed', label: t('import.shown-changed') },
            { value: 'all', label: t('import.shown-all') },
          ]}
        />
        <a href={`/admin/surveys/${survey}/import-report.csv`} download className={getButtonClass({ kind: 'secondary' })}>
          {t('import.take')}
        </a>
      </div>
      {moreNotes > 0 && <Notice kind="warning">{t('import.more', { count: moreNotes, number: format.number(moreNotes) })}</Notice>}
      {listed.length === 0 ? <Notice kind="success">{t('import.whole')}</Notice> : <ElementTable elements={listed} />}
    </div>
  )
}

function ElementTable({ elements }: { elements: readonly ImportedElement[] }) {
  const { t } = useTranslation('survey-data')
  return (
    <WideTable label={t('import.report')} isPanel>
      <table className="admin-table import-elements">
        <thead>
          <tr>
            <th scope="col">{t('import.where')}</th>
            <th scope="col">{t('import.type')}</th>
            <th scope="col">{t('import.outcome')}</th>
            <th scope="col">{t('import.became')}</th>
          </tr>
        </thead>
        <tbody>
          {elements.map(({ kind, at, type, outcome, notes }, index) => (
            <tr key={index}>
              <th scope="row">{at || t(`import.kinds.${kind}`)}</th>
              <td>{type}</td>
              <td>{t(`import.outcomes.${outcome}`)}</td>
              <td>
                <ul className="import-notes">
                  {notes.map(({ code, what }, note) => (
                    <li key={note}>
                      {t(`import.codes.${code}`)}
                      {what && (
                        <>
                          {' '}
                          <code>{what}</code>
                        </>
                      )}
                    </li>
                  ))}
                </ul>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  )
}
