import type { MapPicture, Spot } from '#app/lib/map-picture.ts'
import type { Text } from '../text.tsx'

export interface ChartDrawing {
  form: 'bar' | 'line'
  title: string
  label: string
  values: string
  points: readonly { name: string; value: number; counted: string }[]
}

export interface MapDrawing {
  form: 'map'
  background: MapPicture
  points: readonly Spot[]
  places: readonly { point: Spot; name: string }[]
}

export interface TableDrawing {
  form: 'table'
  columns: readonly { name: Parameters<typeof Text>[0]['words']; numeric: boolean }[]
  rows: readonly (readonly string[])[]
}

export type Drawing = ChartDrawing | MapDrawing | TableDrawing

export interface DrawingProps<One extends Drawing = Drawing> {
  drawing: One
  words: { bar: string; figures: string; places: string }
  /** A table's name for screen readers. */
  label: string
  format: (value: number) => string
}
