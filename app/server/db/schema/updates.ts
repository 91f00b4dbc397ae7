import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ContentLanguage } from '../../../lib/languages.ts'
import { instant, translated } from './columns.ts'

export const projectUpdates = pgTable(
  'project_updates',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    slug: text('slug').notNull(),
    title: translated('title').notNull(),
    body: translated('body').notNull(),
    publishedAt: instant('published_at'),
    /** When the project's followers were mailed. */
    notifiedAt: instant('notified_at'),
    createdBy: uuid('created_by'),
    searchTitle: text('search_title').notNull().default(''),
    searchText: text('search_text').notNull().default(''),
    lockVersion: integer('lock_version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const followDigestItems = pgTable(
  'follow_digest_items',
  {
    siteId: uuid('site_id').notNull(),
    userId: uuid('user_id').notNull(),
    updateId: uuid('update_id').notNull(),
    dueAt: instant('due_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.userId, t.updateId] })],
)

export const contributionDigestItems = pgTable(
  'contribution_digest_items',
  {
    siteId: uuid('site_id').notNull(),
    userId: uuid('user_id').notNull(),
    activityId: uuid('activity_id').notNull(),
    since: instant('since').notNull(),
    dueAt: instant('due_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.userId, t.activityId] })],
)

export const emailDigestItems = pgTable(
  'email_digest_items',
  {
    siteId: uuid('site_id').notNull(),
    followId: uuid('follow_id').notNull(),
    activityId: uuid('activity_id').notNull(),
    since: instant('since').notNull(),
    dueAt: instant('due_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.followId, t.activityId] })],
)

export const projectFollows = pgTable(
  'project_follows',
  {
    siteId: uuid('site_id').notNull(),
    projectId: uuid('project_id').notNull(),
    userId: uuid('user_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.projectId, t.userId] })],
)

/** Projects that people follow by email address, without an account. */
export const emailFollows = pgTable(
  'email_follows',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    email: text('email').notNull(),
    locale: text('locale').$type<ContentLanguage>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
