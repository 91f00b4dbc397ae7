import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Language } from '../../../lib/languages.ts'
import type { ReportAudience, ReportSchedule } from '../../../lib/vocabulary/report-views.ts'
import { bytea, instant } from './columns.ts'

export const reportViews = pgTable(
  'report_views',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    audience: text('audience').$type<ReportAudience>().notNull(),
    hubId: uuid('hub_id'),
    name: text('name').notNull(),
    query: text('query').notNull(),
    language: text('language').$type<Language>().notNull(),
    schedule: text('schedule').$type<ReportSchedule>().notNull().default('none'),
    recipients: text('recipients').array().notNull().default([]),
    nextAt: instant('next_at'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const reportLinks = pgTable(
  'report_links',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    viewId: uuid('view_id').notNull(),
    secretHash: bytea('secret_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
