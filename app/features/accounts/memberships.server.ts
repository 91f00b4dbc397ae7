import { and, asc, count, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { AuditAction } from '#app/features/audit/audit.schema.ts'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission, requirePermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import type { Action } from '#app/features/permissions/permissions.schema.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { queueAccountMail } from './account-mails.server.ts'
import { type Membership, type SiteRole } from './accounts.schema.ts'
import { createInvitationToken, revokeLinks } from './one-time-links.server.ts'
import { loadPeopleById } from './people.list.server.ts'
import { lockUser, type UserRow } from './account-realm.server.ts'
import { endAccountSessions, shortenSessions } from './sessions.server.ts'
import { canSignIn, changeSiteAdmins } from './site-admins.server.ts'

export interface NewMembership {
  role: SiteRole
  /** Either someone with an account on the site, or anyone by email: people without an account are invited to choose a password. */
  userId?: string | undefined
  email?: string | undefined
  login?: string | undefined
  hubId?: string | null | undefined
  projectId?: string | null | undefined
  mayExportPersonalData?: boolean | undefined
}

interface RolePlace {
  hubId: string | null
  projectId: string | null
}

/** What giving, changing and removing each role is in the table of permissions. */
const ROLE_ACTIONS = {
  project_admin: 'project-admins.add',
  hub_admin: 'hub-admins.add',
  site_admin: 'site-admins.add',
} as const satisfies Record<SiteRole, Action>

/** True if the viewer may give, change and remove this role there. */
export const canGiveRole = (viewer: Viewer, role: SiteRole, place: RolePlace): boolean =>
  checkPermission(viewer, ROLE_ACTIONS[role], place).ok

/** The platform may appoint a site's first administrator, but no others. */
export const canNameFirstAdmin = (viewer: Viewer, role: SiteRole): boolean =>
  role === 'site_admin' && checkPermission(viewer, 'sites.invite-first-admin').ok

/** @throws {AppError} `unauthenticated`, `forbidden`, `fresh-sign-in-required` */
export function requireRolePermission(ctx: Ctx, role: SiteRole, place: RolePlace): void {
  requirePermission(ctx, canNameFirstAdmin(ctx.viewer, role) ? 'sites.invite-first-admin' : ROLE_ACTIONS[role], place)
}

/** Roles on the site that the viewer may see: their own, and those they may give. */
export async function listMemberships(
  ctx: Ctx,
  query: { user?: string; role?: SiteRole[]; hub?: string; project?: string; offset: number; limit: number; newestFirst?: boolean },
): Promise<{ rows: Membership[]; total: number }> {
  if (ctx.viewer.kind === 'visitor') throw new AppError('unauthenticated')
  return ctx.db.read(async (tx) => {
    const where = and(
      buildVisibleMembershipCondition(ctx),
      query.user === undefined ? undefined : eq(memberships.userId, query.user),
      query.role === undefined ? undefined : inArray(memberships.role, query.role),
      query.hub === undefined ? undefined : eq(memberships.hubId, query.hub),
      query.project === undefined ? undefined : eq(memberships.projectId, query.project),
    )
    const order = query.newestFirst ? desc : asc
    const rows = await selectMemberships(tx, where)
      .orderBy(order(memberships.createdAt), order(memberships.id))
      .limit(query.limit)
      .offset(query.offset)
    const [counted] = await tx.select({ total: count() }).from(memberships).leftJoin(projects, projectJoin).where(where)
    return { rows: rows.map(toMembership), total: counted?.total ?? 0 }
  })
}

export async function loadMembershipsById(ctx: Ctx, ids: readonly string[]): Promise<Membership[]> {
  if (ctx.viewer.kind === 'visitor' || ids.length === 0) return []
  const rows = await ctx.db.read((tx) =>
    selectMemberships(tx, and(buildVisibleMembershipCondition(ctx), inArray(memberships.id, [...ids]))),
  )
  return rows.map(toMembership)
}

/** Ids of each person's roles, limited to those the viewer may see. */
export async function loadMembershipIds(ctx: Ctx, people: readonly { id: string }[]): Promise<Map<string, string[]>> {
  const ids = people.map((person) => person.id)
  const rows = await ctx.db.read((tx) =>
    tx
      .select({ id: memberships.id, userId: memberships.userId })
      .from(memberships)
      .leftJoin(projects, projectJoin)
      .where(and(buildVisibleMembershipCondition(ctx), inArray(memberships.userId, ids)))
      .orderBy(asc(memberships.createdAt), asc(memberships.id)),
  )
  return new Map(ids.map((id) => [id, rows.filter((row) => row.userId === id).map((row) => row.id)]))
}

/**
 * Gives someone a role. It takes effect on their next request.
 * @throws {AppError} `forbidden`, `first-site-admin-only` if a platform administrator tries to add another site administrator, `invalid`,
 * `taken`
 */
export async function addMembership(ctx: Ctx, input: NewMembership): Promise<string> {
  const { role } = input
  return ctx.db.tx(async (tx) => {
    const place = await requireRolePlace(ctx, tx, input)
    requireRolePermission(ctx, role, place)
    if (role !== 'site_admin') return grantRole(ctx, tx, input, place)
    return changeSiteAdmins(ctx, tx, ctx.site.id, (admins) => {
      if (admins.length && canNameFirstAdmin(ctx.viewer, role)) throw new AppError('first-site-admin-only')
      return grantRole(ctx, tx, input, place)
    })
  })
}

/**
 * Invites a site's first administrator, in place of those who were invited before and have not signed in.
 * @throws {AppError} `forbidden`, `first-site-admin-only` if the site has an administrator who can sign in
 */
export async function inviteFirstAdmin(ctx: Ctx, email: string): Promise<string> {
  requirePermission(ctx, 'sites.invite-first-admin')
  return ctx.db.tx((tx) =>
    changeSiteAdmins(ctx, tx, ctx.site.id, async (invited) => {
      if (invited.some(canSignIn)) throw new AppError('first-site-admin-only')
      await tx.delete(memberships).where(and(eq(memberships.siteId, ctx.site.id), eq(memberships.role, 'site_admin')))
      for (const user of invited) {
        await revokeLinks(ctx, tx, user.siteId, user.id, ['reset-password'])
        await updateAccountType(tx, user)
      }
      return grantRole(ctx, tx, { role: 'site_admin', email }, { hubId: null, projectId: null })
    }),
  )
}

async function grantRole(ctx: Ctx, tx: Tx, input: NewMembership, place: RolePlace): Promise<string> {
  const { role } = input
  const { user, invited } = await findOrInvitePerson(ctx, tx, input)
  const scope = toScopeColumns(role, place)
  const others = await tx
    .select({ id: memberships.id, hubId: memberships.hubId, projectId: memberships.projectId })
    .from(memberships)
    .where(and(eq(memberships.siteId, ctx.site.id), eq(memberships.userId, user.id), eq(memberships.role, role)))
  if (others.some((other) => other.hubId === scope.hubId && other.projectId === scope.projectId))
    throw new AppError('taken', { pointer: input.userId === undefined ? '/email' : '/user' })
  const id = createId()
  const mayExportPersonalData = role === 'project_admin' && input.mayExportPersonalData === true
  await tx
    .insert(memberships)
    .values({ siteId: ctx.site.id, id, userId: user.id, role, ...scope, mayExportPersonalData, createdAt: ctx.now() })
  await updateAccountType(tx, user)
  if (invited) await queueAccountMail(ctx, tx, user, { kind: 'invitation', token: await createInvitationToken(ctx, tx, user), role })
  else await queueAccountMail(ctx, tx, user, { kind: 'role-given', role })
  if (role !== 'site_admin')
    await recordAudit(ctx, tx, {
      action: 'memberships.create',
      subject: { type: 'users', id: user.id },
      ...place,
      detail: { role, mayExportPersonalData },
    })
  return id
}

/** Grants or revokes a project administrator's right to export personal data. */
export async function updateMembership(ctx: Ctx, id: string, input: { mayExportPersonalData?: boolean | undefined }): Promise<void> {
  const may = input.mayExportPersonalData
  if (may === undefined) return
  await ctx.db.tx(async (tx) => {
    const membership = await requireChangeableMembership(ctx, tx, id)
    if (membership.role !== 'project_admin') throw new AppError('conflict', { pointer: '/mayExportPersonalData' })
    await tx
      .update(memberships)
      .set({ mayExportPersonalData: may })
      .where(and(eq(memberships.siteId, ctx.site.id), eq(memberships.id, id)))
    await recordMembershipAudit(ctx, tx, 'memberships.update', membership, {
      role: membership.role,
      changes: listChanges(membership, { mayExportPersonalData: may }),
    })
  })
}

/** Removes a role. It takes effect on the person's next request. @throws {AppError} `not-found`, `forbidden`, `last-site-admin` */
export async function removeMembership(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const membership = await requireChangeableMembership(ctx, tx, id)
    const removeRole = async () => {
      const user = await lockUser(tx, ctx.site.id, membership.userId)
      await tx.delete(memberships).where(and(eq(memberships.siteId, ctx.site.id), eq(memberships.id, id)))
      await updateAccountType(tx, user)
    }
    if (membership.role === 'site_admin') return changeSiteAdmins(ctx, tx, ctx.site.id, removeRole)
    await removeRole()
    await recordMembershipAudit(ctx, tx, 'memberships.delete', membership, { role: membership.role })
  })
}

