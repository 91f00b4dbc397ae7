import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { smsMessages, textConversations, userPhones } from '#app/server/db/schema/messages.ts'
import { endConversations } from './answering/conversations.server.ts'
import { hashPhone } from './answering/texter.server.ts'

/**
 * Erases texts that belong to the account's number but not to the account: replies to surveys, and what came in before the number was
 * confirmed. Those of the account go with it. The consent ledger stays, because a refusal must be remembered.
 */
export async function eraseAccountTexts(ctx: Ctx, tx: Tx, siteId: string, userId: string): Promise<void> {
  const phone = await findOwnPhone(tx, siteId, userId)
  if (!phone) return
  await endConversations(ctx, tx, phone)
  await tx.delete(smsMessages).where(and(eq(smsMessages.siteId, siteId), eq(smsMessages.phone, phone), isNull(smsMessages.userId)))
}

/** Surveys that the account's number has begun to answer by text. */
export async function readOwnConversations(ctx: Ctx, tx: Tx, { siteId, userId }: { siteId: string; userId: string }) {
  const phone = await findOwnPhone(tx, siteId, userId)
  if (!phone) return []
  return tx
    .select({ surveyId: textConversations.surveyId, answers: textConversations.answers, updatedAt: textConversations.updatedAt })
    .from(textConversations)
    .where(and(eq(textConversations.siteId, siteId), eq(textConversations.phoneHash, hashPhone(ctx, phone))))
    .orderBy(asc(textConversations.updatedAt))
}

async function findOwnPhone(tx: Tx, siteId: string, userId: string): Promise<string | undefined> {
  const [own] = await tx
    .select({ phone: userPhones.phone })
    .from(userPhones)
    .where(and(eq(userPhones.siteId, siteId), eq(userPhones.userId, userId)))
  return own?.phone
}
