import { and, asc, count, eq, inArray } from 'drizzle-orm'
import { requireOwnAccount } from '#app/features/accounts/account-realm.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import type { ProviderAudience } from '#app/lib/vocabulary/identity.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { identities, identityProviders } from '#app/server/db/schema/identity.ts'
import type { OwnIdentity, ProviderLink, SignInOptions } from './identity.schema.ts'

/** Providers that anybody may choose on a page for signing in. */
export const loadSignInOptions = (ctx: Ctx, audience: ProviderAudience): Promise<SignInOptions> =>
  ctx.db.read(async (tx) => {
    const rows = await tx
      .select({ id: identityProviders.id, name: identityProviders.name, audience: identityProviders.audience })
      .from(identityProviders)
      .where(and(eq(identityProviders.siteId, ctx.site.id), eq(identityProviders.state, 'active')))
      .orderBy(asc(identityProviders.createdAt), asc(identityProviders.id))
    return {
      providers: rows.filter((row) => row.audience === audience).map(({ id, name }) => ({ id, name })),
      hasStaffPage: rows.some((row) => row.audience === 'staff'),
    }
  })

/** Providers that the viewer may link to their account: those in use, and the one they are testing. */
export async function listLinkableProviders(ctx: Ctx): Promise<ProviderLink[]> {
  const { viewer, siteId } = requireOwnAccount(ctx)
  if (siteId !== ctx.site.id) return []
  return ctx.db.read(async (tx) => {
    const rows = await tx
      .select()
      .from(identityProviders)
      .where(and(eq(identityProviders.siteId, siteId), inArray(identityProviders.state, ['active', 'testing'])))
      .orderBy(asc(identityProviders.createdAt), asc(identityProviders.id))
    return rows.filter(({ state, makerId }) => state === 'active' || makerId === viewer.id).map(({ id, name }) => ({ id, name }))
  })
}

const selectIdentities = (tx: Tx) =>
  tx
    .select({
      id: identities.id,
      provider: identityProviders.name,
      email: identities.email,
      linkedAt: identities.linkedAt,
      lastUsedAt: identities.lastUsedAt,
    })
    .from(identities)
    .innerJoin(identityProviders, and(eq(identityProviders.siteId, identities.siteId), eq(identityProviders.id, identities.providerId)))
    .$dynamic()

const isOwn = (ctx: Ctx) =>
  and(eq(identities.siteId, ctx.site.id), eq(identities.userId, ctx.viewer.kind === 'user' ? ctx.viewer.id : ctx.site.id))

/** Only the viewer's own. */
export const loadIdentitiesById = async (ctx: Ctx, ids: readonly string[]): Promise<OwnIdentity[]> =>
  ctx.viewer.kind === 'visitor' ? [] : ctx.db.read((tx) => selectIdentities(tx).where(and(isOwn(ctx), inArray(identities.id, [...ids]))))

/** @throws {AppError} `unauthenticated` */
export async function listIdentities(ctx: Ctx, page: { offset: number; limit: number }): Promise<{ rows: OwnIdentity[]; total: number }> {
  requireOwnAccount(ctx)
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(identities).where(isOwn(ctx))
    const rows = await selectIdentities(tx)
      .where(isOwn(ctx))
      .orderBy(asc(identities.linkedAt), asc(identities.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows, total: counted?.total ?? 0 }
  })
}

/** Unlinks one of the viewer's identities and ends the sessions opened through it. @throws {AppError} `unauthenticated` */
export async function unlinkIdentity(ctx: Ctx, { id, provider }: Pick<OwnIdentity, 'id' | 'provider'>): Promise<void> {
  const { viewer } = requireOwnAccount(ctx)
  await ctx.db.tx(async (tx) => {
    await tx.delete(identities).where(and(isOwn(ctx), eq(identities.id, id)))
    await recordAudit(ctx, tx, { action: 'identities.unlink', subject: { type: 'users', id: viewer.id }, detail: { provider } })
  })
}

/** For the file of their own data. */
export const readOwnIdentities = (_ctx: Ctx, tx: Tx, { siteId, userId }: { siteId: string; userId: string }) =>
  tx
    .select({
      provider: identityProviders.name,
      subject: identities.subject,
      email: identities.email,
      linkedAt: identities.linkedAt,
      lastUsedAt: identities.lastUsedAt,
    })
    .from(identities)
    .innerJoin(identityProviders, and(eq(identityProviders.siteId, identities.siteId), eq(identityProviders.id, identities.providerId)))
    .where(and(eq(identities.siteId, siteId), eq(identities.userId, userId)))
    .orderBy(asc(identities.linkedAt))
