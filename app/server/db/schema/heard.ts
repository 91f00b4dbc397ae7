import { boolean, date, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ContentLanguage, Language } from '../../../lib/languages.ts'
import type {
  CodingReading,
  Delivery,
  EvidenceSource,
  EvidenceState,
  HeardReportKind,
  HeardReportStatus,
  Outcome,
  Stance,
  SuggestionRunState,
} from '../../../lib/vocabulary/heard.ts'
import { instant, translated } from './columns.ts'
import { createRevisionTable } from './revision-table.ts'

export const themes = pgTable(
  'themes',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    title: translated('title').notNull(),
    description: translated('description').notNull().default({}),
    stance: text('stance').$type<Stance>().notNull().default('suggestion'),
    parentId: uuid('parent_id'),
    mergedInto: uuid('merged_into'),
    position: integer('position').notNull().default(0),
    lockVersion: integer('lock_version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const themeEvidence = pgTable(
  'theme_evidence',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    themeId: uuid('theme_id').notNull(),
    source: text('source').$type<EvidenceSource>().notNull(),
    responseId: uuid('response_id'),
    contributionId: uuid('contribution_id'),
    replyId: uuid('reply_id'),
    question: text('question').notNull().default(''),
    /** Of the survey for a response, else of the text itself. */
    version: integer('version').notNull(),
    startAt: integer('start_at').notNull().default(0),
    endAt: integer('end_at').notNull().default(0),
    /** Empty for the whole text. */
    quote: text('quote').notNull().default(''),
    state: text('state').$type<EvidenceState>().notNull().default('confirmed'),
    isQuoted: boolean('is_quoted').notNull().default(false),
    publishedVersion: integer('published_version'),
    /** That it was confirmed from. */
    suggestionId: uuid('suggestion_id'),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const themeReadings = pgTable(
  'theme_readings',
  {
    siteId: uuid('site_id').notNull(),
    sourceId: uuid('source_id').notNull(),
    question: text('question').notNull().default(''),
    projectId: uuid('project_id').notNull(),
    readBy: uuid('read_by'),
    readAt: instant('read_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.sourceId, t.question] })],
)

export const decisions = pgTable(
  'decisions',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    number: integer('number').notNull(),
    title: translated('title').notNull(),
    text: translated('text').notNull().default({}),
    outcome: text('outcome').$type<Outcome>().notNull(),
    reason: translated('reason').notNull(),
    body: translated('body').notNull().default({}),
    decidedOn: date('decided_on').notNull(),
    delivery: text('delivery').$type<Delivery>().notNull().default('planned'),
    deliveryNote: translated('delivery_note').notNull().default({}),
    dueOn: date('due_on'),
    publishedAt: instant('published_at'),
    lockVersion: integer('lock_version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const decisionThemes = pgTable(
  'decision_themes',
  {
    siteId: uuid('site_id').notNull(),
    decisionId: uuid('decision_id').notNull(),
    themeId: uuid('theme_id').notNull(),
    projectId: uuid('project_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.decisionId, t.themeId] })],
)

export const decisionDelays = pgTable(
  'decision_delays',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    decisionId: uuid('decision_id').notNull(),
    projectId: uuid('project_id').notNull(),
    dueBefore: date('due_before').notNull(),
    dueAfter: date('due_after'),
    reason: translated('reason').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const decisionPublications = pgTable(
  'decision_publications',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    version: integer('version').notNull(),
    texts: integer('texts').notNull(),
    textsRead: integer('texts_read').notNull(),
    /** Number of people by theme. */
    people: jsonb('people').$type<Record<string, number>>().notNull(),
    publishedAt: instant('published_at').notNull(),
    publishedBy: uuid('published_by'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const themeSuggestionRuns = pgTable(
  'theme_suggestion_runs',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    /** Of the texts, as in `TextSource`. */
    source: text('source').notNull(),
    language: text('language').$type<ContentLanguage>().notNull(),
    state: text('state').$type<SuggestionRunState>().notNull().default('waiting'),
    /** Percent. */
    progress: integer('progress').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    texts: integer('texts'),
    textsAlike: integer('texts_alike'),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
    aliveAt: instant('alive_at'),
    lease: uuid('lease'),
    finishedAt: instant('finished_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const themeSuggestions = pgTable(
  'theme_suggestions',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    runId: uuid('run_id').notNull(),
    projectId: uuid('project_id').notNull(),
    position: integer('position').notNull(),
    label: jsonb('label').$type<string[]>().notNull(),
    /** Number of texts that are alike. */
    texts: integer('texts').notNull(),
    state: text('state').$type<EvidenceState>().notNull().default('suggested'),
    themeId: uuid('theme_id'),
    hasNewTheme: boolean('has_new_theme').notNull().default(false),
    decidedBy: uuid('decided_by'),
    decidedAt: instant('decided_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const themeSuggestionPassages = pgTable(
  'theme_suggestion_passages',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    suggestionId: uuid('suggestion_id').notNull(),
    position: integer('position').notNull(),
    responseId: uuid('response_id'),
    contributionId: uuid('contribution_id'),
    replyId: uuid('reply_id'),
    question: text('question').notNull().default(''),
    version: integer('version').notNull(),
    startAt: integer('start_at').notNull(),
    endAt: integer('end_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const codingSamples = pgTable(
  'coding_samples',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    /** Of the texts, as in `TextSource`. */
    source: text('source').notNull(),
    language: text('language').$type<ContentLanguage>(),
    seed: text('seed').notNull(),
    size: integer('size').notNull(),
    drawnFrom: integer('drawn_from').notNull(),
    coderId: uuid('coder_id').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const codingSampleTexts = pgTable(
  'coding_sample_texts',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    sampleId: uuid('sample_id').notNull(),
    responseId: uuid('response_id'),
    contributionId: uuid('contribution_id'),
    replyId: uuid('reply_id'),
    question: text('question').notNull().default(''),
    version: integer('version').notNull(),
    readAt: instant('read_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const codingSampleCodes = pgTable(
  'coding_sample_codes',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    textId: uuid('text_id').notNull(),
    themeId: uuid('theme_id').notNull(),
    reading: text('reading').$type<CodingReading>().notNull(),
    coderId: uuid('coder_id'),
    startAt: integer('start_at').notNull().default(0),
    endAt: integer('end_at').notNull().default(0),
    isAgreed: boolean('is_agreed'),
    settledBy: uuid('settled_by'),
    settledAt: instant('settled_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const heardReportRevisions = createRevisionTable('heard_report_revisions', { placeId: 'project_id', content: 'content' })

/** Numbers at publication, which later withdrawals are compared with. */
export interface HeardReportCounts {
  /** Answers by survey. */
  surveys: Record<string, number>
  /** Contributions and replies. */
  posts: number
  /** People by theme. */
  people: Record<string, number>
}

export const heardReports = pgTable(
  'heard_reports',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    revisionId: uuid('revision_id').notNull(),
    version: integer('version').notNull(),
    kind: text('kind').$type<HeardReportKind>().notNull(),
    status: text('status').$type<HeardReportStatus>().notNull(),
    /** When it was published. */
    asOf: instant('as_of').notNull(),
    publishedBy: uuid('published_by'),
    content: jsonb('content').$type<unknown>().notNull(),
    /** What each block showed, by language and block, without quotes. */
    frozen: jsonb('frozen').$type<Partial<Record<Language, Record<string, unknown>>>>().notNull(),
    counts: jsonb('counts').$type<HeardReportCounts>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const heardReportQuotes = pgTable(
  'heard_report_quotes',
  {
    siteId: uuid('site_id').notNull(),
    reportId: uuid('report_id').notNull(),
    block: text('block').notNull(),
    evidenceId: uuid('evidence_id').notNull(),
    projectId: uuid('project_id').notNull(),
    position: integer('position').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.reportId, t.block, t.evidenceId] })],
)
