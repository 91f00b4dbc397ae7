import { expect, test } from 'vitest'
import { readZip } from '#tests/support/read-zip.ts'
import { streamWorkbook, type WorkbookCell, yieldRows } from './workbook.ts'

async function writeBook(heads: string[], rows: WorkbookCell[][]): Promise<Map<string, Buffer>> {
  const pieces: Uint8Array[] = []
  for await (const piece of streamWorkbook([{ name: 'projects', heads, rows: yieldRows(rows) }])) pieces.push(piece)
  return readZip(Buffer.concat(pieces))
}

test('a sheet has a bold head, and columns as wide as what stands in them', async () => {
  const rows = [
    ['A faster bus on Fern Street', 12, 'x'.repeat(500)],
    ['Short', 3, null],
  ]
  const files = await writeBook(['Project', 'Answers', 'Comment'], rows)
  const xml = String(files.get('xl/worksheets/sheet1.xml'))
  expect([...xml.matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) => Number(width))).toEqual([29, 9, 60])
  expect(xml.match(/<c r="[A-C]1" s="1"/g)).toHaveLength(3)
  expect(xml).toContain('<c r="B2"><v>12</v></c>')
  expect(xml.match(/<row /g)).toHaveLength(3)
  expect(String(files.get('xl/styles.xml'))).toContain('<b/>')
})

test('a sheet without rows has its head', async () => {
  const files = await writeBook(['Project'], [])
  expect(String(files.get('xl/worksheets/sheet1.xml')).match(/<row /g)).toHaveLength(1)
})
