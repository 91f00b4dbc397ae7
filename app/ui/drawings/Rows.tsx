import { Text } from '../text.tsx'
import type { DrawingProps, TableDrawing } from './drawing.ts'
import { ScrollRegion } from '../scroll-region.tsx'

export default function Rows({ drawing, label }: DrawingProps<TableDrawing>) {
  return (
    <ScrollRegion label={label}>
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
    </ScrollRegion>
  )
}
