import { sql } from 'drizzle-orm'
import { bigint, boolean, doublePrecision, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Geometry, MapGrid } from '../../../lib/geometry.ts'
import type { ContentLanguage } from '../../../lib/languages.ts'
import type { Translated } from '../../../lib/translated.ts'
import type {
  AnswerRefusal,
  AnswerSetState,
  ActivityAccess,
  ActivityStatus,
  AnswerVisibility,
  ContributionLinkKind,
  ContributionSource,
  ContributionState,
  FieldValues,
  LayerPattern,
  LayerShape,
  ModerationMode,
  ReactionValue,
  ReplyRole,
  ShownName,
  StageKind,
  StatusCode,
} from '../../../lib/vocabulary/contributions.ts'
import { bytea, instant, translated } from './columns.ts'
import { createRevisionTable } from './revision-table.ts'

export const projectStages = pgTable(
  'project_stages',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    position: integer('position').notNull().default(0),
    title: translated('title').notNull(),
    summary: translated('summary').notNull().default({}),
    kind: text('kind').$type<StageKind>().notNull().default('listen'),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at'),
    lockVersion: integer('lock_version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const activityRevisions = createRevisionTable('activity_revisions', { placeId: 'activity_id', content: 'content' })

export const activities = pgTable(
  'activities',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    stageId: uuid('stage_id'),
    kind: text('kind').notNull(),
    slug: text('slug').notNull(),
    title: translated('title').notNull(),
    intro: translated('intro').notNull().default({}),
    status: text('status').$type<ActivityStatus>().notNull().default('draft'),
    opensAt: instant('opens_at'),
    closesAt: instant('closes_at'),
    postAccess: text('post_access').$type<ActivityAccess>().notNull().default('anyone_once'),
    reactAccess: text('react_access').$type<ActivityAccess>().notNull().default('anyone_once'),
    groupId: uuid('group_id'),
    moderation: text('moderation').$type<ModerationMode>().notNull().default('before'),
    settings: jsonb('settings').$type<unknown>().notNull().default({}),
    fields: jsonb('fields').$type<unknown>().notNull().default([]),
    position: integer('position').notNull().default(0),
    hasOpened: boolean('has_opened').notNull().default(false),
    numbered: integer('numbered').notNull().default(0),
    /** Visible layers of its map. */
    layers: integer('layers').notNull().default(0),
    /** Until when followers of the project were told of contributions, or have them waiting in a digest. */
    newsUntil: instant('news_until').notNull().defaultNow(),
    lockVersion: integer('lock_version').notNull().default(1),
    searchTitle: text('search_title').notNull().default(''),
    searchText: text('search_text').notNull().default(''),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const contributionStatuses = pgTable(
  'contribution_statuses',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    activityId: uuid('activity_id').notNull(),
    code: text('code').$type<StatusCode>(),
    title: translated('title').notNull(),
    position: integer('position').notNull().default(0),
    needsText: boolean('needs_text').notNull().default(false),
    /** No longer offered; contributions that have it keep it. */
    archived: boolean('archived').notNull().default(false),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const contributions = pgTable(
  'contributions',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    activityId: uuid('activity_id').notNull(),
    number: integer('number').notNull(),
    authorId: uuid('author_id'),
    shownAs: text('shown_as').$type<ShownName>().notNull().default('anonymous'),
    shownName: text('shown_name').notNull().default(''),
    language: text('language').$type<ContentLanguage>().notNull(),
    title: text('title').notNull(),
    body: text('body').notNull(),
    categories: text('categories').array().notNull().default([]),
    placeText: text('place_text').notNull().default(''),
    areaId: uuid('area_id'),
    geometry: jsonb('geometry').$type<Geometry>(),
    lng: doublePrecision('lng'),
    lat: doublePrecision('lat'),
    source: text('source').$type<ContributionSource>().notNull().default('web'),
    state: text('state').$type<ContributionState>().notNull(),
    reason: text('reason').notNull().default(''),
    version: integer('version').notNull().default(1),
    statusId: uuid('status_id'),
    /** Also those who agree. */
    supports: integer('supports').notNull().default(0),
    disagrees: integer('disagrees').notNull().default(0),
    repliesCount: integer('replies_count').notNull().default(0),
    receiptHash: bytea('receipt_hash').notNull(),
    doubt: text('doubt').$type<'rate'>(),
    assigneeId: uuid('assignee_id'),
    dueAt: instant('due_at'),
    answered: text('answered').$type<AnswerVisibility>(),
    submittedAt: instant('submitted_at').notNull().defaultNow(),
    editedAt: instant('edited_at'),
    publishedAt: instant('published_at'),
    decidedAt: instant('decided_at'),
    decidedBy: uuid('decided_by'),
    mergedInto: uuid('merged_into'),
    fields: jsonb('fields').$type<FieldValues>().notNull().default({}),
    searchTitle: text('search_title').notNull().default(''),
    searchText: text('search_text').notNull().default(''),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

/** Not `eq`: once a statement is planned for any parameters, only a condition that is written out finds the indexes of what is published. */
export const isPublished = sql`${contributions.state} = 'published'`
export const isHeld = sql`${contributions.state} = 'held'`

export const contributionVersions = pgTable(
  'contribution_versions',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    contributionId: uuid('contribution_id').notNull(),
    number: integer('number').notNull(),
    title: text('title').notNull(),
    body: text('body').notNull(),
    fields: jsonb('fields').$type<FieldValues>().notNull().default({}),
    wasPublic: boolean('was_public').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const reactions = pgTable(
  'reactions',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    contributionId: uuid('contribution_id').notNull(),
    personHash: bytea('person_hash').notNull(),
    byAccount: boolean('by_account').notNull(),
    value: text('value').$type<ReactionValue>().notNull().default('support'),
    tellUserId: uuid('tell_user_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
    changedAt: instant('changed_at'),
    crowdId: uuid('crowd_id'),
    counted: boolean('counted').notNull().default(true),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const replies = pgTable(
  'replies',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    contributionId: uuid('contribution_id').notNull(),
    authorId: uuid('author_id'),
    role: text('role').$type<ReplyRole>().notNull().default('person'),
    shownName: text('shown_name').notNull().default(''),
    language: text('language').$type<ContentLanguage>().notNull(),
    body: text('body').notNull(),
    state: text('state').$type<ContributionState>().notNull(),
    reason: text('reason').notNull().default(''),
    receiptHash: bytea('receipt_hash').notNull(),
    version: integer('version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    decidedAt: instant('decided_at'),
    decidedBy: uuid('decided_by'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export interface FormerWording {
  id: string
  text: Translated
  team: Translated
  /** When it was replaced: an ISO timestamp. */
  at: string
}

export const officialResponses = pgTable(
  'official_responses',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    contributionId: uuid('contribution_id').notNull(),
    statusId: uuid('status_id'),
    text: translated('text').notNull().default({}),
    team: translated('team').notNull().default({}),
    version: integer('version').notNull(),
    visibility: text('visibility').$type<AnswerVisibility>().notNull().default('public'),
    /** What it said until `at`, the oldest first. */
    former: jsonb('former').$type<FormerWording[]>().notNull().default([]),
    editedAt: instant('edited_at'),
    withdrawnAt: instant('withdrawn_at'),
    withdrawalReason: translated('withdrawal_reason').notNull().default({}),
    lockVersion: integer('lock_version').notNull().default(1),
    /** What followers are told of next, or were told of last. */
    tells: text('tells').$type<'answer' | 'edit' | 'withdrawal'>().notNull().default('answer'),
    /** The same for all that were given together. */
    groupId: uuid('group_id'),
    toldUntil: uuid('told_until'),
    /** When everybody who follows the contribution was told. */
    toldAt: instant('told_at'),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

/** An answer that is being written, one for each contribution. */
export const officialResponseDrafts = pgTable(
  'official_response_drafts',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    contributionId: uuid('contribution_id').notNull(),
    statusId: uuid('status_id'),
    text: translated('text').notNull().default({}),
    team: translated('team').notNull().default({}),
    visibility: text('visibility').$type<AnswerVisibility>().notNull().default('public'),
    /** Other contributions that get the same answer. */
    alsoTo: uuid('also_to').array().notNull().default([]),
    /** Languages that are knowingly missing, as `text.cy`. */
    waived: text('waived').array().notNull().default([]),
    /** Who changed it last. */
    writtenBy: uuid('written_by'),
    writtenAt: instant('written_at').notNull(),
    /** Who asked a colleague to agree; null without a request. */
    askedBy: uuid('asked_by'),
    askedAt: instant('asked_at'),
    /** Who did not agree last, and why. */
    returnedBy: uuid('returned_by'),
    returnedAt: instant('returned_at'),
    returnReason: text('return_reason').notNull().default(''),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

/** One answer for many contributions, which a job sends. */
export const officialAnswerSets = pgTable(
  'official_answer_sets',
  {
    siteId: uuid('site_id').notNull(),
    /** Also the `groupId` of its answers. */
    id: uuid('id').notNull(),
    contributionIds: uuid('contribution_ids').array().notNull(),
    statusId: uuid('status_id'),
    text: translated('text').notNull().default({}),
    team: translated('team').notNull().default({}),
    waived: text('waived').array().notNull().default([]),
    writtenBy: uuid('written_by'),
    writtenAt: instant('written_at').notNull(),
    askedBy: uuid('asked_by'),
    askedAt: instant('asked_at'),
    returnedBy: uuid('returned_by'),
    returnedAt: instant('returned_at'),
    returnReason: text('return_reason').notNull().default(''),
    agreedBy: uuid('agreed_by'),
    agreedAt: instant('agreed_at'),
    sent: integer('sent').notNull().default(0),
    lockVersion: integer('lock_version').notNull().default(1),
    state: text('state').$type<AnswerSetState>().notNull().default('draft'),
    /** How many of the contributions, in their order, got it or could not. */
    handled: integer('handled').notNull().default(0),
    refused: jsonb('refused').$type<AnswerRefusal[]>().notNull().default([]),
    createdAt: instant('created_at').notNull().defaultNow(),
    aliveAt: instant('alive_at'),
    lease: uuid('lease'),
    finishedAt: instant('finished_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

/** What the team notes about a contribution, for itself. */
export const contributionNotes = pgTable(
  'contribution_notes',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    contributionId: uuid('contribution_id').notNull(),
    authorId: uuid('author_id'),
    body: text('body').notNull(),
    createdAt: instant('created_at').notNull(),
    editedAt: instant('edited_at'),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const contributionFollows = pgTable(
  'contribution_follows',
  {
    siteId: uuid('site_id').notNull(),
    contributionId: uuid('contribution_id').notNull(),
    userId: uuid('user_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.contributionId, t.userId] })],
)

export const contributionLinks = pgTable(
  'contribution_links',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    contributionId: uuid('contribution_id').notNull(),
    targetId: uuid('target_id').notNull(),
    kind: text('kind').$type<ContributionLinkKind>().notNull(),
    reason: text('reason').notNull().default(''),
    supportsBefore: integer('supports_before').notNull().default(0),
    targetSupportsBefore: integer('target_supports_before').notNull().default(0),
    targetSupportsAfter: integer('target_supports_after').notNull().default(0),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
    toldUntil: uuid('told_until'),
    toldAt: instant('told_at'),
    objection: text('objection').notNull().default(''),
    objectedAt: instant('objected_at'),
    objectionAnswer: text('objection_answer').notNull().default(''),
    objectionAnsweredAt: instant('objection_answered_at'),
    endedAt: instant('ended_at'),
    endedBy: uuid('ended_by'),
    endReason: text('end_reason').notNull().default(''),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const contributionPhotos = pgTable(
  'contribution_photos',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    activityId: uuid('activity_id').notNull(),
    heldBy: uuid('held_by').notNull(),
    keyHash: bytea('key_hash').notNull(),
    position: integer('position').notNull().default(0),
    alt: text('alt').notNull().default(''),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    touchedAt: instant('touched_at').notNull(),
    sentAt: instant('sent_at'),
    goneAt: instant('gone_at'),
    /** Taken off by a moderator, with the code of the rule; its file stays until the original is deleted. */
    removedAt: instant('removed_at'),
    removedAs: text('removed_as'),
    giverHash: bytea('giver_hash'),
    browserHash: bytea('browser_hash'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const mapLayers = pgTable(
  'map_layers',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    activityId: uuid('activity_id').notNull(),
    number: integer('number').notNull(),
    position: integer('position').notNull().default(0),
    name: translated('name').notNull(),
    pattern: text('pattern').$type<LayerPattern>().notNull(),
    visible: boolean('visible').notNull().default(true),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    convertedFrom: text('converted_from').$type<MapGrid>(),
    features: integer('features').notNull(),
    box: doublePrecision('box').array().notNull(),
    shapes: jsonb('shapes').$type<readonly LayerShape[]>().notNull(),
    isSimplified: boolean('is_simplified').notNull(),
    columns: text('columns').array().notNull(),
    rows: jsonb('rows').$type<readonly (readonly string[])[]>().notNull(),
    lockVersion: integer('lock_version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
