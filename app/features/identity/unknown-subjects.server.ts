import { and, asc, count, eq, inArray } from 'drizzle-orm'
import { findUserByEmail, type UserRow } from '#app/features/accounts/account-realm.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Language } from '#app/lib/languages.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { identities, identityProviders, identityRequests } from '#app/server/db/schema/identity.ts'
import type { ProviderAnswer } from './provider-claims.server.ts'
import type { ProviderRow } from './providers.server.ts'

/**
 * The account that a subject may be asked to link: that of the same confirmed address, if the provider proves addresses. Never anybody
 * else's, and never without asking.
 */
export async function findAdoptableAccount(
  ctx: Ctx,
  { provesEmail }: ProviderRow,
  { email, emailVerified }: ProviderAnswer,
): Promise<UserRow | 'none' | 'unproven'> {
  if (!email) return 'unproven'
  const account = await findUserByEmail(ctx, email)
  if (!account) return 'none'
  const isProven = provesEmail && emailVerified && account.emailConfirmedAt !== null && account.siteId === ctx.site.id
  return isProven ? account : 'unproven'
}

/** Asks the administrators for an account. Asking again renews what is known. @returns a reference for both */
export async function storeRequest(ctx: Ctx, row: ProviderRow, answer: ProviderAnswer): Promise<string> {
  const said = {
    email: answer.email ?? null,
    name: answer.name ?? null,
    emailProven: row.provesEmail && answer.emailVerified,
    language: ctx.language,
    askedAt: ctx.now(),
  }
  return ctx.db.tx(async (tx) => {
    const [stored] = await tx
      .insert(identityRequests)
      .values({ ...said, siteId: ctx.site.id, id: createId(), providerId: row.id, subject: answer.subject })
      .onConflictDoUpdate({ target: [identityRequests.siteId, identityRequests.providerId, identityRequests.subject], set: said })
      .returning()
    if (!stored) throw new AppError('internal')
    await recordAudit(ctx, tx, {
      action: 'identity-requests.create',
      subject: { type: 'identity-requests', id: stored.id },
      detail: { provider: row.name },
    })
    return stored.id
  })
}

export interface RequestRow {
  id: string
  provider: string
  email: string | null
  name: string | null
  askedAt: Date
}

const selectRequests = (tx: Tx) =>
  tx
    .select({
      id: identityRequests.id,
      provider: identityProviders.name,
      email: identityRequests.email,
      name: identityRequests.name,
      askedAt: identityRequests.askedAt,
    })
    .from(identityRequests)
    .innerJoin(
      identityProviders,
      and(eq(identityProviders.siteId, identityRequests.siteId), eq(identityProviders.id, identityRequests.providerId)),
    )
    .$dynamic()

export const loadRequestsById = async (ctx: Ctx, ids: readonly string[]): Promise<RequestRow[]> =>
  checkPermission(ctx.viewer, 'identity.see').ok
    ? ctx.db.read((tx) => selectRequests(tx).where(and(eq(identityRequests.siteId, ctx.site.id), inArray(identityRequests.id, [...ids]))))
    : []

/** @throws {AppError} `unauthenticated`, `forbidden` */
export async function listRequests(ctx: Ctx, page: { offset: number; limit: number }): Promise<{ rows: RequestRow[]; total: number }> {
  requirePermission(ctx, 'identity.see')
  const mine = eq(identityRequests.siteId, ctx.site.id)
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(identityRequests).where(mine)
    const rows = await selectRequests(tx)
      .where(mine)
      .orderBy(asc(identityRequests.askedAt), asc(identityRequests.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows, total: counted?.total ?? 0 }
  })
}

/** Refuses a request and deletes it. @throws {AppError} `forbidden` */
export async function refuseRequest(ctx: Ctx, { id, provider }: RequestRow): Promise<void> {
  requirePermission(ctx, 'identity.configure')
  await ctx.db.tx(async (tx) => {
    await deleteRequest(ctx, tx, id)
    await recordAudit(ctx, tx, { action: 'identity-requests.refuse', subject: { type: 'identity-requests', id }, detail: { provider } })
  })
}

const deleteRequest = (ctx: Ctx, tx: Tx, id: string) =>
  tx.delete(identityRequests).where(and(eq(identityRequests.siteId, ctx.site.id), eq(identityRequests.id, id)))

/**
 * Makes an account for somebody who asked. People who have one already link it themselves.
 * @throws {AppError} `forbidden`, `not-found`, `invalid` with `taken` or `required` at `/request`
 */
export async function admitRequest(ctx: Ctx, requestId: string): Promise<{ id: string; user: string }> {
  requirePermission(ctx, 'identity.configure')
  return ctx.db.tx(async (tx) => {
    const [asked] = await tx
      .select()
      .from(identityRequests)
      .where(and(eq(identityRequests.siteId, ctx.site.id), eq(identityRequests.id, requestId)))
      .for('update')
    if (!asked) throw new AppError('not-found')
    const user = await createProviderAccount(ctx, tx, { ...asked, isProven: asked.emailProven })
    if (!user) throw new AppError('invalid', { faults: [{ code: asked.email ? 'taken' : 'required', pointer: '/request' }] })
    await linkIdentity(ctx, tx, { ...asked, userId: user.id })
    await deleteRequest(ctx, tx, requestId)
    const subject = { type: 'users', id: user.id }
    await recordAudit(ctx, tx, { action: 'identity-requests.admit', subject, detail: { request: requestId } })
    return { id: requestId, user: user.id }
  })
}

/** An account without a password. @returns undefined if there is no address for it, or the address has an account */
export async function createProviderAccount(
  ctx: Ctx,
  tx: Tx,
  said: { email: string | null; name: string | null; isProven: boolean; language: Language },
): Promise<UserRow | undefined> {
  const { email, name, language } = said
  if (!email || (await findUserByEmail(ctx, email))) return undefined
  const locale = ctx.site.languages.includes(language) ? language : ctx.site.locale
  const [made] = await tx
    .insert(users)
    .values({
      siteId: ctx.site.id,
      id: createId(),
      email,
      login: name ?? email.split('@')[0] ?? email,
      locale,
      emailConfirmedAt: said.isProven ? ctx.now() : null,
      createdAt: ctx.now(),
    })
    .onConflictDoNothing({ target: [users.siteId, users.email] })
    .returning()
  return made
}

/** @returns the identity's id */
export async function linkIdentity(
  ctx: Ctx,
  tx: Tx,
  { providerId, subject, userId, email }: { providerId: string; subject: string; userId: string; email: string | null },
): Promise<string> {
  const id = createId()
  await tx.insert(identities).values({ siteId: ctx.site.id, id, providerId, subject, userId, email, linkedAt: ctx.now() })
  return id
}
