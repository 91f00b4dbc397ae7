import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { createInputValidator, createQuerySchema } from '#app/lib/validate.ts'
import { readReportFile } from './report-exports.server.ts'
import { showReport } from './report-files.server.ts'
import { readReportSearch } from './report.search.ts'

export const getReport = createServerFn()
  .validator(createInputValidator(createQuerySchema(readReportSearch)))
  .handler(({ context, data }) => showReport(context.ctx, data))

/** How far a PDF in the background is. */
export const getReportFile = createServerFn()
  .validator(createInputValidator(v.object({ id: v.string() })))
  .handler(({ context, data }) => readReportFile(context.ctx, data.id))
