import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { loadImportReport } from './import.server.ts'

export const readImportReport = createServerFn()
  .validator(createInputValidator(v.object({ survey: idSchema })))
  .handler(({ data, context }) => loadImportReport(context.ctx, data.survey))
