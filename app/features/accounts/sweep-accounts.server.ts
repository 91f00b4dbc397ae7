import { and, eq, isNull, lt, ne, sql } from 'drizzle-orm'
import { sweepCrowds } from '#app/features/crowds/crowds.server.ts'
import { sweepProfileAnswers } from '#app/features/profile-answers/profile-answers.server.ts'
import { RETENTION } from '#app/lib/retention.ts'
import type { Database, Tx } from '#app/server/db/client.ts'
import { oneTimeLinks, passkeyChallenges, pendingSignIns, sessions } from '#app/server/db/schema/accounts.ts'
import { identityProviderTests, identityRequests, samlAnswers, usedSignInKeys } from '#app/server/db/schema/identity.ts'
import { mailConsents } from '#app/server/db/schema/mail.ts'
import { phoneCodes, smsConsents, smsMessages } from '#app/server/db/schema/messages.ts'
import { sweepLimits } from '#app/server/limits/limits.ts'
import { sweepOutbox } from '#app/server/mail/deliver.ts'

/**
 * Deletes what the privacy record (`features/privacy`) says is stored for a time only: expired sessions, sign-ins that were not finished,
 * links, codes, rate limits, old emails and texts, consents of people who left, and answers about people. Run by a job.
 * @param sites those to sweep, active or not
 */
export async function sweepAccounts(database: Database, now: Date, sites: readonly string[]): Promise<void> {
  const longAgo = subtractDays(now, RETENTION.expired)
  for (const id of sites) {
    await database.site(id).tx(async (tx) => {
      await sweepLimits(tx, id, now)
      await sweepCrowds(tx, id, now)
      await sweepOutbox(tx, id, now)
      await tx.delete(sessions).where(and(eq(sessions.siteId, id), lt(sessions.expiresAt, now)))
      await tx.delete(pendingSignIns).where(and(eq(pendingSignIns.siteId, id), lt(pendingSignIns.expiresAt, now)))
      await tx.delete(oneTimeLinks).where(and(eq(oneTimeLinks.siteId, id), lt(oneTimeLinks.expiresAt, longAgo)))
      await tx.delete(usedSignInKeys).where(and(eq(usedSignInKeys.siteId, id), lt(usedSignInKeys.expiresAt, now)))
      await tx.delete(identityRequests).where(and(eq(identityRequests.siteId, id), lt(identityRequests.askedAt, longAgo)))
      await tx.delete(identityProviderTests).where(and(eq(identityProviderTests.siteId, id), lt(identityProviderTests.at, longAgo)))
      await tx.delete(samlAnswers).where(and(eq(samlAnswers.siteId, id), lt(samlAnswers.expiresAt, now)))
      await tx.delete(passkeyChallenges).where(and(eq(passkeyChallenges.siteId, id), lt(passkeyChallenges.expiresAt, now)))
      await tx.delete(phoneCodes).where(and(eq(phoneCodes.siteId, id), lt(phoneCodes.expiresAt, now)))
      await sweepProfileAnswers(tx, id, now)
      await sweepTexts(tx, id, subtractDays(now, RETENTION.texts))
      await sweepConsents(tx, id, subtractDays(now, RETENTION.consents))
    })
  }
}

const subtractDays = (now: Date, days: number): Date => new Date(now.getTime() - days * 86_400_000)

/** A campaign's texts stay without number, words and person, because its figures count them. */
async function sweepTexts(tx: Tx, siteId: string, before: Date): Promise<void> {
  const isOld = and(eq(smsMessages.siteId, siteId), lt(smsMessages.createdAt, before))
  await tx.delete(smsMessages).where(and(isOld, isNull(smsMessages.campaignId)))
  await tx
    .update(smsMessages)
    .set({ phone: sql`${smsMessages.id}::text`, body: '', userId: null, providerId: null })
    .where(and(isOld, ne(smsMessages.body, '')))
}

/** Deletes an address's or number's whole ledger at once: without its last entry, an older consent would count again. */
async function sweepConsents(tx: Tx, siteId: string, before: Date): Promise<void> {
  const hasLaterMail = sql`exists (select from mail_consents later where later.site_id = ${siteId} and later.email = ${mailConsents.email}
    and (later.at >= ${before.toISOString()} or later.user_id is not null))`
  await tx.delete(mailConsents).where(and(eq(mailConsents.siteId, siteId), isNull(mailConsents.userId), sql`not ${hasLaterMail}`))
  const hasLaterText = sql`exists (select from sms_consents later where later.site_id = ${siteId} and later.phone = ${smsConsents.phone}
    and (later.at >= ${before.toISOString()} or later.user_id is not null))`
  await tx.delete(smsConsents).where(and(eq(smsConsents.siteId, siteId), isNull(smsConsents.userId), sql`not ${hasLaterText}`))
}
