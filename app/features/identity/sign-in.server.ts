import { and, eq } from 'drizzle-orm'
import { lockUser, type UserRow } from '#app/features/accounts/account-realm.server.ts'
import { type NewSession, openSession } from '#app/features/accounts/sessions.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { verifyByProvider } from '#app/features/verifications/provider-verifications.server.ts'
import { parseLocalPath } from '#app/lib/local-path.ts'
import { isId } from '#app/lib/uuid.ts'
import { type Ctx, withLanguage } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { memberships } from '#app/server/db/schema/accounts.ts'
import { identities } from '#app/server/db/schema/identity.ts'
import { createChallenge } from './openid/exchange-code.server.ts'
import { applyGroupRoles } from './group-roles.server.ts'
import { limitSignIns } from './limit-sign-ins.server.ts'
import { buildProviderAddress, readProviderAnswer } from './provider-answer.server.ts'
import { selectProvidedCells } from './provided-answers.server.ts'
import type { ProviderAnswer } from './provider-claims.server.ts'
import { recordProviderTest } from './provider-tests.server.ts'
import { hashProof, type ProviderRow } from './providers.server.ts'
import { loadRuleGroups, requireClearGroups } from './read-groups.server.ts'
import {
  type Attempt,
  consumeSignInKey,
  type Cookies,
  createAttemptCookie,
  createPendingCookie,
  type Pending,
  readAttempt,
} from './sign-in-cookies.server.ts'
import { SignInFault } from './sign-in-fault.server.ts'
import { isOwnProvider, requireProvider } from './usable-providers.server.ts'
import { findAdoptableAccount, storeRequest } from './unknown-subjects.server.ts'

const STAFF_SESSION_HOURS = 12

/** Where a sign-in goes next. */
export interface SignInStep {
  location: string
  cookies: string[]
  session?: NewSession
}

/**
 * Sends a browser to a provider. @param input.next a path of this site to continue at
 * @throws {SignInFault}
 * @throws {AppError} `fresh-sign-in-required` to link
 */
export const beginSignIn = (ctx: Ctx, input: { provider: string; purpose: Attempt['purpose']; next: string | null }): Promise<SignInStep> =>
  limitSignIns(ctx, () => sendToProvider(ctx, input))

async function sendToProvider(
  ctx: Ctx,
  input: { provider: string; purpose: Attempt['purpose']; next: string | null },
): Promise<SignInStep> {
  // From then on, the owner of the linked account can sign in.
  if (input.purpose === 'link') requirePermission(ctx, 'account.secure', { ownerId: requireLocalViewer(ctx) })
  const row = await requireProvider(ctx, input.provider)
  const userId = input.purpose === 'sign-in' ? null : requireLocalViewer(ctx)
  if (input.purpose === 'test' && row.makerId !== userId) throw new SignInFault('not-active', 'somebody else tests it')
  const challenge = createChallenge()
  const { provider, purpose } = input
  const next = parseLocalPath(input.next) ?? null
  const attempt = { ...challenge, provider, purpose, next, userId, language: ctx.language }
  return { location: await buildProviderAddress(ctx, row, challenge), cookies: [createAttemptCookie(ctx, attempt)] }
}

/** The signed-in person, if their account belongs to this site. @throws {SignInFault} `started-elsewhere` */
function requireLocalViewer({ viewer, site }: Ctx): string {
  if (viewer.kind === 'visitor' || viewer.siteId !== site.id) throw new SignInFault('started-elsewhere', 'not signed in on this site')
  return viewer.id
}

/** Takes a browser back from a provider. @throws {SignInFault} */
export const completeSignIn = (ctx: Ctx, attempt: Attempt | undefined, query: URLSearchParams): Promise<SignInStep> =>
  limitSignIns(ctx, () => takeBackFromProvider(ctx, attempt, query))

async function takeBackFromProvider(request: Ctx, attempt: Attempt | undefined, query: URLSearchParams): Promise<SignInStep> {
  if (!attempt) throw new SignInFault('started-elsewhere', 'this browser began no sign-in under this state')
  // The browser sends no language cookie when it comes from another site.
  const ctx = withLanguage(request, attempt.language)
  const row = await requireProvider(ctx, attempt.provider)
  if (attempt.userId !== null && requireLocalViewer(ctx) !== attempt.userId)
    throw new SignInFault('started-elsewhere', 'somebody else is signed in meanwhile')
  // Before the code is used, so that a callback sent twice is refused although the first is still under way.
  await ctx.db.tx((tx) => consumeSignInKey(ctx, tx, `state ${attempt.state}`, new Date(attempt.until)))
  if (attempt.purpose === 'test') return recordProviderTest(ctx, row, attempt, () => readProviderAnswer(ctx, row, query, attempt))
  const answer = await readProviderAnswer(ctx, row, query, attempt)
  return attempt.purpose === 'link' ? askToLink(ctx, row, attempt, answer) : signInWithAnswer(ctx, row, attempt, answer)
}

export const findAttempt = (ctx: Ctx, cookies: Cookies, provider: string, query: URLSearchParams): Attempt | undefined =>
  readAttempt(ctx, cookies, provider, query.get('state'))

