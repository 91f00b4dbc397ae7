import { createHash, createHmac, randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { createToken } from '#app/server/auth/tokens.ts'
import { surveyInvitations } from '#app/server/db/schema.ts'
import { formatReceiptCode, parseReceiptCode } from '../receipt-code.server.ts'

/** A code for a letter, which people type (80 random bits, and tries are limited), or what a personal link carries (256). */
export const createInvitationSecret = (kind: 'codes' | 'links'): string =>
  kind === 'codes' ? formatReceiptCode(randomBytes(16)) : createToken()

/** What is stored of a code or link: each belongs to one survey. */
export const hashInvitation = (surveyId: string, secret: string): Buffer =>
  createHash('sha256').update(`invitation/${surveyId}/${secret}`).digest()

/** By which an address is known that was invited before, without the address. */
export const hashRecipient = (ctx: Ctx, surveyId: string, email: string): Buffer =>
  createHmac('sha256', ctx.runtime.secret).update(`invited/${surveyId}/${email}`).digest()

/** What was typed or came with a link, as it was made. Undefined if it can be neither a code nor a link's part. */
export const parseInvitation = (typed: string): string | undefined =>
  /^[\w-]{43}$/.test(typed.trim()) ? typed.trim() : parseReceiptCode(typed)

/** Whether the survey knows the invitation, used or not. */
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
