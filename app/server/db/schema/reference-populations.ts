import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

export const referencePopulations = pgTable(
  'reference_populations',
  {
    siteId: uuid('site_id').notNull(),
    questionId: uuid('question_id').notNull(),
    source: text('source').notNull(),
    year: integer('year').notNull(),
    licence: text('licence').notNull(),
    cells: jsonb('cells').$type<readonly { category: string; option: string; area: string | null; people: number }[]>().notNull(),
    lockVersion: integer('lock_version').notNull().default(1),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.questionId] })],
)
