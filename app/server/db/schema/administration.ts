import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, instant } from './columns.ts'

export const savedViews = pgTable(
  'saved_views',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    table: text('table_name').$type<'projects' | 'people' | 'responses' | 'contributions'>().notNull(),
    surveyId: uuid('survey_id'),
    name: text('name').notNull(),
    query: text('query').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const readNotifications = pgTable(
  'read_notifications',
  {
    siteId: uuid('site_id').notNull(),
    userId: uuid('user_id').notNull(),
    notificationId: uuid('notification_id').notNull(),
    readAt: instant('read_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.userId, t.notificationId] })],
)

export const editorPresences = pgTable(
  'editor_presences',
  {
    siteId: uuid('site_id').notNull(),
    subject: text('subject').$type<'homepage' | 'appearance' | 'project' | 'survey' | 'activity' | 'heard-report'>().notNull(),
    scopeId: uuid('scope_id').notNull(),
    editorId: uuid('editor_id').notNull(),
    userId: uuid('user_id').notNull(),
    seenAt: instant('seen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.subject, t.scopeId, t.editorId] })],
)

/** A person's secret address of the calendar. */
export const calendarLinks = pgTable(
  'calendar_links',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    secretHash: bytea('secret_hash').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
