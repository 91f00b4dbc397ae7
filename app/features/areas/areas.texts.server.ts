import { and, asc, eq, getTableColumns, isNull } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import type { LoadTextSubjects } from '#app/server/translations.ts'
import type { areaOutlineShape } from './area-outlines.api.schema.ts'
import { addMainName, listAreaTexts, updateArea } from './edit-areas.server.ts'
import { findFollowedDataset } from './own-areas.server.ts'

const { rings: _rings, postcodes: _postcodes, ...listedColumns } = getTableColumns(areas)

/** Names of the site's areas, for the language desk. Areas of a dataset are left out, because it would undo what is changed by hand. */
export const loadAreaSubjects: LoadTextSubjects = async (ctx, tx, id) => {
  if (!checkPermission(ctx.viewer, 'site.edit').ok || (await findFollowedDataset(ctx, tx)) !== null) return []
  const rows = await tx
    .select(listedColumns)
    .from(areas)
    .where(and(eq(areas.siteId, ctx.site.id), isNull(areas.goneAt), id ? eq(areas.id, id) : undefined))
    .orderBy(asc(areas.name), asc(areas.id))
  return rows
    .map((row) => addMainName(ctx, row))
    .map((row) => ({
      id: row.id,
      title: row.names,
      project: null,
      isPublic: true,
      editor: '/admin/settings/areas',
      content: { nameTranslations: row.names },
      texts: listAreaTexts(row),
      save: (content: unknown) => updateArea(ctx, row, content as UpdateInput<typeof areaOutlineShape>, row.lockVersion),
    }))
}
