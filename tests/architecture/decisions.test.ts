import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '#tests/support/product.ts'

const folder = join(ROOT, 'app/decisions')
const files = readdirSync(folder).filter((name) => name !== 'README.md')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const FAST = '0223-how-parley-is-fast.md'

test('the index has every decision exactly once, under its title', () => {
  const listed = [...read('README.md').matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(([, title, file]) => ({ title, file }))
  const byFile = (a: { file?: string | undefined }, b: { file?: string | undefined }) => (a.file ?? '').localeCompare(b.file ?? '')
  const titled = files.map((file) => ({ title: /^# (.+)/.exec(read(file))?.[1], file }))
  expect(listed.toSorted(byFile)).toEqual(titled.toSorted(byFile))
  expect(files.filter((file) => !/^\d{4}-[a-z0-9-]+\.md$/.test(file))).toEqual([])
  const numbers = files.map((file) => file.slice(0, 4))
  expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([])
})

test('what one page on speed supersedes says so at its top, and nothing else does', () => {
  const named = [...(read(FAST).split('## Superseded')[1] ?? '').matchAll(/\d{4}/g)].map(([number]) => number)
  expect(named.length).toBeGreaterThan(30)
  const marked = files.filter((file) => read(file).split('\n')[2]?.startsWith(`> Superseded by [0223](${FAST})`))
  expect(marked.map((file) => file.slice(0, 4))).toEqual(named)
})
