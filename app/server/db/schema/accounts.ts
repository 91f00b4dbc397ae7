import { sql } from 'drizzle-orm'
import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ContentLanguage } from '../../../lib/languages.ts'
import type { Role } from '../../../lib/roles.ts'
import type { ApiScope } from '../../../lib/vocabulary/api-scopes.ts'
import type { GroupKind, NoteReader } from '../../../lib/vocabulary/accounts.ts'
import { bytea, instant } from './columns.ts'

export const users = pgTable(
  'users',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    email: text('email').notNull(),
    login: text('login').notNull(),
    type: text('type').notNull().default('participant'),
    passwordHash: text('password_hash'),
    locale: text('locale').$type<ContentLanguage>().notNull().default('en'),
    emailConfirmedAt: instant('email_confirmed_at'),
    blockedAt: instant('blocked_at'),
    blockedReason: text('blocked_reason'),
    lastSeenAt: instant('last_seen_at'),
    marketingConsentAt: instant('marketing_consent_at'),
    /** When the person last answered or put off the questions on a receipt. */
    profilePostponedAt: instant('profile_postponed_at'),
    secondStepSince: instant('second_step_since'),
    followMails: text('follow_mails').$type<'at-once' | 'daily' | 'weekly' | 'never'>().notNull().default('at-once'),
    createdAt: instant('created_at').notNull().defaultNow(),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(sql`''`),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const sessions = pgTable(
  'sessions',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    tokenHash: bytea('token_hash').notNull(),
    userAgent: text('user_agent'),
    address: text('address'),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
    confirmedAt: instant('confirmed_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    identityId: uuid('identity_id'),
    providerSession: text('provider_session'),
    endsAt: instant('ends_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const authenticatorApps = pgTable(
  'authenticator_apps',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    sealedKey: text('sealed_key').notNull(),
    lastUsedStep: bigint('last_used_step', { mode: 'number' }).notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const passkeys = pgTable(
  'passkeys',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    name: text('name').notNull(),
    host: text('host').notNull(),
    credentialId: text('credential_id').notNull(),
    publicKey: bytea('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    boundTo: uuid('bound_to').notNull(),
    purpose: text('purpose').$type<'add' | 'use' | 'sign-in'>().notNull(),
    challenge: text('challenge').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    codeHash: bytea('code_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const pendingSignIns = pgTable(
  'pending_sign_ins',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    tokenHash: bytea('token_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const apiTokens = pgTable(
  'api_tokens',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    name: text('name').notNull(),
    scopes: text('scopes').array().$type<ApiScope[]>().notNull(),
    tokenHash: bytea('token_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const oneTimeLinks = pgTable(
  'one_time_links',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id'),
    purpose: text('purpose').notNull(),
    tokenHash: bytea('token_hash').notNull(),
    email: text('email'),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const memberships = pgTable(
  'memberships',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    role: text('role').$type<Role>().notNull(),
    hubId: uuid('hub_id'),
    projectId: uuid('project_id'),
    mayExportPersonalData: boolean('may_export_personal_data').notNull().default(false),
    providerId: uuid('provider_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const supportGrants = pgTable(
  'support_grants',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    grantedBy: uuid('granted_by').notNull(),
    reason: text('reason').notNull().default(''),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const peopleGroups = pgTable(
  'people_groups',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    hubId: uuid('hub_id'),
    kind: text('kind').$type<GroupKind>().notNull().default('group'),
    name: text('name').notNull(),
    rule: jsonb('rule').$type<unknown>(),
    lockVersion: integer('lock_version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const peopleGroupMembers = pgTable(
  'people_group_members',
  {
    siteId: uuid('site_id').notNull(),
    groupId: uuid('group_id').notNull(),
    userId: uuid('user_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.groupId, t.userId] })],
)

/** What the team notes about a person. */
export const personNotes = pgTable(
  'person_notes',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    authorId: uuid('author_id'),
    body: text('body').notNull(),
    readBy: text('read_by').$type<NoteReader>().notNull(),
    createdAt: instant('created_at').notNull(),
    editedAt: instant('edited_at'),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
