import { useTranslation } from 'react-i18next'
import { toFaultTitle } from '#app/lib/fault-title.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import type { PopulationRow } from '../reference-populations.schema.ts'
import type { PopulationDocument } from './PopulationsPage.tsx'

interface PopulationRowsProps {
  rows: readonly PopulationRow[]
  options: PopulationDocument['options']
  areas: PopulationDocument['areas']
  onChange: (rows: PopulationRow[]) => void
}

/** Every row of a file with what is wrong with it. A category that no answer is named like is mapped by hand. */
export function PopulationRows({ rows, options, areas, onChange }: PopulationRowsProps) {
  const { t } = useTranslation('populations')
  const { t: errors } = useTranslation('errors')
  const site = useSite()
  const format = useFormat()
  const language = useLanguage()
  const mapCategory = (line: number, option: string) =>
    onChange(
      rows.map((row) => {
        if (row.line !== line) return row
        const isMapped = option !== ''
        const fault = row.fault === null || row.fault === 'not-a-choice' ? (isMapped ? null : ('not-a-choice' as const)) : row.fault
        return { ...row, option: isMapped ? option : null, fault }
      }),
    )
  return (
    <DataTable
      caption={t('preview')}
      rows={rows}
      rowKey={({ line }) => String(line)}
      loadingLabel={t('preview')}
      empty={null}
      columns={[
        { id: 'line', head: t('line'), align: 'end', cell: ({ line }) => format.number(line) },
        { id: 'category', head: t('category'), names: true, cell: ({ category }) => category || '–' },
        { id: 'area', head: t('area'), cell: ({ area }) => (area === null ? t('whole') : areas.find(({ slug }) => slug === area)?.name) },
        { id: 'people', head: t('people'), align: 'end', cell: ({ people }) => (people === null ? '–' : format.number(people)) },
        {
          id: 'option',
          head: t('option'),
          cell: ({ line, category, option }) => (
            <select
              aria-label={`${t('option')}: ${category}`}
              value={option ?? ''}
              onChange={({ currentTarget }) => mapCategory(line, currentTarget.value)}
            >
              <option value="">{t('choose')}</option>
              {options.map(({ id, label }) => (
                <option key={id} value={id}>
                  {getTranslation(label, language, site.locale)}
                </option>
              ))}
            </select>
          ),
        },
        { id: 'state', head: t('state'), cell: ({ fault }) => (fault === null ? t('right') : errors(...toFaultTitle({ code: fault }))) },
      ]}
    />
  )
}
