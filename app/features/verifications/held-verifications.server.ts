import { createHash, createHmac } from 'node:crypto'
import { and, asc, eq, or, sql } from 'drizzle-orm'
import { VERIFICATION_LEVELS, type VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { verifications } from '#app/server/db/schema/verifications.ts'

export type VerificationRow = typeof verifications.$inferSelect

/** What the database stores of the secret that a browser keeps. */
export const hashBrowserSecret = (siteId: string, secret: string): Buffer =>
  createHash('sha256').update(`verified/${siteId}/${secret}`).digest()

/** Who was confirmed in person: the account. */
export const hashConfirmedAccount = ({ runtime, site }: Pick<Ctx, 'runtime' | 'site'>, userId: string): Buffer =>
  createHmac('sha256', runtime.secret).update(`confirmed/${site.id}/${userId}`).digest()

/** A person who may hold verifications: the viewer of `ctx`, with the secret of their browser. */
interface Holder {
  ctx: Ctx
  secret: string | undefined
}

/** Valid verifications of the viewer's account, or of the browser that brings the secret. The oldest first. */
export const findHeld = async (ctx: Ctx, tx: Tx, secret: string | undefined): Promise<VerificationRow[]> =>
  (await findHeldByEach(tx, ctx.site.id, [{ ctx, secret }]))[0] ?? []

/** The same for many people of a site, in one statement. @returns those of each, in their order */
export async function findHeldByEach(tx: Tx, siteId: string, holders: readonly Holder[]): Promise<VerificationRow[][]> {
  const keys = holders.map(({ ctx: { viewer, now }, secret }) => ({
    now: now(),
    userId: viewer.kind === 'user' && viewer.siteId === siteId ? viewer.id : undefined,
    browserHash: secret ? hashBrowserSecret(siteId, secret) : undefined,
  }))
  const userIds = keys.flatMap(({ userId }) => userId ?? [])
  const browserHashes = keys.flatMap(({ browserHash }) => browserHash ?? [])
  if (userIds.length + browserHashes.length === 0) return keys.map(() => [])
  const rows = await tx
    .select()
    .from(verifications)
    .where(
      and(
        eq(verifications.siteId, siteId),
        or(
          userIds.length > 0 ? eq(verifications.userId, sql`any (${sql.param(userIds)}::uuid[])`) : undefined,
          browserHashes.length > 0 ? eq(verifications.browserHash, sql`any (${sql.param(browserHashes)}::bytea[])`) : undefined,
        ),
      ),
    )
    .orderBy(asc(verifications.createdAt), asc(verifications.id))
  return keys.map(({ now, userId, browserHash }) =>
    rows.filter(
      (row) =>
        row.validUntil > now &&
        ((userId !== undefined && row.userId === userId) || (browserHash !== undefined && row.browserHash?.equals(browserHash))),
    ),
  )
}

/** Whether a verification is enough. Who was confirmed in person needs no list. */
export const isEnough = ({ level, list }: VerificationRule, held: Pick<VerificationRow, 'level' | 'listId' | 'method'>): boolean =>
  VERIFICATION_LEVELS.indexOf(held.level) >= VERIFICATION_LEVELS.indexOf(level) &&
  (list === null || held.method === 'in_person' || held.listId === list)

/** Those of them that let the viewer into an activity. */
export const findSufficient = async (ctx: Ctx, tx: Tx, rule: VerificationRule, secret: string | undefined): Promise<VerificationRow[]> =>
  (await findHeld(ctx, tx, secret)).filter((held) => isEnough(rule, held))

/** Hashes of who an account was verified as. */
export async function listSubjectHashes(tx: Tx, siteId: string, userId: string): Promise<Buffer[]> {
  const rows = await tx
    .select({ hash: verifications.subjectHash })
    .from(verifications)
    .where(and(eq(verifications.siteId, siteId), eq(verifications.userId, userId)))
  return rows.map(({ hash }) => hash)
}
