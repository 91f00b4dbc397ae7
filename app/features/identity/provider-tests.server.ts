import { and, count, desc, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { identityProviders, identityProviderTests } from '#app/server/db/schema/identity.ts'
import type { ProviderAnswer } from './provider-claims.server.ts'
import { guessSeparator, loadRuleGroups, readGroups } from './read-groups.server.ts'
import type { ProviderRow } from './providers.server.ts'
import { SignInFault } from './sign-in-fault.server.ts'

/** Keeps what a test showed, whether it passed or failed. @returns where its result is shown */
export async function recordProviderTest(
  ctx: Ctx,
  row: ProviderRow,
  { userId }: { userId: string | null },
  exchange: () => Promise<ProviderAnswer>,
): Promise<{ location: string; cookies: string[] }> {
  const { fault, answer } = await runTest(exchange)
  const own = and(eq(identityProviderTests.siteId, ctx.site.id), eq(identityProviderTests.providerId, row.id))
  await ctx.db.tx(async (tx) => {
    if (userId === null) return
    // Only the latest is of use, and it holds what the provider says of somebody.
    await tx.delete(identityProviderTests).where(own)
    const id = createId()
    const at = ctx.now()
    const groupSeparator =
      answer && row.groupSeparator === 'guess' ? guessSeparator(answer, await loadRuleGroups(ctx, tx, row.id)) : row.groupSeparator
    const read = { claims: answer?.claims ?? {}, groups: answer ? readGroups(groupSeparator, answer) : [] }
    await tx
      .insert(identityProviderTests)
      .values({ siteId: ctx.site.id, id, providerId: row.id, userId, at, fault: fault ?? null, ...read })
    // Not if its settings changed while the administrator was at the provider.
    await tx
      .update(identityProviders)
      .set({ testedAt: fault ? null : at, groupSeparator })
      .where(
        and(
          eq(identityProviders.siteId, ctx.site.id),
          eq(identityProviders.id, row.id),
          eq(identityProviders.lockVersion, row.lockVersion),
        ),
      )
    const subject = { type: 'identity-providers', id: row.id }
    await recordAudit(ctx, tx, { action: 'identity-providers.try', subject, detail: { name: row.name, fault: fault ?? null } })
  })
  return { location: `/admin/sign-in/${row.id}`, cookies: [] }
}

async function runTest(exchange: () => Promise<ProviderAnswer>): Promise<{ fault?: SignInFault['code']; answer?: ProviderAnswer }> {
  try {
    return { answer: await exchange() }
  } catch (error) {
    if (!(error instanceof SignInFault)) throw error
    return { fault: error.code }
  }
}

type TestRow = typeof identityProviderTests.$inferSelect

/** @throws {AppError} `forbidden` */
export async function listProviderTests(
  ctx: Ctx,
  query: { provider?: string | undefined; offset: number; limit: number },
): Promise<{ rows: TestRow[]; total: number }> {
  requirePermission(ctx, 'identity.see')
  const where = and(
    eq(identityProviderTests.siteId, ctx.site.id),
    query.provider === undefined ? undefined : eq(identityProviderTests.providerId, query.provider),
  )
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(identityProviderTests).where(where)
    const rows = await tx
      .select()
      .from(identityProviderTests)
      .where(where)
      .orderBy(desc(identityProviderTests.at), desc(identityProviderTests.id))
      .limit(query.limit)
      .offset(query.offset)
    return { rows, total: counted?.total ?? 0 }
  })
}

/** For the file of their own data: tests that somebody made of providers. */
export const readOwnProviderTests = (_ctx: Ctx, tx: Tx, { siteId, userId }: { siteId: string; userId: string }) =>
  tx
    .select({
      provider: identityProviders.name,
      at: identityProviderTests.at,
      fault: identityProviderTests.fault,
      claims: identityProviderTests.claims,
    })
    .from(identityProviderTests)
    .innerJoin(
      identityProviders,
      and(eq(identityProviders.siteId, identityProviderTests.siteId), eq(identityProviders.id, identityProviderTests.providerId)),
    )
    .where(and(eq(identityProviderTests.siteId, siteId), eq(identityProviderTests.userId, userId)))
    .orderBy(desc(identityProviderTests.at))
