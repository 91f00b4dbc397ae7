import { createHash, randomUUID } from 'node:crypto'
import { and, asc, desc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { EntryKind } from '#app/lib/vocabulary/ledger.ts'
import type { SiteDb, Tx } from '#app/server/db/client.ts'
import { ledgerEntries, ledgers, ledgerWaiting } from '#app/server/db/schema/ledger.ts'
import { describeEntry, describeStart, type LedgerEntry, type LedgerHead, writeEntry, writeHead } from './entries.ts'

type EntryRow = typeof ledgerEntries.$inferSelect

/** One ledger of a site. */
export interface LedgerKey {
  siteId: string
  id: string
}

const APPENDED_AT_ONCE = 2000
const READ_AT_ONCE = 2000

const digestText = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * The salt of what a receipt is about. Whoever has the receipt's code can compute it, and nobody else, so the database holds no salts.
 * @returns 64 hexadecimal digits
 */
export const computeSalt = (ledgerId: string, code: string): string => digestText(`ledger-salt/${ledgerId}/${code}`).toString('hex')

/** @param content as the receipt explains it */
export const computeLeaf = (salt: string, content: string): Buffer => digestText(salt + content)

export async function findLedger(tx: Tx, siteId: string, roundId: string): Promise<LedgerKey | undefined> {
  const [row] = await tx
    .select({ id: ledgers.id })
    .from(ledgers)
    .where(and(eq(ledgers.siteId, siteId), eq(ledgers.roundId, roundId)))
  return row && { siteId, id: row.id }
}

/** Opens the ledger of a round, unless it has one. Its id tells no time: it is opened with the first ballot. */
export const openLedger = async (tx: Tx, siteId: string, roundId: string): Promise<void> =>
  void (await tx.insert(ledgers).values({ siteId, id: randomUUID(), roundId }).onConflictDoNothing())

/**
 * Hands entries to the job that appends them, in the transaction of what they are about. Nothing is locked but their own rows.
 * @param dueAt to the hour: with the others of its hour, an entry is appended in an order that is drawn
 */
export const enqueueEntries = async (
  tx: Tx,
  { siteId, id: ledgerId }: LedgerKey,
  entries: readonly { kind: EntryKind; leaf: Buffer }[],
  dueAt: Date,
): Promise<void> => void (await tx.insert(ledgerWaiting).values(entries.map((entry) => ({ siteId, ledgerId, ...entry, dueAt }))))

/**
 * Appends what waits and is due, a few thousand entries of it: hashes first, in an order drawn at random, then marks. Two processes take turns.
 * @param before undefined: everything that waits, due or not
 * @returns how many entries it appended: 0 if nothing is left
 */
export async function appendWaiting(tx: Tx, ledger: LedgerKey, before?: Date): Promise<number> {
  const last = await lockLedger(tx, ledger)
  const isWaiting = and(
    eq(ledgerWaiting.siteId, ledger.siteId),
    eq(ledgerWaiting.ledgerId, ledger.id),
    before ? lte(ledgerWaiting.dueAt, before) : undefined,
  )
  const added = await tx
    .select({ leaf: ledgerWaiting.leaf })
    .from(ledgerWaiting)
    .where(and(isWaiting, eq(ledgerWaiting.kind, 'added')))
    .orderBy(sql`gen_random_uuid()`)
    .limit(APPENDED_AT_ONCE)
  if (added.length > 0) {
    await appendEntries(
      tx,
      ledger,
      last,
      added.map(({ leaf }) => ({ kind: 'added', leaf, of: null })),
    )
    await forgetWaiting(tx, ledger, 'added', added)
    return added.length
  }
  const marks = await tx
    .select({ leaf: ledgerWaiting.leaf, of: ledgerEntries.number })
    .from(ledgerWaiting)
    .innerJoin(
      ledgerEntries,
      and(
        eq(ledgerEntries.siteId, ledgerWaiting.siteId),
        eq(ledgerEntries.ledgerId, ledgerWaiting.ledgerId),
        eq(ledgerEntries.leaf, ledgerWaiting.leaf),
      ),
    )
    .where(and(isWaiting, eq(ledgerWaiting.kind, 'replaced')))
    .orderBy(sql`gen_random_uuid()`)
    .limit(APPENDED_AT_ONCE)
  await appendEntries(
    tx,
    ledger,
    last,
    marks.map(({ of }) => ({ kind: 'replaced', leaf: null, of })),
  )
  await forgetWaiting(tx, ledger, 'replaced', marks)
  return marks.length
}

/** Appends all that waits, due or not, and then what the certified result is. Nothing follows it. @param result a text that anybody can compute */
export async function sealLedger(tx: Tx, ledger: LedgerKey, result: string): Promise<void> {
  while ((await appendWaiting(tx, ledger)) > 0);
  await appendEntries(tx, ledger, await lockLedger(tx, ledger), [{ kind: 'result', leaf: digestText(result), of: null }])
}

/** Keeps other processes from appending until the transaction ends. @returns the last entry: its number and its hash */
async function lockLedger(tx: Tx, ledger: LedgerKey): Promise<{ number: number; hash: string }> {
  const locked = await tx
    .select({ id: ledgers.id })
    .from(ledgers)
    .where(and(eq(ledgers.siteId, ledger.siteId), eq(ledgers.id, ledger.id)))
    .for('no key update')
  if (locked.length === 0) throw new AppError('not-found')
  const { entries, head } = await readLedgerHead(tx, ledger)
  return { number: entries, hash: head }
}

async function appendEntries(
  tx: Tx,
  { siteId, id: ledgerId }: LedgerKey,
  last: { number: number; hash: string },
  added: readonly Pick<EntryRow, 'kind' | 'leaf' | 'of'>[],
): Promise<void> {
  if (added.length === 0) return
  let { number, hash: previous } = last
  const rows = added.map(({ kind, leaf, of }) => {
    number += 1
    const own = digestText(describeEntry({ previous, number, kind, of: of ?? undefined, leaf: leaf?.toString('hex') }))
    previous = own.toString('hex')
    return { siteId, ledgerId, number, kind, leaf, of, hash: own }
  })
  await tx.insert(ledgerEntries).values(rows)
}

const forgetWaiting = async (tx: Tx, { siteId, id }: LedgerKey, kind: EntryKind, rows: readonly { leaf: Buffer }[]): Promise<void> => {
  if (rows.length === 0) return
  await tx.delete(ledgerWaiting).where(
    and(
      eq(ledgerWaiting.siteId, siteId),
      eq(ledgerWaiting.ledgerId, id),
      eq(ledgerWaiting.kind, kind),
      inArray(
        ledgerWaiting.leaf,
        rows.map(({ leaf }) => leaf),
      ),
    ),
  )
}

const isIn = ({ siteId, id }: LedgerKey) => and(eq(ledgerEntries.siteId, siteId), eq(ledgerEntries.ledgerId, id))

export async function readLedgerHead(tx: Tx, ledger: LedgerKey): Promise<LedgerHead> {
  const [last] = await tx.select().from(ledgerEntries).where(isIn(ledger)).orderBy(desc(ledgerEntries.number)).limit(1)
  const head = last?.hash ?? digestText(describeStart(ledger.id))
  return { ledger: ledger.id, entries: last?.number ?? 0, head: head.toString('hex') }
}

/** The entry of a leaf; undefined while it waits, or if there is none. */
export async function findEntry(tx: Tx, ledger: LedgerKey, leaf: Buffer): Promise<LedgerEntry | undefined> {
  const [row] = await tx
    .select()
    .from(ledgerEntries)
    .where(and(isIn(ledger), eq(ledgerEntries.leaf, leaf)))
  if (!row) return undefined
  const [before] = await tx
    .select({ hash: ledgerEntries.hash })
    .from(ledgerEntries)
    .where(and(isIn(ledger), eq(ledgerEntries.number, row.number - 1)))
  return toEntry(row, (before?.hash ?? digestText(describeStart(ledger.id))).toString('hex'))
}

const toEntry = ({ number, kind, of, leaf, hash: own }: EntryRow, previous: string): LedgerEntry => ({
  number,
  previous,
  kind,
  of: of ?? undefined,
  leaf: leaf?.toString('hex'),
  hash: own.toString('hex'),
})

/** The ledger as JSON lines: its head, then its entries as they were when the head was read. */
export async function* streamLedger(db: SiteDb, ledger: LedgerKey): AsyncGenerator<string> {
  const head = await db.tx((tx) => readLedgerHead(tx, ledger))
  yield `${writeHead(head)}\n`
  let previous = digestText(describeStart(ledger.id)).toString('hex')
  for (let from = 0; from < head.entries; from += READ_AT_ONCE) {
    const rows = await db.tx((tx) =>
      tx
        .select()
        .from(ledgerEntries)
        .where(and(isIn(ledger), gt(ledgerEntries.number, from), lte(ledgerEntries.number, Math.min(from + READ_AT_ONCE, head.entries))))
        .orderBy(asc(ledgerEntries.number)),
    )
    const lines = rows.map((row) => {
      const entry = toEntry(row, previous)
      previous = entry.hash
      return `${writeEntry(entry)}\n`
    })
    yield lines.join('')
  }
}
