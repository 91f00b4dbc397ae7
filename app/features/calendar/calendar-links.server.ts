import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { isAdministrator } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { createToken, hashToken } from '#app/server/auth/tokens.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { memberships } from '#app/server/db/schema/accounts.ts'
import { calendarLinks } from '#app/server/db/schema/administration.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'

export interface CalendarLink {
  id: string
  createdAt: Date
  /** Only right after it was made: just the hash of its secret is stored. */
  address?: string
}

/**
 * Makes the viewer's secret address of the calendar, which ends the one they had. It shows what they may see when it is read.
 * @throws {AppError} `unauthenticated`, `forbidden`
 */
export async function makeCalendarLink(ctx: Ctx): Promise<CalendarLink> {
  const viewer = requireOwnAccount(ctx)
  const secret = createToken()
  const row = { id: createId(), createdAt: ctx.now() }
  await ctx.db.tx(async (tx) => {
    await requireOwnRole(tx, viewer)
    await tx.delete(calendarLinks).where(isOwn(ctx))
    await tx.insert(calendarLinks).values({ ...row, siteId: ctx.site.id, userId: viewer.id, secretHash: hashToken(secret) })
    await recordAudit(ctx, tx, { action: 'calendar-links.create', subject: { type: 'calendar-links', id: row.id } })
  })
  return { ...row, address: buildSiteUrl(ctx, `/calendar/${secret}.ics`) }
}

/** Ends it from the next reading on. */
export async function endCalendarLink(ctx: Ctx, { id }: CalendarLink): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await tx.delete(calendarLinks).where(and(isOwn(ctx), eq(calendarLinks.id, id)))
    await recordAudit(ctx, tx, { action: 'calendar-links.delete', subject: { type: 'calendar-links', id } })
  })
}

/** At most one. @throws {AppError} `unauthenticated` */
export async function listOwnLinks(ctx: Ctx): Promise<{ rows: CalendarLink[]; total: number }> {
  if (ctx.viewer.kind === 'visitor') throw new AppError('unauthenticated')
  const rows = await ctx.db.read((tx) => selectLinks(tx, isOwn(ctx)))
  return { rows, total: rows.length }
}

export const loadOwnLinksById = (ctx: Ctx, ids: readonly string[]): Promise<CalendarLink[]> =>
  ctx.db.read((tx) => selectLinks(tx, and(isOwn(ctx), inArray(calendarLinks.id, [...ids]))))

/** For people's own data. */
export const readOwnCalendarLinks = (tx: Tx, siteId: string, userId: string) =>
  tx
    .select({ createdAt: calendarLinks.createdAt })
    .from(calendarLinks)
    .where(and(eq(calendarLinks.siteId, siteId), eq(calendarLinks.userId, userId)))

const selectLinks = (tx: Tx, where: SQL | undefined): Promise<CalendarLink[]> =>
  tx.select({ id: calendarLinks.id, createdAt: calendarLinks.createdAt }).from(calendarLinks).where(where)

const isOwn = ({ site, viewer }: Ctx): SQL | undefined =>
  viewer.kind === 'user' ? and(eq(calendarLinks.siteId, site.id), eq(calendarLinks.userId, viewer.id)) : sql`false`

/** A person with an account and a role here: no guest from the platform, and no program. */
function requireOwnAccount({ viewer, site }: Ctx): SignedInViewer {
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (!isAdministrator(viewer) || viewer.siteId !== site.id || viewer.apiToken) throw new AppError('forbidden')
  return viewer
}

/** A role from a provider is checked at sign-in, and calendar programs never sign in. @throws {AppError} `forbidden` */
async function requireOwnRole(tx: Tx, { siteId, id }: SignedInViewer): Promise<void> {
  const [given] = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .where(and(eq(memberships.siteId, siteId), eq(memberships.userId, id), isNull(memberships.providerId)))
    .limit(1)
  if (!given) throw new AppError('forbidden', { detail: { key: 'role-from-provider' } })
}
