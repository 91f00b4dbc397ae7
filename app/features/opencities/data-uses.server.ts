import { sql } from 'drizzle-orm'
import { hasAnyWord, selectLiveRevisions } from '#app/features/revisions/live-revisions.server.ts'
import type { Translated } from '#app/lib/translated.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { DataUse } from './opencities.schema.ts'

const MAX_USES = 200

/**
 * Everything on the site that depends on these datasets; for pages, both published and draft content. Called on behalf of those who run the
 * site, who may see all of it.
 */
export async function loadDataUses(ctx: Ctx, tx: Tx, datasets: readonly string[]): Promise<DataUse[]> {
  if (datasets.length === 0) return []
  const site = ctx.site.id
  const ids = sql`any (${sql.param([...datasets])}::uuid[])`
  const { rows } = await tx.execute<{ kind: DataUse['kind']; id: string; title: Translated | string | null }>(sql`
    select case when r.hub_id is null then 'homepage' else 'hub-page' end as kind, coalesce(r.hub_id, r.site_id) as id, h.title
      from (${selectLiveRevisions(ctx, sql`homepage_revisions`, sql`content`, datasets)}) r left join hubs h on h.site_id = r.site_id and h.id = r.hub_id
    union all
    select 'section', id, to_jsonb(name) from saved_sections where site_id = ${site} and ${hasAnyWord(sql`content::text`, datasets)}
    union all
    select 'project-page', id, title from projects where site_id = ${site} and id in (
      select project_id from city_datasets where site_id = ${site} and id = ${ids} and published_at is not null)
    union all
    select 'project-area', id, title from projects where site_id = ${site} and id in (
      select placed.project_id from project_areas placed join areas a on a.site_id = placed.site_id and a.id = placed.area_id
      where placed.site_id = ${site} and a.dataset_id = ${ids})
    union all
    select case channel when 'email' then 'newsletter' else 'sms-campaign' end, id, to_jsonb(name) from campaigns
      where site_id = ${site} and status in ('draft', 'scheduled') and audience ->> 'area' in (
        select id::text from areas where site_id = ${site} and dataset_id = ${ids})
    order by 1, 2 limit ${MAX_USES}`)
  return rows.map(({ kind, id, title }) => ({
    kind,
    id,
    title: typeof title === 'string' ? title : title ? localiseText(title, ctx.contentLanguage, ctx.site.locale).text : '',
  }))
}
