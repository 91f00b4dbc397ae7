import { and, eq, inArray } from 'drizzle-orm'
import type { UserRow } from '#app/features/accounts/account-realm.server.ts'
import { updateAccountType } from '#app/features/accounts/memberships.server.ts'
import { changeSiteAdmins } from '#app/features/accounts/site-admins.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { memberships } from '#app/server/db/schema/accounts.ts'
import { identityRoleRules } from '#app/server/db/schema/identity.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { ProviderRow } from './providers.server.ts'

type Place = Pick<typeof memberships.$inferSelect, 'role' | 'hubId' | 'projectId'>
type Provider = Pick<ProviderRow, 'id' | 'name'>

const isSamePlace = (a: Place, b: Place) => a.role === b.role && a.hubId === b.hubId && a.projectId === b.projectId

/**
 * Gives a person exactly the roles of their groups at the provider, at each sign-in. Roles given here by hand stay as they are.
 * @param groups all groups that the provider named now
 */
export async function applyGroupRoles(ctx: Ctx, tx: Tx, user: UserRow, provider: Provider, groups: readonly string[]): Promise<void> {
  const rules = await tx
    .select()
    .from(identityRoleRules)
    .where(and(eq(identityRoleRules.siteId, ctx.site.id), eq(identityRoleRules.providerId, provider.id)))
  const present = await tx
    .select()
    .from(memberships)
    .where(and(eq(memberships.siteId, ctx.site.id), eq(memberships.userId, user.id), eq(memberships.providerId, provider.id)))
  const wanted: Place[] = []
  for (const rule of rules) if (groups.includes(rule.groupName) && !wanted.some((place) => isSamePlace(place, rule))) wanted.push(rule)
  const added = wanted.filter((place) => !present.some((one) => isSamePlace(one, place)))
  const lost = present.filter((one) => !wanted.some((place) => isSamePlace(one, place)))
  if (added.length === 0 && lost.length === 0) return
  await changeRoles(ctx, tx, [...added, ...lost], async () => {
    await removeRoles(ctx, tx, lost)
    if (added.length > 0)
      await tx.insert(memberships).values(
        added.map(({ role, hubId, projectId }) => ({
          siteId: ctx.site.id,
          id: createId(),
          userId: user.id,
          role,
          hubId,
          projectId,
          providerId: provider.id,
          createdAt: ctx.now(),
        })),
      )
    await updateAccountType(tx, user)
  })
  for (const place of added) await recordRole(ctx, tx, 'memberships.create', user.id, place, provider)
  for (const place of lost) await recordRole(ctx, tx, 'memberships.delete', user.id, place, provider)
}

/** Removes all roles that come from a provider. */
export async function dropProviderRoles(ctx: Ctx, tx: Tx, provider: Provider): Promise<void> {
  const present = await tx
    .select()
    .from(memberships)
    .where(and(eq(memberships.siteId, ctx.site.id), eq(memberships.providerId, provider.id)))
  if (present.length === 0) return
  await changeRoles(ctx, tx, present, async () => {
    await removeRoles(ctx, tx, present)
    for (const id of new Set(present.map(({ userId }) => userId))) await updateAccountType(tx, { siteId: ctx.site.id, id })
  })
  for (const one of present) await recordRole(ctx, tx, 'memberships.delete', one.userId, one, provider)
}

async function removeRoles(ctx: Ctx, tx: Tx, present: readonly { id: string }[]): Promise<void> {
  if (present.length === 0) return
  await tx.delete(memberships).where(
    and(
      eq(memberships.siteId, ctx.site.id),
      inArray(
        memberships.id,
        present.map(({ id }) => id),
      ),
    ),
  )
}

/** Changes of site administrators run one at a time, and all of them are notified. */
const changeRoles = (ctx: Ctx, tx: Tx, places: readonly Place[], change: () => Promise<void>): Promise<void> =>
  places.some(({ role }) => role === 'site_admin') ? changeSiteAdmins(ctx, tx, ctx.site.id, change) : change()

async function recordRole(
  ctx: Ctx,
  tx: Tx,
  action: 'memberships.create' | 'memberships.delete',
  userId: string,
  { role, hubId, projectId }: Place,
  { name }: Provider,
): Promise<void> {
  // That one is recorded where it is decided.
  if (role === 'site_admin') return
  const [project] = projectId
    ? await tx
        .select({ hubId: projects.hubId })
        .from(projects)
        .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, projectId)))
    : []
  await recordAudit(ctx, tx, {
    action,
    subject: { type: 'users', id: userId },
    hubId: hubId ?? project?.hubId ?? null,
    projectId,
    detail: { role, provider: name },
  })
}
