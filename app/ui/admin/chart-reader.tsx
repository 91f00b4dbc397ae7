import { useState, type CSSProperties, type PointerEvent } from 'react'
import type { PlotData } from '../line-plot.tsx'

interface ChartReaderProps {
  data: PlotData
  /** What the arrow keys step through: "Week". */
  label: string
  /** Horizontal position of a point, from 0 (left) to 1. */
  place: (index: number) => number
}

/** Overlays a plot: the pointer or the arrow keys select a point, and its figures are shown and announced. */
export function ChartReader({ data: { points, series, format }, label, place }: ChartReaderProps) {
  const [index, setIndex] = useState(points.length - 1)
  const [active, setActive] = useState(false)
  const at = Math.min(index, points.length - 1)
  const figures = series.map(({ name, values }) => {
    const value = values[at]
    return { name, text: value === undefined || value === null ? '–' : format(value) }
  })
  const followPointer = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const share = (event.clientX - box.left) / box.width
    const nearest = points.map((_, each) => Math.abs(place(each) - share))
    setIndex(nearest.indexOf(Math.min(...nearest)))
    setActive(true)
  }
  if (points.length === 0) return null
  const position: CSSProperties & Record<'--at', string> = { '--at': `${place(at) * 100}%` }
  return (
    <div className="chart-reader" style={position} data-active={active || undefined} data-side={place(at) > 0.5 ? 'left' : 'right'}>
      <input
        type="range"
        min={0}
        max={points.length - 1}
        step={1}
        value={at}
        aria-label={label}
        aria-valuetext={`${points[at]}: ${figures.map(({ name, text }) => `${name} ${text}`).join(', ')}`}
        onChange={(event) => setIndex(event.currentTarget.valueAsNumber)}
        onPointerMove={followPointer}
        onPointerLeave={() => setActive(false)}
        onFocus={() => setActive(true)}
        onBlur={() => setActive(false)}
      />
      <span className="chart-reader-line" aria-hidden="true" />
      <span className="chart-reader-figures" aria-hidden="true">
        <b>{points[at]}</b>
        {figures.map(({ name, text }) => (
          <span key={name}>
            {name} <b>{text}</b>
          </span>
        ))}
      </span>
    </div>
  )
}
