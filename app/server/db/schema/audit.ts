import { bigint, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, instant } from './columns.ts'

export const auditEvents = pgTable(
  'audit_events',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    at: instant('at').notNull().defaultNow(),
    actorId: uuid('actor_id'),
    actorRole: text('actor_role'),
    action: text('action').notNull(),
    subjectType: text('subject_type'),
    subjectId: uuid('subject_id'),
    hubId: uuid('hub_id'),
    projectId: uuid('project_id'),
    address: text('address'),
    detail: jsonb('detail').$type<unknown>().notNull().default({}),
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    hash: bytea('hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const auditChains = pgTable('audit_chains', {
  siteId: uuid('site_id').primaryKey(),
  beginsAfter: bigint('begins_after', { mode: 'number' }).notNull().default(0),
  sequence: bigint('sequence', { mode: 'number' }).notNull().default(0),
  hash: bytea('hash').notNull().default(Buffer.alloc(0)),
})
