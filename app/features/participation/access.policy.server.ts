import { and, eq } from 'drizzle-orm'
import { loadGroupCondition } from '#app/features/accounts/people.list.server.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { Action } from '#app/features/permissions/permissions.schema.ts'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import type { SurveyAccess } from '#app/lib/vocabulary/surveys.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { peopleGroups, users } from '#app/server/db/schema/accounts.ts'
import { projectMembers } from '#app/server/db/schema/projects.ts'
import type { AccessRefusal } from './access.schema.ts'

/**
 * Finds what the sender brought to take part: the code or the secret of a personal link for an activity, or what a verification left in the
 * browser, by the site's id.
 */
export type ReadInvitation = (subjectId: string) => string | undefined

/** Who may take part in something: a survey, or posting and reacting in an activity. */
interface AccessRule {
  action: Action
  access: SurveyAccess
  groupId: string | null
  projectId: string
  /** Whether the viewer brought a valid invitation, for `invited`. */
  hasInvitation?: () => Promise<boolean>
  /** Whether the viewer holds a verification that is enough, for `verified`. */
  hasVerification?: () => Promise<boolean>
}

/** Why the viewer may not take part; null if they may. */
export async function findAccessRefusal(ctx: Ctx, tx: Tx, rule: AccessRule): Promise<AccessRefusal | null> {
  const { viewer } = ctx
  const { access } = rule
  if (!checkPermission(viewer, rule.action).ok) return 'guest'
  if (access === 'anyone' || access === 'anyone_once') return null
  if (access === 'invited') return (await rule.hasInvitation?.()) ? null : 'invitation'
  if (access === 'verified') return (await rule.hasVerification?.()) ? null : 'verification'
  if (viewer.kind === 'visitor') return 'sign-in'
  if (access === 'confirmed' && !viewer.confirmed) return 'confirm'
  if (access === 'group') return (await isInGroup(ctx, tx, rule.groupId)) ? null : 'group'
  return access === 'members' && !(await isMemberOf(ctx, tx, rule.projectId)) ? 'members' : null
}

export const ERROR_BY_REFUSAL: Record<AccessRefusal, ErrorCode> = {
  'sign-in': 'unauthenticated',
  confirm: 'confirm-to-take-part',
  members: 'forbidden',
  group: 'forbidden',
  invitation: 'invitation-needed',
  verification: 'verification-needed',
  guest: 'forbidden',
}

async function isMemberOf(ctx: Ctx, tx: Tx, projectId: string): Promise<boolean> {
  if (ctx.viewer.kind === 'visitor' || ctx.viewer.siteId !== ctx.site.id) return false
  const rows = await tx
    .select({ userId: projectMembers.userId })
    .from(projectMembers)
    .where(and(eq(projectMembers.siteId, ctx.site.id), eq(projectMembers.projectId, projectId), eq(projectMembers.userId, ctx.viewer.id)))
  return rows.length > 0
}

async function isInGroup(ctx: Ctx, tx: Tx, groupId: string | null): Promise<boolean> {
  const { viewer } = ctx
  if (groupId === null || viewer.kind === 'visitor' || viewer.siteId !== ctx.site.id) return false
  const [group] = await tx
    .select()
    .from(peopleGroups)
    .where(and(eq(peopleGroups.siteId, ctx.site.id), eq(peopleGroups.id, groupId)))
  if (!group) return false
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.siteId, ctx.site.id), eq(users.id, viewer.id), await loadGroupCondition(ctx, tx, group, viewer.id)))
  return found.length > 0
}
