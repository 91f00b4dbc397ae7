import { and, asc, count, eq, ilike, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { AuditAction } from '#app/features/audit/audit.schema.ts'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission, checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { toLikePattern } from '#app/lib/like-pattern.ts'
import { createId } from '#app/lib/uuid.ts'
import type { GroupKind } from '#app/lib/vocabulary/accounts.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { collateFor } from '#app/server/db/collation.ts'
import { peopleGroupMembers, peopleGroups } from '#app/server/db/schema/accounts.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { GroupRule } from './accounts.schema.ts'
import { countPeople, loadGroupCondition, requirePeopleManager } from './people.list.server.ts'

export type GroupRow = typeof peopleGroups.$inferSelect
/** A group and how many of its members the viewer manages. */
export type Group = GroupRow & { members: number }

interface GroupInput {
  name?: string | undefined
  kind?: GroupKind | undefined
  rule?: GroupRule | null | undefined
}

/** Groups and tags of the site and of hubs, limited to those the viewer may see. @throws {AppError} `unauthenticated`, `forbidden` */
export async function listGroups(
  ctx: Ctx,
  query: { kind?: GroupKind; q?: string; byHand?: boolean; offset: number; limit: number },
): Promise<{ rows: Group[]; total: number }> {
  requirePeopleManager(ctx.viewer)
  const where = and(
    buildVisibleGroupCondition(ctx),
    query.kind ? eq(peopleGroups.kind, query.kind) : undefined,
    query.byHand === undefined ? undefined : query.byHand ? isNull(peopleGroups.rule) : isNotNull(peopleGroups.rule),
    query.q?.trim() ? ilike(peopleGroups.name, toLikePattern(query.q)) : undefined,
  )
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(peopleGroups).where(where)
    const rows = await tx
      .select()
      .from(peopleGroups)
      .where(where)
      .orderBy(asc(collateFor(ctx.language, peopleGroups.name)), asc(peopleGroups.id))
      .limit(query.limit)
      .offset(query.offset)
    return { rows: await addMemberCounts(ctx, tx, rows), total: counted?.total ?? 0 }
  })
}

export async function loadGroupsById(ctx: Ctx, ids: readonly string[]): Promise<Group[]> {
  if (!canManageAnybody(ctx.viewer) || ids.length === 0) return []
  return ctx.db.read(async (tx) =>
    addMemberCounts(
      ctx,
      tx,
      await tx
        .select()
        .from(peopleGroups)
        .where(and(buildVisibleGroupCondition(ctx), inArray(peopleGroups.id, [...ids]))),
    ),
  )
}

/** For each person, the groups they were added to by hand that the viewer may see. */
export async function loadGroupIds(ctx: Ctx, people: readonly { id: string }[]): Promise<Map<string, string[]>> {
  const ids = people.map((person) => person.id)
  const rows = await ctx.db.read((tx) =>
    tx
      .select({ groupId: peopleGroupMembers.groupId, userId: peopleGroupMembers.userId })
      .from(peopleGroupMembers)
      .innerJoin(peopleGroups, and(eq(peopleGroups.siteId, peopleGroupMembers.siteId), eq(peopleGroups.id, peopleGroupMembers.groupId)))
      .where(and(buildVisibleGroupCondition(ctx), inArray(peopleGroupMembers.userId, ids))),
  )
  return new Map(ids.map((id) => [id, rows.filter((row) => row.userId === id).map((row) => row.groupId)]))
}

/** For each person, the names of these groups and tags. */
export async function loadGroupNames(ctx: Ctx, people: readonly { id: string }[]): Promise<Map<string, string[]>> {
  const ids = await loadGroupIds(ctx, people)
  const groups = await ctx.db.read((tx) =>
    tx
      .select({ id: peopleGroups.id, name: peopleGroups.name })
      .from(peopleGroups)
      .where(and(buildVisibleGroupCondition(ctx), inArray(peopleGroups.id, [...new Set([...ids.values()].flat())])))
      .orderBy(asc(collateFor(ctx.language, peopleGroups.name))),
  )
  return new Map([...ids].map(([person, own]) => [person, groups.filter(({ id }) => own.includes(id)).map(({ name }) => name)]))
}

