import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { CrowdDecision } from '../../../lib/vocabulary/crowds.ts'
import { bytea, instant } from './columns.ts'

export const crowds = pgTable(
  'crowds',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    surveyId: uuid('survey_id'),
    activityId: uuid('activity_id'),
    addressHash: bytea('address_hash'),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
    decision: text('decision').$type<CrowdDecision>(),
    decidedBy: uuid('decided_by'),
    decidedAt: instant('decided_at'),
    changedAt: instant('changed_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
