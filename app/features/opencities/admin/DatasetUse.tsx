import { useTranslation } from 'react-i18next'
import { RecordChoice } from '#app/shell/admin/record-choice.tsx'
import { projectSource } from '#app/shell/admin/record-sources.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { CheckInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { CHART_FORMS, type DatasetColumn } from '../opencities.schema.ts'
import type { DatasetDraft } from './dataset-draft.ts'

interface DatasetUseProps {
  draft: DatasetDraft
  change: (next: Partial<DatasetDraft>) => void
}

const PROJECTS = projectSource()
const NONE = ''

/** Where a dataset is shown, which rows, and what is drawn. */
export function DatasetUse({ draft, change }: DatasetUseProps) {
  const { t } = useTranslation('city-admin')
  const { locale } = useSite()
  const { boundaries, chart, columns, rowFilter } = draft
  const nameOf = (column: DatasetColumn) => column.name[locale] ?? column.key
  const labels = columns.map((column) => ({ value: column.key, label: nameOf(column) }))
  const numbers = columns.filter(({ type }) => type === 'number').map((column) => ({ value: column.key, label: nameOf(column) }))
  const none = { value: NONE, label: t('fields.none') }
  const [firstLabel, firstNumber] = [columns.find(({ type }) => type !== 'number') ?? columns[0], numbers[0]]
  return (
    <section className="admin-form">
      <CheckInput
        name="published"
        label={t('fields.published')}
        hint={t('fields.published-hint')}
        value={draft.published}
        onChange={(published) => change({ published })}
      />
      <RecordChoice
        name="project"
        label={t('fields.project')}
        source={PROJECTS}
        value={draft.project ?? null}
        none={t('datasets.on-site')}
        onChange={(project) => change({ project })}
      />
      {firstLabel && firstNumber && (
        <SelectInput
          name="chart"
          label={t('fields.chart')}
          value={chart?.form ?? NONE}
          onChange={(form) =>
            change({ chart: form === NONE ? null : { label: firstLabel.key, values: firstNumber.value, ...chart, form } })
          }
          options={
            [none, ...CHART_FORMS.map((form) => ({ value: form, label: t(`charts.${form}`) }))] as {
              value: '' | 'bar' | 'line'
              label: string
            }[]
          }
        />
      )}
      {chart && (
        <>
          <SelectInput
            name="label"
            label={t('fields.chart-label')}
            value={chart.label}
            onChange={(label) => change({ chart: { ...chart, label } })}
            options={labels}
          />
          <SelectInput
            name="values"
            label={t('fields.chart-values')}
            hint={t('fields.chart-hint')}
            value={chart.values}
            onChange={(values) => change({ chart: { ...chart, values } })}
            options={numbers}
          />
        </>
      )}
      <SelectInput
        name="key"
        label={t('fields.filter')}
        value={rowFilter?.key ?? NONE}
        onChange={(key) => change({ rowFilter: key === NONE ? null : { key, value: rowFilter?.value ?? '' } })}
        options={[{ value: NONE, label: t('fields.all-rows') }, ...labels]}
      />
      {rowFilter && (
        <TextInput
          name="value"
          label={t('fields.filter-value')}
          value={rowFilter.value}
          onChange={(value) => change({ rowFilter: { ...rowFilter, value } })}
        />
      )}
      {columns.some(({ type }) => type === 'place') && (
        <SelectInput
          name="boundaries"
          label={t('fields.boundaries')}
          hint={t('fields.boundaries-hint')}
          value={boundaries?.name ?? NONE}
          onChange={(name) => change({ boundaries: name === NONE ? null : { ...boundaries, name } })}
          options={[none, ...labels.map(({ value, label }) => ({ value, label: t('fields.named-by', { column: label }) }))]}
        />
      )}
      {boundaries && (
        <SelectInput
          name="postcodes"
          label={t('fields.postcodes')}
          hint={t('fields.postcodes-hint')}
          value={boundaries.postcodes ?? NONE}
          onChange={(postcodes) => change({ boundaries: { name: boundaries.name, ...(postcodes === NONE ? {} : { postcodes }) } })}
          options={[none, ...labels]}
        />
      )}
    </section>
  )
}
