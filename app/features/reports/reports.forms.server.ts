import { createFormHandler } from '#app/server/forms.ts'
import { cancelReportFile } from './report-exports.server.ts'

/** The button that cancels a file in progress or deletes a finished one: back to the report. */
export const reportFileForm = createFormHandler({ by: 'account' }, async ({ ctx, params, path }) => {
  const query = await cancelReportFile(ctx, params['id'] ?? '')
  return `${path('/admin/reports')}?${query}`
})
