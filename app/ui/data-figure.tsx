import { createElement, Suspense } from 'react'
import type { Drawing, DrawingProps } from './drawings/drawing.ts'
import { splitViews } from './split-views.ts'

interface DataFigureProps extends DrawingProps {
  /** Source, licence and age: always shown. */
  facts: readonly { term: string; text: string; href: string | null }[]
  stale: string | null
}

const drawings = splitViews<Drawing['form'], DrawingProps<never>>({
  bar: () => import('./drawings/Bars.tsx'),
  line: () => import('./drawings/Lines.tsx'),
  map: () => import('./drawings/Points.tsx'),
  table: () => import('./drawings/Rows.tsx'),
})

/** Preloads the components for these figures, so that the server can render them into the page's HTML. */
export const prepareDrawings = (figures: readonly { drawing: { form: Drawing['form'] } }[]): Promise<void> =>
  drawings.prepare(figures.map(({ drawing }) => drawing.form))

/** Data as a chart with its table, a map with its list, or the first rows of a table, followed by its source. */
export function DataFigure({ facts, stale, ...rest }: DataFigureProps) {
  return (
    <div className="data-figure">
      {stale && <p className="data-figure-stale">{stale}</p>}
      <Suspense>{createElement(drawings.view(rest.drawing.form), rest as DrawingProps<never>)}</Suspense>
      <dl className="data-figure-facts">
        {facts.map(({ term, text, href }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{href ? <a href={href}>{text}</a> : text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