const recordMembershipAudit = (ctx: Ctx, tx: Tx, action: AuditAction, membership: Membership, detail: Record<string, unknown>) =>
  recordAudit(ctx, tx, {
    action,
    subject: { type: 'users', id: membership.userId },
    hubId: membership.hubId ?? membership.projectHubId,
    projectId: membership.projectId,
    detail,
  })

/** @throws {AppError} `not-found` if the viewer cannot see it, `forbidden` if they may not give that role */
async function requireChangeableMembership(ctx: Ctx, tx: Tx, id: string): Promise<Membership> {
  if (ctx.viewer.kind === 'visitor') throw new AppError('unauthenticated')
  const [row] = await selectMemberships(tx, and(buildVisibleMembershipCondition(ctx), eq(memberships.id, id)))
  if (!row) throw new AppError('not-found')
  const membership = toMembership(row)
  requirePermission(ctx, ROLE_ACTIONS[membership.role], {
    hubId: membership.hubId ?? membership.projectHubId,
    projectId: membership.projectId,
  })
  return membership
}

/** Validates where the role applies: a hub for hub administrators, a project with its hub for project administrators. */
async function requireRolePlace(ctx: Ctx, tx: Tx, input: NewMembership): Promise<RolePlace> {
  const { role, hubId, projectId } = input
  const createPlaceError = (name: 'hub' | 'project', code: 'required' | 'not-a-choice' | 'unknown-attribute') =>
    new AppError('invalid', { faults: [{ code, pointer: `/${name}` }] })
  if (hubId && role !== 'hub_admin') throw createPlaceError('hub', 'unknown-attribute')
  if (projectId && role !== 'project_admin') throw createPlaceError('project', 'unknown-attribute')
  if (role === 'hub_admin') {
    if (!hubId) throw createPlaceError('hub', 'required')
    const [hub] = await tx
      .select({ id: hubs.id })
      .from(hubs)
      .where(and(eq(hubs.siteId, ctx.site.id), eq(hubs.id, hubId)))
    if (!hub) throw createPlaceError('hub', 'not-a-choice')
    return { hubId, projectId: null }
  }
  if (role === 'project_admin') {
    if (!projectId) throw createPlaceError('project', 'required')
    const [project] = await tx
      .select({ hubId: projects.hubId })
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, projectId)))
    if (!project) throw createPlaceError('project', 'not-a-choice')
    return { hubId: project.hubId, projectId }
  }
  return { hubId: null, projectId: null }
}

