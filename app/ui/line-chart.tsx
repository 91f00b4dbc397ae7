import { useId, type CSSProperties, type ReactNode } from 'react'
import { Icon } from './icon.tsx'

export interface Series {
  name: string
  /** One for each point; `null` where there is nothing to show. */
  values: readonly (number | null)[]
}

interface LineChartProps {
  title: ReactNode
  note?: ReactNode
  /** What the points are: "Week". */
  pointHead: string
  /** Each point's name in the table, in the reader's language. */
  points: readonly string[]
  /** The few names written under the chart: first, middle, last as a rule. */
  marks?: readonly string[]
  /** Four at most: more cannot be told apart. */
  series: readonly Series[]
  format: (value: number) => string
  tableLabel: string
}

const DASHES = [undefined, '7 5', '2 4', '11 4 2 4'] as const
const WIDTH = 1000
const HEIGHT = 400

/** Lines over time as SVG that any width can stretch, with the figures themselves in a table below. */
export function LineChart({ title, note, pointHead, points, marks, series, format, tableLabel }: LineChartProps) {
  const titleId = useId()
  const { ticks, top } = scale(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))))
  const x = (index: number) => (points.length > 1 ? (index / (points.length - 1)) * WIDTH : WIDTH / 2)
  const y = (value: number) => HEIGHT - (value / top) * HEIGHT
  return (
    <figure className="chart" aria-labelledby={titleId}>
      <figcaption>
        <span className="chart-title" id={titleId}>
          {title}
        </span>
        {note && <span className="chart-note">{note}</span>}
      </figcaption>
      {series.length > 1 && (
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
      )}
      <div className="line-chart" aria-hidden="true">
        <div className="line-chart-scale">
          {ticks.map((tick) => (
            <span key={tick}>{format(tick)}</span>
          ))}
        </div>
        <div className="line-chart-plot">
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
            {ticks.map((tick) => (
              <line key={tick} x1="0" x2={WIDTH} y1={y(tick)} y2={y(tick)} />
            ))}
            {series.length === 1 && series[0] && <path className="line-chart-area" d={area(series[0].values, x, y)} />}
            {series.map(({ name, values }, index) => (
              <path key={name} d={line(values, x, y)} stroke={`var(--series-${index + 1})`} strokeDasharray={DASHES[index]} />
            ))}
          </svg>
          {series.map(({ name, values }, index) => {
            const last = values.findLastIndex((value) => value !== null)
            const value = values[last]
            if (value === undefined || value === null) return null
            const place: CSSProperties & Record<'--series', string> = {
              '--series': `var(--series-${index + 1})`,
              left: `${x(last) / (WIDTH / 100)}%`,
              top: `${y(value) / (HEIGHT / 100)}%`,
            }
            return <span key={name} className="line-chart-end" data-mark={index} style={place} />
          })}
        </div>
        <div className="line-chart-labels">
          {(marks ?? ends(points)).map((mark) => (
            <span key={mark}>{mark}</span>
          ))}
        </div>
      </div>
      <details className="chart-table">
        <summary>
          {tableLabel}
          <Icon name="chevron-down" />
        </summary>
        <table className="data-table" aria-labelledby={titleId}>
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
      </details>
    </figure>
  )
}

/** Four steps of 1, 2, 2.5 or 5 times a power of ten that hold `highest`, from the top down. */
function scale(highest: number): { ticks: number[]; top: number } {
  const rough = Math.max(1, highest) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step =
    [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough && Number.isInteger(candidate)) ??
    Math.ceil(rough)
  return { ticks: [4, 3, 2, 1, 0].map((count) => count * step), top: 4 * step }
}

type Place = (value: number) => number
const round = (value: number): number => Math.round(value * 10) / 10

/** A line through the values, broken where one is missing. */
function line(values: readonly (number | null)[], x: Place, y: Place): string {
  let pen: 'M' | 'L' = 'M'
  return values
    .map((value, index) => {
      if (value === null) {
        pen = 'M'
        return ''
      }
      const command = `${pen}${round(x(index))} ${round(y(value))}`
      pen = 'L'
      return command
    })
    .join('')
}

function area(values: readonly (number | null)[], x: Place, y: Place): string {
  if (values.includes(null) || values.length === 0) return ''
  return `${line(values, x, y)}L${x(values.length - 1)} ${HEIGHT}L${x(0)} ${HEIGHT}Z`
}

function ends(points: readonly string[]): string[] {
  const middle = points.length > 4 ? [points[Math.floor(points.length / 2)]] : []
  return [...new Set([points[0], ...middle, points.at(-1)])].filter((point) => point !== undefined)
}
