import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { DatePrecision } from '../../../lib/format.ts'
import type { ContentLanguage } from '../../../lib/languages.ts'
import type { ProjectStatus, Visibility } from '../../../lib/vocabulary/projects.ts'
import { instant, translated } from './columns.ts'
import { createRevisionTable } from './revision-table.ts'

export const hubs = pgTable(
  'hubs',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    slug: text('slug').notNull(),
    title: translated('title').notNull(),
    summary: translated('summary').notNull().default({}),
    body: translated('body').notNull().default({}),
    picture: text('picture'),
    pictureAlt: translated('picture_alt').notNull().default({}),
    contactEmail: text('contact_email'),
    /** Null for a draft. */
    publishedAt: instant('published_at').defaultNow(),
    position: integer('position').notNull().default(0),
    searchTitle: text('search_title').notNull().default(''),
    searchText: text('search_text').notNull().default(''),
    lockVersion: integer('lock_version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const topics = pgTable(
  'topics',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    slug: text('slug').notNull(),
    title: translated('title').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const projects = pgTable(
  'projects',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    hubId: uuid('hub_id'),
    topicId: uuid('topic_id'),
    slug: text('slug').notNull(),
    title: translated('title').notNull(),
    summary: translated('summary').notNull().default({}),
    body: translated('body').notNull().default({}),
    status: text('status').$type<ProjectStatus>().notNull().default('draft'),
    visibility: text('visibility').$type<Visibility>().notNull().default('public'),
    opensAt: instant('opens_at'),
    closesAt: instant('closes_at'),
    publishAt: instant('publish_at'),
    publishedAt: instant('published_at'),
    archivedAt: instant('archived_at'),
    picture: text('picture'),
    pictureAlt: translated('picture_alt').notNull().default({}),
    place: jsonb('place').$type<unknown>(),
    team: jsonb('team').$type<unknown>().notNull().default([]),
    faqs: jsonb('faqs').$type<unknown>().notNull().default([]),
    outcome: translated('outcome').notNull().default({}),
    searchTitle: text('search_title').notNull().default(''),
    searchText: text('search_text').notNull().default(''),
    participants: integer('participants').notNull().default(0),
    featured: boolean('featured').notNull().default(false),
    lockVersion: integer('lock_version').notNull().default(1),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    rowVersion: uuid('row_version').notNull().defaultRandom(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const projectDates = pgTable(
  'project_dates',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    title: translated('title').notNull(),
    detail: translated('detail').notNull().default({}),
    happensAt: instant('happens_at').notNull(),
    precision: text('precision').$type<DatePrecision>().notNull().default('day'),
    position: integer('position').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const projectDocuments = pgTable(
  'project_documents',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    title: translated('title').notNull(),
    file: text('file').notNull(),
    mediaType: text('media_type').notNull(),
    bytes: integer('bytes').notNull(),
    pages: integer('pages'),
    language: text('language').$type<ContentLanguage>(),
    position: integer('position').notNull().default(0),
    createdAt: instant('created_at').notNull().defaultNow(),
    content: uuid('content'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const projectMembers = pgTable(
  'project_members',
  {
    siteId: uuid('site_id').notNull(),
    projectId: uuid('project_id').notNull(),
    userId: uuid('user_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    id: uuid('id').notNull().defaultRandom(),
    openedAt: instant('opened_at').defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.projectId, t.userId] })],
)

export const projectRevisions = createRevisionTable('project_revisions', { placeId: 'project_id', content: 'content' })

/** For how many months personal data of projects is kept after they close; null, or no row: until somebody removes it. */
export const retentionSettings = pgTable('retention_settings', {
  siteId: uuid('site_id').primaryKey(),
  keptMonths: integer('kept_months'),
  lockVersion: integer('lock_version').notNull().default(1),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})

export const projectRetentions = pgTable(
  'project_retentions',
  {
    siteId: uuid('site_id').notNull(),
    projectId: uuid('project_id').notNull(),
    /** Null: as the site. */
    keptMonths: integer('kept_months'),
    lockVersion: integer('lock_version').notNull().default(1),
    warnedAt: instant('warned_at'),
    /** The day that its team was told of. */
    warnedFor: instant('warned_for'),
    removedAt: instant('removed_at'),
    /** The closing that its data was removed for: a later one begins anew. */
    removedFor: instant('removed_for'),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.projectId] })],
)