async function signInWithAnswer(ctx: Ctx, row: ProviderRow, attempt: Attempt, answer: ProviderAnswer): Promise<SignInStep> {
  const session = await ctx.db.tx(async (tx) => {
    const known = await findIdentity(ctx, tx, row.id, answer.subject)
    if (!known) return undefined
    const groups = requireClearGroups(row, answer, await loadRuleGroups(ctx, tx, row.id))
    return openProviderSession(ctx, tx, row, known, { ...answer, groups })
  })
  if (session) return { location: chooseNextPath(attempt), cookies: [], session }
  requireOpenTo(row, null)
  const account = await findAdoptableAccount(ctx, row, answer)
  if (account === 'none' && row.createsAccounts && answer.email && row.provesEmail && answer.emailVerified)
    return askToConfirm(ctx, row, attempt, answer, { kind: 'create', userId: null })
  if (typeof account === 'object') return askToConfirm(ctx, row, attempt, answer, { kind: 'adopt', userId: account.id })
  const reference = await storeRequest(ctx, row, answer)
  return { location: `/${attempt.language}/sign-in/requested?reference=${reference}`, cookies: [] }
}

const askToLink = async (ctx: Ctx, row: ProviderRow, attempt: Attempt, answer: ProviderAnswer): Promise<SignInStep> => {
  const known = await ctx.db.read((tx) => findIdentity(ctx, tx, row.id, answer.subject))
  if (known && known.userId !== attempt.userId) throw new SignInFault('linked-to-other', 'the subject has another account here')
  requireOpenTo(row, attempt.userId)
  return askToConfirm(ctx, row, attempt, answer, { kind: 'link', userId: attempt.userId })
}

/** Nothing is linked before the person says so: somebody else may have sent this browser to the provider. */
async function askToConfirm(
  ctx: Ctx,
  row: ProviderRow,
  { language, next }: Attempt,
  answer: ProviderAnswer,
  what: Pick<Pending, 'kind' | 'userId'>,
): Promise<SignInStep> {
  const { subject, email, name, session } = answer
  const known = await ctx.db.read((tx) => loadRuleGroups(ctx, tx, row.id))
  // Only groups that mean something here fit into a cookie.
  const kept = requireClearGroups(row, answer, known).filter((group) => known.has(group))
  const cookie = createPendingCookie(ctx, {
    ...what,
    provider: row.id,
    proof: hashProof(row),
    subject,
    email: email ?? null,
    name: name ?? null,
    groups: kept,
    session: session ?? null,
    next,
    answers: await ctx.db.read((tx) => selectProvidedCells(ctx, tx, answer.answers)),
  })
  return { location: `/${language}/sign-in/confirm`, cookies: [cookie] }
}

export async function findIdentity(ctx: Ctx, tx: Tx, providerId: string, subject: string) {
  const [found] = await tx
    .select()
    .from(identities)
    .where(and(eq(identities.siteId, ctx.site.id), eq(identities.providerId, providerId), eq(identities.subject, subject)))
  return found
}

/** While it is being tested, a provider is only open to the one who tests it. */
function requireOpenTo(row: ProviderRow, userId: string | null): void {
  if (row.state === 'testing' && (userId === null || row.makerId !== userId)) throw new SignInFault('not-active', 'it is being tested')
}

/** Opens the session of an identity, with the roles of its groups. @throws {SignInFault} `not-active`, `blocked`, `staff-account` */
export async function openProviderSession(
  ctx: Ctx,
  tx: Tx,
  row: ProviderRow,
  identity: { id: string; userId: string },
  { email, groups, session }: Pick<ProviderAnswer, 'email' | 'groups' | 'session'>,
): Promise<NewSession> {
  requireOpenTo(row, identity.userId)
  const user = await lockUser(tx, ctx.site.id, identity.userId)
  if (user.blockedAt) throw new SignInFault('blocked', 'the account is blocked')
  if (row.audience === 'residents') await requireNoRoles(tx, user)
  else await applyGroupRoles(ctx, tx, user, row, groups)
  await verifyByProvider(ctx, tx, row, identity)
  await tx
    .update(identities)
    .set({ email: email ?? null, lastUsedAt: ctx.now() })
    .where(and(eq(identities.siteId, ctx.site.id), eq(identities.id, identity.id)))
  const endsAt = row.audience === 'staff' ? new Date(ctx.now().getTime() + STAFF_SESSION_HOURS * 3_600_000) : undefined
  return openSession(ctx, tx, user, { through: { identityId: identity.id, provider: row.name, providerSession: session, endsAt } })
}

/** Accounts with a role sign in as the staff does, which the council's own rules protect. */
async function requireNoRoles(tx: Tx, { siteId, id }: UserRow): Promise<void> {
  const [membership] = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .where(and(eq(memberships.siteId, siteId), eq(memberships.userId, id)))
    .limit(1)
  if (membership) throw new SignInFault('staff-account', 'it has a role')
}

export const chooseNextPath = ({ next, language }: { next: string | null; language: string }): string => next ?? `/${language}`

/** Leaves a trace of a refused sign-in, as a wrong password does. */
export async function recordRefusedSignIn(ctx: Ctx, provider: string, fault: SignInFault): Promise<void> {
  // The provider in an address can be any text, so only an id is logged.
  const known = isId(provider) && { provider }
  ctx.runtime.log.info('a sign-in with a provider failed', { reference: ctx.requestId, ...known, fault: fault.message })
  // A flood fills no audit trail, and an address that names no provider of this site leaves nothing in it.
  if (fault.code === 'too-many' || !(await isOwnProvider(ctx, provider))) return
  const subject = { type: 'identity-providers', id: provider }
  await ctx.db.tx((tx) =>
    recordAudit(ctx, tx, { action: 'sessions.refuse', subject, detail: { reason: fault.code, reference: ctx.requestId } }),
  )
}
