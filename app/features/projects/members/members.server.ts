import { and, asc, count, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { mailTo } from '#app/features/accounts/account-mails.server.ts'
import { groupsById } from '#app/features/accounts/groups.server.ts'
import { invitation } from '#app/features/accounts/links.server.ts'
import { personByEmail } from '#app/features/accounts/memberships.server.ts'
import { manager, peopleById, peopleOfGroup } from '#app/features/accounts/people.list.server.ts'
import { lockedUser } from '#app/features/accounts/realm.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { authorize, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { likePattern } from '#app/lib/like-pattern.ts'
import { newId } from '#app/lib/uuid.ts'
import { type Ctx, within } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projectMembers, projects, users } from '#app/server/db/schema.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { placeOf, type ProjectRow } from '../projects.policy.server.ts'

/** Somebody who is let in to a project. */
export interface ProjectMember {
  id: string
  projectId: string
  userId: string
  email: string
  /** Null until somebody invited by address has opened the project. */
  name: string | null
  createdAt: Date
  hubId: string | null
}

/** As many as one admission tells by mail. */
const MOST_ADMITTED = 2000

/** Members of the projects whose people the viewer manages, by address. @throws {AppError} `unauthenticated`, `forbidden` */
export async function listProjectMembers(
  ctx: Ctx,
  query: { project?: string; q?: string; offset: number; limit: number },
): Promise<{ rows: ProjectMember[]; total: number }> {
  manager(ctx.viewer)
  // A name that is not told is not found by either.
  const words = query.q?.trim() ? likePattern(query.q.trim()) : undefined
  const where = and(
    managed(ctx),
    query.project === undefined ? undefined : eq(projectMembers.projectId, query.project),
    words === undefined
      ? undefined
      : or(sql`${users.email} ilike ${words}`, and(sql`${projectMembers.openedAt} is not null`, sql`${users.login} ilike ${words}`)),
  )
  return ctx.db.tx(async (tx) => {
    const [counted] = await tx
      .select({ total: count() })
      .from(projectMembers)
      .innerJoin(users, ofUser)
      .innerJoin(projects, ofProject)
      .where(where)
    const rows = await select(tx, where).orderBy(asc(users.email), asc(projectMembers.id)).limit(query.limit).offset(query.offset)
    return { rows: rows.map(present), total: counted?.total ?? 0 }
  })
}

export async function projectMembersById(ctx: Ctx, ids: readonly string[]): Promise<ProjectMember[]> {
  if (ctx.viewer.kind === 'visitor' || ids.length === 0) return []
  const rows = await ctx.db.tx((tx) => select(tx, and(managed(ctx), inArray(projectMembers.id, [...ids]))))
  return rows.map(present)
}

/**
 * Lets somebody in, from their next request on, and tells them by mail. By address, the answer is the same whether it has an account.
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
  authorize(viewer, 'participants.manage', placeOf(await ctx.db.tx((tx) => projectOf(ctx, tx, projectId))))
  if (userId === undefined && email === undefined) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/email' }] })
  if (email !== undefined) {
    await countAttempt(ctx, [
      { name: 'project-invitation/by', of: viewer.id, most: 500, minutes: 60 },
      { name: 'project-invitation', of: email, most: 5, minutes: 60 },
    ])
  }
  return ctx.db.tx(async (tx) => {
    const project = await projectOf(ctx, tx, projectId)
    const { user, invited } = await personOf(ctx, tx, { userId, email })
    const id = newId()
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
    await mailTo(ctx, tx, user, { ...letter(project), token: invited ? await invitation(ctx, tx, user) : undefined })
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
 * Lets everybody in who is in a group now and whom the viewer manages, and tells those who were not members. Who joins the group later
 * is no member by that.
 * @throws {AppError} `forbidden`; `invalid` with `not-a-choice`, or with `too-many` for a group of more than 2,000
 */
