import type { CSSProperties, ReactNode } from 'react'
import { buildAreaPath, DASHES, pickEndPoints, findHighest, buildLinePath, PLOT, computeScale, type Series } from './chart-scale.ts'

export interface PlotData {
  /** What the points are: "Week". */
  pointHead: string
  /** Each point's label in the reader's language. */
  points: readonly string[]
  /** At most four: more could not be told apart. */
  series: readonly Series[]
  format: (value: number) => string
}

/** The legend, by colour and dash pattern. */
export function SeriesKey({ series }: { series: readonly Series[] }) {
  if (series.length < 2) return null
  return (
    <ul className="chart-key">
      {series.map(({ name }, index) => (
        <li key={name}>
          <svg viewBox="0 0 30 10" aria-hidden="true">
            <line x1="0" y1="5" x2="30" y2="5" stroke={`var(--series-${index + 1})`} strokeWidth="3" strokeDasharray={DASHES[index]} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  )
}

export function SeriesTable({ data: { pointHead, points, series, format }, labelledBy }: { data: PlotData; labelledBy: string }) {
  return (
    <table className="data-table" aria-labelledby={labelledBy}>
      <thead>
        <tr>
          <th scope="col">{pointHead}</th>
          {series.map(({ name }) => (
            <th scope="col" className="number" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.map((point, row) => (
          <tr key={point}>
            <th scope="row">{point}</th>
            {series.map(({ name, values }) => {
              const value = values[row]
              return (
                <td className="number" key={name}>
                  {value === undefined || value === null ? '–' : format(value)}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface PlotFrameProps {
  data: PlotData
  marks?: readonly string[] | undefined
  /** Centres each label under its slot instead of aligning the ends. */
  centred?: boolean
  children: ReactNode
  over?: ReactNode
}

/** The scale, the grid and the plot. `children` is SVG in PLOT coordinates, `over` is HTML on top. */
export function PlotFrame({ data, marks, centred = false, children, over }: PlotFrameProps) {
  const { ticks, top } = computeScale(findHighest(data.series))
  return (
    <div className="line-chart">
      <div className="line-chart-scale" aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick}>{data.format(tick)}</span>
        ))}
      </div>
      <div className="line-chart-plot">
        <svg viewBox={`0 0 ${PLOT.width} ${PLOT.height}`} preserveAspectRatio="none" aria-hidden="true">
          {ticks.map((tick) => {
            const y = PLOT.height - (tick / top) * PLOT.height
            return <line key={tick} x1="0" x2={PLOT.width} y1={y} y2={y} />
          })}
          {children}
        </svg>
        {over}
      </div>
      <div className="line-chart-labels" data-each={centred || undefined} aria-hidden="true">
        {(marks ?? pickEndPoints(data.points)).map((mark) => (
          <span key={mark}>{mark}</span>
        ))}
      </div>
    </div>
  )
}

/** Lines over time that stretch to any width. Each ends in its own marker. */
export function LinePlot({ data, marks, over }: { data: PlotData; marks?: readonly string[]; over?: ReactNode }) {
  const { points, series } = data
  const { top } = computeScale(findHighest(series))
  const x = (index: number) => (points.length > 1 ? (index / (points.length - 1)) * PLOT.width : PLOT.width / 2)
  const y = (value: number) => PLOT.height - (value / top) * PLOT.height
  const [only] = series
  return (
    <PlotFrame
      data={data}
      marks={marks}
      over={
        <>
          {series.map(({ name, values }, index) => {
            const last = values.findLastIndex((value) => value !== null)
            const value = values[last]
            if (value === undefined || value === null) return null
            const place: CSSProperties & Record<'--series', string> = {
              '--series': `var(--series-${index + 1})`,
              left: `${x(last) / (PLOT.width / 100)}%`,
              top: `${y(value) / (PLOT.height / 100)}%`,
            }
            return <span key={name} className="line-chart-end" data-mark={index} style={place} aria-hidden="true" />
          })}
          {over}
        </>
      }
    >
      {series.length === 1 && only && <path className="line-chart-area" d={buildAreaPath(only.values, x, y)} />}
      {series.map(({ name, values }, index) => (
        <path key={name} d={buildLinePath(values, x, y)} stroke={`var(--series-${index + 1})`} strokeDasharray={DASHES[index]} />
      ))}
    </PlotFrame>
  )
}
