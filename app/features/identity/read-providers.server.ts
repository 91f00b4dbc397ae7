import { and, asc, count, eq, inArray } from 'drizzle-orm'
import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { identityProviders, identityRoleRules } from '#app/server/db/schema/identity.ts'
import type { RoleRule } from './identity.schema.ts'
import type { ProviderRow } from './providers.server.ts'
import { toRoleRule } from './role-rules.server.ts'
import { loadWaitingChanges, type WaitingChange } from './waiting-changes.server.ts'

export interface AdministeredProvider extends ProviderRow {
  rules: RoleRule[]
  waiting: WaitingChange | null
}

export async function loadProvidersById(ctx: Ctx, ids: readonly string[]): Promise<AdministeredProvider[]> {
  if (!checkPermission(ctx.viewer, 'identity.see').ok) return []
  return ctx.db.read(async (tx) =>
    withRules(
      ctx,
      tx,
      await tx
        .select()
        .from(identityProviders)
        .where(and(eq(identityProviders.siteId, ctx.site.id), inArray(identityProviders.id, [...ids]))),
    ),
  )
}

/** @throws {AppError} `unauthenticated`, `forbidden` */
export async function listProviders(
  ctx: Ctx,
  page: { offset: number; limit: number },
): Promise<{ rows: AdministeredProvider[]; total: number }> {
  requirePermission(ctx, 'identity.see')
  return ctx.db.read(async (tx) => {
    const mine = eq(identityProviders.siteId, ctx.site.id)
    const [counted] = await tx.select({ total: count() }).from(identityProviders).where(mine)
    const rows = await tx
      .select()
      .from(identityProviders)
      .where(mine)
      .orderBy(asc(identityProviders.createdAt), asc(identityProviders.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: await withRules(ctx, tx, rows), total: counted?.total ?? 0 }
  })
}

async function withRules(ctx: Ctx, tx: Tx, rows: ProviderRow[]): Promise<AdministeredProvider[]> {
  if (rows.length === 0) return []
  const rules = await tx
    .select()
    .from(identityRoleRules)
    .where(
      and(
        eq(identityRoleRules.siteId, ctx.site.id),
        inArray(
          identityRoleRules.providerId,
          rows.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(asc(identityRoleRules.id))
  const own = Map.groupBy(rules, ({ providerId }) => providerId)
  const waiting = await loadWaitingChanges(
    ctx,
    tx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    ...row,
    rules: (own.get(row.id) ?? []).map(toRoleRule),
    waiting: waiting.find(({ providerId }) => providerId === row.id) ?? null,
  }))
}
