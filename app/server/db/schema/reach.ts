import { boolean, date, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ContentLanguage } from '../../../lib/languages.ts'
import { bytea } from './columns.ts'

export const reachSalts = pgTable(
  'reach_salts',
  {
    siteId: uuid('site_id').notNull(),
    day: date('day').notNull(),
    id: uuid('id').notNull(),
    salt: bytea('salt').notNull(),
    changed: boolean('changed').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.day] })],
)

export const reachVisits = pgTable(
  'reach_visits',
  {
    siteId: uuid('site_id').notNull(),
    day: date('day').notNull(),
    visitor: bytea('visitor').notNull(),
    kind: text('kind').notNull(),
    placeId: uuid('place_id').notNull(),
    informed: boolean('informed').notNull(),
    language: text('language').$type<ContentLanguage>().notNull(),
    source: text('source'),
    campaign: text('campaign'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.day, t.visitor, t.kind, t.placeId] })],
)

export const reachDays = pgTable(
  'reach_days',
  {
    siteId: uuid('site_id').notNull(),
    kind: text('kind').notNull(),
    placeId: uuid('place_id').notNull(),
    day: date('day').notNull(),
    saltId: uuid('salt_id').notNull(),
    language: text('language').$type<ContentLanguage>().notNull(),
    source: text('source').notNull(),
    campaign: text('campaign').notNull(),
    aware: integer('aware').notNull(),
    informed: integer('informed').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.kind, t.placeId, t.day, t.saltId, t.language, t.source, t.campaign] })],
)

/** Sums of whole weeks and months (`reachStepStates` says which are up to date). */
export const reachSteps = pgTable(
  'reach_steps',
  {
    siteId: uuid('site_id').notNull(),
    kind: text('kind').notNull(),
    placeId: uuid('place_id').notNull(),
    step: text('step').$type<'week' | 'month'>().notNull(),
    start: date('start').notNull(),
    language: text('language').$type<ContentLanguage>().notNull(),
    awareSeen: integer('aware_seen').notNull(),
    informedSeen: integer('informed_seen').notNull(),
    aware: integer('aware').notNull(),
    informed: integer('informed').notNull(),
    engaged: integer('engaged').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.kind, t.placeId, t.step, t.start, t.language] })],
)

export const reachStepStates = pgTable(
  'reach_step_states',
  {
    siteId: uuid('site_id').notNull(),
    step: text('step').$type<'week' | 'month'>().notNull(),
    start: date('start').notNull(),
    isCurrent: boolean('is_current').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.step, t.start] })],
)
