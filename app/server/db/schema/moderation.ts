import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Language } from '../../../lib/languages.ts'
import type { FieldValues } from '../../../lib/vocabulary/contributions.ts'
import type {
  AppealState,
  Appellant,
  CaseOpening,
  CaseState,
  MaskedField,
  ModerationDecision,
  StateBefore,
} from '../../../lib/vocabulary/moderation.ts'
import { bytea, instant, translated } from './columns.ts'

export const moderationRules = pgTable(
  'moderation_rules',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    code: text('code').notNull(),
    position: integer('position').notNull().default(0),
    label: translated('label').notNull(),
    explanation: translated('explanation').notNull().default({}),
    version: integer('version').notNull().default(1),
    archived: boolean('archived').notNull().default(false),
    lockVersion: integer('lock_version').notNull().default(1),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const moderationRuleVersions = pgTable(
  'moderation_rule_versions',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    ruleId: uuid('rule_id').notNull(),
    number: integer('number').notNull(),
    label: translated('label').notNull(),
    explanation: translated('explanation').notNull().default({}),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const moderationCases = pgTable(
  'moderation_cases',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    contributionId: uuid('contribution_id').notNull(),
    replyId: uuid('reply_id'),
    version: integer('version').notNull().default(1),
    openedBy: text('opened_by').$type<CaseOpening>().notNull(),
    state: text('state').$type<CaseState>().notNull().default('open'),
    openedAt: instant('opened_at').notNull().defaultNow(),
    dueAt: instant('due_at').notNull(),
    decidedAt: instant('decided_at'),
    heldAt: instant('held_at'),
    heldUntil: instant('held_until'),
    assigneeId: uuid('assignee_id'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

/** A literal, not a parameter, so that every plan can use the partial index, as with `isPublished`. */
export const isOpenCase = sql`${moderationCases.state} = 'open'`

export const moderationDecisions = pgTable(
  'moderation_decisions',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    caseId: uuid('case_id').notNull(),
    decision: text('decision').$type<ModerationDecision>().notNull(),
    ruleId: uuid('rule_id'),
    ruleVersion: integer('rule_version'),
    words: text('words').notNull().default(''),
    automatic: boolean('automatic').notNull().default(false),
    decidedBy: uuid('decided_by'),
    decidedAt: instant('decided_at').notNull().defaultNow(),
    before: jsonb('before').$type<StateBefore>(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const moderationWordLists = pgTable(
  'moderation_word_lists',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    language: text('language').$type<Language>().notNull(),
    held: text('held').array().notNull().default([]),
    flagged: text('flagged').array().notNull().default([]),
    lockVersion: integer('lock_version').notNull().default(1),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const moderationReports = pgTable(
  'moderation_reports',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    caseId: uuid('case_id').notNull(),
    contributionId: uuid('contribution_id').notNull(),
    replyId: uuid('reply_id'),
    version: integer('version').notNull(),
    personHash: bytea('person_hash').notNull(),
    byAccount: boolean('by_account').notNull(),
    reporterId: uuid('reporter_id'),
    ruleId: uuid('rule_id').notNull(),
    ruleVersion: integer('rule_version').notNull(),
    words: text('words').notNull().default(''),
    createdAt: instant('created_at').notNull().defaultNow(),
    toldAt: instant('told_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const moderationAppeals = pgTable(
  'moderation_appeals',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    caseId: uuid('case_id').notNull(),
    decisionId: uuid('decision_id').notNull(),
    appellant: text('appellant').$type<Appellant>().notNull(),
    appellantId: uuid('appellant_id'),
    words: text('words').notNull(),
    state: text('state').$type<AppealState>().notNull().default('pending'),
    answer: text('answer').notNull().default(''),
    createdAt: instant('created_at').notNull().defaultNow(),
    decidedBy: uuid('decided_by'),
    decidedAt: instant('decided_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

/** A literal, not a parameter, so that every plan can use the partial index, as with `isPublished`. */
export const isPendingAppeal = sql`${moderationAppeals.state} = 'pending'`

export const moderationSettings = pgTable('moderation_settings', {
  siteId: uuid('site_id').primaryKey(),
  reportsToHold: integer('reports_to_hold'),
  originalsKeptMonths: integer('originals_kept_months').notNull().default(12),
  /** A second person agrees to each official answer. */
  answersNeedAgreement: boolean('answers_need_agreement').notNull().default(false),
  reportsNeedAgreement: boolean('reports_need_agreement').notNull().default(false),
  lockVersion: integer('lock_version').notNull().default(1),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})
/** A former version of a contribution, as it is kept while passages are removed. */
interface MaskedVersion {
  id: string
  number: number
  title: string
  body: string
  /** Missing in what was kept before there were extra questions. */
  fields?: FieldValues
  wasPublic: boolean
  createdAt: string
}

export const maskedOriginals = pgTable(
  'masked_originals',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    contributionId: uuid('contribution_id').notNull(),
    replyId: uuid('reply_id'),
    texts: jsonb('texts').$type<Partial<Record<MaskedField, string>>>().notNull(),
    passages: jsonb('passages').$type<string[]>().notNull().default([]),
    versions: jsonb('versions').$type<MaskedVersion[]>().notNull().default([]),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When passages were last removed. */
    maskedAt: instant('masked_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
