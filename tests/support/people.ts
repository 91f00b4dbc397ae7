import { createId } from '#app/lib/uuid.ts'
import type { Role } from '#app/lib/roles.ts'
import { hashToken, createToken, computeIdleEnd } from '#app/server/auth/tokens.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import { memberships, sessions, users } from '#app/server/db/schema/accounts.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'

export interface Person {
  id: string
  email: string
  token: string
}

/** A confirmed person of the site with an open session, and with the given role if any. */
export async function addPerson(
  runtime: Runtime,
  site: Site,
  options: {
    role?: Role
    hubId?: string
    projectId?: string
    mayExportPersonalData?: boolean
    email?: string
    login?: string
    confirmed?: boolean
  } = {},
): Promise<Person> {
  const siteId = options.role === 'platform_admin' ? PLATFORM_SITE_ID : site.id
  const id = createId()
  const email = options.email ?? `${id}@example.org`
  const token = createToken()
  const expiresAt = computeIdleEnd('participant', new Date(Math.max(Date.now(), runtime.now().getTime())))
  await runtime.database.site(siteId).tx(async (tx) => {
    await tx.insert(users).values({
      siteId,
      id,
      email,
      login: options.login ?? options.role ?? 'participant',
      type: options.role ? 'administrator' : 'participant',
      locale: 'en',
      emailConfirmedAt: options.confirmed === false ? null : new Date(),
    })
    await tx.insert(sessions).values({
      siteId,
      id: createId(),
      userId: id,
      tokenHash: hashToken(token),
      // Fresh to its end: tests of what has to be confirmed again sign in themselves.
      confirmedAt: expiresAt,
      // Used to its end, so that no use of it sets an earlier one: tests of limits sign in themselves.
      lastUsedAt: expiresAt,
      expiresAt,
    })
    if (options.role) {
      await tx.insert(memberships).values({
        siteId,
        id: createId(),
        userId: id,
        role: options.role,
        hubId: options.role === 'hub_admin' ? (options.hubId ?? null) : null,
        projectId: options.role === 'project_admin' ? (options.projectId ?? null) : null,
        mayExportPersonalData: options.mayExportPersonalData ?? false,
      })
    }
  })
  return { id, email, token }
}

/** Where an administrator's role is held; on the whole site if neither is given. */
interface RolePlace {
  hubId?: string | null
  projectId?: string | null
}

/** The viewer that a session of this administrator would give, whom no row belongs to. */
export function buildAdministrator(siteId: string, ...held: [Role, RolePlace?][]): SignedInViewer {
  return {
    kind: 'user',
    id: createId(),
    siteId,
    sessionId: createId(),
    email: 'a@example.org',
    login: 'A',
    type: 'administrator',
    confirmed: true,
    lastSeenAt: null,
    roles: held.map(([role, place]) => ({
      role,
      hubId: place?.hubId ?? null,
      projectId: place?.projectId ?? null,
      mayExportPersonalData: false,
    })),
    roleName: held[0]?.[0] ?? 'site_admin',
    supportGranted: false,
  }
}
