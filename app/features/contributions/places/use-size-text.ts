import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import type { DrawnSize } from '../record/drawing.schema.ts'

const SQUARE_METRES_PER_HECTARE = 10_000
/** Smaller areas are told in square metres. */
const LEAST_HECTARES = 0.5

/** Ten metres are as exact as a map is pressed. */
export const roundMetres = (metres: number): number => (metres < 100 ? Math.round(metres) : Math.round(metres / 10) * 10)

/** "A line of 420 metres", "An area of 3.4 hectares". */
export function useSizeText(): (size: DrawnSize) => string {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  return ({ shape, amount }) => {
    if (shape === 'lines') {
      const metres = roundMetres(amount)
      return t('drawing.line-of', { size: t('drawing.metres', { count: metres, number: format.number(metres) }) })
    }
    const hectares = Math.round((amount / SQUARE_METRES_PER_HECTARE) * 10) / 10
    const square = roundMetres(amount)
    const size =
      hectares < LEAST_HECTARES
        ? t('drawing.square-metres', { count: square, number: format.number(square) })
        : t('drawing.hectares', { count: hectares, number: format.number(hectares) })
    return t('drawing.area-of', { size })
  }
}
