import { expect, test } from 'vitest'
import { unzip } from '#tests/support/unzip.ts'
import { streamWorkbook, yieldRows } from './workbook.ts'

test('a sheet has a bold head, and columns as wide as what stands in them', async () => {
  const rows = [
    ['A faster bus on Fern Street', 12, 'x'.repeat(500)],
    ['Short', 3, null],
  ]
  const sheet = { name: 'projects', heads: ['Project', 'Answers', 'Comment'], rows: yieldRows(rows) }
  const files = unzip(Buffer.concat(await Array.fromAsync(streamWorkbook([sheet]))))
  const xml = String(files.get('xl/worksheets/sheet1.xml'))
  expect([...xml.matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) => Number(width))).toEqual([29, 9, 60])
  expect(xml.match(/<c r="[A-C]1" s="1"/g)).toHaveLength(3)
  expect(xml).toContain('<c r="B2"><v>12</v></c>')
  expect(xml.match(/<row /g)).toHaveLength(3)
  expect(String(files.get('xl/styles.xml'))).toContain('<b/>')
})

test('a sheet without rows has its head', async () => {
  const files = unzip(Buffer.concat(await Array.fromAsync(streamWorkbook([{ name: 'empty', heads: ['Project'], rows: yieldRows([]) }]))))
  expect(String(files.get('xl/worksheets/sheet1.xml')).match(/<row /g)).toHaveLength(1)
})
