import { X509Certificate } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { and, asc, eq, inArray } from 'drizzle-orm'
import { mailSiteAdmins } from '#app/features/accounts/security-mails.server.ts'
import { canSignIn, loadSiteAdmins } from '#app/features/accounts/site-admins.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { identityProviderChanges, identityProviders } from '#app/server/db/schema/identity.ts'
import type { identityProviderShape } from './identity.api.schema.ts'
import type { RoleRule } from './identity.schema.ts'
import { sealClientSecret } from './provider-secrets.server.ts'
import type { ProviderRow } from './providers.server.ts'
import { loadRoleRules } from './role-rules.server.ts'

type ProviderInput = UpdateInput<typeof identityProviderShape>

export interface WaitingChange {
  id: string
  providerId: string
  askedBy: string
  /** Name of the administrator who asked. */
  askedByName: string
  askedAt: Date
  settings: ProviderInput
  sealedSecret: string | null
}

/**
 * What of an input changes something, and whether a provider gives roles by it: it becomes active with rules, or it is active and the rules,
 * or anything else that they rest on, change. Every setting but the name counts.
 */
export async function findChange(
  ctx: Ctx,
  tx: Tx,
  row: ProviderRow,
  { clientSecret, roleRules, state, ...plain }: ProviderInput,
): Promise<{ input: ProviderInput; names: string[]; givesRoles: boolean }> {
  const rules = await loadRoleRules(ctx, tx, row.id)
  const changed = Object.entries(plain).filter(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, row[name as keyof ProviderRow]),
  )
  const input: ProviderInput = {
    ...Object.fromEntries(changed),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(roleRules && !isDeepStrictEqual(roleRules, rules) && { roleRules }),
    ...(state !== undefined && state !== row.state && { state }),
  }
  const names = Object.keys(input)
  const isActivated = input.state === 'active'
  const isChanged = row.state === 'active' && input.state === undefined && names.some((name) => name !== 'name')
  const next = input.roleRules ?? rules
  return { input, names, givesRoles: isActivated ? next.length > 0 : isChanged && next.length + rules.length > 0 }
}

/** Certificates by their fingerprint, which two people can compare. */
const describeValue = (name: string, value: unknown): unknown =>
  name === 'certificates' ? (value as string[]).map((pem) => new X509Certificate(pem).fingerprint256) : value

/** What a waiting change changes, for those who decide: each setting as it is and as it would be. A secret has no values. */
export const describeChange = (row: ProviderRow & { rules: readonly RoleRule[] }, { settings, sealedSecret }: WaitingChange) => [
  ...Object.entries(settings).map(([name, to]) => ({
    name,
    from: describeValue(name, name === 'roleRules' ? row.rules : row[name as keyof ProviderRow]),
    to: describeValue(name, to),
  })),
  ...(sealedSecret === null ? [] : [{ name: 'clientSecret', from: null, to: null }]),
]

/** True if two people administer the site who can sign in. With the provider locked, nobody becomes or ceases to be one meanwhile. */
export const hasSecondAdmin = async (ctx: Ctx, tx: Tx): Promise<boolean> =>
  (await loadSiteAdmins(tx, ctx.site.id)).filter(canSignIn).length > 1

const isOfProvider = (ctx: Ctx, providerId: string) =>
  and(eq(identityProviderChanges.siteId, ctx.site.id), eq(identityProviderChanges.providerId, providerId))

/** Keeps a change until a second administrator agrees, in place of the one that waited. The former settings stay in force. */
export async function askSecondAdmin(ctx: Ctx, tx: Tx, row: ProviderRow, { clientSecret, ...settings }: ProviderInput): Promise<void> {
  if (ctx.viewer.kind === 'visitor') throw new AppError('unauthenticated')
  const id = createId()
  await endWaitingChange(ctx, tx, row.id)
  await tx.insert(identityProviderChanges).values({
    siteId: ctx.site.id,
    providerId: row.id,
    id,
    askedBy: ctx.viewer.id,
    askedAt: ctx.now(),
    settings,
    sealedSecret: clientSecret === undefined ? null : sealClientSecret(ctx, id, clientSecret),
  })
  await tx
    .update(identityProviders)
    .set({ lockVersion: row.lockVersion + 1 })
    .where(and(eq(identityProviders.siteId, ctx.site.id), eq(identityProviders.id, row.id)))
  await recordAudit(ctx, tx, {
    action: 'identity-providers.ask-change',
    subject: { type: 'identity-providers', id: row.id },
    // Names only: a value may be secret.
    detail: { name: row.name, changed: [...Object.keys(settings), ...(clientSecret === undefined ? [] : ['clientSecret'])] },
  })
  await mailSiteAdmins(ctx, tx, { kind: 'provider-waits', provider: { id: row.id, name: row.name } })
}

export async function endWaitingChange(ctx: Ctx, tx: Tx, providerId: string): Promise<void> {
  await tx.delete(identityProviderChanges).where(isOfProvider(ctx, providerId))
}

/** Changes that wait for these providers, newest last. Void is what somebody asked who administers the site no longer. */
export async function loadWaitingChanges(ctx: Ctx, tx: Tx, providerIds: readonly string[]): Promise<WaitingChange[]> {
  const rows = await tx
    .select()
    .from(identityProviderChanges)
    .where(and(eq(identityProviderChanges.siteId, ctx.site.id), inArray(identityProviderChanges.providerId, [...providerIds])))
    .orderBy(asc(identityProviderChanges.askedAt), asc(identityProviderChanges.id))
  if (rows.length === 0) return []
  const admins = (await loadSiteAdmins(tx, ctx.site.id)).filter(canSignIn)
  return rows.flatMap((row) => {
    const asker = admins.find(({ id }) => id === row.askedBy)
    return asker ? [{ ...row, askedByName: asker.login }] : []
  })
}

const loadAll = (ctx: Ctx, ids?: readonly string[]): Promise<WaitingChange[]> =>
  ctx.db.read(async (tx) => {
    const rows = await tx
      .select({ providerId: identityProviderChanges.providerId })
      .from(identityProviderChanges)
      .where(and(eq(identityProviderChanges.siteId, ctx.site.id), ids && inArray(identityProviderChanges.id, [...ids])))
    return loadWaitingChanges(
      ctx,
      tx,
      rows.map(({ providerId }) => providerId),
    )
  })

export const loadWaitingChangesById = async (ctx: Ctx, ids: readonly string[]): Promise<WaitingChange[]> =>
  checkPermission(ctx.viewer, 'identity.see').ok && ids.length > 0 ? loadAll(ctx, ids) : []

/** @throws {AppError} `unauthenticated`, `forbidden` */
export async function listWaitingChanges(
  ctx: Ctx,
  page: { offset: number; limit: number },
): Promise<{ rows: WaitingChange[]; total: number }> {
  requirePermission(ctx, 'identity.see')
  const all = await loadAll(ctx)
  return { rows: all.slice(page.offset, page.offset + page.limit), total: all.length }
}
