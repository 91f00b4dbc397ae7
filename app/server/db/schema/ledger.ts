import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { EntryKind } from '../../../lib/vocabulary/ledger.ts'
import { bytea, instant } from './columns.ts'

export const ledgers = pgTable(
  'ledgers',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    roundId: uuid('round_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const ledgerEntries = pgTable(
  'ledger_entries',
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

export const ledgerWaiting = pgTable(
  'ledger_waiting',
  {
    siteId: uuid('site_id').notNull(),
    ledgerId: uuid('ledger_id').notNull(),
    kind: text('kind').$type<EntryKind>().notNull(),
    leaf: bytea('leaf').notNull(),
    dueAt: instant('due_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.ledgerId, t.leaf, t.kind] })],
)