export const canEditGroup = (viewer: Viewer, group: Pick<GroupRow, 'hubId'>): boolean =>
  checkPermission(viewer, 'participants.manage', { hubId: group.hubId }).ok

/**
 * Creates a group of the site or of one hub.
 * @returns its id
 * @throws {AppError} `forbidden`; `invalid` if the rule names a place that the viewer does not manage
 */
export async function createGroup(ctx: Ctx, input: GroupInput & { name: string; hubId: string | null }): Promise<string> {
  requirePermission(ctx, 'participants.manage', { hubId: input.hubId })
  const id = createId()
  await ctx.db.tx(async (tx) => {
    const { name, hubId, kind = 'group', rule = null } = input
    await requireManagedPlaces(ctx, tx, rule, hubId)
    await tx.insert(peopleGroups).values({ siteId: ctx.site.id, id, hubId, kind, name, rule, createdAt: ctx.now() })
    await recordAudit(ctx, tx, { action: 'groups.create', subject: { type: 'groups', id }, hubId, detail: { name, kind, rule } })
  })
  return id
}

/** @throws {AppError} `forbidden`, `stale`, `invalid`; `conflict` when switching between a rule and members added by hand */
export async function updateGroup(ctx: Ctx, group: GroupRow, input: GroupInput, lockVersion: number): Promise<void> {
  requirePermission(ctx, 'participants.manage', { hubId: group.hubId })
  if (input.rule !== undefined && (input.rule === null) !== (group.rule === null)) throw new AppError('conflict', { pointer: '/rule' })
  const saved = {
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(input.kind === undefined ? {} : { kind: input.kind }),
    ...(input.rule === undefined ? {} : { rule: input.rule }),
  }
  await ctx.db.tx(async (tx) => {
    await requireManagedPlaces(ctx, tx, input.rule, group.hubId)
    const changed = await tx
      .update(peopleGroups)
      .set({ ...saved, lockVersion: sql`${peopleGroups.lockVersion} + 1` })
      .where(and(eq(peopleGroups.siteId, ctx.site.id), eq(peopleGroups.id, group.id), eq(peopleGroups.lockVersion, lockVersion)))
      .returning({ id: peopleGroups.id })
    if (!changed.length) throw new AppError('stale')
    await recordGroupAudit(ctx, tx, group, 'groups.update', { changes: listChanges<GroupRow>(group, saved) })
  })
}

/** @throws {AppError} `forbidden` */
export async function deleteGroup(ctx: Ctx, group: GroupRow): Promise<void> {
  requirePermission(ctx, 'participants.manage', { hubId: group.hubId })
  await ctx.db.tx(async (tx) => {
    await tx.delete(peopleGroups).where(and(eq(peopleGroups.siteId, ctx.site.id), eq(peopleGroups.id, group.id)))
    await recordGroupAudit(ctx, tx, group, 'groups.delete', { name: group.name })
  })
}

/**
 * Adds people by hand; existing members are kept. The caller must have checked access with `loadPeopleById`.
 * @throws {AppError} `forbidden`, `conflict`
 */
export async function addToGroup(ctx: Ctx, group: GroupRow, userIds: readonly string[]): Promise<void> {
  requireManualGroup(ctx, group)
  if (userIds.length === 0) return
  await ctx.db.tx(async (tx) => {
    await tx
      .insert(peopleGroupMembers)
      .values(userIds.map((userId) => ({ siteId: ctx.site.id, groupId: group.id, userId, createdAt: ctx.now() })))
      .onConflictDoNothing()
    await recordGroupAudit(ctx, tx, group, 'groups.add-people', { name: group.name, people: userIds })
  })
}

