import { and, eq, gt, isNull } from 'drizzle-orm'
import { highestRole, type Role } from '../../lib/roles.ts'
import type { Database, SiteDb } from '../db/client.ts'
import { memberships, sessions, supportGrants, users } from '../db/schema/accounts.ts'
import { PLATFORM_SITE_ID } from '../db/tenancy.ts'
import { hashToken, computeSessionEnd } from './tokens.ts'

/** One role in one place; hub and project are set only for roles scoped to them. */
export interface HeldRole {
  role: Role
  hubId: string | null
  projectId: string | null
  mayExportPersonalData: boolean
}

export interface SignedInViewer {
  kind: 'user'
  id: string
  /** The account's site: the request's, or the platform's for a platform_admin. */
  siteId: string
  sessionId: string
  email: string
  login: string
  type: 'participant' | 'administrator'
  confirmed: boolean
  lastSeenAt: Date | null
  /** This request extended the session, so the cookie must be extended too. */
  prolonged?: boolean
  roles: readonly HeldRole[]
  roleName: Role | 'participant'
  /** For a platform_admin: the site has granted support access and it has not expired. */
  supportGranted: boolean
}

export interface Visitor {
  kind: 'visitor'
}

export type Viewer = Visitor | SignedInViewer

export const VISITOR: Visitor = { kind: 'visitor' }

const PROLONG_EVERY_MS = 5 * 60_000

/** The holder of `token` on the site, one of its own people or a platform admin. Unknown, expired or blocked: a visitor. */
export async function loadViewer(database: Database, siteId: string, token: string | undefined, now: Date): Promise<Viewer> {
  if (!token || token.length > 200) return VISITOR
  const hash = hashToken(token)
  const own = await loadTokenHolder(database.site(siteId), hash, now)
  if (own) return own
  const platform = await loadTokenHolder(database.site(PLATFORM_SITE_ID), hash, now)
  if (!platform) return VISITOR
  const grant = await database.site(siteId).tx((tx) =>
    tx
      .select({ id: supportGrants.id })
      .from(supportGrants)
      .where(and(gt(supportGrants.expiresAt, now), isNull(supportGrants.revokedAt)))
      .limit(1),
  )
  return { ...platform, supportGranted: grant.length > 0 }
}

function loadTokenHolder(db: SiteDb, hash: Buffer, now: Date): Promise<SignedInViewer | undefined> {
  return db.tx(async (tx) => {
    const [found] = await tx
      .select({ session: sessions, user: users })
      .from(sessions)
      .innerJoin(users, and(eq(users.siteId, sessions.siteId), eq(users.id, sessions.userId)))
      .where(and(eq(sessions.siteId, db.siteId), eq(sessions.tokenHash, hash), gt(sessions.expiresAt, now), isNull(users.blockedAt)))
    if (!found) return undefined
    const { session, user } = found
    const held = await tx
      .select()
      .from(memberships)
      .where(and(eq(memberships.siteId, db.siteId), eq(memberships.userId, user.id)))
    const prolonged = now.getTime() - session.lastUsedAt.getTime() > PROLONG_EVERY_MS
    if (prolonged) {
      await tx
        .update(sessions)
        .set({ lastUsedAt: now, expiresAt: computeSessionEnd(now) })
        .where(and(eq(sessions.siteId, db.siteId), eq(sessions.id, session.id)))
      await tx
        .update(users)
        .set({ lastSeenAt: now })
        .where(and(eq(users.siteId, db.siteId), eq(users.id, user.id)))
    }
    const roles = held.map((row) => ({
      role: row.role,
      hubId: row.hubId,
      projectId: row.projectId,
      mayExportPersonalData: row.mayExportPersonalData,
    }))
    return {
      kind: 'user' as const,
      id: user.id,
      siteId: db.siteId,
      sessionId: session.id,
      email: user.email,
      login: user.login,
      type: roles.length ? ('administrator' as const) : ('participant' as const),
      confirmed: user.emailConfirmedAt !== null,
      lastSeenAt: user.lastSeenAt,
      prolonged,
      roles,
      roleName: highestRole(roles.map((role) => role.role)) ?? 'participant',
      supportGranted: false,
    }
  })
}
