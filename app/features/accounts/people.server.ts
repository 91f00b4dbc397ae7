import { and, asc, count, eq, exists, ilike, inArray, isNotNull, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { authorize, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { PERMISSIONS } from '#app/features/permissions/permissions.schema.ts'
import { AppError } from '#app/lib/app-error.ts'
import { highestRole } from '#app/lib/roles.ts'
import type { SignedIn, Viewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { memberships, projectFollows, projectMembers, projects, responses, surveys, users } from '#app/server/db/schema.ts'
import { mailTo } from './account-mails.server.ts'
import type { PeopleQuery, Person, SiteRole } from './accounts.schema.ts'
import { endLinks } from './links.server.ts'
import { eraseAccount } from './own-data.server.ts'
import { lockedUser, realmDb } from './realm.server.ts'
import { endSessionsOf } from './sessions.server.ts'

/** The people the viewer may manage: of the whole site, or those who took part in the viewer's own hubs. */
export async function listPeople(ctx: Ctx, query: PeopleQuery): Promise<{ rows: Person[]; total: number }> {
  const viewer = manager(ctx.viewer)
  return ctx.db.tx(async (tx) => {
    const where = and(inScope(tx, ctx.site.id, viewer), ...conditions(tx, query))
    const columns = { login: users.login, email: users.email, createdAt: users.createdAt, lastSeenAt: users.lastSeenAt }
    const order = query.sort.map(({ by, descending }) =>
      descending ? sql`${columns[by]} desc nulls last` : sql`${columns[by]} asc nulls last`,
    )
    const rows = await select(tx, where)
      .orderBy(...order, asc(users.id))
      .limit(query.limit)
      .offset(query.offset)
    const [counted] = await tx.select({ total: count() }).from(users).where(where)
    return { rows: rows.map(present), total: counted?.total ?? 0 }
  })
}

/** Those of the people with these ids whom the viewer may see: oneself, and whom one manages. */
export async function peopleById(ctx: Ctx, ids: readonly string[]): Promise<Person[]> {
  const { viewer } = ctx
  if (viewer.kind === 'visitor' || ids.length === 0) return []
  const wanted = inArray(users.id, [...ids])
  const own = and(eq(users.siteId, viewer.siteId), eq(users.id, viewer.id), wanted)
  const managed = await ctx.db.tx((tx) => select(tx, and(inScope(tx, ctx.site.id, viewer), ne(users.id, viewer.id), wanted)))
  const self = ids.includes(viewer.id) ? await realmDb(ctx, viewer.siteId).tx((tx) => select(tx, own)) : []
  return [...self, ...managed].map(present)
}

/** May the viewer block this person? Not oneself, and an administrator only by a site administrator. */
export const mayBlock = (viewer: Viewer, person: Pick<Person, 'id' | 'type'>): boolean =>
  viewer.kind === 'user' &&
  viewer.id !== person.id &&
  viewer.roles.some(({ role }) => role === 'site_admin' || (role === 'hub_admin' && person.type === 'participant'))

/**
 * Shuts a person out, with a reason that they are told: every session and link ends at once.
 * @throws {AppError} `not-found` for whom the viewer does not manage, `forbidden`
 */
export async function blockPerson(ctx: Ctx, userId: string, input: { reason: string }): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await managed(ctx, tx, userId)
    const user = await lockedUser(tx, ctx.site.id, userId)
    await change(tx, user, { blockedAt: user.blockedAt ?? ctx.now(), blockedReason: input.reason })
    await endSessionsOf(tx, user.siteId, userId)
    await endLinks(ctx, tx, user.siteId, userId, ['confirm-email', 'reset-password', 'change-email'])
    if (!user.blockedAt) await mailTo(ctx, tx, user, { kind: 'account-blocked', reason: input.reason })
    await recordAudit(ctx, tx, { action: 'users.block', subject: { type: 'users', id: userId }, detail: { reason: input.reason } })
  })
}

/** Lets a blocked person in again. */
export async function unblockPerson(ctx: Ctx, userId: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await managed(ctx, tx, userId)
    const user = await lockedUser(tx, ctx.site.id, userId)
    if (!user.blockedAt) return
    await change(tx, user, { blockedAt: null, blockedReason: null })
    await recordAudit(ctx, tx, { action: 'users.unblock', subject: { type: 'users', id: userId } })
  })
}

/** Erases a person for good, answers detached as with an own deletion. @throws {AppError} `forbidden`, `not-found` */
export async function erasePerson(ctx: Ctx, input: { userId: string; reason: string }): Promise<void> {
  authorize(ctx.viewer, 'participants.erase')
  await ctx.db.tx(async (tx) => {
    await managed(ctx, tx, input.userId)
    await eraseAccount(tx, ctx.site.id, input.userId)
    const subject = { type: 'users', id: input.userId }
    await recordAudit(ctx, tx, { action: 'users.erase', subject, detail: { reason: input.reason } })
  })
}

