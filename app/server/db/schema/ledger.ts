import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { EntryKind } from '../../../lib/vocabulary/ledger.ts'
import { bytea, instant } from './columns.ts'

const createLedgersTable = (name: string, owner: string) =>
  pgTable(
    name,
    {
      siteId: uuid('site_id').notNull(),
      id: uuid('id').notNull(),
      ownerId: uuid(owner).notNull(),
    },
    (t) => [primaryKey({ columns: [t.siteId, t.id] })],
  )

const createEntriesTable = (name: string) =>
  pgTable(
    name,
    {
      siteId: uuid('site_id').notNull(),
      ledgerId: uuid('ledger_id').notNull(),
      number: integer('number').notNull(),
      kind: text('kind').$type<EntryKind>().notNull(),
      of: integer('of'),
      leaf: bytea('leaf'),
      hash: bytea('hash').notNull(),
    },
    (t) => [primaryKey({ columns: [t.siteId, t.ledgerId, t.number] })],
  )

const createWaitingTable = (name: string) =>
  pgTable(
    name,
    {
      siteId: uuid('site_id').notNull(),
      ledgerId: uuid('ledger_id').notNull(),
      kind: text('kind').$type<EntryKind>().notNull(),
      leaf: bytea('leaf').notNull(),
      dueAt: instant('due_at').notNull(),
    },
    (t) => [primaryKey({ columns: [t.siteId, t.ledgerId, t.leaf, t.kind] })],
  )

/** Of budget rounds, which hold ballots. */
export const ledgers = createLedgersTable('ledgers', 'round_id')
export const ledgerEntries = createEntriesTable('ledger_entries')
export const ledgerWaiting = createWaitingTable('ledger_waiting')

/** Of activities, which hold contributions. */
export const activityLedgers = createLedgersTable('activity_ledgers', 'activity_id')
export const activityLedgerEntries = createEntriesTable('activity_ledger_entries')
export const activityLedgerWaiting = createWaitingTable('activity_ledger_waiting')

/** Connects a contribution with its entry. The row is deleted with the text. */
export const contributionLeaves = pgTable(
  'contribution_leaves',
  {
    siteId: uuid('site_id').notNull(),
    contributionId: uuid('contribution_id').notNull(),
    ledgerId: uuid('ledger_id').notNull(),
    salt: bytea('salt').notNull(),
    leaf: bytea('leaf').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.contributionId] })],
)