export async function admitGroup(
  ctx: Ctx,
  { projectId, groupId }: { projectId: string; groupId: string },
): Promise<{ id: string; projectId: string; groupId: string; admitted: number; already: number }> {
  manager(ctx.viewer)
  return ctx.db.tx(async (tx) => {
    const project = await projectOf(ctx, tx, projectId)
    authorize(ctx.viewer, 'participants.manage', placeOf(project))
    const [group] = await groupsById(within(ctx, tx), [groupId])
    const wrong = (code: 'not-a-choice' | 'too-many') => new AppError('invalid', { faults: [{ code, pointer: '/group' }] })
    if (!group) throw wrong('not-a-choice')
    const people = await peopleOfGroup(ctx, tx, group, MOST_ADMITTED + 1)
    if (people.length > MOST_ADMITTED) throw wrong('too-many')
    const values = people.map((userId) => ({
      siteId: ctx.site.id,
      id: newId(),
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
    for (const reader of readers) await mailTo(ctx, tx, reader, { ...letter(project), token: undefined })
    await recordAudit(ctx, tx, {
      action: 'project-members.admit',
      subject: { type: 'groups', id: groupId },
      hubId: project.hubId,
      projectId,
      detail: { group: group.name, people: admitted },
    })
    return { id: newId(), projectId, groupId, admitted: admitted.length, already: people.length - admitted.length }
  })
}

/** Shuts a member out again, from their next request on. @throws {AppError} `forbidden` */
export async function removeProjectMember(ctx: Ctx, member: ProjectMember): Promise<void> {
  authorize(ctx.viewer, 'participants.manage', { hubId: member.hubId, projectId: member.projectId })
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

/** The viewer has a project before them: from now on, those who invited them by address see who they are. */
export async function noteOpening({ viewer, site, now }: Ctx, tx: Tx, projectId: string): Promise<void> {
  if (viewer.kind !== 'user') return
  const own = and(eq(projectMembers.siteId, site.id), eq(projectMembers.projectId, projectId), eq(projectMembers.userId, viewer.id))
  await tx
    .update(projectMembers)
    .set({ openedAt: now() })
    .where(and(own, isNull(projectMembers.openedAt)))
}

async function projectOf(ctx: Ctx, tx: Tx, id: string): Promise<ProjectRow> {
  const [project] = await tx
    .select()
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, id)))
  if (!project) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/project' }] })
  return project
}

async function personOf(ctx: Ctx, tx: Tx, { userId, email }: { userId: string | undefined; email: string | undefined }) {
  if (userId === undefined) return personByEmail(ctx, tx, email ?? '')
  const [seen] = await peopleById(within(ctx, tx), [userId])
  if (!seen) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/user' }] })
  return { user: await lockedUser(tx, ctx.site.id, seen.id), invited: false }
}

const letter = (project: ProjectRow) => ({
  kind: 'project-invitation' as const,
  project: project.title,
  path: project.status === 'published' || project.status === 'archived' ? `/projects/${project.slug}` : undefined,
})

const managed = (ctx: Ctx): SQL | undefined =>
  and(eq(projectMembers.siteId, ctx.site.id), scopeWhere(ctx.viewer, 'participants.manage', { hub: projects.hubId }))

const ofUser = and(eq(users.siteId, projectMembers.siteId), eq(users.id, projectMembers.userId))
const ofProject = and(eq(projects.siteId, projectMembers.siteId), eq(projects.id, projectMembers.projectId))

const select = (tx: Tx, where: SQL | undefined) =>
  tx
    .select({ member: projectMembers, email: users.email, login: users.login, hubId: projects.hubId })
    .from(projectMembers)
    .innerJoin(users, ofUser)
    .innerJoin(projects, ofProject)
    .where(where)
    .$dynamic()

type Row = Awaited<ReturnType<typeof select>>[number]

const present = ({ member, email, login, hubId }: Row): ProjectMember => ({
  id: member.id,
  projectId: member.projectId,
  userId: member.userId,
  email,
  name: member.openedAt === null ? null : login,
  createdAt: member.createdAt,
  hubId,
})
