import { hashText } from '#app/lib/hash-text.ts'
import { isMarkKind, type MarkKind } from '#app/lib/vocabulary/ledger.ts'
import { describeEntry, describeStart, type LedgerEntry, type LedgerHead, readEntry, readHead } from './entries.ts'

/** What is wrong with a row of a file. Rows are counted from 1, entries begin in the second one. */
export type LedgerFault = { row: number } & (
  | { code: 'no-ledger' | 'unreadable' | 'after-result' }
  /** The entry of this number is not in the file; it belongs before this row. */
  | { code: 'missing'; number: number }
  /** The entry in this row belongs somewhere else. */
  | { code: 'moved'; number: number }
  | { code: 'twice'; number: number }
  /** The entry does not give the hash that it states. */
  | { code: 'changed'; number: number }
  /** It does not name the hash of the entry before. */
  | { code: 'not-joined'; number: number }
  /** A mark is about an entry that is not there, or has a mark already. */
  | { code: 'wrong-mark'; number: number; of: number }
  /** The first row states other entries than the file holds. */
  | { code: 'wrong-head'; entries: number }
)

export interface CheckedLedger {
  /** Empty if everything is as it should be; otherwise the first ones. */
  faults: readonly LedgerFault[]
  ledger: string
  entries: number
  /** Entries without a mark: as many ballots or contributions. */
  standing: number
  marks: number
  /** Marks on what was withdrawn or erased. */
  withdrawn: number
  head: string
  /** What the certified result is sealed with; undefined before. */
  result: string | undefined
}

interface Row {
  row: number
  entry: LedgerEntry
}

const MAX_FAULTS = 20
const HASHED_AT_ONCE = 2000

/** Recomputes a ledger from its file alone. */
export async function checkLedger(text: string): Promise<CheckedLedger> {
  const lines = text.split('\n')
  const stated = readHead(lines[0] ?? '')
  const none = { ledger: '', entries: 0, standing: 0, marks: 0, withdrawn: 0, head: '', result: undefined }
  if (!stated) return { ...none, faults: [{ row: 1, code: 'no-ledger' }] }
  const faults: LedgerFault[] = []
  const rows: Row[] = []
  // The last line ends too, so that what follows it is nothing.
  if (lines.pop() !== '') faults.push({ row: lines.length + 1, code: 'unreadable' })
  for (const [at, line] of lines.entries()) {
    const entry = at === 0 ? undefined : readEntry(line)
    if (entry) rows.push({ row: at + 1, entry })
    else if (at > 0) faults.push({ row: at + 1, code: 'unreadable' })
  }
  faults.push(...findMisplaced(rows), ...(await findChanged(rows, stated)), ...findWrongMarks(rows))
  const last = rows.at(-1)?.entry
  const head = last?.hash ?? (await hashText(describeStart(stated.ledger)))
  if (stated.entries !== rows.length || stated.head !== head) faults.push({ row: 1, code: 'wrong-head', entries: rows.length })
  const count = (kind: LedgerEntry['kind']) => rows.filter(({ entry }) => entry.kind === kind).length
  const marks = rows.filter(({ entry }) => isMarkKind(entry.kind)).length
  return {
    faults: faults.toSorted((a, b) => a.row - b.row).slice(0, MAX_FAULTS),
    ledger: stated.ledger,
    entries: rows.length,
    standing: count('added') - marks,
    marks,
    withdrawn: count('withdrawn'),
    head,
    result: last?.kind === 'result' ? last.leaf : undefined,
  }
}

/** The entry of a leaf in a ledger's file, with the mark that it has. @returns undefined if there is none */
export function findLeaf(text: string, leaf: string): { number: number; mark: MarkKind | undefined } | undefined {
  const entries = text.split('\n').flatMap((line) => readEntry(line) ?? [])
  const own = entries.find((entry) => entry.leaf === leaf)
  const mark = own && entries.find(({ of }) => of === own.number)
  return own && { number: own.number, mark: mark && isMarkKind(mark.kind) ? mark.kind : undefined }
}

/** Whether a ledger's file goes on from what was published before: it has that hash in its place. */
export const isContinued = (text: string, { entries, head }: Pick<LedgerHead, 'entries' | 'head'>): boolean =>
  entries === 0 || readEntry(text.split('\n')[entries] ?? '')?.hash === head

/** Rows that are twice, moved, or missing. As few rows as possible count as moved. */
function findMisplaced(rows: readonly Row[]): LedgerFault[] {
  const faults: LedgerFault[] = []
  const known = new Set<number>()
  const single = rows.filter(({ row, entry: { number } }) => {
    if (known.has(number)) faults.push({ row, code: 'twice', number })
    const isNew = !known.has(number)
    known.add(number)
    return isNew
  })
  const inOrder = findLongestRise(single.map(({ entry }) => entry.number))
  let next = 1
  for (const { row, entry } of single) {
    if (!inOrder.has(entry.number)) {
      faults.push({ row, code: 'moved', number: entry.number })
      continue
    }
    for (; next < entry.number && faults.length < MAX_FAULTS; next++)
      if (!known.has(next)) faults.push({ row, code: 'missing', number: next })
    next = entry.number + 1
  }
  return faults
}

/** The most numbers that are in ascending order as they stand. */
function findLongestRise(numbers: readonly number[]): Set<number> {
  /** By length: the position of the lowest number that a rise of this length ends with. */
  const ends: number[] = []
  const before: number[] = []
  for (const [at, number] of numbers.entries()) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((numbers[ends[middle] ?? 0] ?? 0) < number) low = middle + 1
      else high = middle
    }
    before[at] = low > 0 ? (ends[low - 1] ?? -1) : -1
    ends[low] = at
  }
  const rise = new Set<number>()
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) rise.add(numbers[at] ?? 0)
  return rise
}

/** Rows whose hash is another than they state, or that do not go on from the entry before. */
async function findChanged(rows: readonly Row[], { ledger }: LedgerHead): Promise<LedgerFault[]> {
  const faults: LedgerFault[] = []
  const changed = new Set<number>()
  for (let from = 0; from < rows.length; from += HASHED_AT_ONCE) {
    const some = rows.slice(from, from + HASHED_AT_ONCE)
    const hashes = await Promise.all(some.map(({ entry }) => hashText(describeEntry(entry))))
    for (const [at, { row, entry }] of some.entries())
      if (hashes[at] !== entry.hash) {
        changed.add(entry.number)
        faults.push({ row, code: 'changed', number: entry.number })
      }
  }
  const hashOf = new Map(rows.map(({ entry }) => [entry.number, entry.hash]))
  hashOf.set(0, await hashText(describeStart(ledger)))
  for (const { row, entry } of rows) {
    const { number, previous } = entry
    const before = hashOf.get(number - 1)
    if (before !== undefined && before !== previous && !changed.has(number) && !changed.has(number - 1))
      faults.push({ row, code: 'not-joined', number })
  }
  return faults
}

/** Marks about nothing, or about an entry that has one, and entries that follow the result. */
function findWrongMarks(rows: readonly Row[]): LedgerFault[] {
  const faults: LedgerFault[] = []
  const standing = new Set<number>()
  let isOver = false
  for (const { row, entry } of rows) {
    if (isOver) faults.push({ row, code: 'after-result' })
    if (entry.kind === 'added') standing.add(entry.number)
    if (entry.kind === 'result') isOver = true
    if (entry.of !== undefined && !standing.delete(entry.of)) faults.push({ row, code: 'wrong-mark', number: entry.number, of: entry.of })
  }
  return faults
}
