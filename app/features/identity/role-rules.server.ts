import { and, asc, eq, inArray } from 'drizzle-orm'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ProviderAudience } from '#app/lib/vocabulary/identity.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { identityRoleRules } from '#app/server/db/schema/identity.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import type { RoleRule } from './identity.schema.ts'

const isOwn = (ctx: Ctx, providerId: string) => and(eq(identityRoleRules.siteId, ctx.site.id), eq(identityRoleRules.providerId, providerId))

/** A provider's rules, in the order in which they were written. */
export async function loadRoleRules(ctx: Ctx, tx: Tx, providerId: string): Promise<RoleRule[]> {
  const rows = await tx.select().from(identityRoleRules).where(isOwn(ctx, providerId)).orderBy(asc(identityRoleRules.id))
  return rows.map(toRoleRule)
}

export const toRoleRule = ({ groupName, role, hubId, projectId }: typeof identityRoleRules.$inferSelect): RoleRule => ({
  group: groupName,
  role,
  hub: hubId,
  project: projectId,
})

/**
 * Only a provider for the staff has any. Without `rules`, those that it has are checked.
 * @throws {AppError} `invalid` at `/roleRules` or `/audience`
 */
export async function requireRoleRules(
  ctx: Ctx,
  tx: Tx,
  { id, audience }: { id: string; audience: ProviderAudience },
  rules: readonly RoleRule[] | undefined,
): Promise<void> {
  const next = rules ?? (await loadRoleRules(ctx, tx, id))
  if (audience !== 'staff' && next.length > 0) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/audience' }] })
  if (rules) await requirePlaces(ctx, tx, rules)
}

/** Replaces a provider's rules, which `requireRoleRules` has checked. */
export async function replaceRoleRules(ctx: Ctx, tx: Tx, id: string, rules: readonly RoleRule[]): Promise<void> {
  await tx.delete(identityRoleRules).where(isOwn(ctx, id))
  if (rules.length === 0) return
  await tx.insert(identityRoleRules).values(
    rules.map(({ group, role, hub, project }) => ({
      siteId: ctx.site.id,
      id: createId(),
      providerId: id,
      groupName: group,
      role,
      hubId: role === 'hub_admin' ? hub : null,
      projectId: role === 'project_admin' ? project : null,
    })),
  )
}

async function requirePlaces(ctx: Ctx, tx: Tx, rules: readonly RoleRule[]): Promise<void> {
  const listIds = (name: 'hub' | 'project') => rules.flatMap((rule) => rule[name] ?? [])
  const [hubIds, projectIds] = [listIds('hub'), listIds('project')]
  const knownHubs = hubIds.length
    ? await tx
        .select({ id: hubs.id })
        .from(hubs)
        .where(and(eq(hubs.siteId, ctx.site.id), inArray(hubs.id, hubIds)))
    : []
  const knownProjects = projectIds.length
    ? await tx
        .select({ id: projects.id })
        .from(projects)
        .where(and(eq(projects.siteId, ctx.site.id), inArray(projects.id, projectIds)))
    : []
  const known = new Set([...knownHubs, ...knownProjects].map(({ id }) => id))
  const faults = rules.flatMap((rule, index): Fault[] => {
    const place = rule.role === 'hub_admin' ? 'hub' : rule.role === 'project_admin' ? 'project' : undefined
    if (!place) return []
    const id = rule[place]
    return id && known.has(id) ? [] : [{ code: id ? 'not-a-choice' : 'required', pointer: `/roleRules/${index}/${place}` }]
  })
  if (faults.length > 0) throw new AppError('invalid', { faults })
}
