import { LineChart } from '../line-chart.tsx'
import type { DrawingProps, ChartDrawing } from './drawing.ts'

export default function Lines({ drawing, words, format }: DrawingProps<ChartDrawing>) {
  return (
    <LineChart
      title={drawing.title}
      pointHead={drawing.label}
      points={drawing.points.map(({ name }) => name)}
      series={[{ name: drawing.values, values: drawing.points.map(({ value }) => value) }]}
      format={format}
      tableLabel={words.figures}
    />
  )
}