/** @throws {AppError} `forbidden`, `conflict` */
export async function removeFromGroup(ctx: Ctx, group: GroupRow, userIds: readonly string[]): Promise<void> {
  requireManualGroup(ctx, group)
  if (userIds.length === 0) return
  await ctx.db.tx(async (tx) => {
    await tx
      .delete(peopleGroupMembers)
      .where(
        and(
          eq(peopleGroupMembers.siteId, ctx.site.id),
          eq(peopleGroupMembers.groupId, group.id),
          inArray(peopleGroupMembers.userId, [...userIds]),
        ),
      )
    await recordGroupAudit(ctx, tx, group, 'groups.remove-people', { name: group.name, people: userIds })
  })
}

/** A rule may only name hubs, projects and activities whose people the viewer manages, and for a hub's group only places within that hub. */
async function requireManagedPlaces(ctx: Ctx, tx: Tx, rule: GroupRule | null | undefined, hubId: string | null): Promise<void> {
  const isManagedPlace = async (
    id: string | undefined,
    table: typeof hubs | typeof projects,
    hub: typeof hubs.id | typeof projects.hubId,
  ) => {
    if (id === undefined) return true
    const rows = await tx
      .select({ id: table.id })
      .from(table)
      .where(
        and(
          eq(table.siteId, ctx.site.id),
          eq(table.id, id),
          hubId ? eq(hub, hubId) : undefined,
          scopeWhere(ctx.viewer, 'participants.manage', { hub }),
        ),
      )
    return rows.length > 0
  }
  const isManagedActivity = async (id: string | undefined) => {
    if (id === undefined) return true
    const [found] = await tx
      .select({ project: activities.projectId })
      .from(activities)
      .where(and(eq(activities.siteId, ctx.site.id), eq(activities.id, id)))
    return found !== undefined && isManagedPlace(found.project, projects, projects.hubId)
  }
  const isManagedSurvey = async (id: string | undefined) => {
    if (id === undefined) return true
    const [found] = await tx
      .select({ project: surveys.projectId })
      .from(surveys)
      .where(and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, id)))
    return found !== undefined && isManagedPlace(found.project, projects, projects.hubId)
  }
  const faults: Fault[] = []
  if (!(await isManagedPlace(rule?.hub, hubs, hubs.id))) faults.push({ code: 'not-a-choice', pointer: '/rule/hub' })
  if (!(await isManagedPlace(rule?.project, projects, projects.hubId))) faults.push({ code: 'not-a-choice', pointer: '/rule/project' })
  for (const name of ['contributedTo', 'supportedIn'] as const)
    if (!(await isManagedActivity(rule?.[name]))) faults.push({ code: 'not-a-choice', pointer: `/rule/${name}` })
  if (!(await isManagedSurvey(rule?.answered?.survey))) faults.push({ code: 'not-a-choice', pointer: '/rule/answered' })
  if (faults.length) throw new AppError('invalid', { faults })
}

function requireManualGroup(ctx: Ctx, group: GroupRow): void {
  requirePermission(ctx, 'participants.manage', { hubId: group.hubId })
  if (group.rule !== null) throw new AppError('conflict', { detail: { key: 'group-by-rule' } })
}

const recordGroupAudit = (ctx: Ctx, tx: Tx, group: GroupRow, action: AuditAction, detail: Record<string, unknown>) =>
  recordAudit(ctx, tx, { action, subject: { type: 'groups', id: group.id }, hubId: group.hubId, detail })

const canManageAnybody = (viewer: Viewer): boolean =>
  viewer.kind === 'user' && viewer.roles.some(({ hubId }) => checkPermission(viewer, 'participants.manage', { hubId }).ok)

const buildVisibleGroupCondition = (ctx: Ctx): SQL | undefined =>
  and(eq(peopleGroups.siteId, ctx.site.id), scopeWhere(ctx.viewer, 'participants.manage', { hub: peopleGroups.hubId }))

async function addMemberCounts(ctx: Ctx, tx: Tx, rows: readonly GroupRow[]): Promise<Group[]> {
  const counted: Group[] = []
  for (const row of rows) counted.push({ ...row, members: await countPeople(ctx, tx, await loadGroupCondition(ctx, tx, row)) })
  return counted
}
