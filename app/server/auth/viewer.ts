import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type { ContentLanguage } from '../../lib/languages.ts'
import { highestRole, type Role } from '../../lib/roles.ts'
import type { ApiScope } from '../../lib/vocabulary/api-scopes.ts'
import { createSiteBatches } from '../batches.ts'
import type { Database, SiteDb, Tx } from '../db/client.ts'
import { prepareOnce } from '../db/prepare-once.ts'
import { apiTokens, memberships, sessions, supportGrants, users } from '../db/schema/accounts.ts'
import { calendarLinks } from '../db/schema/administration.ts'
import { identities } from '../db/schema/identity.ts'
import { projectMembers } from '../db/schema/projects.ts'
import { sites } from '../db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '../db/tenancy.ts'
import { hashToken, computeIdleEnd } from './tokens.ts'

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
  /** Of their emails and of the administration. Missing for a sample. */
  locale?: ContentLanguage
  type: 'participant' | 'administrator'
  confirmed: boolean
  lastSeenAt: Date | null
  /** When they last proved who they are in this session. Missing for programs, which do not sign in. */
  confirmedAt?: Date
  /** When the session began, if it began with a password: not through a provider, and not as a program's. */
  passwordAt?: Date
  /** The site requires a second step that they do not have yet: until they set one up, their roles do not count. */
  owesSecondStep?: boolean
  /** Signing in takes a code or passkey as well as the password. */
  hasSecondStep?: boolean
  /** This request extended the session, so the cookie must be extended too. */
  prolonged?: boolean
  roles: readonly HeldRole[]
  roleName: Role | 'participant'
  /** Ids of the projects they were let into, in order; asked of the database again where it is missing. */
  memberOf?: readonly string[]
  /** The token that a program acts by, if it is not a browser's session: it may only what its scopes say. */
  apiToken?: { id: string; name: string; scopes: readonly ApiScope[] }
  /** For a platform_admin: the site has granted support access and it has not expired. */
  supportGranted: boolean
}

export interface Visitor {
  kind: 'visitor'
}

export type Viewer = Visitor | SignedInViewer

export const VISITOR: Visitor = { kind: 'visitor' }

const NO_ID = '00000000-0000-7000-8000-000000000000'

/** A participant whom no row in the database belongs to, for reading what all participants see who were let into the same projects. */
export const createSampleParticipant = (memberOf: readonly string[] = []): SignedInViewer => ({
  kind: 'user',
  id: NO_ID,
  siteId: NO_ID,
  sessionId: NO_ID,
  email: '',
  login: '',
  type: 'participant',
  confirmed: true,
  lastSeenAt: null,
  roles: [],
  roleName: 'participant',
  memberOf,
  supportGranted: false,
})

const PROLONG_EVERY_MS = 5 * 60_000

/** A platform administrator whose account is being created, before there is a session to load. */
export const createFirstViewer = ({ id, email, login }: { id: string; email: string; login: string }, now: Date): SignedInViewer => ({
  ...createSampleParticipant(),
  id,
  siteId: PLATFORM_SITE_ID,
  email,
  login,
  type: 'administrator',
  roles: [{ role: 'platform_admin', hubId: null, projectId: null, mayExportPersonalData: false }],
  roleName: 'platform_admin',
  // They have just chosen the password.
  confirmedAt: now,
})

/** The holder of `token` on the site, one of its own people or a platform admin. Unknown, expired or blocked: a visitor. */
export async function loadViewer({ db, database, isTogether }: TokenPlace, token: string | undefined, now: Date): Promise<Viewer> {
  if (!token || token.length > 200) return VISITOR
  const hash = hashToken(token)
  const sessionsFound = isTogether ? await findTogether(database, db.siteId, { hash, now }) : await findSessions(db, [hash], now)
  const own = await buildTokenHolder(db, sessionsFound, now)
  if (own) return own
  const platformDb = database.site(PLATFORM_SITE_ID)
  const platform = await buildTokenHolder(platformDb, await findSessions(platformDb, [hash], now), now)
  if (!platform) return VISITOR
  const grant = await db.read((tx) =>
    tx
      .select({ id: supportGrants.id })
      .from(supportGrants)
      .where(and(gt(supportGrants.expiresAt, now), isNull(supportGrants.revokedAt)))
      .limit(1),
  )
  return { ...platform, supportGranted: grant.length > 0 }
}

/** Where a token's holder is searched: the request's own handle on the site's rows, and the database, for the platform's. */
export interface TokenPlace {
  db: SiteDb
  database: Database
  /** In one statement with the tokens of other requests that come at the same time; otherwise in the transaction of what the request reads. */
  isTogether?: boolean
}

