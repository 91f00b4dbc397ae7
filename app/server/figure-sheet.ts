import { type Figure, isPublicFigure } from '../lib/figure-definitions.ts'
import type { Language } from '../lib/languages.ts'
import { getTranslator } from './i18n.ts'
import { type Sheet, yieldRows } from './workbook.ts'

interface ExplainedColumn {
  /** As the other sheets name it; the figure's own name by default. */
  heading?: string
  figure: Figure
}

/** A workbook's last sheet: what each figure in it counts, in the words of every screen that shows the figure. */
export function createFigureSheet(language: Language, columns: readonly ExplainedColumn[]): Sheet {
  const t = getTranslator(language, 'reach')
  const [common, admin] = [getTranslator(language, 'common'), getTranslator(language, 'admin')]
  const rows = columns.map(({ heading, figure }) => {
    const { name, means } = isPublicFigure(figure)
      ? { name: common(`figures.${figure}.name`), means: common(`figures.${figure}.means`) }
      : { name: admin(`figures.${figure}.name`), means: admin(`figures.${figure}.means`) }
    return [heading ?? name, means]
  })
  return { name: t('how'), heads: [t('figure'), t('means')], rows: yieldRows(rows) }
}
