import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ColumnChart } from '#app/ui/admin/column-chart.tsx'
import { MapSquares } from '#app/ui/admin/map-squares.tsx'
import { ShareBar } from '#app/ui/admin/share-bar.tsx'
import { WideTable } from '#app/ui/admin/wide-table.tsx'
import { AreaPicture } from '#app/ui/map-picture.tsx'
import type { ReportBlock, ReportChart, ReportTable } from '../report.schema.ts'

const MARKS = 6

/** A section of a report. Every chart has its table. */
export function ReportBlocks({ blocks }: { blocks: readonly ReportBlock[] }) {
  return blocks.map((block, index) => {
    const key = `${block.kind}${index}`
    switch (block.kind) {
      case 'lead':
        return (
          <p key={key} className="report-lead">
            {block.text}
          </p>
        )
      case 'text':
      case 'note':
        return (
          <p key={key} className="meta">
            {block.text}
          </p>
        )
      case 'heading':
        return <h3 key={key}>{block.text}</h3>
      case 'terms':
        return (
          <dl key={key} className="report-findings">
            {block.terms.map(({ term, meaning }, at) => (
              <div key={at}>
                <dt>{term}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        )
      case 'bars':
        return <Bars key={key} chart={block} />
      case 'map':
        return (
          <AreaPicture key={key} picture={block.picture} label={block.alternative}>
            <MapSquares squares={block.squares} />
          </AreaPicture>
        )
      case 'columns':
        return <Columns key={key} chart={block} />
      case 'table':
        return block.isOfChart ? null : <Table key={key} table={block} />
    }
  })
}

/** What the bars say is in the table below them too. */
function Bars({ chart: { values } }: { chart: ReportChart }) {
  const most = Math.max(1, ...values.map(({ value }) => value))
  return (
    <div className="report-bars" aria-hidden="true">
      {values.map(({ label, value, text, note }) => (
        <div key={label}>
          <span>{label}</span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none">
            <rect className="report-bar-track" width="100" height="10" />
            <rect className="report-bar" width={(value / most) * 100} height="10" />
          </svg>
          <span>
            <strong>{text}</strong> {note}
          </span>
        </div>
      ))}
    </div>
  )
}

function Columns({ chart: { caption, pointHead = '', values, series = [] } }: { chart: ReportChart }) {
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const points = values.map(({ label }) => label)
  const every = Math.ceil(points.length / MARKS)
  return (
    <ColumnChart
      title={caption}
      pointHead={pointHead}
      points={points}
      marks={points.filter((_, index) => index % every === 0)}
      series={series}
      format={(value) => format.number(value)}
      words={{ view: admin('chart.view'), chart: admin('chart.chart'), table: admin('chart.table') }}
    />
  )
}

function Table({ table: { caption, heads, rows, hasTotal, hasShownCaption, textColumns = 1 } }: { table: ReportTable }) {
  return (
    <WideTable label={caption}>
      <table className="admin-table report-table">
        <caption className={hasShownCaption ? 'report-caption' : 'visually-hidden'}>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head, column) => (
              <th key={column} scope="col" data-align={column < textColumns ? undefined : 'end'}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={`${cells[0]?.text} ${row}`} data-total={(hasTotal && row === rows.length - 1) || undefined}>
              {cells.map((cell, column) =>
                column === 0 ? (
                  <th key={column} scope="row">
                    {cell.text}
                  </th>
                ) : (
                  <td key={column} data-align={column < textColumns ? undefined : 'end'}>
                    {cell.part !== undefined && <ShareBar part={cell.part} />}
                    {cell.href === undefined ? cell.text : <a href={toLocalHref(cell.href)}>{cell.text}</a>}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  )
}