/** Roles that a group elsewhere gives count in sessions through its provider, where they are checked at each sign-in. */
const buildHeldRoles = (fromProvider: SQL) => sql<HeldRole[]>`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'role', ${memberships.role}, 'hubId', ${memberships.hubId}, 'projectId', ${memberships.projectId},
    'mayExportPersonalData', ${memberships.mayExportPersonalData}
  )), '[]')
  from ${memberships} where ${memberships.siteId} = ${users.siteId} and ${memberships.userId} = ${users.id}
    and (${memberships.providerId} is null or ${fromProvider}))`

const memberOfProjects = sql<string[]>`array(
  select ${projectMembers.projectId} from ${projectMembers}
  where ${projectMembers.siteId} = ${users.siteId} and ${projectMembers.userId} = ${users.id} order by 1)`

/** What a viewer's account holds, whichever token names it. */
const buildAccountColumns = (fromProvider: SQL) => ({
  id: users.id,
  email: users.email,
  login: users.login,
  locale: users.locale,
  emailConfirmedAt: users.emailConfirmedAt,
  lastSeenAt: users.lastSeenAt,
  secondStepSince: users.secondStepSince,
  roles: buildHeldRoles(fromProvider),
  memberOf: memberOfProjects,
})

/** Tokens of programs begin so, and are never a browser's. */
export const API_TOKEN_PREFIX = 'parley_'

/**
 * The person who made an API token, as they are now: without the roles that they lost since. Revoked, expired or unknown, or its maker is
 * blocked: a visitor.
 */
export async function loadApiTokenViewer(db: SiteDb, token: string, now: Date): Promise<Viewer> {
  const [found] = await db.read((tx) =>
    tx
      .select({
        ...buildAccountColumns(sql`false`),
        token: { id: apiTokens.id, name: apiTokens.name, scopes: apiTokens.scopes, lastUsedAt: apiTokens.lastUsedAt },
      })
      .from(apiTokens)
      .innerJoin(users, and(eq(users.siteId, apiTokens.siteId), eq(users.id, apiTokens.userId)))
      .where(
        and(
          eq(apiTokens.siteId, db.siteId),
          eq(apiTokens.tokenHash, hashToken(token)),
          gt(apiTokens.expiresAt, now),
          isNull(apiTokens.revokedAt),
          isNull(users.blockedAt),
        ),
      ),
  )
  if (!found) return VISITOR
  const { lastUsedAt, ...apiToken } = found.token
  if (!lastUsedAt || now.getTime() - lastUsedAt.getTime() > PROLONG_EVERY_MS) await noteTokenUse(db, apiToken.id, now)
  return { ...buildViewer(db.siteId, found, apiToken.id), apiToken }
}

/**
 * The person with this account as they are now, for what is done for them while they are away. Undefined if there is no such account, or it is
 * blocked.
 * @param roles `given-here`: not those of a group elsewhere; `all`: for what they began in a session that was checked, minutes ago
 */
export async function loadAccountViewer(
  db: SiteDb,
  userId: string,
  roles: 'given-here' | 'all' = 'given-here',
): Promise<SignedInViewer | undefined> {
  const [found] = await db.read((tx) =>
    tx
      .select(buildAccountColumns(roles === 'all' ? sql`true` : sql`false`))
      .from(sites)
      // With one table only, the columns of an inner select would not be told from those of its own table.
      .innerJoin(users, eq(users.siteId, sites.id))
      .where(and(eq(users.siteId, db.siteId), eq(users.id, userId), isNull(users.blockedAt))),
  )
  return found && buildViewer(db.siteId, found, userId)
}

const noteTokenUse = (db: SiteDb, id: string, now: Date): Promise<void> =>
  db.tx(async (tx) => {
    await tx
      .update(apiTokens)
      .set({ lastUsedAt: now })
      .where(and(eq(apiTokens.siteId, db.siteId), eq(apiTokens.id, id)))
  })

/**
 * The person who made a secret address of the calendar, as they are now: without the roles that they lost since. Unknown, or its maker is
 * blocked: a visitor.
 */
export async function loadCalendarLinkViewer(db: SiteDb, secret: string): Promise<Viewer> {
  if (secret.length > 200) return VISITOR
  const [found] = await db.read((tx) =>
    tx
      .select({ ...buildAccountColumns(sql`false`), linkId: calendarLinks.id })
      .from(calendarLinks)
      .innerJoin(users, and(eq(users.siteId, calendarLinks.siteId), eq(users.id, calendarLinks.userId)))
      .where(and(eq(calendarLinks.siteId, db.siteId), eq(calendarLinks.secretHash, hashToken(secret)), isNull(users.blockedAt))),
  )
  return found ? buildViewer(db.siteId, found, found.linkId) : VISITOR
}

