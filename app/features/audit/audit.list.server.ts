import { and, asc, count, desc, eq, gte, ilike, inArray, like, lt, or, type SQL, sql } from 'drizzle-orm'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { toLikePattern } from '#app/lib/like-pattern.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { SiteDb, Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { type AuditRow, checkChain, type ChainCheck } from './audit.chain.server.ts'
import { listIds, loadNames } from './audit.names.server.ts'
import type { AuditTrail } from './audit.schema.ts'

export interface AuditEvent extends AuditRow {
  actorName: string | null
  subjectName: string | null
  /** Current names of what `detail` mentions by id. */
  names: Record<string, string>
}

export interface AuditFilter {
  trail?: AuditTrail
  actor?: string
  who?: string
  action?: string
  subject?: string
  hub?: string
  project?: string
  from?: string
  until?: string
}

/** A page of the trail, limited to the viewer's scope. @throws {AppError} `unauthenticated`, `forbidden` */
export async function listAudit(
  ctx: Ctx,
  query: { filter: AuditFilter; oldestFirst?: boolean; offset: number; limit: number },
): Promise<{ rows: AuditEvent[]; total: number }> {
  const { db, where } = requireTrail(ctx, query.filter.trail)
  const order = query.oldestFirst ? asc : desc
  const { rows, total } = await db.read(async (tx) => {
    const wanted = and(where, ...buildConditions(tx, db, query.filter))
    const [counted] = await tx.select({ total: count() }).from(auditEvents).where(wanted)
    // Skips entries of an index, not whole events.
    const shown = tx
      .select({ sequence: auditEvents.sequence })
      .from(auditEvents)
      .where(wanted)
      .orderBy(order(auditEvents.sequence))
      .limit(query.limit)
      .offset(query.offset)
    const found = await tx
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.siteId, db.siteId), sql`${auditEvents.sequence} = any (array(${shown}))`))
      .orderBy(order(auditEvents.sequence))
    return { rows: found, total: counted?.total ?? 0 }
  })
  return { rows: await addNames(ctx, db, rows), total }
}

/** Loads events by id, limited to the viewer's scope. */
export async function loadAuditById(ctx: Ctx, ids: readonly string[]): Promise<AuditEvent[]> {
  if (ctx.viewer.kind === 'visitor' || ids.length === 0) return []
  if (!canSeeAudit(ctx)) return []
  const trails: AuditTrail[] = isPlatformAdmin(ctx.viewer) ? ['site', 'platform'] : ['site']
  const found: AuditEvent[] = []
  for (const trail of trails) {
    const { db, where } = requireTrail(ctx, trail)
    const rows = await db.read((tx) =>
      tx
        .select()
        .from(auditEvents)
        .where(and(where, inArray(auditEvents.id, [...ids]))),
    )
    found.push(...(await addNames(ctx, db, rows)))
  }
  return found
}

/** Verifies the whole chain; only for viewers who may see all of it. @throws {AppError} `unauthenticated`, `forbidden` */
export async function checkAudit(ctx: Ctx): Promise<ChainCheck> {
  const { viewer } = ctx
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (isPlatformAdmin(viewer)) return checkChain(ctx.runtime.database.site(PLATFORM_SITE_ID))
  if (scopeWhere(viewer, 'audit.see', { hub: auditEvents.hubId, project: auditEvents.projectId }) !== undefined)
    throw new AppError('forbidden')
  return checkChain(ctx.db)
}

/** Only viewers of the whole trail may see network addresses. */
export const canSeeAddresses = (viewer: Ctx['viewer']): boolean => checkPermission(viewer, 'audit.see').ok

const isPlatformAdmin = (viewer: SignedInViewer): boolean => viewer.siteId === PLATFORM_SITE_ID

const canSeeAudit = ({ viewer }: Ctx): boolean =>
  viewer.kind === 'user' && viewer.roles.some(({ hubId, projectId }) => checkPermission(viewer, 'audit.see', { hubId, projectId }).ok)

/**
 * Chooses the trail and the events the viewer may see: platform administrators see the platform's trail, and on a site only their own
 * actions.
 */
function requireTrail(ctx: Ctx, asked: AuditTrail | undefined): { db: SiteDb; where: SQL | undefined } {
  const { viewer } = ctx
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (!canSeeAudit(ctx)) throw new AppError('forbidden')
  if (isPlatformAdmin(viewer)) {
    const db = asked === 'site' ? ctx.db : ctx.runtime.database.site(PLATFORM_SITE_ID)
    const ownActs = asked === 'site' ? eq(auditEvents.actorId, viewer.id) : undefined
    return { db, where: and(eq(auditEvents.siteId, db.siteId), ownActs) }
  }
  if (asked === 'platform') throw new AppError('forbidden')
  const inScope = scopeWhere(viewer, 'audit.see', { hub: auditEvents.hubId, project: auditEvents.projectId })
  return { db: ctx.db, where: and(eq(auditEvents.siteId, ctx.site.id), inScope) }
}

function buildConditions(tx: Tx, db: SiteDb, filter: AuditFilter): (SQL | undefined)[] {
  const pattern = filter.who?.trim() ? toLikePattern(filter.who.trim()) : undefined
  const persons = pattern
    ? tx
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.siteId, db.siteId), or(ilike(users.login, pattern), ilike(users.email, pattern))))
    : undefined
  return [
    filter.actor ? eq(auditEvents.actorId, filter.actor) : undefined,
    persons ? inArray(auditEvents.actorId, persons) : undefined,
    filter.action
      ? filter.action.includes('.')
        ? eq(auditEvents.action, filter.action)
        : like(auditEvents.action, `${filter.action}.%`)
      : undefined,
    filter.subject ? eq(auditEvents.subjectId, filter.subject) : undefined,
    filter.hub ? eq(auditEvents.hubId, filter.hub) : undefined,
    filter.project ? eq(auditEvents.projectId, filter.project) : undefined,
    filter.from ? gte(auditEvents.at, new Date(filter.from)) : undefined,
    filter.until ? lt(auditEvents.at, new Date(filter.until)) : undefined,
  ]
}

async function addNames(ctx: Ctx, db: SiteDb, rows: readonly AuditRow[]): Promise<AuditEvent[]> {
  const names = await loadNames(ctx, db, rows)
  const findName = (id: string | null) => (id && names.get(id)) || null
  return rows.map((row) => ({
    ...row,
    actorName: findName(row.actorId),
    subjectName: findName(row.subjectId),
    names: Object.fromEntries(listIds(row.detail).flatMap((id) => (names.has(id) ? [[id, names.get(id) ?? '']] : []))),
  }))
}
