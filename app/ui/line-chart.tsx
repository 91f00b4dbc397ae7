import { useId, type ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { LinePlot, SeriesKey, SeriesTable, type PlotData } from './line-plot.tsx'

interface LineChartProps extends PlotData {
  title: ReactNode
  note?: ReactNode
  /** A few labels under the chart: first, middle and last by default. */
  marks?: readonly string[]
  tableLabel: string
}

/** Lines over time, with a table of the figures below. */
export function LineChart({ title, note, marks, tableLabel, ...data }: LineChartProps) {
  const titleId = useId()
  return (
    <figure className="chart" aria-labelledby={titleId}>
      <figcaption>
        <span className="chart-title" id={titleId}>
          {title}
        </span>
        {note && <span className="chart-note">{note}</span>}
      </figcaption>
      <SeriesKey series={data.series} />
      <LinePlot data={data} marks={marks} />
      <details className="chart-table">
        <summary>
          {tableLabel}
          <Icon name="chevron-down" />
        </summary>
        <SeriesTable data={data} labelledBy={titleId} />
      </details>
    </figure>
  )
}
