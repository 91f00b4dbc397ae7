import { type SQL, sql } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { selectLiveContent } from '#app/features/revisions/live-revisions.server.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { buildKeptAddress } from '#app/lib/picture-address.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { MediaPlace, PagePicture, PlaceKind } from './media.schema.ts'
import { authorizeLibrary } from './media.policy.server.ts'

interface FoundPlace extends Record<string, unknown> {
  kind: PlaceKind
  id: string
  title: Translated | string | null
  hub_id: string | null
  project_id: string | null
}

const MAX_PAGE_PICTURES = 500
/** Addresses of picture files on this site, in quotes or in the brackets of a text's picture, outside the library. */
const OTHER_PICTURE = '["(](/(?!media/)[^"()\\s\\\\]+\\.(?:svg|png|jpe?g|gif|webp|avif))["\\\\)\\s]'

/**
 * Everything that shows the picture, or would at its next publication: projects with their drafts of changes, departments, surveys, pages,
 * updates, saved sections, and the published and drafted versions of homepages and the look. Older versions do not count.
 */
export async function loadPlaces(ctx: Ctx, tx: Tx, assetId: string): Promise<MediaPlace[]> {
  const { rows } = await tx.execute<FoundPlace>(sql`
    select distinct kind, id, title, hub_id, project_id from (${selectContent(ctx)}) places
    where content like ${`%${buildKeptAddress(assetId)}%`} order by 1, 2`)
  return rows.map((row) => toPlace(ctx, row))
}

/** Pictures on pages whose files are not in the library, such as those the site came with. @throws {AppError} `unauthenticated`, `forbidden` */
export async function listPagePictures(ctx: Ctx): Promise<PagePicture[]> {
  authorizeLibrary(ctx.viewer)
  const { rows } = await ctx.db.read((tx) =>
    tx.execute<FoundPlace & { address: string }>(sql`
      select distinct found[1] as address, kind, id, title, hub_id, project_id
      from (${selectContent(ctx)}) places, regexp_matches(content, ${OTHER_PICTURE}, 'g') found
      order by 1, 2, 3 limit ${MAX_PAGE_PICTURES}`),
  )
  const pictures = Map.groupBy(rows, (row) => row.address)
  return [...pictures].map(([address, places]) => ({ address, places: places.map((row) => toPlace(ctx, row)) }))
}

/** Whatever can show a picture, with the text that holds its address. */
const selectContent = (ctx: Ctx): SQL => {
  const site = ctx.site.id
  return sql`
    select 'project' as kind, p.id, p.title, p.hub_id, p.id as project_id, concat_ws(' ', '"' || p.picture || '"', p.body::text, p.faqs::text,
      p.outcome::text, (select r.content::text from revision_heads d join project_revisions r on r.site_id = d.site_id and r.id = d.draft_id
        where d.site_id = p.site_id and d.subject = 'project' and d.scope_id = p.id and d.has_changes)) as content
      from projects p where p.site_id = ${site}
    union all
    select 'hub', id, title, id, null, concat_ws(' ', '"' || picture || '"', body::text) from hubs where site_id = ${site}
    union all
    select 'survey', s.id, s.title, p.hub_id, p.id, concat_ws(' ', s.definition::text, (select v.definition::text from survey_versions v
        where v.site_id = s.site_id and v.survey_id = s.id and v.number = s.published_version))
      from surveys s join projects p on p.site_id = s.site_id and p.id = s.project_id where s.site_id = ${site}
    union all
    select 'update', u.id, u.title, p.hub_id, p.id, u.body::text
      from project_updates u join projects p on p.site_id = u.site_id and p.id = u.project_id where u.site_id = ${site}
    union all
    select 'page', id, title, null, null, body::text from pages where site_id = ${site}
    union all
    select 'section', id, to_jsonb(name), hub_id, null, content::text from saved_sections where site_id = ${site}
    union all
    select case when r.hub_id is null then 'homepage' else 'hub-page' end, coalesce(r.hub_id, r.site_id), h.title, r.hub_id, null, r.content
      from (${selectLiveContent(ctx, sql`homepage_revisions`, sql`content`)}) r
      left join hubs h on h.site_id = r.site_id and h.id = r.hub_id
    union all
    select 'appearance', r.site_id, null, null, null, r.content from (${selectLiveContent(ctx, sql`appearance_revisions`, sql`tokens`)}) r`
}

const toPlace = (ctx: Ctx, row: FoundPlace): MediaPlace => ({
  kind: row.kind,
  id: row.id,
  title: canSee(ctx, row) ? localiseTitle(ctx, row.title) : null,
})

function canSee({ viewer }: Ctx, { kind, hub_id: hubId, project_id: projectId }: FoundPlace): boolean {
  if (kind === 'homepage' || kind === 'appearance' || kind === 'page' || (kind === 'section' && !hubId))
    return checkPermission(viewer, 'site.edit').ok
  if (projectId) return checkPermission(viewer, 'projects.edit', { hubId, projectId }).ok
  return checkPermission(viewer, 'hubs.edit-homepage', { hubId }).ok
}

const localiseTitle = ({ contentLanguage, site }: Ctx, title: FoundPlace['title']): string | null =>
  typeof title === 'string' ? title : title ? localiseText(title, contentLanguage, site.locale).text : ''
