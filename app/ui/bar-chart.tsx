import type { ReactNode } from 'react'

export interface Bar {
  label: string
  count: number
  /** The share in words of the reader's language: "46 %". */
  share?: string
  /** The count in words: "588 people". */
  counted: string
  /** Why this bar stands out ("Your answer"); written beside it as well as drawn. */
  mark?: string
}

interface BarChartProps {
  title: ReactNode
  /** Who was asked, how many answered. */
  note?: ReactNode
  /** Column heads, for those who hear the table. */
  heads: { label: string; bar: string; count: string }
  bars: readonly Bar[]
  /** What a full bar stands for; the largest count unless given. */
  full?: number
}

/** A table that is drawn as bars: what is seen and what is read out are the same rows. */
export function BarChart({ title, note, heads, bars, full = Math.max(1, ...bars.map(({ count }) => count)) }: BarChartProps) {
  return (
    <figure className="chart">
      <figcaption>
        <span className="chart-title">{title}</span>
        {note && <span className="chart-note">{note}</span>}
      </figcaption>
      <table className="bar-chart">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{heads.label}</th>
            <th scope="col">{heads.bar}</th>
            <th scope="col">{heads.count}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ label, count, share, counted, mark }) => (
            <tr key={label} data-marked={mark ? true : undefined}>
              <th scope="row">
                {label}
                {mark && <span className="bar-chart-mark">{mark}</span>}
              </th>
              <td className="bar-chart-bar">
                <span className="bar-chart-track" aria-hidden="true">
                  <span
                    className="bar-chart-fill"
                    style={{
                      display: count === 0 ? 'none' : undefined,
                      width: `${percent(count, full)}%`,
                    }}
                  />
                </span>
                <span className="visually-hidden">{share ?? `${percent(count, full)} %`}</span>
              </td>
              <td className="bar-chart-number">
                {share && (
                  <span className="bar-chart-share" aria-hidden="true">
                    {share}{' '}
                  </span>
                )}
                <span className="bar-chart-count">{counted}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

const percent = (count: number, full: number): number => Math.round(Math.min(1, count / full) * 1000) / 10
