import { BarChart } from './bar-chart.tsx'
import { LineChart } from './line-chart.tsx'
import { PointMap } from './point-map.tsx'
import { Text } from './text.tsx'

interface Chart {
  form: 'bar' | 'line'
  title: string
  label: string
  values: string
  points: readonly { name: string; value: number; counted: string }[]
}

interface Map {
  form: 'map'
  points: readonly (readonly [number, number])[]
  places: readonly { point: readonly [number, number]; name: string }[]
}

interface Table {
  form: 'table'
  columns: readonly { name: Parameters<typeof Text>[0]['words']; numeric: boolean }[]
  rows: readonly (readonly string[])[]
}

interface DataFigureProps {
  drawing: Chart | Map | Table
  /** Source, licence, age: never left out. */
  facts: readonly { term: string; text: string; href: string | null }[]
  stale: string | null
  words: { bar: string; figures: string; places: string }
  /** What a table is called by those who hear it. */
  label: string
  format: (value: number) => string
}

/** Data as a chart with its table, a map with its list, or the first rows of a table; below it where they come from. */
export function DataFigure({ facts, stale, ...rest }: DataFigureProps) {
  return (
    <div className="data-figure">
      {stale && <p className="data-figure-stale">{stale}</p>}
      <Drawing {...rest} />
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

function Drawing({ drawing, words, label, format }: Omit<DataFigureProps, 'facts' | 'stale'>) {
  switch (drawing.form) {
    case 'bar':
      return (
        <BarChart
          title={drawing.title}
          heads={{ label: drawing.label, bar: words.bar, count: drawing.values }}
          bars={drawing.points.map(({ name, value, counted }) => ({ label: name, count: Math.max(0, value), counted }))}
        />
      )
    case 'line':
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
    case 'map':
      return (
        <div className="data-figure-map">
          <PointMap
            points={drawing.points}
            numbered={drawing.places.map(({ point }, at) => ({ point, number: at + 1 }))}
            caption={words.places}
          />
          <ol>
            {drawing.places.map(({ name }, at) => (
              <li key={at}>{name}</li>
            ))}
          </ol>
        </div>
      )
    case 'table':
      return (
        // A wide table is moved sideways by keyboard as well.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <section className="table-scroll" aria-label={label} tabIndex={0}>
          <table className="data-table dataset-table">
            <thead>
              <tr>
                {drawing.columns.map(({ name, numeric }, at) => (
                  <th key={at} scope="col" className={numeric ? 'number' : undefined}>
                    <Text words={name} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {drawing.rows.map((row, at) => (
                <tr key={at}>
                  {row.map((cell, column) => (
                    <td key={column} className={drawing.columns[column]?.numeric ? 'number' : undefined}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )
  }
}
