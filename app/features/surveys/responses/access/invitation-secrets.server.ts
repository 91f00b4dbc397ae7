import { createHash, createHmac, randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { createToken } from '#app/server/auth/tokens.ts'
import { surveyInvitations } from '#app/server/db/schema/surveys.ts'
import { formatReceiptCode, parseReceiptCode } from '../receipt-code.server.ts'

/** A code printed in a letter and typed by hand has 80 random bits (attempts are limited); the secret in a personal link has 256. */
export const createInvitationSecret = (kind: 'codes' | 'links'): string =>
  kind === 'codes' ? formatReceiptCode(randomBytes(16)) : createToken()

/** What the database stores of a code or link. The survey is part of the hash, so each works for one survey only. */
export const hashInvitation = (surveyId: string, secret: string): Buffer =>
  createHash('sha256').update(`invitation/${surveyId}/${secret}`).digest()

/** Recognises an address that was already invited, without storing the address. */
export const hashRecipient = (ctx: Ctx, surveyId: string, email: string): Buffer =>
  createHmac('sha256', ctx.runtime.secret).update(`invited/${surveyId}/${email}`).digest()

/** A typed code or a link's secret in its original form. Undefined if it can be neither. */
export const parseInvitation = (typed: string): string | undefined =>
  /^[\w-]{43}$/.test(typed.trim()) ? typed.trim() : parseReceiptCode(typed)

/** Also true for an invitation that was already used. */
export async function isInvitation(ctx: Ctx, tx: Tx, surveyId: string, secret: string | undefined): Promise<boolean> {
  const known = secret === undefined ? undefined : parseInvitation(secret)
  if (known === undefined) return false
  const rows = await tx
    .select({ surveyId: surveyInvitations.surveyId })
    .from(surveyInvitations)
    .where(
      and(
        eq(surveyInvitations.siteId, ctx.site.id),
        eq(surveyInvitations.surveyId, surveyId),
        eq(surveyInvitations.secretHash, hashInvitation(surveyId, known)),
      ),
    )
  return rows.length > 0
}
