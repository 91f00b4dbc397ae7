import { readFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { countPdfPages } from './count-pdf-pages.ts'

const pdf = (...parts: (string | Buffer)[]): Buffer => Buffer.concat(['%PDF-1.7\n', ...parts].map((part) => Buffer.from(part as string)))
const tree = (root: string) =>
  `1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n${root}\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n%%EOF\n`
const packed = (objects: string) => {
  const stream = deflateSync(objects)
  return [
    `7 0 obj\n<< /Type /ObjStm /N 2 /First 10 /Filter /FlateDecode /Length ${stream.length} >>\nstream\n`,
    stream,
    '\nendstream\nendobj\n',
  ]
}

test('the pages of a PDF are those of the root of its tree, not of a branch', () => {
  const branch = '4 0 obj\n<< /Type /Pages /Parent 2 0 R /Kids [3 0 R] /Count 8 >>\nendobj\n'
  expect(countPdfPages(pdf(tree('<< /Type /Pages /Kids [4 0 R] /Count 12 >>'), branch))).toBe(12)
  expect(countPdfPages(pdf(tree('<< /Count 3 /Kids [3 0 R] /Resources << /Font << /F1 5 0 R >> >> /Type/Pages >>')))).toBe(3)
})

test('a tree in a compressed stream is found', () => {
  expect(countPdfPages(pdf(...packed('1 0 2 60 << /Type /Catalog /Pages 2 0 R >> << /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>')))).toBe(
    2,
  )
})

test('a file that was saved again has the pages of its last version', () => {
  const saved = '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 5 >>\nendobj\n'
  expect(countPdfPages(pdf(tree('<< /Type /Pages /Kids [3 0 R] /Count 9 >>'), saved))).toBe(5)
})

test('a file made for the web says its pages at its start', () => {
  expect(countPdfPages(pdf('1 0 obj\n<< /Linearized 1 /L 5000 /O 3 /E 900 /N 41 /T 4800 >>\nendobj\n'))).toBe(41)
})

test('nothing is said of a file that is encrypted, broken or no PDF, nor is much of it unpacked', () => {
  expect(countPdfPages(pdf(tree('<< /Type /Pages /Count 4 >>'), 'trailer << /Encrypt 9 0 R >>'))).toBeUndefined()
  expect(countPdfPages(pdf('2 0 obj << /Type /Pages /Count'))).toBeUndefined()
  expect(countPdfPages(pdf(tree('<< /Type /Pages /Count 0 >>')))).toBeUndefined()
  expect(countPdfPages(Buffer.from('plain'))).toBeUndefined()
  expect(countPdfPages(pdf(...packed(`${' '.repeat(17_000_000)}<< /Type /Pages /Count 2 >>`)))).toBeUndefined()
})

test('the documents of the demo have their pages', async () => {
  expect(countPdfPages(await readFile('public/demo/documents/riverbend-budget-en.pdf'))).toBeGreaterThan(0)
})
