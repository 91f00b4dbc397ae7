import { createFormHandler } from '#app/server/forms.ts'
import { cancelReportFile } from './report-exports.server.ts'

/** The button that cancels a file in progress or deletes a finished one: back to where it was asked for. */
export const reportFileForm = createFormHandler({ by: 'account' }, async ({ ctx, params, path }) => {
  return path(await cancelReportFile(ctx, params['id'] ?? ''))
})
