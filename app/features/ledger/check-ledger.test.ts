import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkLedger, type LedgerFault } from './check-ledger.ts'
import { describeEntry, describeStart, type LedgerEntry, writeEntry, writeHead } from './entries.ts'

const LEDGER = '0c9d6c2e-6b5e-4d3c-9a55-5d2f8d0c1e11'
const hash = (text: string) => createHash('sha256').update(text).digest('hex')

type Draft = Pick<LedgerEntry, 'kind'> & { of?: number }
/** The lines of a ledger with these entries: the first one is its head. */
function write(drafts: readonly Draft[]): string[] {
  let previous = hash(describeStart(LEDGER))
  const lines = drafts.map(({ kind, of }, at) => {
    const draft = { number: at + 1, previous, kind, of, leaf: of === undefined ? hash(`leaf ${at}`) : undefined }
    const entry = { ...draft, hash: hash(describeEntry(draft)) }
    previous = entry.hash
    return writeEntry(entry)
  })
  return [writeHead({ ledger: LEDGER, entries: drafts.length, head: previous }), ...lines]
}
const join = (lines: readonly string[]) => `${lines.join('\n')}\n`
const added = (count: number): Draft[] => Array.from({ length: count }, () => ({ kind: 'added' }))
const faultsOf = async (lines: readonly string[]) => (await checkLedger(join(lines))).faults
const SAMPLE = write([...added(6), { kind: 'replaced', of: 2 }, { kind: 'result' }])

test('a ledger is whole, and says how many ballots count and what its result is', async () => {
  const checked = await checkLedger(join(SAMPLE))
  expect(checked).toMatchObject({ faults: [], ledger: LEDGER, entries: 8, standing: 5, marks: 1, result: hash('leaf 7') })
  expect(await checkLedger(join(write([])))).toMatchObject({ faults: [], entries: 0, standing: 0, result: undefined })
})

test('a dropped row is named', async () => {
  expect(await faultsOf(SAMPLE.toSpliced(3, 1))).toEqual([
    { row: 1, code: 'wrong-head', entries: 7 },
    { row: 4, code: 'missing', number: 3 },
  ])
  expect(await faultsOf(SAMPLE.toSpliced(-1, 1))).toEqual([{ row: 1, code: 'wrong-head', entries: 7 }])
})

test('a moved row is named, and no other', async () => {
  const [row = ''] = SAMPLE.slice(5, 6)
  expect(await faultsOf(SAMPLE.toSpliced(5, 1).toSpliced(2, 0, row))).toEqual([{ row: 3, code: 'moved', number: 5 }])
})

test('a row that is there twice is named', async () => {
  expect(await faultsOf(SAMPLE.toSpliced(4, 0, SAMPLE[4] ?? ''))).toEqual([
    { row: 1, code: 'wrong-head', entries: 9 },
    { row: 6, code: 'twice', number: 4 },
  ])
})

test('an entry that was changed is named, also with a new hash of its own', async () => {
  const entry = JSON.parse(SAMPLE[3] ?? '') as LedgerEntry
  const changed = { ...entry, leaf: hash('another ballot') }
  expect(await faultsOf(SAMPLE.with(3, writeEntry(changed)))).toEqual([{ row: 4, code: 'changed', number: 3 }])
  const forged = { ...changed, hash: hash(describeEntry(changed)) }
  expect(await faultsOf(SAMPLE.with(3, writeEntry(forged)))).toEqual([{ row: 5, code: 'not-joined', number: 4 }])
})

test('marks are about an entry that stands, and nothing follows the result', async () => {
  const codes = async (drafts: readonly Draft[]) => (await faultsOf(write(drafts))).map(({ row, code }) => [row, code])
  expect(await codes([...added(2), { kind: 'replaced', of: 3 }])).toEqual([[4, 'wrong-mark']])
  expect(await codes([...added(2), { kind: 'replaced', of: 1 }, { kind: 'replaced', of: 1 }])).toEqual([[5, 'wrong-mark']])
  expect(await codes([{ kind: 'added' }, { kind: 'result' }, { kind: 'added' }])).toEqual([[4, 'after-result']])
})

test('one byte of a file cannot be changed, dropped or added without being found, in its row or the next', async () => {
  const text = join(SAMPLE)
  await fc.assert(
    fc.asyncProperty(
      fc.nat(text.length - 1),
      fc.integer({ min: 1, max: 126 }),
      fc.constantFrom('change', 'drop', 'add'),
      async (at, by, how) => {
        const byte = String.fromCharCode(((text.charCodeAt(at) + by) % 127) + (how === 'add' ? 1 : 0))
        const changed = text.slice(0, at) + (how === 'drop' ? '' : byte) + text.slice(how === 'add' ? at : at + 1)
        if (changed === text) return
        const { faults } = await checkLedger(changed)
        expect(faults.length).toBeGreaterThan(0)
        const row = text.slice(0, at).split('\n').length
        const isNear = (fault: LedgerFault) => fault.row === 1 || Math.abs(fault.row - row) <= 1
        expect(faults.some(isNear)).toBe(true)
      },
    ),
    { numRuns: 600 },
  )
})
