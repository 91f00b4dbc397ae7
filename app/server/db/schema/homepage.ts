import { boolean, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { createRevisionTable } from './revision-table.ts'

export const homepageRevisions = createRevisionTable('homepage_revisions', { placeId: 'hub_id', content: 'content' })
export const appearanceRevisions = createRevisionTable('appearance_revisions', { placeId: 'hub_id', content: 'tokens' })

export const revisionHeads = pgTable(
  'revision_heads',
  {
    siteId: uuid('site_id').notNull(),
    subject: text('subject').notNull(),
    scopeId: uuid('scope_id').notNull(),
    draftId: uuid('draft_id'),
    hasChanges: boolean('has_changes').notNull().default(false),
    reviewRequestedAt: instant('review_requested_at'),
    reviewRequestedBy: uuid('review_requested_by'),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.subject, t.scopeId] })],
)

export const draftLinks = pgTable(
  'draft_links',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    subject: text('subject').$type<'homepage' | 'appearance' | 'project'>().notNull(),
    hubId: uuid('hub_id'),
    projectId: uuid('project_id'),
    note: text('note').notNull().default(''),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const savedSections = pgTable(
  'saved_sections',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    hubId: uuid('hub_id'),
    name: text('name').notNull(),
    content: jsonb('content').$type<unknown>().notNull(),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