const toScopeColumns = (role: SiteRole, place: RolePlace) => ({
  hubId: role === 'hub_admin' ? place.hubId : null,
  projectId: role === 'project_admin' ? place.projectId : null,
})

/** Finds and locks the person who gets the role; creates an account if the address has none. */
async function findOrInvitePerson(ctx: Ctx, tx: Tx, input: NewMembership): Promise<{ user: UserRow; invited: boolean }> {
  if (input.userId !== undefined) {
    const [seen] = await loadPeopleById(withTx(ctx, tx), [input.userId])
    if (!seen) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/user' }] })
    return { user: await lockUser(tx, ctx.site.id, seen.id), invited: false }
  }
  const { email } = input
  if (email === undefined) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/email' }] })
  return findOrInviteByEmail(ctx, tx, email, input.login)
}

/**
 * Finds and locks the account of an email address, or creates one. Anyone can register with someone else's address, so an account that was
 * never confirmed is reset: the address's real owner chooses a new password.
 * @returns `invited`: true if they must be sent a link to choose a password
 */
export async function findOrInviteByEmail(
  ctx: Ctx,
  tx: Tx,
  email: string,
  login = email.split('@')[0] ?? email,
): Promise<{ user: UserRow; invited: boolean }> {
  const locale: Language = ctx.site.languages.includes(ctx.language) ? ctx.language : ctx.site.locale
  const [made] = await tx
    .insert(users)
    .values({ siteId: ctx.site.id, id: createId(), email, login, locale, createdAt: ctx.now() })
    .onConflictDoNothing({ target: [users.siteId, users.email] })
    .returning()
  if (made) return { user: made, invited: true }
  const [known] = await tx
    .select()
    .from(users)
    .where(and(eq(users.siteId, ctx.site.id), eq(users.email, email)))
    .for('update')
  if (!known) throw new AppError('conflict')
  if (known.emailConfirmedAt !== null || known.passwordHash === null) return { user: known, invited: known.passwordHash === null }
  await tx
    .update(users)
    .set({ passwordHash: null })
    .where(and(eq(users.siteId, known.siteId), eq(users.id, known.id)))
  await endAccountSessions(tx, known.siteId, known.id)
  return { user: { ...known, passwordHash: null }, invited: true }
}

