import { createHash } from 'node:crypto'
import { and, count, eq, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { mailSiteAdmins } from '#app/features/accounts/security-mails.server.ts'
import { requireLocalSiteAdmin } from '#app/features/accounts/site-admins.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { endProviderVerifications } from '#app/features/verifications/provider-verifications.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { omitUndefined } from '#app/lib/search-params.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ProviderState } from '#app/lib/vocabulary/identity.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { identities, identityProviders } from '#app/server/db/schema/identity.ts'
import { lockForTransaction } from '#app/server/db/transaction-lock.ts'
import type { identityProviderShape } from './identity.api.schema.ts'
import { PRESETS } from './identity.schema.ts'
import { dropProviderRoles } from './group-roles.server.ts'
import { createSigningKeys, needsSigningKeys, rotateSigningKeys, sealClientSecret } from './provider-secrets.server.ts'
import { requireConnection } from './provider-connection.server.ts'
import { endProviderSessions } from './provider-sessions.server.ts'
import { replaceRoleRules, requireRoleRules } from './role-rules.server.ts'
import { askSecondAdmin, endWaitingChange, findChange, hasSecondAdmin } from './waiting-changes.server.ts'

export type ProviderRow = typeof identityProviders.$inferSelect

/** More would be a mistake, and each is a link on the page for signing in. */
const MAX_PROVIDERS = 20

const isProvider = (ctx: Ctx, id: string) => and(eq(identityProviders.siteId, ctx.site.id), eq(identityProviders.id, id))

/** Adds a provider as a draft. @returns its id @throws {AppError} `forbidden`, `invalid` */
export async function createProvider(ctx: Ctx, input: CreateInput<typeof identityProviderShape>): Promise<string> {
  requirePermission(ctx, 'identity.configure')
  const row = describeNewProvider(input)
  if (!PRESETS[row.preset].protocols.includes(row.protocol)) throw createFault('not-a-choice', '/protocol')
  requireLevelsOfPreset(row)
  if (!row.issuer) throw createFault('required', '/issuer')
  await requireConnection(ctx, row.protocol, { ...input, issuer: row.issuer })
  const id = createId()
  const now = ctx.now()
  requireResidentsToProve(row)
  const sealedKeys = needsSigningKeys(row) ? await createSigningKeys(ctx, id) : null
  await ctx.db.tx(async (tx) => {
    const [kept] = await tx.select({ total: count() }).from(identityProviders).where(eq(identityProviders.siteId, ctx.site.id))
    if ((kept?.total ?? 0) >= MAX_PROVIDERS)
      throw new AppError('invalid', { faults: [{ code: 'too-many', pointer: '/name', values: { max: MAX_PROVIDERS } }] })
    await tx.insert(identityProviders).values({
      ...row,
      ...omitUndefined({ groupSeparator: input.groupSeparator, metadataAddress: input.metadataAddress }),
      siteId: ctx.site.id,
      id,
      sealedSecret: input.clientSecret ? sealClientSecret(ctx, id, input.clientSecret) : null,
      sealedKeys,
      createdAt: now,
      updatedAt: now,
    })
    const rules = input.roleRules ?? []
    await requireRoleRules(ctx, tx, { id, audience: row.audience }, rules)
    await replaceRoleRules(ctx, tx, id, rules)
    await recordAudit(ctx, tx, {
      action: 'identity-providers.create',
      subject: { type: 'identity-providers', id },
      detail: { name: row.name, issuer: row.issuer },
    })
    await mailSiteAdmins(ctx, tx, { kind: 'provider-added', provider: { id, name: row.name } })
  })
  return id
}

/** What is stored of a new provider that no secret is part of. What was left out is as its preset has it. */
function describeNewProvider(input: CreateInput<typeof identityProviderShape>) {
  const preset = input.preset ?? 'generic'
  const protocol = input.protocol ?? 'openid'
  return {
    preset,
    name: input.name,
    audience: input.audience ?? 'staff',
    issuer: input.issuer ?? '',
    protocol,
    clientId: input.clientId ?? '',
    clientAuth: input.clientAuth ?? PRESETS[preset].clientAuth,
    ssoUrl: input.ssoUrl ?? null,
    certificates: input.certificates ?? [],
    assertionEncryption: input.assertionEncryption ?? 'none',
    signsRequests: input.signsRequests ?? false,
    claims: input.claims ?? (protocol === 'saml' ? PRESETS[preset].samlClaims : PRESETS[preset].claims),
    provesEmail: input.provesEmail ?? PRESETS[preset].provesEmail,
    createsAccounts: input.createsAccounts ?? false,
    allowedDomains: input.allowedDomains ?? [],
    requiredAcr: input.requiredAcr ?? PRESETS[preset].requiredAcr,
    provesLevel: input.provesLevel ?? null,
  } as const
}

/** Only residents prove anything: the roles of the staff say who they are. @throws {AppError} `invalid` at `/provesLevel` */
function requireResidentsToProve({ audience, provesLevel }: Pick<ProviderRow, 'audience' | 'provesLevel'>): void {
  if (audience !== 'residents' && provesLevel) throw createFault('not-a-choice', '/provesLevel')
}

/** A provider that is asked by vectors names no level (acr). @throws {AppError} `invalid` at `/requiredAcr` */
function requireLevelsOfPreset({ preset, requiredAcr }: Pick<ProviderRow, 'preset' | 'requiredAcr'>): void {
  if (PRESETS[preset].vectors && requiredAcr.length > 0) throw createFault('not-a-choice', '/requiredAcr')
}

/** Settings that a proof rests on. */
const PROOF = ['provesLevel', 'requiredAcr', 'allowedDomains'] as const

/** Short, and another one if any of them changes. */
export const hashProof = (row: Pick<ProviderRow, (typeof PROOF)[number]>): string =>
  createHash('sha256')
    .update(JSON.stringify(PROOF.map((name) => row[name])))
    .digest('base64url')

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

type ProviderInput = UpdateInput<typeof identityProviderShape>

/**
 * Changes settings or the state. `testing` makes the viewer the one who may test it; it becomes `active` after a passed test, if an
 * administrator remains who needs no provider. What gives roles waits until a second administrator agrees, if there is one.
 * @throws {AppError} `forbidden`, `fresh-sign-in-required`, `stale`, `conflict`, `last-site-admin`, `invalid`
 */
export async function updateProvider(
  ctx: Ctx,
  { id, protocol, ...stored }: ProviderRow,
  input: ProviderInput,
  lockVersion: number,
): Promise<void> {
  requirePermission(ctx, 'identity.configure')
  await requireConnection(ctx, protocol, { ...stored, ...input })
  await ctx.db.tx(async (tx) => {
    const row = await lockProvider(ctx, tx, id)
    if (row.lockVersion !== lockVersion) throw new AppError('stale')
    const change = await findChange(ctx, tx, row, input)
    await requireChange(ctx, tx, row, change.input)
    if (change.givesRoles && (await hasSecondAdmin(ctx, tx))) return askSecondAdmin(ctx, tx, row, change.input)
    // What waits was asked for in view of the former settings.
    if (change.names.some((name) => name !== 'name')) await endWaitingChange(ctx, tx, id)
    await changeProvider(ctx, tx, row, change.input)
  })
}

/**
 * Locks who administers the site, and then the provider: in this order, as a sign-in that gives a role does.
 * @throws {AppError} `not-found`
 */
export async function lockProvider(ctx: Ctx, tx: Tx, id: string): Promise<ProviderRow> {
  await lockForTransaction(tx, ctx.site.id, 'site administrators')
  const [row] = await tx.select().from(identityProviders).where(isProvider(ctx, id)).for('update')
  if (!row) throw new AppError('not-found')
  return row
}

const isReconnected = (row: ProviderRow, { clientSecret, ...plain }: ProviderInput): boolean => {
  const changes = listChanges(row, plain)
  return clientSecret !== undefined || CONNECTION.some((name) => name in changes)
}

/** @throws {AppError} `conflict`, `last-site-admin`, `invalid`, `forbidden` */
export async function requireChange(ctx: Ctx, tx: Tx, row: ProviderRow, input: ProviderInput): Promise<void> {
  const { audience, provesLevel, requiredAcr, roleRules, state } = input
  await requireFixedIssuer(ctx, tx, row, input.issuer)
  requireLevelsOfPreset({ ...row, ...omitUndefined({ requiredAcr }) })
  requireResidentsToProve({ ...row, ...omitUndefined({ audience, provesLevel }) })
  if (roleRules || audience) await requireRoleRules(ctx, tx, { id: row.id, audience: audience ?? row.audience }, roleRules)
  if (state !== undefined && state !== row.state)
    await requireMove(ctx, tx, isReconnected(row, input) ? { ...row, testedAt: null } : row, state)
}

/** Makes a change that `requireChange` has checked. */
export async function changeProvider(ctx: Ctx, tx: Tx, row: ProviderRow, input: ProviderInput): Promise<void> {
  const { id } = row
  const { clientSecret, roleRules, state, ...plain } = input
  const changes = listChanges(row, plain)
  if (PROOF.some((name) => name in changes)) await endProviderVerifications(ctx, tx, id)
  if (roleRules) await replaceRoleRules(ctx, tx, id, roleRules)
  const moved = state !== undefined && state !== row.state ? await changeState(ctx, tx, row, state) : undefined
  await tx
    .update(identityProviders)
    .set({
      ...plain,
      ...(clientSecret !== undefined && { sealedSecret: sealClientSecret(ctx, id, clientSecret) }),
      ...(needsSigningKeys({ ...row, ...input }) && row.sealedKeys === null && { sealedKeys: await createSigningKeys(ctx, id) }),
      testedAt: isReconnected(row, input) ? null : row.testedAt,
      ...moved,
      updatedAt: ctx.now(),
      lockVersion: sql`${identityProviders.lockVersion} + 1`,
    })
    .where(isProvider(ctx, id))
  const subject = { type: 'identity-providers', id }
  const provider = { id, name: plain.name ?? row.name }
  if (moved) await recordAudit(ctx, tx, { action: STATE_ACTIONS[moved.state], subject, detail: { name: row.name } })
  if (moved?.state === 'active') await mailSiteAdmins(ctx, tx, { kind: 'provider-activated', provider })
  if (Object.keys(changes).length === 0 && clientSecret === undefined && !roleRules) return
  await recordAudit(ctx, tx, {
    action: 'identity-providers.update',
    subject,
    changes,
    // Names only: the value is secret.
    detail: { name: row.name, changed: [...(clientSecret === undefined ? [] : ['clientSecret']), ...(roleRules ? ['roleRules'] : [])] },
  })
  await mailSiteAdmins(ctx, tx, { kind: 'provider-changed', provider })
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

async function requireMove(ctx: Ctx, tx: Tx, row: ProviderRow, state: ProviderState): Promise<void> {
  if (!NEXT_STATES[row.state].includes(state)) throw new AppError('conflict', { pointer: '/state' })
  if (state === 'testing') requireTester(ctx)
  if (state !== 'active') return
  if (row.testedAt === null) throw createFault('not-tested', '/state')
  await requireLocalSiteAdmin(tx, ctx.site.id)
}

/** A guest from the platform has no account here that could sign in. @throws {AppError} `forbidden` */
function requireTester({ viewer, site }: Ctx): string {
  if (viewer.kind === 'visitor' || viewer.siteId !== site.id) throw new AppError('forbidden')
  return viewer.id
}

async function changeState(ctx: Ctx, tx: Tx, row: ProviderRow, state: ProviderState): Promise<{ state: ProviderState; makerId?: string }> {
  if (state === 'testing') {
    const makerId = requireTester(ctx)
    await endProviderSessions(tx, ctx.site.id, row.id)
    return { state, makerId }
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
  requirePermission(ctx, 'identity.configure')
  await ctx.db.tx(async (tx) => {
    await shutOut(ctx, tx, row)
    await tx.delete(identityProviders).where(isProvider(ctx, row.id))
    await recordAudit(ctx, tx, {
      action: 'identity-providers.delete',
      subject: { type: 'identity-providers', id: row.id },
      detail: { name: row.name },
    })
  })
}

/** @throws {AppError} `forbidden`, `not-found`, `conflict` for a provider without keys of the site */
export async function rotateProviderKeys(ctx: Ctx, providerId: string): Promise<{ id: string; provider: string; madeAt: Date }> {
  requirePermission(ctx, 'identity.configure')
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

const createFault = (code: 'not-a-choice' | 'not-tested' | 'required', pointer: string) =>
  new AppError('invalid', { faults: [{ code, pointer }] })
