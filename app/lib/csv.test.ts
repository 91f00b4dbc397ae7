import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { formatCsv } from './csv.ts'

test('another CSV reader gets back what was written, whatever stands in a cell', () => {
  const rows = [
    ['plain', 'with, comma', 'with "quotes"'],
    ['two\nlines', 'two\r\nlines', ''],
    [' spaces ', 'é ŵ 😀', 'semi;colon'],
  ]
  expect(parse(formatCsv(rows), { record_delimiter: '\r\n' })).toEqual(rows)
})

test('text that a spreadsheet would run as a formula gets an apostrophe; a negative number does not', () => {
  expect(formatCsv([['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1', -1, null]])).toBe("'=1+1,'+1,'-1,'@SUM(A1),'\t=1,'＝1,-1,\r\n")
})
