import { useTranslation } from 'react-i18next'
import { BarChart } from '#app/ui/bar-chart.tsx'
import { LineChart } from '#app/ui/line-chart.tsx'
import { formatCell } from './format-cell.ts'
import type { ChartView } from './dataset-views.schema.ts'
import { useCellFormatting } from './use-cell-formatting.ts'

/** Two columns of a dataset as a chart; the figures are on the page as a table too. */
export function DatasetChart({ chart }: { chart: ChartView }) {
  const { t } = useTranslation('city-data')
  const words = useCellFormatting()
  const { format } = words
  const { label, values, points, more } = chart
  const title = t('chart.title', { values: values.name.text, label: label.name.text })
  const note = more > 0 ? t('chart.more', { count: more, number: format.number(more) }) : undefined
  const named = points.map((point) => ({ name: formatCell(point.label, label.type, words), value: point.value }))
  if (chart.form === 'line') {
    return (
      <LineChart
        title={title}
        note={note}
        pointHead={label.name.text}
        points={named.map(({ name }) => name)}
        series={[{ name: values.name.text, values: named.map(({ value }) => value) }]}
        format={(value) => format.number(value)}
        tableLabel={t('chart.table')}
      />
    )
  }
  return (
    <BarChart
      title={title}
      note={note}
      heads={{ label: label.name.text, bar: t('chart.bar'), count: values.name.text }}
      bars={named.map(({ name, value }) => ({ label: name, count: Math.max(0, value), counted: format.number(value) }))}
      ends={[format.number(0), format.number(Math.max(1, ...named.map(({ value }) => value)))]}
    />
  )
}