interface HeldAccount {
  id: string
  email: string
  login: string
  locale: ContentLanguage
  emailConfirmedAt: Date | null
  lastSeenAt: Date | null
  secondStepSince: Date | null
  roles: HeldRole[]
  memberOf: string[]
}

const buildViewer = (
  siteId: string,
  { id, email, login, locale, emailConfirmedAt, lastSeenAt, secondStepSince, roles, memberOf }: HeldAccount,
  sessionId: string,
): SignedInViewer => ({
  kind: 'user',
  id,
  siteId,
  sessionId,
  email,
  login,
  locale,
  type: roles.length ? 'administrator' : 'participant',
  confirmed: emailConfirmedAt !== null,
  lastSeenAt,
  hasSecondStep: secondStepSince !== null,
  roles,
  memberOf,
  roleName: highestRole(roles.map(({ role }) => role)) ?? 'participant',
  supportGranted: false,
})

const isThroughProvider = sql`${memberships.providerId} = (
  select ${identities.providerId} from ${identities} where ${identities.siteId} = ${sessions.siteId} and ${identities.id} = ${sessions.identityId})`

const selectTokenHolder = (tx: Tx) =>
  prepareOnce(tx, 'token holder', () =>
    tx
      .select({
        ...buildAccountColumns(isThroughProvider),
        sessionId: sessions.id,
        tokenHash: sessions.tokenHash,
        expiresAt: sessions.expiresAt,
        lastUsedAt: sessions.lastUsedAt,
        confirmedAt: sessions.confirmedAt,
        createdAt: sessions.createdAt,
        identityId: sessions.identityId,
      })
      .from(sessions)
      .innerJoin(users, and(eq(users.siteId, sessions.siteId), eq(users.id, sessions.userId)))
      .where(
        and(
          eq(sessions.siteId, sql.placeholder('site')),
          sql`${sessions.tokenHash} = any (${sql.placeholder('hashes')}::bytea[])`,
          gt(sessions.expiresAt, sql.placeholder('now')),
          isNull(users.blockedAt),
        ),
      )
      .prepare(''),
  )

const findSessions = (db: SiteDb, hashes: readonly Buffer[], now: Date) =>
  db.read((tx) => selectTokenHolder(tx).execute({ site: db.siteId, hashes, now }))

type FoundSessions = Awaited<ReturnType<typeof findSessions>>

/** Each by a read that begins after it was asked for. */
const findTogether = createSiteBatches<{ hash: Buffer; now: Date }, FoundSessions>(async (database, siteId, tokens) => {
  const earliest = new Date(Math.min(...tokens.map(({ now }) => now.getTime())))
  const hashes = tokens.map(({ hash }) => hash)
  const found = await findSessions(database.site(siteId), hashes, earliest)
  return tokens.map(({ hash, now }) => found.filter(({ tokenHash, expiresAt }) => tokenHash.equals(hash) && expiresAt > now))
})

async function buildTokenHolder(db: SiteDb, [found]: FoundSessions, now: Date): Promise<SignedInViewer | undefined> {
  if (!found) return undefined
  const { sessionId, confirmedAt, createdAt, identityId } = found
  const prolonged = now.getTime() - found.lastUsedAt.getTime() > PROLONG_EVERY_MS
  const viewer = buildViewer(db.siteId, found, sessionId)
  if (prolonged) await prolongSession(db, viewer, now)
  return { ...viewer, confirmedAt, prolonged, ...(identityId === null && { passwordAt: createdAt }) }
}

/**
 * Without a second step, people with a role on a site that requires one have no rights by it. Sessions from before the site required it, and
 * those through a provider, which asks for its own, go on.
 */
export function withholdRoles(viewer: Viewer, site: { id: string; secondStepRequiredSince: Date | null }): Viewer {
  const since = site.secondStepRequiredSince
  if (viewer.kind === 'visitor' || viewer.siteId !== site.id || viewer.roles.length === 0 || viewer.hasSecondStep || !since) return viewer
  if (!viewer.passwordAt || viewer.passwordAt < since) return viewer
  return { ...viewer, type: 'participant', roles: [], roleName: 'participant', owesSecondStep: true }
}

const prolongSession = (db: SiteDb, { id, sessionId, roleName }: SignedInViewer, now: Date): Promise<void> =>
  db.tx(async (tx) => {
    await tx
      .update(sessions)
      .set({ lastUsedAt: now, expiresAt: sql`least(${computeIdleEnd(roleName, now)}::timestamptz, ${sessions.endsAt})` })
      .where(and(eq(sessions.siteId, db.siteId), eq(sessions.id, sessionId)))
    await tx
      .update(users)
      .set({ lastSeenAt: now })
      .where(and(eq(users.siteId, db.siteId), eq(users.id, id)))
  })
