import { sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'

/** How often a link of a message was opened on a day. */
export interface LinkClicks {
  code: string
  day: string
  clicks: number
}

/** Adds clicks to those that are stored. In the order of links, so that two processes never wait for each other. */
export async function storeLinkClicks(tx: Tx, siteId: string, clicks: readonly LinkClicks[]): Promise<void> {
  const given = clicks.map(({ code, day, clicks: count }) => ({ code, day, clicks: count }))
  await tx.execute(sql`
    insert into link_clicks as known (site_id, link_id, day, clicks)
    select ${siteId}::uuid, l.id, given.day, given.clicks
    from json_to_recordset(${JSON.stringify(given)}::json) as given (code text, day date, clicks int)
      join message_links l on l.site_id = ${siteId}::uuid and l.code = given.code
    order by l.id, given.day
    on conflict (site_id, link_id, day) do update set clicks = known.clicks + excluded.clicks`)
}
