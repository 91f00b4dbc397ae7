import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import {
  invitationLinkShape,
  invitationShape,
  membershipShape,
  secondStepResetShape,
  userBlockShape,
  userMergeShape,
  userShape,
} from '#app/features/accounts/accounts.api.schema.ts'
import type { Person } from '#app/features/accounts/accounts.schema.ts'
import {
  addMembership,
  listMemberships,
  canGiveRole,
  loadMembershipsById,
  loadMembershipIds,
  removeMembership,
  updateMembership,
} from '#app/features/accounts/memberships.server.ts'
import { createInvitationLink, sendInvitation } from '#app/features/accounts/invitations.server.ts'
import { loadGroupIds } from '#app/features/accounts/groups.server.ts'
import { listPeople, loadPeopleById } from '#app/features/accounts/people.list.server.ts'
import { mergePeople } from './people.merge.server.ts'
import { blockPerson, canBlock, unblockPerson } from './people.server.ts'
import { updateProfile } from '#app/features/accounts/profile.server.ts'
import { registerParticipant } from '#app/features/accounts/registration.server.ts'
import { canResetSecondStep, resetPersonSecondStep } from '#app/features/accounts/second-step/reset-second-step.server.ts'

export const userResource = implementResource(userShape, {
  changers: 'signed-in',
  load: loadPeopleById,
  list: (ctx, { filter, sort, page }) => listPeople(ctx, { ...filter, sort, offset: page.offset, limit: page.limit }),
  can: ({ viewer }, person) => ({
    update: isSelf(viewer, person),
    block: canBlock(viewer, person),
    erase: !isSelf(viewer, person) && checkPermission(viewer, 'participants.erase').ok,
    resetSecondStep: canResetSecondStep(viewer, person),
  }),
  attributes: (person) => ({
    login: person.login,
    email: person.email,
    locale: person.locale as ContentLanguage,
    marketingConsent: person.marketingConsent,
    roleName: person.roleName,
    status: person.status,
    confirmed: person.confirmed,
    blockedAt: person.blockedAt,
    blockedReason: person.blockedReason,
    lastSeenAt: person.lastSeenAt,
    createdAt: person.createdAt,
  }),
  relationships: {
    memberships: { ids: (ctx, people) => loadMembershipIds(ctx, people), filter: (person) => ({ user: person.id }) },
    groups: { ids: (ctx, people) => loadGroupIds(ctx, people) },
  },
  creators: 'anyone',
  create: async (ctx, { login, email, password, locale, marketingConsent }) => {
    const { id } = await registerParticipant(ctx, { login, email, password, locale, marketingConsent: marketingConsent ?? false })
    return id
  },
  update: async (ctx, person, input) => {
    if (!isSelf(ctx.viewer, person)) throw new AppError('forbidden')
    await updateProfile(ctx, input)
  },
})

export const userBlockResource = implementResource(userBlockShape, {
  load: async (ctx, ids) => (await loadPeopleById(ctx, ids)).filter((person) => person.blockedAt !== null),
  attributes: (person: Person) => ({ reason: person.blockedReason ?? '', blockedAt: person.blockedAt ?? person.createdAt }),
  relationships: { user: { id: (person: Person) => person.id } },
  create: async (ctx, { reason, user }) => {
    await blockPerson(ctx, user, { reason })
    return user
  },
  remove: (ctx, person) => unblockPerson(ctx, person.id),
})

export const membershipResource = implementResource(membershipShape, {
  load: loadMembershipsById,
  list: (ctx, { filter, sort, page }) =>
    listMemberships(ctx, { ...filter, newestFirst: sort[0]?.descending ?? true, offset: page.offset, limit: page.limit }),
  can: ({ viewer }, membership) => {
    const may = canGiveRole(viewer, membership.role, {
      hubId: membership.hubId ?? membership.projectHubId,
      projectId: membership.projectId,
    })
    return { update: may, remove: may }
  },
  attributes: ({ role, mayExportPersonalData, createdAt }) => ({ role, mayExportPersonalData, createdAt }),
  relationships: {
    user: { id: (membership) => membership.userId },
    hub: { id: (membership) => membership.hubId },
    project: { id: (membership) => membership.projectId },
  },
  create: (ctx, { user, hub, project, ...input }) =>
    addMembership(ctx, { ...input, userId: user ?? undefined, hubId: hub, projectId: project }),
  update: (ctx, membership, input) => updateMembership(ctx, membership.id, input),
  remove: (ctx, membership) => removeMembership(ctx, membership.id),
})

const isSelf = (viewer: Ctx['viewer'], person: { id: string }) => viewer.kind === 'user' && viewer.id === person.id

interface UserActionResult {
  id: string
  user: string
  at: Date
}

export const invitationResource = implementResource(invitationShape, {
  create: async (ctx, { user }): Promise<UserActionResult> => {
    await sendInvitation(ctx, user)
    return { id: createId(), user, at: ctx.now() }
  },
  attributes: ({ at }) => ({ sentAt: at }),
  relationships: { user: { id: ({ user }) => user } },
})

export const invitationLinkResource = implementResource(invitationLinkShape, {
  create: async (ctx, { user }) => ({ id: createId(), user, address: await createInvitationLink(ctx, user) }),
  attributes: ({ address }) => ({ address }),
  relationships: { user: { id: ({ user }) => user } },
})

export const secondStepResetResource = implementResource(secondStepResetShape, {
  create: async (ctx, { user }): Promise<UserActionResult> => {
    await resetPersonSecondStep(ctx, user)
    return { id: createId(), user, at: ctx.now() }
  },
  attributes: ({ at }) => ({ resetAt: at }),
  relationships: { user: { id: ({ user }) => user } },
})

export const userMergeResource = implementResource(userMergeShape, {
  create: async (ctx, input): Promise<UserActionResult> => {
    await mergePeople(ctx, input)
    return { id: createId(), user: input.into, at: ctx.now() }
  },
  attributes: ({ at }) => ({ mergedAt: at }),
  // The merged account no longer exists.
  relationships: { from: { id: () => null }, into: { id: ({ user }) => user } },
})
