import { date, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ContentLanguage } from '../../../lib/languages.ts'
import { instant } from './columns.ts'

export const responseChanges = pgTable('response_changes', {
  siteId: uuid('site_id').notNull(),
  projectId: uuid('project_id').notNull(),
  day: date('day'),
  userId: uuid('user_id'),
  change: integer('change').notNull(),
})

export const responseDays = pgTable(
  'response_days',
  {
    siteId: uuid('site_id').notNull(),
    day: date('day').notNull(),
    projectId: uuid('project_id').notNull(),
    responses: integer('responses').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.day, t.projectId] })],
)

export const responseTotals = pgTable(
  'response_totals',
  {
    siteId: uuid('site_id').notNull(),
    projectId: uuid('project_id').notNull(),
    responses: integer('responses').notNull(),
    withoutAccount: integer('without_account').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.projectId] })],
)

export const projectPeople = pgTable(
  'project_people',
  {
    siteId: uuid('site_id').notNull(),
    projectId: uuid('project_id').notNull(),
    userId: uuid('user_id').notNull(),
    responses: integer('responses').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.projectId, t.userId] })],
)

export const placePeople = pgTable(
  'place_people',
  {
    siteId: uuid('site_id').notNull(),
    placeId: uuid('place_id').notNull(),
    people: integer('people').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.placeId] })],
)

export const engagedDays = pgTable(
  'engaged_days',
  {
    siteId: uuid('site_id').notNull(),
    kind: text('kind').notNull(),
    placeId: uuid('place_id').notNull(),
    day: date('day').notNull(),
    language: text('language').$type<ContentLanguage>().notNull(),
    web: integer('web').notNull(),
    other: integer('other').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.kind, t.placeId, t.day, t.language] })],
)

export const engagedDaysDue = pgTable(
  'engaged_days_due',
  {
    siteId: uuid('site_id').notNull(),
    day: date('day').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.day] })],
)

export const responseRecounts = pgTable(
  'response_recounts',
  {
    siteId: uuid('site_id').notNull(),
    timeZone: text('time_zone').notNull(),
    changedAt: instant('changed_at').notNull(),
    recountedAt: instant('recounted_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId] })],
)
