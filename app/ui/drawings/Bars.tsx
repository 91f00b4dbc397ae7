import { BarChart } from '../bar-chart.tsx'
import type { DrawingProps, ChartDrawing } from './drawing.ts'

export default function Bars({ drawing, words, format }: DrawingProps<ChartDrawing>) {
  return (
    <BarChart
      title={drawing.title}
      heads={{ label: drawing.label, bar: words.bar, count: drawing.values }}
      bars={drawing.points.map(({ name, value, counted }) => ({ label: name, count: Math.max(0, value), counted }))}
      ends={[format(0), format(Math.max(1, ...drawing.points.map(({ value }) => value)))]}
    />
  )
}
