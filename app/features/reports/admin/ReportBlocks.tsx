import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { ColumnChart } from '#app/ui/admin/column-chart.tsx'
import { WideTable } from '#app/ui/admin/wide-table.tsx'
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
      case 'bars':
        return <Bars key={key} chart={block} />
      case 'columns':
        return <Columns key={key} chart={block} />
      case 'table':
        return block.isOfChart ? null : <Table key={key} table={block} />
    }
  })
}

function Bars({ chart: { values } }: { chart: ReportChart }) {
  const most = Math.max(1, ...values.map(({ value }) => value))
  return (
    <svg className="report-bars" viewBox={`0 0 100 ${values.length * 12}`} preserveAspectRatio="none" aria-hidden="true">
      {values.map(({ label, value }, index) => (
        <g key={label}>
          <rect className="report-bar-track" x="0" y={index * 12 + 1} width="100" height="10" />
          <rect className="report-bar" x="0" y={index * 12 + 1} width={(value / most) * 100} height="10" />
        </g>
      ))}
    </svg>
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

function Table({ table: { caption, heads, rows, hasTotal } }: { table: ReportTable }) {
  return (
    <WideTable label={caption}>
      <table className="admin-table report-table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {heads.map((head, column) => (
              <th key={head} scope="col" data-align={column === 0 ? undefined : 'end'}>
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
                  <th key={heads[column]} scope="row">
                    {cell.text}
                  </th>
                ) : (
                  <td key={heads[column]} data-align="end">
                    {cell.text}
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
