import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { AddedLanguage } from '../../../lib/added-languages.ts'
import type { Language } from '../../../lib/languages.ts'
import type { DutyRules } from '../../../lib/vocabulary/duties.ts'
import type { HolidayCalendar } from '../../../lib/vocabulary/holidays.ts'
import { instant, translated } from './columns.ts'

export const sites = pgTable('sites', {
  id: uuid('id').primaryKey(),
  slug: text('slug').notNull(),
  name: text('name').notNull(),
  /** The hosts of its domains, with spaces between; a trigger keeps them. */
  hosts: text('hosts').notNull().default(''),
  searchText: text('search_text')
    .notNull()
    .generatedAlwaysAs(sql`''`),
  status: text('status').notNull().default('active'),
  region: text('region').notNull(),
  locale: text('locale').$type<Language>().notNull(),
  languages: text('languages').array().$type<Language[]>().notNull(),
  /** For content only. One that is removed keeps its texts. */
  addedLanguages: text('added_languages').array().$type<AddedLanguage[]>().notNull().default([]),
  timeZone: text('time_zone').notNull(),
  holidays: text('holidays').$type<HolidayCalendar>().notNull().default('none'),
  tagline: translated('tagline').notNull().default({}),
  contactEmail: text('contact_email'),
  theme: jsonb('theme').$type<unknown>().notNull().default({}),
  consentRequired: boolean('consent_required').notNull().default(false),
  /** Sign-ins since then need a second step of people with a role. */
  secondStepRequiredSince: instant('second_step_required_since'),
  contentVersion: bigint('content_version', { mode: 'number' }).notNull().default(1),
  /** Until then cookies count without the prefix that they have over https; null on sites that began with it. */
  formerCookiesUntil: instant('former_cookies_until'),
  sharedNetworks: text('shared_networks').array().notNull().default([]),
  duties: text('duties').$type<DutyRules>().notNull().default('none'),
  /** For how many days its consultations are open at least. */
  dutyDays: integer('duty_days').notNull().default(42),
  /** What signs its links and receipts, sealed; null: the installation's own key does. Read it with `withSigningKey`. */
  sealedKey: text('sealed_key'),
  /** The origin that answers for it since it moved away. */
  movedTo: text('moved_to'),
  /** Of the file that it came from. */
  importId: uuid('import_id'),
  createdAt: instant('created_at').notNull().defaultNow(),
})

export const siteDomains = pgTable('site_domains', {
  host: text('host').primaryKey(),
  siteId: uuid('site_id').notNull(),
  isPrimary: boolean('is_primary').notNull().default(false),
  id: uuid('id').notNull().unique().defaultRandom(),
})

export const siteDeletions = pgTable('site_deletions', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  host: text('host'),
  was: text('was').$type<'active' | 'suspended' | 'moving' | 'moved'>().notNull(),
  reason: text('reason').notNull(),
  askedBy: uuid('asked_by').notNull(),
  askedByName: text('asked_by_name').notNull(),
  askedAt: instant('asked_at').notNull(),
  dueAt: instant('due_at').notNull(),
  state: text('state').$type<'waiting' | 'erasing' | 'erased'>().notNull().default('waiting'),
  erasedAt: instant('erased_at'),
  erased: jsonb('erased').$type<Record<string, number>>().notNull().default({}),
  exportState: text('export_state').$type<'waiting' | 'running' | 'done' | 'failed' | 'expired'>().notNull().default('waiting'),
  exportAttempt: uuid('export_attempt'),
  exportAliveAt: instant('export_alive_at'),
  exportMadeAt: instant('export_made_at'),
  exportPieces: integer('export_pieces'),
  exportBytes: bigint('export_bytes', { mode: 'number' }),
  exportSha256: text('export_sha256'),
  exportRows: bigint('export_rows', { mode: 'number' }),
  exportFiles: integer('export_files'),
  exportExpiresAt: instant('export_expires_at'),
})

export const siteFigures = pgTable('site_figures', {
  siteId: uuid('site_id').primaryKey(),
  countedAt: instant('counted_at').notNull(),
  openProjects: integer('open_projects').notNull(),
  participants: integer('participants').notNull(),
  responses: integer('responses').notNull(),
  aware: integer('aware').notNull(),
  informed: integer('informed').notNull(),
  engaged: integer('engaged').notNull(),
  connections: integer('connections').notNull(),
  failing: jsonb('failing').$type<{ kind: 'integration' | 'city-connector'; name: string; since: string | null }[]>().notNull(),
  mailsWaiting: integer('mails_waiting').notNull().default(0),
  mailsWaitingSince: instant('mails_waiting_since'),
})

export const features = pgTable('features', {
  name: text('name').primaryKey(),
  kind: text('kind').notNull().default('feature'),
  enabled: boolean('enabled').notNull().default(false),
})

export const siteFeatures = pgTable(
  'site_features',
  {
    siteId: uuid('site_id').notNull(),
    name: text('name').notNull(),
    enabled: boolean('enabled').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.name] })],
)

export const embedDomains = pgTable(
  'embed_domains',
  {
    siteId: uuid('site_id').notNull(),
    host: text('host').notNull(),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
    showsHere: boolean('shows_here').notNull().default(true),
    mayFrame: boolean('may_frame').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.host] })],
)

/** What changed in which version of a site's content. Written by triggers only: see the migration `content-changes`. */
export const contentChanges = pgTable(
  'content_changes',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull().defaultRandom(),
    version: bigint('version', { mode: 'number' }),
    tableName: text('table_name').notNull(),
    scopeId: uuid('scope_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