/** Derives the account's type from whether it holds any role, after its roles changed. */
export async function updateAccountType(tx: Tx, user: Pick<UserRow, 'siteId' | 'id'>): Promise<void> {
  await tx
    .update(users)
    .set({
      type: sql`case when exists (select 1 from memberships m where m.site_id = ${user.siteId} and m.user_id = ${user.id}) then 'administrator' else 'participant' end`,
    })
    .where(and(eq(users.siteId, user.siteId), eq(users.id, user.id)))
  await shortenSessions(tx, user)
}

function buildVisibleMembershipCondition(ctx: Ctx): SQL | undefined {
  const { viewer } = ctx
  if (viewer.kind === 'visitor') return sql`false`
  const inHub = scopeWhere(viewer, 'project-admins.add', { hub: memberships.hubId })
  const inHubsProject = scopeWhere(viewer, 'project-admins.add', { hub: projects.hubId })
  const siteAdmins = checkPermission(viewer, 'sites.manage').ok ? eq(memberships.role, 'site_admin') : undefined
  const all = inHub === undefined ? undefined : or(eq(memberships.userId, viewer.id), inHub, inHubsProject, siteAdmins)
  return and(eq(memberships.siteId, ctx.site.id), all)
}

const projectJoin = and(eq(projects.siteId, memberships.siteId), eq(projects.id, memberships.projectId))

const selectMemberships = (tx: Tx, where: SQL | undefined) =>
  tx
    .select({ membership: memberships, projectHubId: projects.hubId })
    .from(memberships)
    .leftJoin(projects, projectJoin)
    .where(where)
    .$dynamic()

const toMembership = ({
  membership,
  projectHubId,
}: {
  membership: typeof memberships.$inferSelect
  projectHubId: string | null
}): Membership => ({
  id: membership.id,
  userId: membership.userId,
  role: membership.role as SiteRole,
  hubId: membership.hubId,
  projectId: membership.projectId,
  projectHubId,
  mayExportPersonalData: membership.mayExportPersonalData,
  createdAt: membership.createdAt,
})

/** For the file of their own data: the roles that somebody holds. */
export const readOwnRoles = (_ctx: Ctx, tx: Tx, { siteId, userId }: { siteId: string; userId: string }) =>
  tx
    .select({
      role: memberships.role,
      hubId: memberships.hubId,
      projectId: memberships.projectId,
      mayExportPersonalData: memberships.mayExportPersonalData,
      createdAt: memberships.createdAt,
    })
    .from(memberships)
    .where(and(eq(memberships.siteId, siteId), eq(memberships.userId, userId)))
    .orderBy(asc(memberships.createdAt))
