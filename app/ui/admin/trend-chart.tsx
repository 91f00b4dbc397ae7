import type { ComponentProps, ReactNode } from 'react'
import { LinePlot, SeriesKey, type PlotData } from '../line-plot.tsx'
import { ChartCard } from './chart-card.tsx'
import { ChartReader } from './chart-reader.tsx'

export interface AdminChartProps extends PlotData {
  title: ReactNode
  note?: ReactNode
  actions?: ReactNode
  /** A few labels under the chart, if there is no room for every point's. */
  marks?: readonly string[]
  words: ComponentProps<typeof ChartCard>['words']
}

/** Lines over time that can be read point by point, with a button to show the table. */
export function TrendChart({ title, note, actions, marks, words, ...data }: AdminChartProps) {
  const toShare = (index: number) => (data.points.length > 1 ? index / (data.points.length - 1) : 0.5)
  return (
    <ChartCard
      title={title}
      note={note}
      actions={actions}
      words={words}
      chart={
        <>
          <SeriesKey series={data.series} />
          <LinePlot data={data} marks={marks} over={<ChartReader data={data} label={data.pointHead} place={toShare} />} />
        </>
      }
      data={data}
    />
  )
}
