import { implementResource } from '#app/server/api/implement.ts'
import { savedViewShape } from './saved-views.api.schema.ts'
import { changeView, listViews, loadOwnViewsById, removeView, saveView } from './saved-views.server.ts'

export const savedViewResource = implementResource(savedViewShape, {
  load: loadOwnViewsById,
  list: (ctx, { filter, page }) => listViews(ctx, { ...filter, page }),
  attributes: ({ table, name, query, createdAt }) => ({ table, name, query, createdAt }),
  relationships: { survey: { id: (row) => row.surveyId } },
  create: (ctx, { table, name, query, survey }) => saveView(ctx, { table, name, query, surveyId: survey ?? null }),
  update: (ctx, row, { name, query }) => changeView(ctx, row, { name, query }),
  remove: (ctx, row) => removeView(ctx, row),
})
