import { and, asc, count, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { queueAccountMail } from '#app/features/accounts/account-mails.server.ts'
import { loadGroupsById } from '#app/features/accounts/groups.server.ts'
import { createInvitationToken } from '#app/features/accounts/one-time-links.server.ts'
import { findOrInviteByEmail } from '#app/features/accounts/memberships.server.ts'
import { requirePeopleManager, loadPeopleById, loadGroupPeopleIds } from '#app/features/accounts/people.list.server.ts'
import { lockUser } from '#app/features/accounts/account-realm.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { toLikePattern } from '#app/lib/like-pattern.ts'
import { createId } from '#app/lib/uuid.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { projectMembers, projects } from '#app/server/db/schema/projects.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { limitByMailbox } from '#app/server/limits/mails.ts'
import { toPermissionTarget, type ProjectRow } from '../projects.policy.server.ts'

export interface ProjectMember {
  id: string
  projectId: string
  userId: string
  email: string
  /** Null until somebody invited by email has opened the project. */
  name: string | null
  createdAt: Date
  hubId: string | null
}

/** The most people that one admission notifies by email. */
const MAX_ADMITTED = 2000

/** Members of the projects whose people the viewer manages, sorted by email. @throws {AppError} `unauthenticated`, `forbidden` */
export async function listProjectMembers(
  ctx: Ctx,
  query: { project?: string; q?: string; offset: number; limit: number },
): Promise<{ rows: ProjectMember[]; total: number }> {
  requirePeopleManager(ctx.viewer)
  // A hidden name must not be searchable either.
  const words = query.q?.trim() ? toLikePattern(query.q.trim()) : undefined
  const where = and(
    isManaged(ctx),
    query.project === undefined ? undefined : eq(projectMembers.projectId, query.project),
    words === undefined
      ? undefined
      : or(sql`${users.email} ilike ${words}`, and(sql`${projectMembers.openedAt} is not null`, sql`${users.login} ilike ${words}`)),
  )
  return ctx.db.read(async (tx) => {
    const [counted] = await tx
      .select({ total: count() })
      .from(projectMembers)
      .innerJoin(users, isOfUser)
      .innerJoin(projects, isOfProject)
      .where(where)
    const rows = await selectMembers(tx, where).orderBy(asc(users.email), asc(projectMembers.id)).limit(query.limit).offset(query.offset)
    return { rows: rows.map(toProjectMember), total: counted?.total ?? 0 }
  })
}

export async function loadProjectMembersById(ctx: Ctx, ids: readonly string[]): Promise<ProjectMember[]> {
  if (ctx.viewer.kind === 'visitor' || ids.length === 0) return []
  const rows = await ctx.db.read((tx) => selectMembers(tx, and(isManaged(ctx), inArray(projectMembers.id, [...ids]))))
  return rows.map(toProjectMember)
}

/**
 * Lets somebody in from their next request on and notifies them by email. For an email address, the result is the same whether or not it
 * has an account.
 * @returns the new member's id
 * @throws {AppError} `forbidden`, `too-many-requests`, or `invalid` with `required`, `not-a-choice` or `taken`
 */
export async function addProjectMember(
  ctx: Ctx,
  input: { projectId: string; userId?: string | undefined; email?: string | undefined },
): Promise<string> {
  const { projectId, userId, email } = input
  const { viewer } = ctx
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  requirePermission(ctx, 'participants.manage', toPermissionTarget(await ctx.db.read((tx) => requireProject(ctx, tx, projectId))))
  if (userId === undefined && email === undefined) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/email' }] })
  if (email !== undefined) {
    await countAttempt(ctx, [
      { name: 'project-invitation/by', of: viewer.id, most: 500, minutes: 60 },
      limitByMailbox('project-invitation', email),
    ])
  }
  return ctx.db.tx(async (tx) => {
    const project = await requireProject(ctx, tx, projectId)
    const { user, invited } = await resolvePerson(ctx, tx, { userId, email })
    const id = createId()
    const added = await tx
      .insert(projectMembers)
      .values({
        siteId: ctx.site.id,
        id,
        projectId,
        userId: user.id,
        createdAt: ctx.now(),
        openedAt: userId === undefined ? null : ctx.now(),
      })
      .onConflictDoNothing()
      .returning({ id: projectMembers.id })
    if (!added.length) throw new AppError('invalid', { faults: [{ code: 'taken', pointer: userId === undefined ? '/email' : '/user' }] })
    await queueAccountMail(ctx, tx, user, {
      ...buildInvitation(project),
      token: invited ? await createInvitationToken(ctx, tx, user) : undefined,
    })
    await recordAudit(ctx, tx, {
      action: 'project-members.create',
      subject: { type: 'users', id: user.id },
      hubId: project.hubId,
      projectId,
      detail: { by: userId === undefined ? 'email' : 'person' },
    })
    return id
  })
}

/**
 * Lets in everybody who is in a group now and whom the viewer manages, and notifies those who were not members. Joining the group later
 * does not make anybody a member.
 * @throws {AppError} `forbidden`; `invalid` with `not-a-choice`, or with `too-many` for a group of more than 2,000
 */
export async function admitGroup(
  ctx: Ctx,
  { projectId, groupId }: { projectId: string; groupId: string },
): Promise<{ id: string; projectId: string; groupId: string; admitted: number; already: number }> {
  requirePeopleManager(ctx.viewer)
  return ctx.db.tx(async (tx) => {
    const project = await requireProject(ctx, tx, projectId)
    requirePermission(ctx, 'participants.manage', toPermissionTarget(project))
    const [group] = await loadGroupsById(withTx(ctx, tx), [groupId])
    const createGroupFault = (code: 'not-a-choice' | 'too-many') => new AppError('invalid', { faults: [{ code, pointer: '/group' }] })
    if (!group) throw createGroupFault('not-a-choice')
    const people = await loadGroupPeopleIds(ctx, tx, group, MAX_ADMITTED + 1)
    if (people.length > MAX_ADMITTED) throw createGroupFault('too-many')
    const values = people.map((userId) => ({
      siteId: ctx.site.id,
      id: createId(),
      projectId,
      userId,
      createdAt: ctx.now(),
      openedAt: ctx.now(),
    }))
    const added = values.length
      ? await tx.insert(projectMembers).values(values).onConflictDoNothing().returning({ userId: projectMembers.userId })
      : []
    const admitted = added.map(({ userId }) => userId)
    const readers = admitted.length
      ? await tx
          .select()
          .from(users)
          .where(and(eq(users.siteId, ctx.site.id), inArray(users.id, admitted), isNull(users.blockedAt)))
      : []
    for (const reader of readers) await queueAccountMail(ctx, tx, reader, { ...buildInvitation(project), token: undefined })
    await recordAudit(ctx, tx, {
      action: 'project-members.admit',
      subject: { type: 'groups', id: groupId },
      hubId: project.hubId,
      projectId,
      detail: { group: group.name, people: admitted },
    })
    return { id: createId(), projectId, groupId, admitted: admitted.length, already: people.length - admitted.length }
  })
}

/** Removes a member, who is shut out from their next request on. @throws {AppError} `forbidden` */
export async function removeProjectMember(ctx: Ctx, member: ProjectMember): Promise<void> {
  requirePermission(ctx, 'participants.manage', { hubId: member.hubId, projectId: member.projectId })
  await ctx.db.tx(async (tx) => {
    await tx.delete(projectMembers).where(and(eq(projectMembers.siteId, ctx.site.id), eq(projectMembers.id, member.id)))
    await recordAudit(ctx, tx, {
      action: 'project-members.delete',
      subject: { type: 'users', id: member.userId },
      hubId: member.hubId,
      projectId: member.projectId,
    })
  })
}

/** Records that the viewer has opened the project: from now on, those who invited them by email see who they are. */
export async function recordOpening({ viewer, site, db, now }: Ctx, projectId: string): Promise<void> {
  if (viewer.kind !== 'user' || viewer.memberOf?.includes(projectId) === false) return
  const unopened = and(
    eq(projectMembers.siteId, site.id),
    eq(projectMembers.projectId, projectId),
    eq(projectMembers.userId, viewer.id),
    isNull(projectMembers.openedAt),
  )
  const [found] = await db.read((tx) => tx.select({ id: projectMembers.id }).from(projectMembers).where(unopened))
  if (found) await db.tx((tx) => tx.update(projectMembers).set({ openedAt: now() }).where(unopened))
}

async function requireProject(ctx: Ctx, tx: Tx, id: string): Promise<ProjectRow> {
  const [project] = await tx
    .select()
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, id)))
  if (!project) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/project' }] })
  return project
}

