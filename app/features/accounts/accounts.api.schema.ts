import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, singletonShape, toMany, toOne } from '#app/lib/api-client/resource-shape.ts'
import { languageSchema } from '#app/lib/language-schema.ts'
import { ROLES } from '#app/lib/roles.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { GROUP_KINDS } from '#app/lib/vocabulary/accounts.ts'
import {
  emailSchema,
  givenPasswordSchema,
  loginSchema,
  newPasswordSchema,
  groupNameSchema,
  groupRuleSchema,
  PEOPLE_SORTS,
  PERSON_STATUSES,
  reasonSchema,
  signInSchema,
  SITE_ROLES,
  tokenSchema,
} from './accounts.schema.ts'

const required = { create: 'required' } as const
const changeable = { create: 'optional', update: true } as const
const secret = { read: false, create: 'required' } as const
const optionalSecret = { read: false, create: 'optional' } as const
const nullableTimestampSchema = v.nullable(timestampSchema)
const userTypeSchema = v.picklist(['participant', 'administrator'])
const roleNameSchema = v.picklist([...ROLES, 'participant'])

export const currentUserShape = singletonShape({
  type: 'current-user',
  summary: 'Whose token it is; null without one',
  attributes: {
    user: attribute(
      v.object({
        id: v.string(),
        email: v.string(),
        login: v.string(),
        roleName: roleNameSchema,
        type: userTypeSchema,
        lastSeenAt: nullableTimestampSchema,
      }),
    ),
  },
})

export const sessionShape = resourceShape({
  type: 'sessions',
  summary: 'Devices that are signed in: creating one signs in, removing it signs out',
  operations: ['list', 'get', 'create', 'remove'],
  tokenless: ['create'],
  attributes: {
    email: attribute(signInSchema.entries.email, secret),
    password: attribute(givenPasswordSchema, secret),
    token: attribute(v.string(), { read: 'sometimes' }),
    browser: attribute(v.nullable(v.string())),
    system: attribute(v.nullable(v.string())),
    current: attribute(v.boolean()),
    createdAt: attribute(timestampSchema),
    lastUsedAt: attribute(timestampSchema),
    expiresAt: attribute(timestampSchema),
  },
})

export const userShape = resourceShape({
  type: 'users',
  summary: 'Accounts: creating one registers, and answers the same whether the address is known or not',
  operations: ['list', 'get', 'create', 'update'],
  tokenless: ['create'],
  can: ['update', 'block', 'erase'],
  attributes: {
    login: attribute(loginSchema, { create: 'required', update: true }),
    email: attribute(emailSchema, required),
    password: attribute(newPasswordSchema, secret),
    locale: attribute(languageSchema, changeable),
    marketingConsent: attribute(v.boolean(), changeable),
    roleName: attribute(roleNameSchema),
    status: attribute(v.picklist(PERSON_STATUSES)),
    confirmed: attribute(v.boolean()),
    blockedAt: attribute(nullableTimestampSchema),
    blockedReason: attribute(v.nullable(v.string())),
    lastSeenAt: attribute(nullableTimestampSchema),
    createdAt: attribute(timestampSchema),
  },
  relationships: { memberships: toMany('memberships', { inverse: 'user' }), groups: toMany('groups') },
  filters: {
    q: filter.text(200),
    role: filter.choices([...SITE_ROLES, 'participant']),
    status: filter.choices(PERSON_STATUSES),
    hub: filter.id(),
    project: filter.id(),
    group: filter.id(),
    blocked: filter.flag(),
    confirmed: filter.flag(),
  },
  sorts: PEOPLE_SORTS,
  defaultSort: '-createdAt',
})

export const userBlockShape = resourceShape({
  type: 'user-blocks',
  summary: 'People who are shut out: creating one blocks, removing it lets in again. It has the id of its user',
  operations: ['get', 'create', 'remove'],
  attributes: { reason: attribute(reasonSchema, required), blockedAt: attribute(timestampSchema) },
  relationships: { user: toOne('users', required) },
})

export const membershipShape = resourceShape({
  type: 'memberships',
  summary: 'Roles on the site. A role for an address without an account invites its reader',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  can: ['update', 'remove'],
  attributes: {
    role: attribute(v.picklist(SITE_ROLES), required),
    email: attribute(emailSchema, optionalSecret),
    login: attribute(loginSchema, optionalSecret),
    mayExportPersonalData: attribute(v.boolean(), changeable),
    createdAt: attribute(timestampSchema),
  },
  relationships: {
    user: toOne('users', { create: 'optional', nullable: false }),
    hub: toOne('hubs', { create: 'optional' }),
    project: toOne('projects', { create: 'optional' }),
  },
  filters: { user: filter.id(), role: filter.choices(SITE_ROLES), hub: filter.id(), project: filter.id() },
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
})

