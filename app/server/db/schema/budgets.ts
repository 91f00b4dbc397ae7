import { bigint, boolean, doublePrecision, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type {
  BallotType,
  BudgetCountState,
  BudgetAccess,
  BudgetStatus,
  CountingRule,
  Currency,
  DeliveryStatus,
  OptionState,
  PaperBatchState,
  PaperOutcome,
  PaperWay,
  ResultState,
  ToldOutcome,
} from '../../../lib/vocabulary/budgets.ts'
import type { VerificationRule } from '../../../lib/vocabulary/verifications.ts'
import { bytea, instant, translated } from './columns.ts'

export const budgetRounds = pgTable(
  'budget_rounds',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    slug: text('slug').notNull(),
    title: translated('title').notNull(),
    intro: translated('intro').notNull().default({}),
    status: text('status').$type<BudgetStatus>().notNull().default('draft'),
    ballotType: text('ballot_type').$type<BallotType>().notNull().default('knapsack'),
    minOptions: integer('min_options').notNull().default(1),
    maxOptions: integer('max_options'),
    maxPots: integer('max_pots'),
    maxPoints: integer('max_points'),
    rule: text('rule').$type<CountingRule>().notNull().default('equal-shares'),
    threshold: integer('threshold').notNull().default(0),
    currency: text('currency').$type<Currency>().notNull().default('CAD'),
    access: text('access').$type<BudgetAccess>().notNull().default('verified'),
    verification: jsonb('verification').$type<VerificationRule>(),
    paper: text('paper').$type<PaperWay>().notNull().default('none'),
    opensAt: instant('opens_at'),
    closesAt: instant('closes_at'),
    position: integer('position').notNull().default(0),
    seed: text('seed'),
    hasBallots: boolean('has_ballots').notNull().default(false),
    lockVersion: integer('lock_version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const budgetPots = pgTable(
  'budget_pots',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    roundId: uuid('round_id').notNull(),
    title: translated('title').notNull(),
    amount: bigint('amount', { mode: 'number' }).notNull(),
    position: integer('position').notNull().default(0),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const budgetOptions = pgTable(
  'budget_options',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    roundId: uuid('round_id').notNull(),
    potId: uuid('pot_id').notNull(),
    number: integer('number').notNull(),
    title: translated('title').notNull(),
    text: translated('text').notNull().default({}),
    cost: bigint('cost', { mode: 'number' }),
    costNote: translated('cost_note').notNull().default({}),
    place: text('place').notNull().default(''),
    lng: doublePrecision('lng'),
    lat: doublePrecision('lat'),
    exclusiveGroup: text('exclusive_group').notNull().default(''),
    state: text('state').$type<OptionState>().notNull().default('idea'),
    reason: translated('reason').notNull().default({}),
    contributionId: uuid('contribution_id'),
    withdrawnAt: instant('withdrawn_at'),
    withdrawnReason: translated('withdrawn_reason').notNull().default({}),
    delivery: text('delivery').$type<DeliveryStatus>(),
    deliveryNote: translated('delivery_note').notNull().default({}),
    told: text('told').$type<ToldOutcome>(),
    toldUntil: uuid('told_until'),
    toldAt: instant('told_at'),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const budgetBallots = pgTable(
  'budget_ballots',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    roundId: uuid('round_id').notNull(),
    ballotKey: bytea('ballot_key'),
    options: integer('options').array().notNull(),
    points: integer('points').array(),
    version: integer('version').notNull().default(1),
    castAt: instant('cast_at').notNull(),
    receiptHash: bytea('receipt_hash').notNull(),
    leaf: bytea('leaf'),
    isPaper: boolean('is_paper').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const budgetVoters = pgTable(
  'budget_voters',
  {
    siteId: uuid('site_id').notNull(),
    roundId: uuid('round_id').notNull(),
    personHash: bytea('person_hash').notNull(),
    isCounted: boolean('is_counted').notNull().default(true),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.roundId, t.personHash] })],
)

export const budgetSecrets = pgTable(
  'budget_secrets',
  {
    siteId: uuid('site_id').notNull(),
    roundId: uuid('round_id').notNull(),
    secret: bytea('secret').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.roundId] })],
)

export const budgetResults = pgTable(
  'budget_results',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    roundId: uuid('round_id').notNull(),
    state: text('state').$type<ResultState>().notNull().default('provisional'),
    rule: text('rule').$type<CountingRule>().notNull(),
    pots: jsonb('pots').$type<unknown>().notNull(),
    ballots: integer('ballots').notNull(),
    paper: integer('paper').notNull().default(0),
    countedAt: instant('counted_at').notNull(),
    countedBy: uuid('counted_by'),
    certifiedAt: instant('certified_at'),
    certifiedBy: uuid('certified_by'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const budgetCounts = pgTable(
  'budget_counts',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    roundId: uuid('round_id').notNull(),
    state: text('state').$type<BudgetCountState>().notNull().default('waiting'),
    /** Percent. */
    progress: integer('progress').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
    aliveAt: instant('alive_at'),
    lease: uuid('lease'),
    finishedAt: instant('finished_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const budgetOverrides = pgTable(
  'budget_overrides',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    roundId: uuid('round_id').notNull(),
    optionId: uuid('option_id').notNull(),
    isFunded: boolean('is_funded').notNull(),
    body: translated('body').notNull(),
    reason: translated('reason').notNull(),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const budgetPaperBatches = pgTable(
  'budget_paper_batches',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    roundId: uuid('round_id').notNull(),
    number: integer('number').notNull(),
    name: text('name').notNull(),
    sheets: integer('sheets').notNull(),
    codeBatchId: uuid('code_batch_id'),
    stated: integer('stated'),
    state: text('state').$type<PaperBatchState>().notNull().default('open'),
    counted: integer('counted').notNull().default(0),
    spoilt: integer('spoilt').notNull().default(0),
    votedBefore: integer('voted_before').notNull().default(0),
    acceptedAt: instant('accepted_at'),
    acceptedBy: uuid('accepted_by'),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const budgetPaperSheets = pgTable(
  'budget_paper_sheets',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    batchId: uuid('batch_id').notNull(),
    number: integer('number').notNull(),
    codeHash: bytea('code_hash').notNull(),
    outcome: text('outcome').$type<PaperOutcome>(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const budgetPaperTypings = pgTable(
  'budget_paper_typings',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    sheetId: uuid('sheet_id').notNull(),
    turn: integer('turn').notNull(),
    options: integer('options').array().notNull(),
    points: integer('points').array(),
    spoiltReason: text('spoilt_reason'),
    typedBy: uuid('typed_by'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
