import { createServerFn } from '@tanstack/react-start'
import { createInputValidator, createQuerySchema } from '#app/lib/validate.ts'
import { showReport } from './report-files.server.ts'
import { readReportSearch } from './report.search.ts'

export const getReport = createServerFn()
  .validator(createInputValidator(createQuerySchema(readReportSearch)))
  .handler(({ context, data }) => showReport(context.ctx, data))
