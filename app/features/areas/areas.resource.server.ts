import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { requireSurveyFor } from '#app/features/surveys/surveys.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { areaShape, lostAreaShape, projectPlacementShape, surveyAreaShape } from './areas.api.schema.ts'
import type { AreaView } from './areas.schema.ts'
import { countByArea, listAreas, loadLostAreas, loadPlacedProjects, placeProject, removeLostArea } from './areas.server.ts'

export const areaResource = implementResource(areaShape, {
  list: async (ctx, { page }) => {
    const all = await ctx.db.read((tx) => listAreas(ctx, tx))
    return { rows: all.slice(page.offset, page.offset + page.limit), total: all.length }
  },
  attributes: ({ slug, name }: AreaView) => ({ slug, name }),
})

export const lostAreaResource = implementResource(lostAreaShape, {
  load: loadLostAreas,
  list: async (ctx, { page }) => {
    requirePermission(ctx, 'site.edit')
    const all = await loadLostAreas(ctx)
    return { rows: all.slice(page.offset, page.offset + page.limit), total: all.length }
  },
  attributes: ({ name, projects, people, campaigns }) => ({ name, projects, people, campaigns }),
  remove: removeLostArea,
})

export const projectPlacementResource = implementResource(projectPlacementShape, {
  load: loadPlacedProjects,
  attributes: ({ areas, suggested, lost }) => ({ areas, suggested, lost }),
  update: (ctx, row, input) => placeProject(ctx, row, input.areas ?? row.areas),
})

export const surveyAreaResource = implementResource(surveyAreaShape, {
  list: (ctx, { filter: { survey } }) => {
    if (!survey) throw new AppError('invalid-parameter', { parameter: 'filter[survey]' })
    return ctx.db.read(async (tx) => {
      await requireSurveyFor(ctx, tx, 'responses.see', survey)
      const counted = await countByArea(ctx, tx, survey)
      return { rows: counted.map(({ area, ...one }) => ({ id: area, ...one })), total: counted.length }
    })
  },
  attributes: (row: { id: string; name: string; responses: number | null }) => ({ name: row.name, responses: row.responses }),
})
