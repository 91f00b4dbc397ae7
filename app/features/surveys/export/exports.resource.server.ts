import { implementResource } from '#app/server/api/implement.ts'
import { exportShape } from './exports.api.schema.ts'
import { type ExportRecord, listExports, loadExports, removeExport, requestExport } from './exports.server.ts'

export const exportResource = implementResource(exportShape, {
  load: loadExports,
  list: listExports,
  attributes: ({ format, personal, state, total, done, bytes, createdAt, finishedAt, expiresAt, surveyId, id }) => ({
    format,
    personal,
    state,
    total,
    done,
    bytes,
    createdAt,
    finishedAt,
    expiresAt,
    address: `/admin/surveys/${surveyId}/exports/${id}`,
  }),
  relationships: { survey: { id: (row) => row.surveyId } },
  create: (ctx, { survey, format, personal = false, reason }) =>
    requestExport(ctx, { surveyId: survey, format, personal, ...(reason !== undefined && { reason }) }),
  remove: (ctx, row: ExportRecord) => removeExport(ctx, row),
})
