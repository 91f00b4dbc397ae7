import { sql } from 'drizzle-orm'
import { boolean, date, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { TargetKind } from '../../../lib/vocabulary/teamwork.ts'
import { instant } from './columns.ts'

/** What a comment or task is about. The four last columns follow from kind and id. */
const createTargetColumns = () => ({
  targetKind: text('target_kind').$type<TargetKind>().notNull(),
  targetId: uuid('target_id').notNull(),
  /** Null only for pages, the homepage's and departments' among them. */
  projectId: uuid('project_id'),
  activityId: uuid('activity_id').generatedAlwaysAs(sql`null`),
  surveyId: uuid('survey_id').generatedAlwaysAs(sql`null`),
  pageId: uuid('page_id').generatedAlwaysAs(sql`null`),
  contributionId: uuid('contribution_id').generatedAlwaysAs(sql`null`),
})

/** What colleagues say to each other. */
export const teamComments = pgTable(
  'team_comments',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    ...createTargetColumns(),
    authorId: uuid('author_id'),
    /** Empty once it is deleted. */
    body: text('body').notNull(),
    createdAt: instant('created_at').notNull(),
    editedAt: instant('edited_at'),
    deletedAt: instant('deleted_at'),
    resolvedAt: instant('resolved_at'),
    resolvedBy: uuid('resolved_by'),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

/** What a comment said before each change. */
export const teamCommentVersions = pgTable(
  'team_comment_versions',
  {
    siteId: uuid('site_id').notNull(),
    commentId: uuid('comment_id').notNull(),
    version: integer('version').notNull(),
    body: text('body').notNull(),
    writtenAt: instant('written_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.commentId, t.version] })],
)

export const teamMentions = pgTable(
  'team_mentions',
  {
    siteId: uuid('site_id').notNull(),
    commentId: uuid('comment_id').notNull(),
    userId: uuid('user_id').notNull(),
    mentionedAt: instant('mentioned_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.commentId, t.userId] })],
)

export const teamTasks = pgTable(
  'team_tasks',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    ...createTargetColumns(),
    title: text('title').notNull(),
    ownerId: uuid('owner_id'),
    assignedBy: uuid('assigned_by'),
    /** When the owner got it. */
    assignedAt: instant('assigned_at'),
    /** In the site's calendar. */
    dueOn: date('due_on'),
    doneAt: instant('done_at'),
    doneBy: uuid('done_by'),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

/** Which mails of the team a person wants: without a row, all of them. */
export const teamMails = pgTable(
  'team_mails',
  {
    siteId: uuid('site_id').notNull(),
    userId: uuid('user_id').notNull(),
    mentions: boolean('mentions').notNull().default(true),
    weekly: boolean('weekly').notNull().default(true),
    /** The Monday of the last week that was looked at for them. */
    weeklyFor: date('weekly_for'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.userId] })],
)

/** The last week for which everybody's weekly mail was written. */
export const weeklyMails = pgTable(
  'weekly_mails',
  {
    siteId: uuid('site_id').notNull(),
    week: date('week').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId] })],
)