async function resolvePerson(ctx: Ctx, tx: Tx, { userId, email }: { userId: string | undefined; email: string | undefined }) {
  if (userId === undefined) return findOrInviteByEmail(ctx, tx, email ?? '')
  const [seen] = await loadPeopleById(withTx(ctx, tx), [userId])
  if (!seen) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/user' }] })
  return { user: await lockUser(tx, ctx.site.id, seen.id), invited: false }
}

const buildInvitation = (project: ProjectRow) => ({
  kind: 'project-invitation' as const,
  project: project.title,
  path: project.status === 'published' || project.status === 'archived' ? `/projects/${project.slug}` : undefined,
})

const isManaged = (ctx: Ctx): SQL | undefined =>
  and(eq(projectMembers.siteId, ctx.site.id), scopeWhere(ctx.viewer, 'participants.manage', { hub: projects.hubId }))

const isOfUser = and(eq(users.siteId, projectMembers.siteId), eq(users.id, projectMembers.userId))
const isOfProject = and(eq(projects.siteId, projectMembers.siteId), eq(projects.id, projectMembers.projectId))

const selectMembers = (tx: Tx, where: SQL | undefined) =>
  tx
    .select({ member: projectMembers, email: users.email, login: users.login, hubId: projects.hubId })
    .from(projectMembers)
    .innerJoin(users, isOfUser)
    .innerJoin(projects, isOfProject)
    .where(where)
    .$dynamic()

type Row = Awaited<ReturnType<typeof selectMembers>>[number]

const toProjectMember = ({ member, email, login, hubId }: Row): ProjectMember => ({
  id: member.id,
  projectId: member.projectId,
  userId: member.userId,
  email,
  name: member.openedAt === null ? null : login,
  createdAt: member.createdAt,
  hubId,
})
