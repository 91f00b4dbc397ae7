import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MUTANTS } from '../mutate/mutants.ts'

const ROOT = join(import.meta.dirname, '../..')

describe('the faults that `npm run mutate` plants', () => {
  test.each(MUTANTS)('$name: its text is in the source once, and its tests exist', ({ file, from, to, tests }) => {
    expect(readFileSync(join(ROOT, file), 'utf8').split(from)).toHaveLength(2)
    expect(to).not.toBe(from)
    expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  test('have names of their own', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
  })
})
