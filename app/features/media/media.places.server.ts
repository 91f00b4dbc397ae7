import { sql } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { selectLiveRevisions } from '#app/features/revisions/live-revisions.server.ts'
import { buildKeptAddress } from '#app/lib/picture-address.ts'
import type { Translated } from '#app/lib/translated.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { MediaPlace, PlaceKind } from './media.schema.ts'

interface FoundPlace extends Record<string, unknown> {
  kind: PlaceKind
  id: string
  title: Translated | string | null
  hub_id: string | null
  project_id: string | null
}

/**
 * Everything that shows the picture, or would at its next publication: projects with their drafts of changes, departments, surveys, saved sections, and the published
 * and drafted versions of homepages and the look. Older versions do not count.
 */
export async function loadPlaces(ctx: Ctx, tx: Tx, assetId: string): Promise<MediaPlace[]> {
  const site = ctx.site.id
  const address = buildKeptAddress(assetId)
  const within = `%${address}%`
  const { rows } = await tx.execute<FoundPlace>(sql`
    select 'project' as kind, p.id, p.title, p.hub_id, p.id as project_id from projects p where p.site_id = ${site} and (p.picture = ${address}
      or exists (select from revision_heads d join project_revisions r on r.site_id = d.site_id and r.id = d.draft_id
        where d.site_id = p.site_id and d.subject = 'project' and d.scope_id = p.id and d.has_changes and r.content::text like ${within}))
    union all
    select 'hub', id, title, id, null from hubs where site_id = ${site} and picture = ${address}
    union all
    select 'survey', s.id, s.title, p.hub_id, p.id from surveys s join projects p on p.site_id = s.site_id and p.id = s.project_id
      where s.site_id = ${site} and (s.definition::text like ${within} or exists (
        select 1 from survey_versions v where v.site_id = s.site_id and v.survey_id = s.id and v.number = s.published_version
          and v.definition::text like ${within}))
    union all
    select 'section', id, to_jsonb(name), hub_id, null from saved_sections where site_id = ${site} and content::text like ${within}
    union all
    select case when r.hub_id is null then 'homepage' else 'hub-page' end, coalesce(r.hub_id, r.site_id), h.title, r.hub_id, null
      from (${selectLiveRevisions(ctx, sql`homepage_revisions`, sql`content`, [address])}) r
      left join hubs h on h.site_id = r.site_id and h.id = r.hub_id
    union all
    select 'appearance', r.site_id, null, null, null
      from (${selectLiveRevisions(ctx, sql`appearance_revisions`, sql`tokens`, [address])}) r
    order by 1, 2`)
  return rows.map((row) => ({ kind: row.kind, id: row.id, title: canSee(ctx, row) ? localiseTitle(ctx, row.title) : null }))
}

function canSee({ viewer }: Ctx, { kind, hub_id: hubId, project_id: projectId }: FoundPlace): boolean {
  if (kind === 'homepage' || kind === 'appearance' || (kind === 'section' && !hubId)) return checkPermission(viewer, 'site.edit').ok
  if (projectId) return checkPermission(viewer, 'projects.edit', { hubId, projectId }).ok
  return checkPermission(viewer, 'hubs.edit-homepage', { hubId }).ok
}

const localiseTitle = ({ language, site }: Ctx, title: FoundPlace['title']): string | null =>
  typeof title === 'string' ? title : title ? localiseText(title, language, site.locale).text : ''
