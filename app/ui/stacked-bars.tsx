import type { ReactNode } from 'react'
import { ScrollRegion } from './scroll-region.tsx'

interface ShownPart {
  counted: string
  /** The part of everyone who answered the row, from 0 to 1. */
  share?: { part: number; words: string }
}

/** A figure that readers may not know: it has no part of the bar and no share. */
interface HiddenPart {
  /** The text in place of the count. */
  notShown: string
}

export interface StackedRow {
  label: string
  /** After the label: how many answered, or an average. */
  note?: string
  /** One per series. */
  parts: readonly (ShownPart | HiddenPart)[]
}

interface StackedBarsProps {
  title: ReactNode
  note?: ReactNode
  /** The meaning of the parts, from one end to the other. */
  series: readonly string[]
  /** The head of the label column, and the text that expands the table. */
  words: { label: string; table: string }
  rows: readonly StackedRow[]
  /** Set if the parts of a row can add up to more than the whole: each then gets its own bar. */
  apart?: boolean
}

/** Rows of stacked parts on a scale from 0 to 100 %. The drawing is hidden from screen readers; the table below has the same numbers. */
export function StackedBars({ title, note, series, words, rows, apart = false }: StackedBarsProps) {
  return (
    <figure className="chart">
      <figcaption>
        <span className="chart-title">{title}</span>
        {note && <span className="chart-note">{note}</span>}
      </figcaption>
      <ul className="stacked-key" aria-hidden="true">
        {series.map((name, index) => (
          <li key={index}>
            <span className="stacked-part" style={buildShadeStyle(index, series.length)} />
            {name}
          </li>
        ))}
      </ul>
      <div className="stacked-bars" aria-hidden="true">
        {rows.map((row, position) => {
          const parts = row.parts.map(
            (part, index) =>
              'counted' in part &&
              part.share &&
              part.share.part > 0 && <Part key={index} share={part.share} at={index} of={series.length} />,
          )
          return (
            <div className="stacked-row" key={position}>
              <span className="stacked-label">
                {row.label}
                {row.note && <small>{row.note}</small>}
              </span>
              {(apart ? parts : [parts]).map((track, index) => (
                <span className="stacked-track" key={index}>
                  {track}
                </span>
              ))}
            </div>
          )
        })}
      </div>
      <details className="chart-table">
        <summary>{words.table}</summary>
        <ScrollRegion className="chart-table-scroll" label={words.table}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.label}</th>
                {series.map((name, index) => (
                  <th scope="col" key={index}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, position) => (
                <tr key={position}>
                  <th scope="row">
                    {row.label}
                    {row.note && <small> {row.note}</small>}
                  </th>
                  {row.parts.map((part, index) => (
                    <td key={index}>
                      {'notShown' in part ? (
                        part.notShown
                      ) : (
                        <>
                          {part.counted}
                          {part.share && <small> {part.share.words}</small>}
                        </>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      </details>
    </figure>
  )
}

function Part({ share, at, of }: { share: { part: number; words: string }; at: number; of: number }) {
  return (
    <span className="stacked-part" style={{ ...buildShadeStyle(at, of), width: `${Math.round(Math.min(1, share.part) * 1000) / 10}%` }}>
      {share.part >= 0.09 && <span className="stacked-share">{share.words}</span>}
    </span>
  )
}

/** Shades from one end of the scale to the other: accent, paper, primary. */
function buildShadeStyle(index: number, total: number) {
  const at = total < 2 ? 1 : index / (total - 1)
  const from = at < 0.5 ? 'var(--series-2)' : 'var(--series-1)'
  const strength = Math.round((0.25 + 0.75 * Math.abs(at - 0.5) * 2) * 100)
  return { background: `color-mix(in oklab, ${from} ${strength}%, var(--card))` }
}
