import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, singletonShape, toMany, toOne } from '#app/lib/api-client/resource-shape.ts'
import { contentLanguageSchema } from '#app/lib/language-schema.ts'
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
  PARTICIPATION_TIMES,
  PEOPLE_SORTS,
  PERSON_STATUSES,
  reasonSchema,
  secondStepCodeSchema,
  signInSchema,
  SITE_ROLES,
  tokenSchema,
} from './accounts.schema.ts'
import { passkeyAnswerSchema } from './second-step/second-step.schema.ts'

const required = { create: 'required' } as const
const changeable = { create: 'optional', update: true } as const
const secret = { read: false, create: 'required' } as const
const optionalSecret = { read: false, create: 'optional' } as const
const nullableTimestampSchema = v.nullable(timestampSchema)
const userTypeSchema = v.picklist(['participant', 'administrator'])
const roleNameSchema = v.picklist([...ROLES, 'participant'])

export const currentUserShape = singletonShape({
  type: 'current-user',
  summary: 'The user whose token it is; null without a token',
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
  summary: 'Signed-in devices. POST signs in, DELETE signs out',
  operations: ['list', 'get', 'create', 'remove'],
  tokenless: ['create'],
  attributes: {
    email: attribute(signInSchema.entries.email, secret),
    password: attribute(givenPasswordSchema, secret),
    /** For accounts with two-step sign-in: six digits from an authenticator app, or a recovery code. */
    code: attribute(secondStepCodeSchema, optionalSecret),
    token: attribute(v.string(), { read: 'sometimes' }),
    browser: attribute(v.nullable(v.string())),
    system: attribute(v.nullable(v.string())),
    current: attribute(v.boolean()),
    createdAt: attribute(timestampSchema),
    lastUsedAt: attribute(timestampSchema),
    expiresAt: attribute(timestampSchema),
  },
})

export const sessionConfirmationShape = resourceShape({
  type: 'session-confirmations',
  summary:
    'Confirms again who the user is, before what asks for it with `fresh-sign-in-required`: by a code or passkey for accounts with two-step sign-in, else by the password',
  operations: ['create'],
  attributes: {
    password: attribute(givenPasswordSchema, optionalSecret),
    code: attribute(secondStepCodeSchema, optionalSecret),
    /** The browser's response for a passkey, as JSON. */
    passkey: attribute(passkeyAnswerSchema, optionalSecret),
    confirmedAt: attribute(timestampSchema),
  },
})

export const userShape = resourceShape({
  type: 'users',
  summary: 'Accounts. POST registers; the response is the same whether or not the address already has an account',
  operations: ['list', 'get', 'create', 'update'],
  tokenless: ['create'],
  can: ['update', 'block', 'erase', 'resetSecondStep'],
  attributes: {
    login: attribute(loginSchema, { create: 'required', update: true }),
    email: attribute(emailSchema, required),
    password: attribute(newPasswordSchema, secret),
    locale: attribute(contentLanguageSchema, changeable),
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
    /** Answered, contributed or replied in at least so many projects. */
    projectsAtLeast: filter.number(),
    /** The period in which they took part most recently or, for `first-90-days`, for the first time. `not-for-a-year`: more than a year ago. */
    tookPart: filter.choice(PARTICIPATION_TIMES),
    /** They follow a project on this topic. */
    followsTopic: filter.id(),
    group: filter.id(),
    /** What they said about themselves, `key:option`: OR within a question, AND between questions. `age:65-74,home:en,home:fr` */
    profile: filter.text(500),
    blocked: filter.flag(),
    confirmed: filter.flag(),
  },
  sorts: PEOPLE_SORTS,
  defaultSort: '-createdAt',
})

export const userBlockShape = resourceShape({
  type: 'user-blocks',
  summary: 'Blocked people. POST blocks, DELETE unblocks. Has the id of the user',
  operations: ['get', 'create', 'remove'],
  attributes: { reason: attribute(reasonSchema, required), blockedAt: attribute(timestampSchema) },
  relationships: { user: toOne('users', required) },
})

export const secondStepResetShape = resourceShape({
  type: 'second-step-resets',
  summary: 'Turns off the two-step sign-in of somebody who lost it, for site administrators',
  operations: ['create'],
  attributes: { resetAt: attribute(timestampSchema) },
  relationships: { user: toOne('users', required) },
})

export const membershipShape = resourceShape({
  type: 'memberships',
  summary: 'Roles on the site. A role for an email address without an account sends an invitation',
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
  summary: 'Sends the invitation again to someone who has a role but no password yet',
  operations: ['create'],
  attributes: { sentAt: attribute(timestampSchema) },
  relationships: { user: toOne('users', required) },
})

export const invitationLinkShape = resourceShape({
  type: 'invitation-links',
  summary: 'Creates an invitation link to hand over if the site sends no email. Earlier links stop working',
  operations: ['create'],
  attributes: { address: attribute(v.string()) },
  relationships: { user: toOne('users', required) },
})

export const userMergeShape = resourceShape({
  type: 'user-merges',
  summary: 'Merges two accounts of the same person',
  operations: ['create'],
  attributes: { mergedAt: attribute(timestampSchema) },
  relationships: { from: toOne('users', required), into: toOne('users', required) },
})

export const groupShape = resourceShape({
  type: 'groups',
  summary: 'Groups and tags of people, filled by hand or by a rule',
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
  filters: {
    kind: filter.choice(GROUP_KINDS),
    q: filter.text(100),
    /** Only groups whose members are added by hand, or only those filled by a rule. */
    byHand: filter.flag(),
  },
})

export const passwordResetShape = resourceShape({
  type: 'password-resets',
  summary: 'Emails a link to choose a new password, if the address has an account',
  operations: ['create'],
  tokenless: ['create'],
  attributes: { email: attribute(emailSchema, required) },
})

export const passwordChangeShape = resourceShape({
  type: 'password-changes',
  summary: 'Sets a new password, with the token of an emailed link or with the current password',
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
  summary: 'Changes your own email address, once the new one is confirmed',
  operations: ['create'],
  attributes: { email: attribute(emailSchema, required), password: attribute(givenPasswordSchema, secret) },
})

export const emailConfirmationShape = resourceShape({
  type: 'email-confirmations',
  summary: 'Confirms an email address with the token of an emailed link. Without a token, sends the link again',
  operations: ['create'],
  tokenless: ['create'],
  attributes: {
    token: attribute(tokenSchema, optionalSecret),
    confirmed: attribute(v.picklist(['confirm-email', 'change-email', 'mailed'])),
  },
})

export const ownDataShape = singletonShape({
  type: 'own-data',
  summary: 'Everything the site stores about the person whose token it is',
  attributes: { sections: attribute(v.record(v.string(), v.unknown())) },
})

export const accountDeletionShape = resourceShape({
  type: 'account-deletions',
  summary: 'Deletes your own account, with its password, or erases another user’s account, with a reason',
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
    'session-confirmations': typeof sessionConfirmationShape
    'password-resets': typeof passwordResetShape
    'second-step-resets': typeof secondStepResetShape
    sessions: typeof sessionShape
    'user-blocks': typeof userBlockShape
    'user-merges': typeof userMergeShape
    users: typeof userShape
  }
}
