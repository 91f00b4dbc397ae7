import { Text } from '../text.tsx'
import type { DrawingProps, TableDrawing } from './drawing.ts'

export default function Rows({ drawing, label }: DrawingProps<TableDrawing>) {
  return (
    // A focusable region, so that a wide table can be scrolled by keyboard too.
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
