import { X509Certificate } from 'node:crypto'
import { and, asc, count, eq, inArray, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { canConfigure, requireConfigurePermission } from '#app/features/marketplace/installations.server.ts'
import { requireReachableUrl } from '#app/features/marketplace/public-destinations.server.ts'
import { requireLocalSiteAdmin } from '#app/features/accounts/site-admins.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { endProviderVerifications } from '#app/features/verifications/provider-verifications.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { omitUndefined } from '#app/lib/search-params.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ProviderProtocol, ProviderState } from '#app/lib/vocabulary/identity.ts'
import type { Ctx } from '#app/server/context.ts'
import { markContentChanged, type Tx } from '#app/server/db/client.ts'
import { identities, identityProviders, identityRoleRules } from '#app/server/db/schema/identity.ts'
import type { identityProviderShape } from './identity.api.schema.ts'
import { PRESETS, type RoleRule } from './identity.schema.ts'
import { dropProviderRoles } from './group-roles.server.ts'
import { createSigningKeys, needsSigningKeys, rotateSigningKeys, sealClientSecret } from './provider-secrets.server.ts'
import { endProviderSessions } from './provider-sessions.server.ts'
import { replaceRoleRules } from './role-rules.server.ts'

export type ProviderRow = typeof identityProviders.$inferSelect

export interface AdministeredProvider extends ProviderRow {
  rules: RoleRule[]
}

/** More would be a mistake, and each is a link on the page for signing in. */
const MAX_PROVIDERS = 20

const isProvider = (ctx: Ctx, id: string) => and(eq(identityProviders.siteId, ctx.site.id), eq(identityProviders.id, id))

export async function loadProvidersById(ctx: Ctx, ids: readonly string[]): Promise<AdministeredProvider[]> {
  if (!canConfigure(ctx.viewer)) return []
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
  requireConfigurePermission(ctx)
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
  return rows.map((row) => ({
    ...row,
    rules: (own.get(row.id) ?? []).map(({ groupName, role, hubId, projectId }) => ({
      group: groupName,
      role,
      hub: hubId,
      project: projectId,
    })),
  }))
}

/** Adds a provider as a draft. @returns its id @throws {AppError} `forbidden`, `invalid` */
export async function createProvider(ctx: Ctx, input: CreateInput<typeof identityProviderShape>): Promise<string> {
  requireConfigurePermission(ctx)
  const preset = input.preset ?? 'generic'
  if (!PRESETS[preset].isOffered) throw createFault('not-a-choice', '/preset')
  const protocol = input.protocol ?? 'openid'
  if (!input.issuer) throw createFault('required', '/issuer')
  await requireConnection(ctx, protocol, { ...input, issuer: input.issuer })
  const id = createId()
  const clientAuth = input.clientAuth ?? 'client-secret'
  const now = ctx.now()
  const row = {
    name: input.name,
    audience: input.audience ?? 'staff',
    issuer: input.issuer,
    protocol,
    clientId: input.clientId ?? '',
    clientAuth,
    ssoUrl: input.ssoUrl ?? null,
    certificates: input.certificates ?? [],
    metadataAddress: input.metadataAddress ?? null,
    assertionEncryption: input.assertionEncryption ?? 'none',
    signsRequests: input.signsRequests ?? false,
    claims: input.claims ?? (protocol === 'saml' ? PRESETS[preset].samlClaims : PRESETS[preset].claims),
    groupSeparator: input.groupSeparator ?? 'guess',
    provesEmail: input.provesEmail ?? PRESETS[preset].provesEmail,
    createsAccounts: input.createsAccounts ?? false,
    allowedDomains: input.allowedDomains ?? [],
    requiredAcr: input.requiredAcr ?? [],
    provesLevel: input.provesLevel ?? null,
  }
  requireResidentsToProve(row)
  const sealedKeys = needsSigningKeys(row) ? await createSigningKeys(ctx, id) : null
  await ctx.db.tx(async (tx) => {
    const [kept] = await tx.select({ total: count() }).from(identityProviders).where(eq(identityProviders.siteId, ctx.site.id))
    if ((kept?.total ?? 0) >= MAX_PROVIDERS)
      throw new AppError('invalid', { faults: [{ code: 'too-many', pointer: '/name', values: { max: MAX_PROVIDERS } }] })
    await tx.insert(identityProviders).values({
      ...row,
      siteId: ctx.site.id,
      id,
      preset,
      sealedSecret: input.clientSecret ? sealClientSecret(ctx, id, input.clientSecret) : null,
      sealedKeys,
      createdAt: now,
      updatedAt: now,
    })
    await replaceRoleRules(ctx, tx, { id, audience: row.audience }, input.roleRules ?? [])
    await recordAudit(ctx, tx, {
      action: 'identity-providers.create',
      subject: { type: 'identity-providers', id },
      detail: { name: row.name, issuer: row.issuer },
    })
  })
  return id
}

/**
 * What a provider's protocol needs. Its addresses are asked, or people are sent there.
 * @throws {AppError} `invalid`
 */
async function requireConnection(
  ctx: Ctx,
  protocol: ProviderProtocol,
  input: { issuer: string; clientId?: string | undefined; ssoUrl?: string | null | undefined; certificates?: string[] | undefined },
): Promise<void> {
  if (protocol === 'openid') {
    if (!input.clientId) throw createFault('required', '/clientId')
    return requireReachableUrl(ctx, input.issuer, '/issuer')
  }
  if (!input.ssoUrl) throw createFault('required', '/ssoUrl')
  if (!input.certificates?.length) throw createFault('required', '/certificates')
  if (!input.certificates.every(isCertificate)) throw createFault('wrong-format', '/certificates')
  await requireReachableUrl(ctx, input.ssoUrl, '/ssoUrl')
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).publicKey.asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

/** Only residents prove anything: the roles of the staff say who they are. @throws {AppError} `invalid` at `/provesLevel` */
function requireResidentsToProve({ audience, provesLevel }: Pick<ProviderRow, 'audience' | 'provesLevel'>): void {
  if (audience !== 'residents' && provesLevel) throw createFault('not-a-choice', '/provesLevel')
}

/** Settings that a proof rests on. */
const PROOF = ['provesLevel', 'requiredAcr', 'allowedDomains'] as const

/** States that may follow each. */
const NEXT_STATES: Record<ProviderState, readonly ProviderState[]> = {
  draft: ['testing'],
  testing: ['draft', 'active'],
  active: ['suspended'],
  suspended: ['active', 'testing'],
}

/** Settings that a test has to show anew. */
const CONNECTION = [
  'clientId',
  'clientAuth',
  'issuer',
  'ssoUrl',
  'certificates',
  'assertionEncryption',
  'signsRequests',
  'claims',
  'groupSeparator',
  'allowedDomains',
  'requiredAcr',
] as const

/**
 * Changes settings or the state. `testing` makes the viewer the one who may test it; it becomes `active` after a passed test, if an
 * administrator remains who needs no provider.
 * @throws {AppError} `forbidden`, `stale`, `conflict`, `last-site-admin`, `invalid`
 */
export async function updateProvider(
  ctx: Ctx,
  { id, protocol, ...stored }: ProviderRow,
  input: UpdateInput<typeof identityProviderShape>,
  lockVersion: number,
): Promise<void> {
  requireConfigurePermission(ctx)
  await requireConnection(ctx, protocol, { ...stored, ...input })
  await ctx.db.tx(async (tx) => {
    const [row] = await tx.select().from(identityProviders).where(isProvider(ctx, id)).for('update')
    if (!row) throw new AppError('not-found')
    if (row.lockVersion !== lockVersion) throw new AppError('stale')
    await requireFixedIssuer(ctx, tx, row, input.issuer)
    const { clientSecret, roleRules, state, ...plain } = input
    requireResidentsToProve({ ...row, ...omitUndefined({ audience: plain.audience, provesLevel: plain.provesLevel }) })
    const changes = listChanges(row, plain)
    if (PROOF.some((name) => name in changes)) await endProviderVerifications(ctx, tx, id)
    const isReconnected = clientSecret !== undefined || CONNECTION.some((name) => name in changes)
    if (roleRules || input.audience) await replaceRoleRules(ctx, tx, { id, audience: input.audience ?? row.audience }, roleRules)
    const tested = isReconnected ? null : row.testedAt
    const moved = state !== undefined && state !== row.state ? await changeState(ctx, tx, { ...row, testedAt: tested }, state) : undefined
    await tx
      .update(identityProviders)
      .set({
        ...plain,
        ...(clientSecret !== undefined && { sealedSecret: sealClientSecret(ctx, id, clientSecret) }),
        ...(needsSigningKeys({ ...row, ...input }) && row.sealedKeys === null && { sealedKeys: await createSigningKeys(ctx, id) }),
        testedAt: tested,
        ...moved,
        updatedAt: ctx.now(),
        lockVersion: sql`${identityProviders.lockVersion} + 1`,
      })
      .where(isProvider(ctx, id))
    await markContentChanged(tx, ctx.site.id)
    const subject = { type: 'identity-providers', id }
    if (moved) await recordAudit(ctx, tx, { action: STATE_ACTIONS[moved.state], subject, detail: { name: row.name } })
    if (Object.keys(changes).length > 0 || clientSecret !== undefined || roleRules)
      await recordAudit(ctx, tx, {
        action: 'identity-providers.update',
        subject,
        changes,
        // Names only: the value is secret.
        detail: { name: row.name, changed: [...(clientSecret === undefined ? [] : ['clientSecret']), ...(roleRules ? ['roleRules'] : [])] },
      })
  })
}

const STATE_ACTIONS = {
  draft: 'identity-providers.withdraw',
  testing: 'identity-providers.test',
  active: 'identity-providers.activate',
  suspended: 'identity-providers.suspend',
} as const

/** Subjects are only unique at their issuer: those of another one would open the accounts of others. */
async function requireFixedIssuer(ctx: Ctx, tx: Tx, row: ProviderRow, issuer: string | undefined): Promise<void> {
  if (issuer === undefined || issuer === row.issuer) return
  const [linked] = await tx
    .select({ id: identities.id })
    .from(identities)
    .where(and(eq(identities.siteId, ctx.site.id), eq(identities.providerId, row.id)))
    .limit(1)
  if (linked || (row.state !== 'draft' && row.state !== 'testing')) throw new AppError('conflict', { pointer: '/issuer' })
}

async function changeState(ctx: Ctx, tx: Tx, row: ProviderRow, state: ProviderState): Promise<{ state: ProviderState; makerId?: string }> {
  if (!NEXT_STATES[row.state].includes(state)) throw new AppError('conflict', { pointer: '/state' })
  const { viewer } = ctx
  if (state === 'testing') {
    // A guest from the platform has no account here that could sign in.
    if (viewer.kind === 'visitor' || viewer.siteId !== ctx.site.id) throw new AppError('forbidden')
    await endProviderSessions(tx, ctx.site.id, row.id)
    return { state, makerId: viewer.id }
  }
  if (state === 'active') {
    if (row.testedAt === null) throw createFault('not-tested', '/state')
    await requireLocalSiteAdmin(tx, ctx.site.id)
  }
  if (state === 'suspended') await shutOut(ctx, tx, row)
  return { state }
}

/** Ends what people have through a provider that no longer vouches for them. */
async function shutOut(ctx: Ctx, tx: Tx, row: ProviderRow): Promise<void> {
  await endProviderSessions(tx, ctx.site.id, row.id)
  await dropProviderRoles(ctx, tx, row)
  await endProviderVerifications(ctx, tx, row.id)
}

/** Removes a provider with its links, sessions and roles. The accounts stay. @throws {AppError} `forbidden` */
export async function deleteProvider(ctx: Ctx, row: ProviderRow): Promise<void> {
  requireConfigurePermission(ctx)
  await ctx.db.tx(async (tx) => {
    await shutOut(ctx, tx, row)
    await tx.delete(identityProviders).where(isProvider(ctx, row.id))
    await markContentChanged(tx, ctx.site.id)
    await recordAudit(ctx, tx, {
      action: 'identity-providers.delete',
      subject: { type: 'identity-providers', id: row.id },
      detail: { name: row.name },
    })
  })
}

/** @throws {AppError} `forbidden`, `not-found`, `conflict` for a provider without keys of the site */
export async function rotateProviderKeys(ctx: Ctx, providerId: string): Promise<{ id: string; provider: string; madeAt: Date }> {
  requireConfigurePermission(ctx)
  return ctx.db.tx(async (tx) => {
    const [row] = await tx.select().from(identityProviders).where(isProvider(ctx, providerId)).for('update')
    if (!row) throw new AppError('not-found')
    if (!needsSigningKeys(row)) throw new AppError('conflict')
    await tx
      .update(identityProviders)
      .set({ sealedKeys: await rotateSigningKeys(ctx, row) })
      .where(isProvider(ctx, row.id))
    await recordAudit(ctx, tx, {
      action: 'identity-providers.rotate-keys',
      subject: { type: 'identity-providers', id: row.id },
      detail: { name: row.name },
    })
    return { id: createId(), provider: row.id, madeAt: ctx.now() }
  })
}

const createFault = (code: 'not-a-choice' | 'not-tested' | 'required' | 'wrong-format', pointer: string) =>
  new AppError('invalid', { faults: [{ code, pointer }] })
