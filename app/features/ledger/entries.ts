import { ENTRY_KINDS, type EntryKind, isMarkKind } from '#app/lib/vocabulary/ledger.ts'

/** One row of a ledger. Hashes are SHA-256 as hexadecimal digits. */
export interface LedgerEntry {
  /** From 1 on. */
  number: number
  /** The hash of the entry before; of the first one, that of `describeStart`. */
  previous: string
  kind: EntryKind
  /** The number of the entry that a mark is about. */
  of?: number | undefined
  /** `added`: SHA-256 of a salt and the content. `result`: SHA-256 of what the result is. Marks have none. */
  leaf?: string | undefined
  /** SHA-256 of `describeEntry`. */
  hash: string
}

/** The first line of a ledger's file. */
export interface LedgerHead {
  ledger: string
  entries: number
  /** The hash of the last entry. */
  head: string
}

const FORMAT = 'parley-ledger/1'

/** The text whose SHA-256 stands before the first entry. */
export const describeStart = (ledger: string): string => `${FORMAT}/${ledger}`

/** The text whose SHA-256 is an entry's hash. */
export const describeEntry = ({ previous, number, kind, of, leaf }: Omit<LedgerEntry, 'hash'>): string =>
  [previous, number, kind, of ?? '', leaf ?? ''].join('/')

export const writeHead = ({ ledger, entries, head }: LedgerHead): string => JSON.stringify({ format: FORMAT, ledger, entries, head })

export const writeEntry = ({ number, previous, kind, of, leaf, hash }: LedgerEntry): string =>
  JSON.stringify({ number, previous, kind, of, leaf, hash })

/** @returns undefined unless the line is exactly as `writeHead` writes it */
export function readHead(line: string): LedgerHead | undefined {
  const read = parseObject(line)
  if (!read) return undefined
  const { ledger, entries, head } = read
  if (typeof ledger !== 'string' || !isNumber(entries) || !isHash(head)) return undefined
  return writeHead({ ledger, entries, head }) === line ? { ledger, entries, head } : undefined
}

/** @returns undefined unless the line is exactly as `writeEntry` writes it */
export function readEntry(line: string): LedgerEntry | undefined {
  const read = parseObject(line)
  const kind = ENTRY_KINDS.find((one) => one === read?.['kind'])
  if (!read || !kind) return undefined
  const { number, previous, of, leaf, hash } = read
  const isMark = isMarkKind(kind)
  if (!isNumber(number) || !isHash(previous) || !isHash(hash)) return undefined
  if (isMark ? !isNumber(of) || leaf !== undefined : !isHash(leaf) || of !== undefined) return undefined
  const entry = { number, previous, kind, ...(isNumber(of) && { of }), ...(isHash(leaf) && { leaf }), hash }
  return writeEntry(entry) === line ? entry : undefined
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(line)
    return typeof read === 'object' && read !== null ? { ...read } : undefined
  } catch {
    return undefined
  }
}

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
const isHash = (value: unknown): value is string => typeof value === 'string' && /^[\da-f]{64}$/.test(value)
