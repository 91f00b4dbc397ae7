import { createHash, createHmac, randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { createToken } from '#app/server/auth/tokens.ts'
import { invitations } from '#app/server/db/schema/surveys.ts'
import { formatReceiptCode, parseReceiptCode } from '#app/lib/receipt-code.ts'

/** A code printed in a letter and typed by hand has 80 random bits (attempts are limited); the secret in a personal link has 256. */
export const createInvitationSecret = (kind: 'codes' | 'links'): string =>
  kind === 'codes' ? formatReceiptCode(randomBytes(16)) : createToken()

/** What the database stores of a code or link. The survey or activity is part of the hash, so each works for one only. */
export const hashInvitation = (subjectId: string, secret: string): Buffer =>
  createHash('sha256').update(`invitation/${subjectId}/${secret}`).digest()

/** Recognises an address that was already invited, without storing the address. */
export const hashRecipient = (ctx: Ctx, subjectId: string, email: string): Buffer =>
  createHmac('sha256', ctx.runtime.secret).update(`invited/${subjectId}/${email}`).digest()

/** A typed code or a link's secret in its original form. Undefined if it can be neither. */
export const parseInvitation = (typed: string): string | undefined =>
  /^[\w-]{43}$/.test(typed.trim()) ? typed.trim() : parseReceiptCode(typed)

/** Also true for an invitation that was already used. @param subjectId of the survey or activity */
export async function isInvitation(ctx: Ctx, tx: Tx, subjectId: string, secret: string | undefined): Promise<boolean> {
  const known = secret === undefined ? undefined : parseInvitation(secret)
  if (known === undefined) return false
  const rows = await tx
    .select({ batchId: invitations.batchId })
    .from(invitations)
    .where(and(eq(invitations.siteId, ctx.site.id), eq(invitations.secretHash, hashInvitation(subjectId, known))))
  return rows.length > 0
}
