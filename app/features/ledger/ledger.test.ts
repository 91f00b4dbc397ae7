import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildAppUrl, getAppRole } from '#app/server/connection-string.ts'
import { createCtx } from '#app/server/context.ts'
import { openDatabase } from '#app/server/db/client.ts'
import { ledgerEntries, ledgerWaiting } from '#app/server/db/schema/ledger.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addRound } from '#tests/factories/budgets.ts'
import { TEST_SECRET } from '#tests/support/cluster.ts'
import { addSite, createTestRuntime, type TestRuntime, warmUpConnections } from '#tests/support/database.ts'
import { appendLedgers } from './append-ledgers.server.ts'
import { checkLedger } from './check-ledger.ts'
import {
  appendWaiting,
  computeLeaf,
  computeSalt,
  enqueueEntries,
  findEntry,
  type LedgerKey,
  openLedger,
  sealLedger,
  streamLedger,
} from './ledger.server.ts'

const NOON = new Date('2026-03-02T12:00:00Z')
let runtime: TestRuntime
let site: Site
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
})
beforeEach(() => runtime.setNow(NOON))

const inSite = () => runtime.database.site(site.id)
async function addLedger(): Promise<LedgerKey> {
  const round = await addRound(runtime, site, [{ amount: 100, costs: [50] }])
  return inSite().tx((tx) => openLedger(tx, 'round', site.id, round.id))
}
const drawLeaves = (count: number) => Array.from({ length: count }, () => randomBytes(32))
const enqueue = (ledger: LedgerKey, leaves: readonly Buffer[], kind: 'added' | 'replaced' = 'added', dueAt = NOON) =>
  inSite().tx((tx) =>
    enqueueEntries(
      tx,
      ledger,
      leaves.map((leaf) => ({ kind, leaf })),
      dueAt,
    ),
  )
async function read(ledger: LedgerKey) {
  let text = ''
  for await (const piece of streamLedger(inSite(), ledger)) text += piece
  return checkLedger(text)
}
const readRows = ({ id }: LedgerKey) => inSite().tx((tx) => tx.select().from(ledgerEntries).where(eq(ledgerEntries.ledgerId, id)))

test('salts need the code, and leaves the salt', () => {
  const salt = computeSalt('ledger', 'K7QF-1M8Z-XW3R-90BT')
  expect(salt).toMatch(/^[\da-f]{64}$/)
  expect(computeSalt('other', 'K7QF-1M8Z-XW3R-90BT')).not.toBe(salt)
  expect(computeLeaf(salt, '1,3')).not.toEqual(computeLeaf(salt, '1,2'))
})

describe('the job', () => {
  test('appends what is due, not what is not, and marks after what they are about', async () => {
    const ledger = await addLedger()
    const leaves = drawLeaves(30)
    await enqueue(ledger, leaves)
    await enqueue(ledger, leaves.slice(0, 3), 'replaced')
    await enqueue(ledger, drawLeaves(2), 'added', new Date(NOON.getTime() + 1))
    expect(await appendLedgers(runtime)).toBe(33)
    expect(await read(ledger)).toMatchObject({ faults: [], entries: 33, standing: 27, marks: 3 })
    expect(await appendLedgers(runtime)).toBe(0)
    runtime.setNow(new Date(NOON.getTime() + 1))
    expect(await appendLedgers(runtime)).toBe(2)
    expect(await read(ledger)).toMatchObject({ faults: [], entries: 35 })
    // The order is not the one in which they came.
    const order = (await readRows(ledger)).toSorted((a, b) => a.number - b.number).map(({ leaf }) => leaf?.toString('hex'))
    expect(order.slice(0, 30)).not.toEqual(leaves.map((leaf) => leaf.toString('hex')))
    expect(new Set(order.slice(0, 30))).toEqual(new Set(leaves.map((leaf) => leaf.toString('hex'))))
  })

  test('in two processes at once, while more is added, appends each exactly once', async () => {
    await warmUpConnections(runtime)
    const ledger = await addLedger()
    const another = openDatabase(buildAppUrl(runtime.ownerUrl, TEST_SECRET, getAppRole('template_parley')), { max: 4 })
    const elsewhere = createCtx({ ...runtime, database: another }, site)
    const rounds = Array.from({ length: 8 }, async () => {
      const leaves = drawLeaves(25)
      await enqueue(ledger, leaves)
      await Promise.all([
        inSite().tx((tx) => appendWaiting(tx, ledger, NOON)),
        elsewhere.db.tx((tx) => appendWaiting(tx, ledger, NOON)),
        enqueue(ledger, leaves.slice(0, 2), 'replaced'),
      ])
    })
    await Promise.all(rounds)
    await another.close()
    await appendLedgers(runtime)
    expect(await read(ledger)).toMatchObject({ faults: [], entries: 216, standing: 184, marks: 16 })
    const waiting = await inSite().tx((tx) => tx.select().from(ledgerWaiting).where(eq(ledgerWaiting.ledgerId, ledger.id)))
    expect(waiting).toEqual([])
  })

  test('appends more than one lot of entries as one chain', async () => {
    const ledger = await addLedger()
    for (let lot = 0; lot < 3; lot++) await enqueue(ledger, drawLeaves(1500))
    expect(await appendLedgers(runtime)).toBe(4500)
    expect(await read(ledger)).toMatchObject({ faults: [], entries: 4500 })
  })
})

test('a result closes the ledger with all that waited, and an entry is found by its leaf', async () => {
  const ledger = await addLedger()
  const leaves = drawLeaves(3)
  await enqueue(ledger, leaves, 'added', new Date(NOON.getTime() + 3_600_000))
  const [first = Buffer.alloc(0)] = leaves
  expect(await inSite().tx((tx) => findEntry(tx, ledger, first))).toBeUndefined()
  await inSite().tx((tx) => sealLedger(tx, ledger, 'ballots 3'))
  const found = await inSite().tx((tx) => findEntry(tx, ledger, first))
  expect(found).toMatchObject({ kind: 'added', leaf: first.toString('hex') })
  expect(await read(ledger)).toMatchObject({ faults: [], entries: 4, standing: 3, result: expect.any(String) as string })
})

test('nobody may change or delete an entry, and the same leaf is not added twice', async () => {
  const ledger = await addLedger()
  const leaves = drawLeaves(2)
  await enqueue(ledger, leaves)
  await appendLedgers(runtime)
  await expect(inSite().tx((tx) => tx.update(ledgerEntries).set({ number: 9 }))).rejects.toThrow()
  await expect(inSite().tx((tx) => tx.delete(ledgerEntries))).rejects.toThrow()
  await enqueue(ledger, leaves)
  await expect(inSite().tx((tx) => appendWaiting(tx, ledger, NOON))).rejects.toThrow()
  await inSite().tx((tx) => tx.delete(ledgerWaiting).where(eq(ledgerWaiting.ledgerId, ledger.id)))
})
