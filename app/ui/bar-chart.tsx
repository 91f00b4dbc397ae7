import type { ReactNode } from 'react'

interface BarLabel {
  label: string
  /** Why this bar stands out ("Your answer"); both written and drawn. */
  mark?: string
}

interface ShownBar extends BarLabel {
  /** The bar's value, unless it shows a share. */
  count: number
  /** Its share of the whole, from 0 to 1, and as text in the reader's language: "46 %". */
  share?: { part: number; words: string }
  /** Text before the count, if it is not a share: "place 2.3". */
  value?: string
  /** The count as text: "588 people". */
  counted: string
}

/** A figure that readers may not know: it has no bar, no share and no number that could be taken for one. */
interface HiddenBar extends BarLabel {
  /** The text in place of the count. */
  notShown: string
}

export type Bar = ShownBar | HiddenBar

interface BarChartProps {
  title: ReactNode
  /** Who was asked, how many answered. */
  note?: ReactNode
  /** Column headers for screen readers. */
  heads: { label: string; bar: string; count: string }
  bars: readonly Bar[]
  /** The count of a full bar: the largest by default. Shares always use a scale from 0 to 100 %. */
  full?: number
  /** Labels at both ends of the scale: "0 %" and "100 %". */
  ends?: readonly [from: string, to: string]
}

/** A table drawn as bars: the same rows are seen and read out. */
export function BarChart({ title, note, heads, bars, full = findLargestCount(bars), ends }: BarChartProps) {
  const lastDrawn = bars.findLastIndex((bar) => 'counted' in bar)
  return (
    <figure className="chart">
      <figcaption>
        <span className="chart-title">{title}</span>
        {note && <span className="chart-note">{note}</span>}
      </figcaption>
      <table className="bar-chart" data-ends={ends ? true : undefined}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{heads.label}</th>
            <th scope="col">{heads.bar}</th>
            <th scope="col">{heads.count}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar, index) => (
            <tr key={`${index} ${bar.label}`} data-marked={bar.mark ? true : undefined}>
              <th scope="row">
                {bar.label}
                {bar.mark && <span className="bar-chart-mark">{bar.mark}</span>}
              </th>
              {'notShown' in bar ? (
                <td className="bar-chart-hidden" colSpan={2}>
                  {bar.notShown}
                </td>
              ) : (
                <BarCells bar={bar} full={full} ends={index === lastDrawn ? ends : undefined} />
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

interface BarCellsProps {
  bar: ShownBar
  full: number
  ends: BarChartProps['ends']
}

function BarCells({ bar: { count, share, value, counted }, full, ends }: BarCellsProps) {
  const width = toPercent(share?.part ?? count / full)
  const words = share?.words ?? value
  return (
    <>
      <td className="bar-chart-bar">
        <span className="bar-chart-track" aria-hidden="true">
          <span className="bar-chart-fill" style={{ display: width === 0 ? 'none' : undefined, width: `${width}%` }} />
        </span>
        {ends && (
          <span className="bar-chart-ends" aria-hidden="true">
            <span>{ends[0]}</span>
            <span>{ends[1]}</span>
          </span>
        )}
        <span className="visually-hidden">{words ?? `${width} %`}</span>
      </td>
      <td className="bar-chart-number">
        {words && (
          <span className="bar-chart-share" aria-hidden="true">
            {words}{' '}
          </span>
        )}
        <span className="bar-chart-count">{counted}</span>
      </td>
    </>
  )
}

const findLargestCount = (bars: readonly Bar[]): number => Math.max(1, ...bars.map((bar) => ('counted' in bar ? bar.count : 0)))

const toPercent = (part: number): number => Math.round(Math.min(1, Math.max(0, part)) * 1000) / 10
