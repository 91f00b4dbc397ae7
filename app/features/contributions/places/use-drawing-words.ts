import { useTranslation } from 'react-i18next'
import type { Position } from '#app/lib/geometry.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { buildGeometry, type DrawnShape, findBearing, measureDistance, measureGeometry } from '../record/drawing.schema.ts'
import { roundMetres, useSizeText } from './use-size-text.ts'

/** What is said about a line or an area while it is drawn. */
export function useDrawingWords(shape: DrawnShape) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const describeSize = useSizeText()
  const countPoints = (count: number): string => t('drawing.points', { count, number: format.number(count) })
  /** Where a point lies: its area, and how far it is from the one before. */
  const describePlace = (point: Position, area: string | undefined, before: Position | undefined, number: number): string => {
    const place = area || t('drawing.outside-areas')
    if (!before) return place
    const metres = roundMetres(measureDistance(before, point))
    const distance = t('drawing.metres', { count: metres, number: format.number(metres) })
    return `${place}, ${t(`drawing.bearings.${findBearing(before, point)}`, { distance, number: format.number(number) })}`
  }
  const describeDrawing = (points: readonly Position[]): string => {
    const size = points.length > 1 && measureGeometry(buildGeometry(shape, points))
    return size && size.amount > 0 ? `${countPoints(points.length)}. ${describeSize(size)}.` : `${countPoints(points.length)}.`
  }
  return { countPoints, describePlace, describeDrawing }
}
