import type { ComponentProps, ReactNode } from 'react'
import { LinePlot, SeriesKey, type PlotData } from '../line-plot.tsx'
import { ChartCard } from './chart-card.tsx'
import { ChartReader } from './chart-reader.tsx'

export interface AdminChartProps extends PlotData {
  title: ReactNode
  note?: ReactNode
  actions?: ReactNode
  /** The few names under the chart, where not every point's fits. */
  marks?: readonly string[]
  words: ComponentProps<typeof ChartCard>['words']
}

/** Lines over time, to be read point by point, with their table a press away. */
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
