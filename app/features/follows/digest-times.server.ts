import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { FollowMails } from './follows.schema.ts'

export type DigestInterval = Extract<FollowMails, 'daily' | 'weekly'>

/** When the digest with this news is due: eight o'clock on the next morning, or on the next Monday, in the site's time zone. */
export const computeDueAt = (ctx: Ctx, mails: DigestInterval): SQL => {
  const zone = ctx.site.timeZone
  const night = sql`(${ctx.now().toISOString()}::timestamptz at time zone ${zone}) - interval '8 hours'`
  return mails === 'daily'
    ? sql`(date_trunc('day', ${night}) + interval '1 day 8 hours') at time zone ${zone}`
    : sql`(date_trunc('week', ${night}) + interval '7 days 8 hours') at time zone ${zone}`
}
