import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Language } from '../../../lib/languages.ts'
import type { Role } from '../../../lib/roles.ts'
import type {
  AssertionEncryption,
  ClaimNames,
  ClientAuth,
  GroupSeparator,
  ProviderAudience,
  ProviderPreset,
  ProviderProtocol,
  ProviderState,
  SignInFaultCode,
} from '../../../lib/vocabulary/identity.ts'
import type { VerificationLevel } from '../../../lib/vocabulary/verifications.ts'
import { bytea, instant } from './columns.ts'

export const identityProviders = pgTable(
  'identity_providers',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    preset: text('preset').$type<ProviderPreset>().notNull(),
    name: text('name').notNull(),
    audience: text('audience').$type<ProviderAudience>().notNull(),
    issuer: text('issuer').notNull(),
    clientId: text('client_id').notNull(),
    clientAuth: text('client_auth').$type<ClientAuth>().notNull(),
    sealedSecret: text('sealed_secret'),
    sealedKeys: text('sealed_keys'),
    claims: jsonb('claims').$type<ClaimNames>().notNull(),
    provesEmail: boolean('proves_email').notNull().default(false),
    createsAccounts: boolean('creates_accounts').notNull().default(false),
    allowedDomains: text('allowed_domains').array().notNull().default([]),
    requiredAcr: text('required_acr').array().notNull().default([]),
    provesLevel: text('proves_level').$type<VerificationLevel>(),
    protocol: text('protocol').$type<ProviderProtocol>().notNull().default('openid'),
    ssoUrl: text('sso_url'),
    certificates: text('certificates').array().notNull().default([]),
    assertionEncryption: text('assertion_encryption').$type<AssertionEncryption>().notNull().default('none'),
    signsRequests: boolean('signs_requests').notNull().default(false),
    groupSeparator: text('group_separator').$type<GroupSeparator>().notNull().default('guess'),
    metadataAddress: text('metadata_address'),
    metadataReadAt: instant('metadata_read_at'),
    metadataFailed: boolean('metadata_failed').notNull().default(false),
    state: text('state').$type<ProviderState>().notNull().default('draft'),
    makerId: uuid('maker_id'),
    testedAt: instant('tested_at'),
    remindedAt: instant('reminded_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

/** Changes that wait until a second site administrator agrees. */
export const identityProviderChanges = pgTable(
  'identity_provider_changes',
  {
    siteId: uuid('site_id').notNull(),
    providerId: uuid('provider_id').notNull(),
    id: uuid('id').notNull(),
    askedBy: uuid('asked_by').notNull(),
    askedAt: instant('asked_at').notNull(),
    settings: jsonb('settings').$type<Record<string, unknown>>().notNull(),
    sealedSecret: text('sealed_secret'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.providerId] })],
)

export const identityRoleRules = pgTable(
  'identity_role_rules',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    providerId: uuid('provider_id').notNull(),
    groupName: text('group_name').notNull(),
    role: text('role').$type<Exclude<Role, 'platform_admin'>>().notNull(),
    hubId: uuid('hub_id'),
    projectId: uuid('project_id'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const identities = pgTable(
  'identities',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    providerId: uuid('provider_id').notNull(),
    subject: text('subject').notNull(),
    userId: uuid('user_id').notNull(),
    email: text('email'),
    linkedAt: instant('linked_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const identityRequests = pgTable(
  'identity_requests',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    providerId: uuid('provider_id').notNull(),
    subject: text('subject').notNull(),
    email: text('email'),
    name: text('name'),
    emailProven: boolean('email_proven').notNull(),
    language: text('language').$type<Language>().notNull(),
    askedAt: instant('asked_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const identityProviderTests = pgTable(
  'identity_provider_tests',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    providerId: uuid('provider_id').notNull(),
    userId: uuid('user_id').notNull(),
    at: instant('at').notNull(),
    fault: text('fault').$type<SignInFaultCode>(),
    claims: jsonb('claims').$type<Record<string, unknown>>().notNull(),
    groups: text('groups').array().notNull().default([]),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const samlAnswers = pgTable(
  'saml_answers',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    providerId: uuid('provider_id').notNull(),
    sealedAnswer: text('sealed_answer').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const usedSignInKeys = pgTable(
  'used_sign_in_keys',
  {
    siteId: uuid('site_id').notNull(),
    key: bytea('key').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.key] })],
)
