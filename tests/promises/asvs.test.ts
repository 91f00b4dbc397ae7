import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const NAMED_TEST = /^`(.+?)`: (.+)$/
const NOT_MET = /^Not met: \S.{10,}/

interface Row {
  number: string
  promise: string
  proof: string
}

const readRows = (page: string): Row[] =>
  page.split('\n').flatMap((line) => {
    const [, number, promise, proof] = /^\| (\d+\.\d+\.\d+) \| (.+?) \| (.+) \|$/.exec(line) ?? []
    return number && promise && proof ? [{ number, promise, proof }] : []
  })

/** What is wrong with a row's proof. */
function findFault({ proof }: Row): string | undefined {
  if (NOT_MET.test(proof)) return undefined
  const [, path, title] = NAMED_TEST.exec(proof) ?? []
  if (!path || !title) return 'it names neither a test nor why it is not met'
  if (!existsSync(join(ROOT, path))) return `there is no ${path}`
  const isNamed = readFileSync(join(ROOT, path), 'utf8')
    .split('\n')
    .some((line) => /(^|\W)(test|it|describe)\b|^\s*['"`]/.test(line) && line.includes(title))
  return isNamed ? undefined : `${path} has no test “${title}”`
}

const page = readFileSync(join(import.meta.dirname, 'asvs.md'), 'utf8')
const rows = readRows(page)

describe('the page of security promises', () => {
  test('names a test that exists for each requirement, or says why it is not met', () => {
    expect(rows.flatMap((row) => (findFault(row) ? [`${row.number}: ${findFault(row)}`] : []))).toEqual([])
  })

  test('is read whole', () => {
    expect(rows.length).toBe(page.split('\n').filter((line) => /^\| \d/.test(line)).length)
    expect(rows.length).toBeGreaterThan(60)
  })

  test('would say that a test is gone, has no file, or is not named', () => {
    const faultOf = (proof: string) => findFault({ number: '1.1.1', promise: 'Kept', proof })
    expect(faultOf('`tests/promises/asvs.test.ts`: is read whole')).toBeUndefined()
    expect(faultOf('`tests/promises/asvs.test.ts`: was read aloud'.replace('aloud', String(rows.length)))).toContain('has no test')
    expect(faultOf('`tests/promises/gone.test.ts`: is read whole')).toContain('there is no')
    expect(faultOf('Not met: ')).toContain('neither')
  })
})
