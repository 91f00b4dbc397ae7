import { useId, useState, type ReactNode } from 'react'
import { SeriesTable, type PlotData } from '../line-plot.tsx'
import { Segmented } from './toolbar.tsx'

interface ChartCardProps {
  title: ReactNode
  note?: ReactNode
  /** A link to the source of the figures, or a download. */
  actions?: ReactNode
  words: { view: string; chart: string; table: string }
  chart: ReactNode
  data: PlotData
}

/** Switches between a chart and its table. */
export function ChartCard({ title, note, actions, words, chart, data }: ChartCardProps) {
  const titleId = useId()
  const [view, setView] = useState<'chart' | 'table'>('chart')
  return (
    <section className="chart-card" aria-labelledby={titleId}>
      <header className="chart-card-head">
        <div>
          <h2 id={titleId}>{title}</h2>
          {note && <p>{note}</p>}
        </div>
        {actions}
        <Segmented
          label={words.view}
          value={view}
          onChange={setView}
          options={[
            { value: 'chart', label: words.chart },
            { value: 'table', label: words.table },
          ]}
        />
      </header>
      {view === 'chart' ? chart : <SeriesTable data={data} labelledBy={titleId} />}
    </section>
  )
}
