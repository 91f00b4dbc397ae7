import { and, eq, gte, inArray, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import { loadEnabledInstallations } from '#app/features/marketplace/installations.server.ts'
import type { Currency } from '#app/features/marketplace/marketplace.schema.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { lockForTransaction } from '#app/server/db/transaction-lock.ts'
import { campaigns, smsMessages } from '#app/server/db/schema/messages.ts'

/** What texts cost the site, and its monthly limit. Everything is counted as services bill it: a long text as several. */
export interface Spending {
  /** Per text, with the service used first; null if no price was entered. */
  price: { amount: number; currency: Currency } | null
  /** The lowest limit set for an enabled service; null if there is none. */
  textsAMonth: number | null
}

export async function loadSpending(ctx: Ctx): Promise<Spending> {
  const settings = (await loadEnabledInstallations(ctx, 'send-sms')).map(({ row }) => row.settings as Record<string, unknown>)
  const [first = {}] = settings
  const limits = settings.flatMap(({ textsAMonth }) => (typeof textsAMonth === 'number' ? [textsAMonth] : []))
  const { pricePerText, currency } = first
  return {
    price: typeof pricePerText === 'number' ? { amount: pricePerText, currency: (currency ?? 'CAD') as Currency } : null,
    textsAMonth: limits.length ? Math.min(...limits) : null,
  }
}

/** Serialises counting of the site's texts until the end of this transaction. */
export const lockSpending = (ctx: Ctx, tx: Tx) => lockForTransaction(tx, ctx.site.id, 'texts')

/** Number of texts the site has queued in the month of `at`, by its own calendar, without those that no service accepted. */
export async function countTextsWritten(ctx: Ctx, tx: Tx, at: Date): Promise<number> {
  const { from, until } = toMonthRange(ctx, at)
  const [counted] = await tx
    .select({ total: sql<number>`coalesce(sum(${smsMessages.segments}), 0)::int` })
    .from(smsMessages)
    .where(
      and(
        eq(smsMessages.siteId, ctx.site.id),
        eq(smsMessages.direction, 'out'),
        gte(smsMessages.createdAt, from),
        lt(smsMessages.createdAt, until),
        // A service bills every text it accepted, whatever its fate.
        or(notInArray(smsMessages.status, ['failed', 'skipped']), inArray(smsMessages.fault, ['message-undelivered', 'message-unknown'])),
      ),
    )
  return counted?.total ?? 0
}

/** The same, plus texts still to be queued by campaigns released for that month. @param but id of a campaign that does not count */
export async function countTextsPromised(ctx: Ctx, tx: Tx, at: Date, but: string): Promise<number> {
  const { from, until } = toMonthRange(ctx, at)
  const [counted] = await tx
    .select({
      total: sql<number>`coalesce(sum(greatest(0, ${campaigns.promised} - (
        select coalesce(sum(m.segments), 0) from sms_messages m where m.site_id = ${ctx.site.id} and m.campaign_id = campaigns.id))), 0)::int`,
    })
    .from(campaigns)
    .where(
      and(
        eq(campaigns.siteId, ctx.site.id),
        eq(campaigns.channel, 'sms'),
        inArray(campaigns.status, ['scheduled', 'preparing']),
        gte(campaigns.sendAt, from),
        lt(campaigns.sendAt, until),
        ne(campaigns.id, but),
      ),
    )
  return (await countTextsWritten(ctx, tx, at)) + (counted?.total ?? 0)
}

const toMonthRange = ({ site }: Ctx, at: Date) => {
  const start = sql`date_trunc('month', ${at.toISOString()}::timestamptz at time zone ${site.timeZone})`
  return { from: sql`${start} at time zone ${site.timeZone}`, until: sql`(${start} + interval '1 month') at time zone ${site.timeZone}` }
}
