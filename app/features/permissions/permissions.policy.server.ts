import { inArray, or, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { AppError } from '#app/lib/app-error.ts'
import type { SignedInViewer, Viewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { hasFreshSignIn } from './fresh-sign-in.policy.server.ts'
import { PERMISSIONS, type Action, type FreshAction, type Rule } from './permissions.schema.ts'

/** Where the thing being acted on belongs. A new or site-wide thing has neither hub nor project. */
export interface PermissionTarget {
  hubId?: string | null
  projectId?: string | null
  everPublished?: boolean
  isMember?: boolean
  hasPreviewLink?: boolean
  ownerId?: string | null
}

export type Decision = { ok: true; only?: 'review' | 'drafts' | 'own-acts' | 'catalogue' } | { ok: false; reason: 'sign-in' | 'forbidden' }

const FORBIDDEN: Decision = { ok: false, reason: 'forbidden' }

/** Whether `viewer` may do `action` to the thing at `place`: the widest answer across all of the viewer's roles. */
export function checkPermission(viewer: Viewer, action: Action, place: PermissionTarget = {}): Decision {
  const table = PERMISSIONS[action]
  if (viewer.kind === 'visitor') return applyRule(table.visitor, undefined, place, false) ?? { ok: false, reason: 'sign-in' }
  // A site administrator is also a participant there; a platform administrator is only a guest.
  const asParticipant = viewer.roleName === 'platform_admin' ? undefined : applyRule(table.participant, viewer, place, false)
  if (asParticipant) return asParticipant
  let limited: Decision = FORBIDDEN
  for (const membership of viewer.roles) {
    const inHub = membership.role === 'hub_admin' && membership.hubId !== null && membership.hubId === place.hubId
    const inProject = membership.role === 'project_admin' && membership.projectId !== null && membership.projectId === place.projectId
    const decision = applyRule(table[membership.role], viewer, place, inHub || inProject, membership.mayExportPersonalData)
    if (decision?.ok && !decision.only) return decision
    if (decision) limited = decision
  }
  return limited
}

function applyRule(
  rule: Rule,
  viewer: SignedInViewer | undefined,
  place: PermissionTarget,
  inScope: boolean,
  mayExport = false,
): Decision | undefined {
  const allowIf = (allowed: boolean | undefined): Decision | undefined => (allowed ? { ok: true } : undefined)
  switch (rule) {
    case 'yes':
    case 'survey': // the survey's own access rule is checked where the survey is loaded
    case 'activity': // the same for the activity's
      return { ok: true }
    case 'no':
      return undefined
    case 'scope':
    case 'hub':
      return allowIf(inScope)
    case 'own':
      return allowIf(viewer !== undefined && place.ownerId === viewer.id)
    case 'member':
      return allowIf(place.isMember)
    case 'link':
      return allowIf(place.hasPreviewLink)
    case 'grant':
      return allowIf(viewer?.supportGranted)
    case 'never-published':
      return allowIf(inScope && place.everPublished === false)
    case 'granted':
      return allowIf(inScope && mayExport)
    case 'review':
    case 'drafts':
      return inScope ? { ok: true, only: rule } : undefined
    case 'own-acts':
    case 'catalogue':
      return { ok: true, only: rule }
  }
}

const needsFreshSignIn = (action: Action): action is FreshAction => PERMISSIONS[action].freshSignIn

/**
 * For acting; what is shown or offered asks `checkPermission`, which needs no fresh sign-in.
 * @throws {AppError} `unauthenticated` for a visitor who might be allowed once signed in, else `forbidden`; `fresh-sign-in-required` if the
 * table wants one and the viewer last proved who they are too long ago
 */
export function requirePermission(
  ctx: Pick<Ctx, 'viewer' | 'now'>,
  action: Action,
  place: PermissionTarget = {},
): Extract<Decision, { ok: true }> {
  const { viewer } = ctx
  const decision = checkPermission(viewer, action, place)
  if (decision.ok) {
    if (needsFreshSignIn(action) && !hasFreshSignIn(ctx)) throw new AppError('fresh-sign-in-required')
    return decision
  }
  if (viewer.kind === 'user' && viewer.owesSecondStep) throw new AppError('forbidden', { detail: { key: 'second-step-owed' } })
  throw new AppError(decision.reason === 'sign-in' ? 'unauthenticated' : 'forbidden')
}

/** The same where the viewer may do it to some of the things of a list, and the list's query finds which. @throws {AppError} as above */
export function requirePermissionSomewhere(ctx: Pick<Ctx, 'viewer' | 'now'>, action: Action): void {
  const { viewer } = ctx
  const places = viewer.kind === 'user' ? viewer.roles.map(({ hubId, projectId }) => ({ hubId, projectId })) : []
  requirePermission(
    ctx,
    action,
    places.find((place) => checkPermission(viewer, action, place).ok),
  )
}

/**
 * Condition for the rows that `viewer` may do `action` to, by the row's hub and project columns; undefined for all of them. Rules that
 * depend on more than the place (member, link, own) count as no here; add them to the query that knows them.
 */
export function scopeWhere(viewer: Viewer, action: Action, columns: { hub?: AnyPgColumn; project?: AnyPgColumn }): SQL | undefined {
  const nothing = sql`false`
  if (viewer.kind === 'visitor') return PERMISSIONS[action].visitor === 'yes' ? undefined : nothing
  const table = PERMISSIONS[action]
  if (table.participant === 'yes') return undefined
  const hubs: string[] = []
  const projects: string[] = []
  for (const membership of viewer.roles) {
    const rule: Rule = table[membership.role]
    if (rule === 'no') continue
    if (rule === 'yes' || (rule === 'grant' && viewer.supportGranted)) return undefined
    if (membership.role === 'hub_admin' && membership.hubId) hubs.push(membership.hubId)
    if (membership.role === 'project_admin' && membership.projectId && (rule !== 'granted' || membership.mayExportPersonalData))
      projects.push(membership.projectId)
  }
  return (
    or(
      columns.hub && hubs.length ? inArray(columns.hub, hubs) : undefined,
      columns.project && projects.length ? inArray(columns.project, projects) : undefined,
    ) ?? nothing
  )
}

/** True for anyone who holds a role, i.e. may enter `/admin` at all. */
export const isAdministrator = (viewer: Viewer): viewer is SignedInViewer => viewer.kind === 'user' && viewer.roles.length > 0
