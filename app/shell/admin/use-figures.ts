import { useTranslation } from 'react-i18next'
import { type Figure, isPublicFigure } from '#app/lib/figure-definitions.ts'

export interface DescribedFigure {
  name: string
  /** What it counts, in one sentence. */
  means: string
}

/** A figure's name and definition: `describe('engaged')`. */
export function useFigures(): (figure: Figure) => DescribedFigure {
  const { t: common } = useTranslation()
  const { t: admin } = useTranslation('admin')
  return (figure) =>
    isPublicFigure(figure)
      ? { name: common(`figures.${figure}.name`), means: common(`figures.${figure}.means`) }
      : { name: admin(`figures.${figure}.name`), means: admin(`figures.${figure}.means`) }
}
