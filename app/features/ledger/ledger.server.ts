import { createHash, randomUUID } from 'node:crypto'
import { and, asc, desc, eq, gt, inArray, lte, ne, type SQL, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { EntryKind, LedgerOwner } from '#app/lib/vocabulary/ledger.ts'
import type { SiteDb, Tx } from '#app/server/db/client.ts'
import {
  activityLedgerEntries,
  activityLedgers,
  activityLedgerWaiting,
  ledgerEntries,
  ledgers,
  ledgerWaiting,
} from '#app/server/db/schema/ledger.ts'
import { describeEntry, describeStart, type LedgerEntry, type LedgerHead, writeEntry, writeHead } from './entries.ts'

type EntryRow = typeof ledgerEntries.$inferSelect

/** One ledger of a site. */
export interface LedgerKey {
  of: LedgerOwner
  siteId: string
  id: string
}

const TABLES = {
  round: { heads: ledgers, entries: ledgerEntries, waiting: ledgerWaiting },
  activity: { heads: activityLedgers, entries: activityLedgerEntries, waiting: activityLedgerWaiting },
}
export const getWaitingTable = (of: LedgerOwner): typeof ledgerWaiting => TABLES[of].waiting

const APPENDED_AT_ONCE = 2000
const READ_AT_ONCE = 2000
const HOUR_MS = 3_600_000

/** Times of what must not tell who came when. */
export const toHour = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)

/** When a ledger gets the entries of an hour. */
export const findHourEnd = (at: Date): Date => new Date(toHour(at).getTime() + HOUR_MS)

const digestText = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * The salt of what a receipt is about. Whoever has the receipt's code can compute it, and nobody else, so the database holds no salts.
 * @returns 64 hexadecimal digits
 */
export const computeSalt = (ledgerId: string, code: string): string => digestText(`ledger-salt/${ledgerId}/${code}`).toString('hex')

/** @param content as the receipt explains it */
export const computeLeaf = (salt: string, content: string): Buffer => digestText(salt + content)

/** @param ownerId of a budget round or an activity */
export async function findLedger(tx: Tx, of: LedgerOwner, siteId: string, ownerId: string): Promise<LedgerKey | undefined> {
  const { heads } = TABLES[of]
  const [row] = await tx
    .select({ id: heads.id })
    .from(heads)
    .where(and(eq(heads.siteId, siteId), eq(heads.ownerId, ownerId)))
  return row && { of, siteId, id: row.id }
}

/** Opens the ledger of a round or an activity that has none yet. Its id tells no time: it is opened with the first ballot or contribution. */
export async function openLedger(tx: Tx, of: LedgerOwner, siteId: string, ownerId: string): Promise<LedgerKey> {
  const id = randomUUID()
  await tx.insert(TABLES[of].heads).values({ siteId, id, ownerId })
  return { of, siteId, id }
}

/**
 * Hands entries to the job that appends them, in the transaction of what they are about. Nothing is locked but their own rows.
 * @param dueAt to the hour: with the others of its hour, an entry is appended in an order that is drawn
 */
export const enqueueEntries = async (
  tx: Tx,
  { of, siteId, id: ledgerId }: LedgerKey,
  entries: readonly { kind: EntryKind; leaf: Buffer }[],
  dueAt: Date,
): Promise<void> => {
  if (entries.length === 0) return
  const { waiting } = TABLES[of]
  const kinds = sql.param(entries.map(({ kind }) => kind))
  const leaves = sql.param(entries.map(({ leaf }) => leaf))
  await tx.execute(sql`
    insert into ${waiting} (site_id, ledger_id, kind, leaf, due_at)
    select ${siteId}::uuid, ${ledgerId}::uuid, kind, leaf, ${dueAt.toISOString()}::timestamptz
    from unnest(${kinds}::text[], ${leaves}::bytea[]) as given (kind, leaf)`)
}

/**
 * Appends what waits and is due, a few thousand entries of it: hashes first, in an order drawn at random, then marks. Two processes take turns.
 * @param before undefined: everything that waits, due or not
 * @returns how many entries it appended: 0 if nothing is left
 */
export async function appendWaiting(tx: Tx, ledger: LedgerKey, before?: Date): Promise<number> {
  const { entries, waiting } = TABLES[ledger.of]
  const last = await lockLedger(tx, ledger)
  const isDue = and(eq(waiting.siteId, ledger.siteId), eq(waiting.ledgerId, ledger.id), before ? lte(waiting.dueAt, before) : undefined)
  const added = await tx
    .select({ leaf: waiting.leaf })
    .from(waiting)
    .where(and(isDue, eq(waiting.kind, 'added')))
    .orderBy(sql`gen_random_uuid()`)
    .limit(APPENDED_AT_ONCE)
  if (added.length > 0) {
    await appendEntries(
      tx,
      ledger,
      last,
      added.map(({ leaf }) => ({ kind: 'added', leaf, of: null })),
    )
    await forgetWaiting(tx, ledger, eq(waiting.kind, 'added'), added)
    return added.length
  }
  const isMark = ne(waiting.kind, 'added')
  const marks = await tx
    .select({ leaf: waiting.leaf, kind: waiting.kind, of: entries.number })
    .from(waiting)
    .innerJoin(entries, and(eq(entries.siteId, waiting.siteId), eq(entries.ledgerId, waiting.ledgerId), eq(entries.leaf, waiting.leaf)))
    .where(and(isDue, isMark))
    .orderBy(sql`gen_random_uuid()`)
    .limit(APPENDED_AT_ONCE)
  await appendEntries(
    tx,
    ledger,
    last,
    marks.map(({ kind, of }) => ({ kind, leaf: null, of })),
  )
  await forgetWaiting(tx, ledger, isMark, marks)
  return marks.length
}

