import { and, asc, count, desc, eq, inArray, isNull } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { ApiScope } from '#app/lib/vocabulary/api-scopes.ts'
import { createToken, hashToken } from '#app/server/auth/tokens.ts'
import { API_TOKEN_PREFIX, type SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { apiTokens, memberships, users } from '#app/server/db/schema/accounts.ts'

const LONGEST_DAYS = 366
/** Enough for every program of a city; more would be tokens nobody watches. */
const MAX_TOKENS = 100

export interface TokenRow {
  id: string
  name: string
  scopes: ApiScope[]
  maker: string
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
  /** Only right after it was made: just its hash is stored. */
  token?: string
}

/**
 * Makes a token for a program. It acts as its maker, within its scopes, until its end.
 * @throws {AppError} `unauthenticated`, `forbidden`, `fresh-sign-in-required`; `invalid` with `moment-passed`, `out-of-range` or `too-many`
 */
export async function createApiToken(ctx: Ctx, input: { name: string; scopes: ApiScope[]; expiresAt: string | Date }): Promise<TokenRow> {
  requirePermission(ctx, 'api-tokens.create')
  const { viewer, site } = ctx
  // A guest from the platform has no account here that a token could act as.
  if (viewer.kind === 'visitor' || viewer.siteId !== site.id || viewer.apiToken) throw new AppError('forbidden')
  const now = ctx.now()
  const expiresAt = new Date(input.expiresAt)
  requireEnd(expiresAt, now)
  const token = API_TOKEN_PREFIX + createToken()
  const scopes = [...new Set(input.scopes)]
  const row = { id: createId(), name: input.name, scopes, createdAt: now, expiresAt }
  await ctx.db.tx(async (tx) => {
    await requireOwnRole(tx, viewer)
    const [kept] = await tx.select({ total: count() }).from(apiTokens).where(eq(apiTokens.siteId, site.id))
    if ((kept?.total ?? 0) >= MAX_TOKENS)
      throw new AppError('invalid', { faults: [{ code: 'too-many', pointer: '/name', values: { max: MAX_TOKENS } }] })
    await tx.insert(apiTokens).values({ ...row, siteId: site.id, userId: viewer.id, tokenHash: hashToken(token) })
    const subject = { type: 'api-tokens', id: row.id }
    await recordAudit(ctx, tx, { action: 'api-tokens.create', subject, detail: { name: row.name, scopes, expiresAt } })
  })
  return { ...row, maker: viewer.login, lastUsedAt: null, revokedAt: null, token }
}

/** Nobody would notice that a group elsewhere was left: programs do not sign in. @throws {AppError} `forbidden` */
async function requireOwnRole(tx: Tx, { siteId, id }: SignedInViewer): Promise<void> {
  const [given] = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .where(
      and(eq(memberships.siteId, siteId), eq(memberships.userId, id), eq(memberships.role, 'site_admin'), isNull(memberships.providerId)),
    )
    .limit(1)
  if (!given) throw new AppError('forbidden', { detail: { key: 'role-from-provider' } })
}

function requireEnd(expiresAt: Date, now: Date): void {
  if (expiresAt <= now) throw new AppError('invalid', { faults: [{ code: 'moment-passed', pointer: '/expiresAt' }] })
  const latest = new Date(now.getTime() + LONGEST_DAYS * 86_400_000)
  if (expiresAt > latest)
    throw new AppError('invalid', { faults: [{ code: 'out-of-range', pointer: '/expiresAt', values: { max: latest.toISOString() } }] })
}

/** Ends a token from its next request on. @throws {AppError} `forbidden`, `conflict` if it has ended */
export async function revokeApiToken(ctx: Ctx, row: TokenRow): Promise<void> {
  requirePermission(ctx, 'site.edit')
  if (readTokenState(row, ctx.now()) !== 'active') throw new AppError('conflict')
  await ctx.db.tx(async (tx) => {
    await tx
      .update(apiTokens)
      .set({ revokedAt: ctx.now() })
      .where(and(eq(apiTokens.siteId, ctx.site.id), eq(apiTokens.id, row.id)))
    await recordAudit(ctx, tx, { action: 'api-tokens.revoke', subject: { type: 'api-tokens', id: row.id }, detail: { name: row.name } })
  })
}

/** All tokens of the site, newest first. @throws {AppError} `unauthenticated`, `forbidden` */
export async function listApiTokens(ctx: Ctx, page: { offset: number; limit: number }): Promise<{ rows: TokenRow[]; total: number }> {
  requirePermission(ctx, 'site.edit')
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(apiTokens).where(eq(apiTokens.siteId, ctx.site.id))
    const rows = await selectTokens(tx)
      .where(eq(apiTokens.siteId, ctx.site.id))
      .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows, total: counted?.total ?? 0 }
  })
}

export const loadApiTokensById = async (ctx: Ctx, ids: readonly string[]): Promise<TokenRow[]> =>
  checkPermission(ctx.viewer, 'site.edit').ok
    ? ctx.db.read((tx) => selectTokens(tx).where(and(eq(apiTokens.siteId, ctx.site.id), inArray(apiTokens.id, [...ids]))))
    : []

export const readTokenState = ({ expiresAt, revokedAt }: Pick<TokenRow, 'expiresAt' | 'revokedAt'>, now: Date) =>
  revokedAt ? 'revoked' : expiresAt <= now ? 'expired' : 'active'

const selectTokens = (tx: Tx) =>
  tx
    .select({
      id: apiTokens.id,
      name: apiTokens.name,
      scopes: apiTokens.scopes,
      maker: users.login,
      createdAt: apiTokens.createdAt,
      expiresAt: apiTokens.expiresAt,
      lastUsedAt: apiTokens.lastUsedAt,
      revokedAt: apiTokens.revokedAt,
    })
    .from(apiTokens)
    .innerJoin(users, and(eq(users.siteId, apiTokens.siteId), eq(users.id, apiTokens.userId)))
    .$dynamic()

/** For the file of their own data: the tokens that somebody made. */
export const readOwnApiTokens = (_ctx: Ctx, tx: Tx, { siteId, userId }: { siteId: string; userId: string }) =>
  tx
    .select({
      name: apiTokens.name,
      scopes: apiTokens.scopes,
      createdAt: apiTokens.createdAt,
      expiresAt: apiTokens.expiresAt,
      lastUsedAt: apiTokens.lastUsedAt,
      revokedAt: apiTokens.revokedAt,
    })
    .from(apiTokens)
    .where(and(eq(apiTokens.siteId, siteId), eq(apiTokens.userId, userId)))
    .orderBy(asc(apiTokens.createdAt))