export const invitationShape = resourceShape({
  type: 'invitations',
  summary: 'Mails an invitation once more to somebody who has a role and no password yet',
  operations: ['create'],
  attributes: { sentAt: attribute(timestampSchema) },
  relationships: { user: toOne('users', required) },
})

export const invitationLinkShape = resourceShape({
  type: 'invitation-links',
  summary: 'The link of an invitation, to hand over where no mail leaves the site; earlier ones stop working',
  operations: ['create'],
  attributes: { address: attribute(v.string()) },
  relationships: { user: toOne('users', required) },
})

export const userMergeShape = resourceShape({
  type: 'user-merges',
  summary: 'Makes one account of two that are the same person’s: everything goes from one into the other',
  operations: ['create'],
  attributes: { mergedAt: attribute(timestampSchema) },
  relationships: { from: toOne('users', required), into: toOne('users', required) },
})

export const groupShape = resourceShape({
  type: 'groups',
  summary: 'Groups and tags of people, by hand or by rule',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update'],
  attributes: {
    name: attribute(groupNameSchema, { create: 'required', update: true }),
    kind: attribute(v.picklist(GROUP_KINDS), changeable),
    /** Null for a group whose members are added by hand. */
    rule: attribute(v.nullable(groupRuleSchema), changeable),
    members: attribute(v.number()),
  },
  relationships: { hub: toOne('hubs', { create: 'optional' }), people: toMany('users') },
  filters: { kind: filter.choice(GROUP_KINDS), q: filter.text(100) },
})

export const passwordResetShape = resourceShape({
  type: 'password-resets',
  summary: 'Asks for a mail with a link to choose a new password, if the address has an account',
  operations: ['create'],
  tokenless: ['create'],
  attributes: { email: attribute(emailSchema, required) },
})

export const passwordChangeShape = resourceShape({
  type: 'password-changes',
  summary: 'A new password, with the token of a mailed link or with the current password',
  operations: ['create'],
  tokenless: ['create'],
  attributes: {
    token: attribute(tokenSchema, optionalSecret),
    currentPassword: attribute(givenPasswordSchema, optionalSecret),
    password: attribute(newPasswordSchema, secret),
    changedAt: attribute(timestampSchema),
  },
})

export const emailChangeShape = resourceShape({
  type: 'email-changes',
  summary: 'Another email address for the own account, used once it is confirmed',
  operations: ['create'],
  attributes: { email: attribute(emailSchema, required), password: attribute(givenPasswordSchema, secret) },
})

export const emailConfirmationShape = resourceShape({
  type: 'email-confirmations',
  summary: 'Confirms an email address with the token of a mailed link; without a token, mails the link again',
  operations: ['create'],
  tokenless: ['create'],
  attributes: {
    token: attribute(tokenSchema, optionalSecret),
    confirmed: attribute(v.picklist(['confirm-email', 'change-email', 'mailed'])),
  },
})

export const ownDataShape = singletonShape({
  type: 'own-data',
  summary: 'Everything the site holds of the person whose token it is',
  attributes: { sections: attribute(v.record(v.string(), v.unknown())) },
})

export const accountDeletionShape = resourceShape({
  type: 'account-deletions',
  summary: 'Deletes the own account, with its password; or erases the account of a user, with a reason',
  operations: ['create'],
  attributes: {
    password: attribute(givenPasswordSchema, optionalSecret),
    reason: attribute(reasonSchema, optionalSecret),
    deletedAt: attribute(timestampSchema),
  },
  relationships: { user: toOne('users', { create: 'optional' }) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'account-deletions': typeof accountDeletionShape
    'current-user': typeof currentUserShape
    'email-changes': typeof emailChangeShape
    'email-confirmations': typeof emailConfirmationShape
    groups: typeof groupShape
    'invitation-links': typeof invitationLinkShape
    invitations: typeof invitationShape
    memberships: typeof membershipShape
    'own-data': typeof ownDataShape
    'password-changes': typeof passwordChangeShape
    'password-resets': typeof passwordResetShape
    sessions: typeof sessionShape
    'user-blocks': typeof userBlockShape
    'user-merges': typeof userMergeShape
    users: typeof userShape
  }
}