/** Appends all that waits, due or not, and then what the certified result is. Nothing follows it. @param result a text that anybody can compute */
export async function sealLedger(tx: Tx, ledger: LedgerKey, result: string): Promise<void> {
  while ((await appendWaiting(tx, ledger)) > 0);
  await appendEntries(tx, ledger, await lockLedger(tx, ledger), [{ kind: 'result', leaf: digestText(result), of: null }])
}

/** Keeps other processes from appending until the transaction ends. @returns the last entry: its number and its hash */
async function lockLedger(tx: Tx, ledger: LedgerKey): Promise<{ number: number; hash: string }> {
  const { heads } = TABLES[ledger.of]
  const locked = await tx
    .select({ id: heads.id })
    .from(heads)
    .where(and(eq(heads.siteId, ledger.siteId), eq(heads.id, ledger.id)))
    .for('no key update')
  if (locked.length === 0) throw new AppError('not-found')
  const { entries, head } = await readLedgerHead(tx, ledger)
  return { number: entries, hash: head }
}

async function appendEntries(
  tx: Tx,
  { of: owner, siteId, id: ledgerId }: LedgerKey,
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
  await tx.insert(TABLES[owner].entries).values(rows)
}

async function forgetWaiting(tx: Tx, { of, siteId, id }: LedgerKey, which: SQL, rows: readonly { leaf: Buffer }[]): Promise<void> {
  if (rows.length === 0) return
  const { waiting } = TABLES[of]
  const leaves = rows.map(({ leaf }) => leaf)
  await tx.delete(waiting).where(and(eq(waiting.siteId, siteId), eq(waiting.ledgerId, id), which, inArray(waiting.leaf, leaves)))
}

const isIn = ({ of, siteId, id }: LedgerKey) => and(eq(TABLES[of].entries.siteId, siteId), eq(TABLES[of].entries.ledgerId, id))

export async function readLedgerHead(tx: Tx, ledger: LedgerKey): Promise<LedgerHead> {
  const { entries } = TABLES[ledger.of]
  const [last] = await tx.select().from(entries).where(isIn(ledger)).orderBy(desc(entries.number)).limit(1)
  const head = last?.hash ?? digestText(describeStart(ledger.id))
  return { ledger: ledger.id, entries: last?.number ?? 0, head: head.toString('hex') }
}

/** Whether a leaf will be appended. */
export async function isWaiting(tx: Tx, { of, siteId, id }: LedgerKey, leaf: Buffer): Promise<boolean> {
  const { waiting } = TABLES[of]
  const rows = await tx
    .select({ leaf: waiting.leaf })
    .from(waiting)
    .where(and(eq(waiting.siteId, siteId), eq(waiting.ledgerId, id), eq(waiting.leaf, leaf), eq(waiting.kind, 'added')))
  return rows.length > 0
}

/** The entry of a leaf; undefined while it waits, or if there is none. */
export async function findEntry(tx: Tx, ledger: LedgerKey, leaf: Buffer): Promise<LedgerEntry | undefined> {
  const { entries } = TABLES[ledger.of]
  const [row] = await tx
    .select()
    .from(entries)
    .where(and(isIn(ledger), eq(entries.leaf, leaf)))
  if (!row) return undefined
  const [before] = await tx
    .select({ hash: entries.hash })
    .from(entries)
    .where(and(isIn(ledger), eq(entries.number, row.number - 1)))
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
  const { entries } = TABLES[ledger.of]
  let previous = digestText(describeStart(ledger.id)).toString('hex')
  for (let from = 0; from < head.entries; from += READ_AT_ONCE) {
    const rows = await db.tx((tx) =>
      tx
        .select()
        .from(entries)
        .where(and(isIn(ledger), gt(entries.number, from), lte(entries.number, Math.min(from + READ_AT_ONCE, head.entries))))
        .orderBy(asc(entries.number)),
    )
    const lines = rows.map((row) => {
      const entry = toEntry(row, previous)
      previous = entry.hash
      return `${writeEntry(entry)}\n`
    })
    yield lines.join('')
  }
}

/** The same as a file to download: JSON lines in UTF-8. */
export async function* streamLedgerFile(db: SiteDb, ledger: LedgerKey): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const text of streamLedger(db, ledger)) yield encoder.encode(text)
}
