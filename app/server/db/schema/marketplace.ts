import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Health, ProviderFaultCode } from '../../../lib/vocabulary/marketplace.ts'
import type { WebhookEvent, WebhookStatus } from '../../../lib/vocabulary/webhooks.ts'
import { instant } from './columns.ts'

export const installations = pgTable(
  'installations',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    integration: text('integration').notNull(),
    settings: jsonb('settings').$type<Record<string, string | number | boolean>>().notNull().default({}),
    sealedSecrets: text('sealed_secrets'),
    enabledAt: instant('enabled_at'),
    health: text('health').$type<Health>().notNull().default('untested'),
    failures: integer('failures').notNull().default(0),
    pausedUntil: instant('paused_until'),
    lastUsedAt: instant('last_used_at'),
    lastFault: jsonb('last_fault').$type<unknown>(),
    failingSince: instant('failing_since'),
    pacedUntil: instant('paced_until'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const formerSmsHooks = pgTable(
  'former_sms_hooks',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    integration: text('integration').notNull(),
    removedAt: instant('removed_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const installationCalls = pgTable(
  'installation_calls',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    installationId: uuid('installation_id').notNull(),
    at: instant('at').notNull(),
    operation: text('operation').notNull(),
    target: text('target').notNull(),
    outcome: text('outcome').$type<'ok' | ProviderFaultCode>().notNull(),
    status: integer('status'),
    milliseconds: integer('milliseconds').notNull(),
    note: text('note').notNull().default(''),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    installationId: uuid('installation_id').notNull(),
    event: text('event').$type<WebhookEvent>().notNull(),
    subjectId: uuid('subject_id').notNull(),
    body: text('body').notNull(),
    status: text('status').$type<WebhookStatus>().notNull().default('waiting'),
    occurredAt: instant('occurred_at').notNull(),
    triedSince: instant('tried_since').notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    answered: integer('answered'),
    fault: text('fault').$type<ProviderFaultCode>(),
    deliveredAt: instant('delivered_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const webhookWatches = pgTable(
  'webhook_watches',
  {
    siteId: uuid('site_id').notNull(),
    installationId: uuid('installation_id').notNull(),
    enabledAt: instant('enabled_at').notNull(),
    openSurveys: uuid('open_surveys').array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.installationId] })],
)
