import { createHash, createHmac } from 'node:crypto'
import { and, asc, eq, gt, or } from 'drizzle-orm'
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

/** Valid verifications of the viewer's account, or of the browser that brings the secret. The oldest first. */
export async function findHeld(ctx: Ctx, tx: Tx, secret: string | undefined): Promise<VerificationRow[]> {
  const { viewer, site } = ctx
  const ofAccount = viewer.kind === 'user' && viewer.siteId === site.id ? eq(verifications.userId, viewer.id) : undefined
  const ofBrowser = secret ? eq(verifications.browserHash, hashBrowserSecret(site.id, secret)) : undefined
  if (!ofAccount && !ofBrowser) return []
  return tx
    .select()
    .from(verifications)
    .where(and(eq(verifications.siteId, site.id), gt(verifications.validUntil, ctx.now()), or(ofAccount, ofBrowser)))
    .orderBy(asc(verifications.createdAt), asc(verifications.id))
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
