import { and, eq, gte, inArray, lt, ne, notInArray, or, sql } from 'drizzle-orm'
import { loadEnabledInstallations } from '#app/features/marketplace/installations.server.ts'
import type { Currency } from '#app/features/marketplace/marketplace.schema.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { lockForTransaction } from '#app/server/db/transaction-lock.ts'
import { campaigns, smsMessages } from '#app/server/db/schema.ts'

/** What texts cost the site, and how many it allows itself. Everything counts as services bill it: a long text as several. */
export interface Spending {
  /** Of one, with the service that is asked first; null where nobody said. */
  price: { amount: number; currency: Currency } | null
  /** The strictest of those set at the services that are enabled; null where none is. */
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

/** Nobody else counts the site's texts until this transaction is over. */
export const lockSpending = (ctx: Ctx, tx: Tx) => lockForTransaction(tx, ctx.site.id, 'texts')

/** How many texts the site has written in the month of `at` by its own calendar, without those that no service took. */
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
        // A service that took a text bills it, whatever became of it.
        or(notInArray(smsMessages.status, ['failed', 'skipped']), inArray(smsMessages.fault, ['message-undelivered', 'message-unknown'])),
      ),
    )
  return counted?.total ?? 0
}

/** The same, with what campaigns that were given up for sending in that month have not written yet. @param but a campaign that does not count */
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
