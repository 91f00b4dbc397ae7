import { findHighest, PLOT, computeScale } from '../chart-scale.ts'
import { PlotFrame } from '../line-plot.tsx'
import { ChartCard } from './chart-card.tsx'
import { ChartReader } from './chart-reader.tsx'
import type { AdminChartProps } from './trend-chart.tsx'

const FILLED = 0.72

/** Amounts side by side: responses per day, people by age. The series of a point are grouped, each with its own pattern. */
export function ColumnChart({ title, note, actions, marks, words, ...data }: AdminChartProps) {
  const { points, series } = data
  const { top } = computeScale(findHighest(series))
  const slot = PLOT.width / Math.max(1, points.length)
  const width = (slot * FILLED) / Math.max(1, series.length)
  const toShare = (index: number) => (index + 0.5) / points.length
  return (
    <ChartCard
      title={title}
      note={note}
      actions={actions}
      words={words}
      chart={
        <>
          {series.length > 1 && (
            <ul className="chart-key">
              {series.map(({ name }, order) => (
                <li key={name}>
                  <span className="chart-key-block" data-series={order + 1} aria-hidden="true" />
                  {name}
                </li>
              ))}
            </ul>
          )}
          <PlotFrame
            data={data}
            marks={marks ?? points}
            centred={!marks}
            over={<ChartReader data={data} label={data.pointHead} place={toShare} />}
          >
            {series.map(({ name, values }, order) =>
              values.map((value, index) => {
                if (value === null || value <= 0) return null
                const height = (value / top) * PLOT.height
                const left = index * slot + (slot * (1 - FILLED)) / 2 + order * width
                return (
                  <rect
                    key={`${name} ${points[index]}`}
                    className="chart-column"
                    data-series={order + 1}
                    x={left}
                    y={PLOT.height - height}
                    width={Math.max(1, width - 1)}
                    height={height}
                  />
                )
              }),
            )}
          </PlotFrame>
        </>
      }
      data={data}
    />
  )
}
