import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'

/**
 * Pages whose published, scheduled or newest draft version contains any of these words, as rows of `site_id` and `hub_id`.
 * @param table `homepage_revisions` or another of its kind
 * @param content the column to search
 */
export const selectLiveRevisions = (ctx: Ctx, table: SQL, content: SQL, words: readonly string[]): SQL => sql`
  select site_id, hub_id from (${selectLiveContent(ctx, table, content)}) live where ${hasAnyWord(sql`content`, words)} group by site_id, hub_id`

/** The published, scheduled and newest draft versions of each page: `site_id`, `hub_id` and `content` as text. */
export const selectLiveContent = (ctx: Ctx, table: SQL, content: SQL): SQL => {
  const now = ctx.now()
  return sql`
  select site_id, hub_id, content from (
    select site_id, hub_id, ${content}::text as content, published_at,
      row_number() over (partition by hub_id order by created_at desc, id desc) as newest,
      row_number() over (partition by hub_id, published_at is not null and published_at <= ${now} order by published_at desc nulls last, id desc) as latest
    from ${table} where site_id = ${ctx.site.id}
  ) ranked
  where newest = 1 or published_at > ${now} or (latest = 1 and published_at <= ${now})`
}

export const hasAnyWord = (text: SQL, words: readonly string[]): SQL =>
  sql`${text} like any (${sql.param(words.map((word) => `%${word}%`))}::text[])`
