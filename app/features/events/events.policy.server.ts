import { and, eq, or, type SQL } from 'drizzle-orm'
import { findAccessRefusal } from '#app/features/participation/access.policy.server.ts'
import type { AccessRefusal } from '#app/features/participation/access.schema.ts'
import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import {
  knownWithinProjects,
  projectColumns,
  type ProjectRow,
  requireVisibleWithin,
  toPermissionTarget,
} from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isSlug } from '#app/lib/slug.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { events } from '#app/server/db/schema/events.ts'
import { projects } from '#app/server/db/schema/projects.ts'

export type EventRow = typeof events.$inferSelect

export interface PlacedEvent {
  event: EventRow
  project: ProjectRow
}

/** Slugs, as in the page's address. */
export interface EventAddress {
  project: string
  event: string
}

export const selectPlacedEvents = (tx: Tx) =>
  tx
    .select({ event: events, project: projectColumns })
    .from(events)
    .innerJoin(projects, and(eq(projects.siteId, events.siteId), eq(projects.id, events.projectId)))

/** Events that the viewer may see: with their project, and drafts if they may see its drafts. */
export function knownEvents(ctx: Ctx): SQL | undefined {
  const isShown = or(eq(events.status, 'published'), eq(events.status, 'cancelled'))
  return and(eq(events.siteId, ctx.site.id), knownWithinProjects(ctx, isShown))
}

/** Loads an event if the viewer may see its project and, for a draft, drafts. @throws {AppError} `not-found`, `gone` */
export async function requireVisibleEvent(ctx: Ctx, tx: Tx, where: SQL | undefined): Promise<PlacedEvent> {
  const [found] = await selectPlacedEvents(tx).where(and(eq(events.siteId, ctx.site.id), where))
  if (!found) throw new AppError('not-found')
  await requireVisibleWithin(ctx, tx, found.project, found.event)
  return found
}

export function requireEventAt(ctx: Ctx, tx: Tx, address: EventAddress): Promise<PlacedEvent> {
  if (!isSlug(address.project) || !isSlug(address.event)) throw new AppError('not-found')
  return requireVisibleEvent(ctx, tx, and(eq(projects.slug, address.project), eq(events.slug, address.event)))
}

/** The same for an administrator. @throws {AppError} `not-found` if the viewer may not even see it, otherwise `forbidden` */
export async function requireEventFor(ctx: Ctx, tx: Tx, eventId: string): Promise<PlacedEvent> {
  if (!isId(eventId)) throw new AppError('not-found')
  const placed = await requireVisibleEvent(ctx, tx, eq(events.id, eventId))
  requirePermission(ctx, 'events.edit', toPermissionTarget(placed.project))
  return placed
}

export const canEditEvents = (ctx: Ctx, project: ProjectRow): boolean =>
  checkPermission(ctx.viewer, 'events.edit', toPermissionTarget(project)).ok

/** Keeps everybody else from changing the event or its sign-ups until the transaction ends. @throws {AppError} `not-found` */
export async function lockEvent(tx: Tx, { siteId, id }: Pick<EventRow, 'siteId' | 'id'>): Promise<EventRow> {
  const [event] = await tx
    .select()
    .from(events)
    .where(and(eq(events.siteId, siteId), eq(events.id, id)))
    .for('update')
  if (!event) throw new AppError('not-found')
  return event
}

/** Why the viewer may not sign up; null if they may. */
export const findSignUpRefusal = (ctx: Ctx, tx: Tx, { event, project }: PlacedEvent): Promise<AccessRefusal | null> =>
  findAccessRefusal(ctx, tx, { action: 'events.sign-up', access: event.access, groupId: null, projectId: project.id })
