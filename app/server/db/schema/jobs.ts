import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

export const jobTurns = pgTable('job_turns', {
  name: text('name').primaryKey(),
  everySeconds: integer('every_seconds').notNull(),
  /** The process that moves this runs the job. */
  dueAt: instant('due_at'),
  doneAt: instant('done_at'),
  tookMs: integer('took_ms'),
  failedAt: instant('failed_at'),
  failures: integer('failures').notNull().default(0),
})
