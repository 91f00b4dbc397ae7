import { and, count, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { ErrorCode } from '#app/lib/error-catalogue.ts'
import type { FailureOutcome } from '#app/lib/vocabulary/campaigns.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { smsMessages } from '#app/server/db/schema/messages.ts'
import { campaignFailureShape } from './campaign-failures.api.schema.ts'
import { loadCampaignsById } from './campaigns.server.ts'
import { SKIPPED_CONDITION } from './newsletters/prepare-newsletter.server.ts'

/** A message of a campaign that did not reach its person. */
interface CampaignFailure {
  id: string
  personId: string | null
  name: string | null
  address: string
  outcome: FailureOutcome
  fault: ErrorCode | null
  at: Date
}

interface FailureQuery {
  campaign: string
  offset: number
  limit: number
}

/**
 * The messages of a campaign that did not reach anybody, newest first: failed, skipped, or returned by the recipient's mail server. Those of accounts
 * that were deleted, and emails older than the outbox keeps, are only counted.
 * @throws {AppError} `not-found` if the viewer may not draft it
 */
async function listCampaignFailures(ctx: Ctx, query: FailureQuery): Promise<{ rows: CampaignFailure[]; total: number }> {
  const [[text], [letter]] = await Promise.all([
    loadCampaignsById(ctx, 'sms', [query.campaign]),
    loadCampaignsById(ctx, 'email', [query.campaign]),
  ])
  if (text) return listFailedTexts(ctx, query)
  if (letter) return listFailedMails(ctx, query)
  throw new AppError('not-found')
}

async function listFailedTexts(ctx: Ctx, { campaign, offset, limit }: FailureQuery) {
  const own = and(
    eq(smsMessages.siteId, ctx.site.id),
    eq(smsMessages.campaignId, campaign),
    inArray(smsMessages.status, ['failed', 'skipped']),
  )
  return ctx.db.read(async (tx) => {
    const rows = await tx
      .select({
        id: smsMessages.id,
        personId: users.id,
        name: users.login,
        address: smsMessages.phone,
        outcome: sql<FailureOutcome>`${smsMessages.status}`,
        fault: smsMessages.fault,
        at: sql<Date>`coalesce(${smsMessages.settledAt}, ${smsMessages.createdAt})`.mapWith(smsMessages.createdAt),
      })
      .from(smsMessages)
      .leftJoin(users, and(eq(users.siteId, smsMessages.siteId), eq(users.id, smsMessages.userId)))
      .where(own)
      .orderBy(desc(smsMessages.createdAt), desc(smsMessages.id))
      .limit(limit)
      .offset(offset)
    const [counted] = await tx.select({ total: count() }).from(smsMessages).where(own)
    return { rows: rows.map((row) => ({ ...row, address: `…${row.address.slice(-4)}` })), total: counted?.total ?? 0 }
  })
}

async function listFailedMails(ctx: Ctx, { campaign, offset, limit }: FailureQuery) {
  const own = and(
    eq(outboxMails.siteId, ctx.site.id),
    eq(outboxMails.campaignId, campaign),
    or(and(isNotNull(outboxMails.fault), sql`${outboxMails.sentAt} is null`), isNotNull(outboxMails.returnedAt)),
  )
  return ctx.db.read(async (tx) => {
    const rows = await tx
      .select({
        id: outboxMails.id,
        personId: users.id,
        name: users.login,
        address: outboxMails.recipient,
        outcome: sql<FailureOutcome>`case when ${outboxMails.returnedAt} is not null then 'returned' when ${SKIPPED_CONDITION} then 'skipped' else 'failed' end`,
        fault: sql<ErrorCode | null>`${outboxMails.fault}`,
        at: sql<Date>`coalesce(${outboxMails.returnedAt}, ${outboxMails.createdAt})`.mapWith(outboxMails.createdAt),
      })
      .from(outboxMails)
      .leftJoin(users, and(eq(users.siteId, outboxMails.siteId), eq(users.id, outboxMails.userId)))
      .where(own)
      .orderBy(desc(outboxMails.createdAt), desc(outboxMails.id))
      .limit(limit)
      .offset(offset)
    const [counted] = await tx.select({ total: count() }).from(outboxMails).where(own)
    return { rows, total: counted?.total ?? 0 }
  })
}

export const campaignFailureResource = implementResource(campaignFailureShape, {
  list: async (ctx, { filter, page }) => {
    if (!filter.campaign) throw new AppError('invalid-parameter', { parameter: 'filter[campaign]' })
    return listCampaignFailures(ctx, { campaign: filter.campaign, ...page })
  },
  attributes: ({ personId, name, address, outcome, fault, at }: CampaignFailure) => ({ personId, name, address, outcome, fault, at }),
})