/** The person, if the viewer manages them. */
async function managed(ctx: Ctx, tx: Tx, userId: string): Promise<Person> {
  const viewer = manager(ctx.viewer)
  const [row] = await select(tx, and(eq(users.siteId, ctx.site.id), eq(users.id, userId), inScope(tx, ctx.site.id, viewer)))
  if (!row) throw new AppError('not-found')
  const person = present(row)
  if (!mayBlock(viewer, person)) throw new AppError('forbidden')
  return person
}

/** @throws {AppError} for who manages nobody */
function manager(viewer: Viewer): SignedIn {
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (!viewer.roles.some(({ role }) => PERMISSIONS['participants.manage'][role] !== 'no')) throw new AppError('forbidden')
  return viewer
}

/** True of the people whom the viewer manages: who answered in, follows, or is a member of a project of the viewer's hubs. */
function inScope(tx: Tx, siteId: string, viewer: SignedIn): SQL | undefined {
  const ownSite = eq(users.siteId, siteId)
  const hubs = scopeWhere(viewer, 'participants.manage', { hub: projects.hubId })
  if (hubs === undefined) return ownSite
  const one = { one: sql`1` }
  const answered = tx
    .select(one)
    .from(responses)
    .innerJoin(surveys, and(eq(surveys.siteId, responses.siteId), eq(surveys.id, responses.surveyId)))
    .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
    .where(and(eq(responses.siteId, siteId), eq(responses.userId, users.id), hubs))
  const follows = tx
    .select(one)
    .from(projectFollows)
    .innerJoin(projects, and(eq(projects.siteId, projectFollows.siteId), eq(projects.id, projectFollows.projectId)))
    .where(and(eq(projectFollows.siteId, siteId), eq(projectFollows.userId, users.id), hubs))
  const belongs = tx
    .select(one)
    .from(projectMembers)
    .innerJoin(projects, and(eq(projects.siteId, projectMembers.siteId), eq(projects.id, projectMembers.projectId)))
    .where(and(eq(projectMembers.siteId, siteId), eq(projectMembers.userId, users.id), hubs))
  return and(ownSite, or(exists(answered), exists(follows), exists(belongs)))
}

function conditions(tx: Tx, query: PeopleQuery): (SQL | undefined)[] {
  const text = query.q?.trim() ? `%${query.q.trim().replace(/[\\%_]/g, '\\$&')}%` : undefined
  const holds = (role?: SiteRole[]) =>
    exists(
      tx
        .select({ one: sql`1` })
        .from(memberships)
        .where(
          and(eq(memberships.siteId, users.siteId), eq(memberships.userId, users.id), role ? inArray(memberships.role, role) : undefined),
        ),
    )
  const roles = query.role?.filter((role) => role !== 'participant')
  return [
    text === undefined ? undefined : or(ilike(users.login, text), ilike(users.email, text)),
    query.role === undefined
      ? undefined
      : or(roles?.length ? holds(roles) : undefined, query.role.includes('participant') ? sql`not ${holds()}` : undefined),
    flag(query.blocked, users.blockedAt),
    flag(query.confirmed, users.emailConfirmedAt),
  ]
}

const flag = (wanted: boolean | undefined, column: typeof users.blockedAt | typeof users.emailConfirmedAt) =>
  wanted === undefined ? undefined : wanted ? isNotNull(column) : isNull(column)

const rolesHeld = sql<string[]>`array(select m.role from memberships m where m.site_id = users.site_id and m.user_id = users.id)`

const select = (tx: Tx, where: SQL | undefined) => tx.select({ user: users, roles: rolesHeld }).from(users).where(where).$dynamic()

function present({ user, roles }: { user: typeof users.$inferSelect; roles: string[] }): Person {
  return {
    id: user.id,
    email: user.email,
    login: user.login,
    locale: user.locale,
    type: roles.length ? 'administrator' : 'participant',
    roleName: highestRole(roles as SiteRole[]) ?? 'participant',
    confirmed: user.emailConfirmedAt !== null,
    marketingConsent: user.marketingConsentAt !== null,
    blockedAt: user.blockedAt,
    blockedReason: user.blockedReason,
    lastSeenAt: user.lastSeenAt,
    createdAt: user.createdAt,
  }
}

const change = (tx: Tx, user: typeof users.$inferSelect, values: Partial<typeof users.$inferInsert>) =>
  tx
    .update(users)
    .set(values)
    .where(and(eq(users.siteId, user.siteId), eq(users.id, user.id)))
