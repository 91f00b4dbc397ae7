import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

export const rateLimits = pgTable(
  'rate_limits',
  {
    siteId: uuid('site_id').notNull(),
    key: text('key').notNull(),
    windowStart: instant('window_start').notNull(),
    count: integer('count').notNull(),
    /** Only of guesses. */
    waitsUntil: instant('waits_until'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.key, t.windowStart] })],
)
