import { createServerFn } from '@tanstack/react-start'
import { createInputValidator } from '#app/lib/validate.ts'
import { paperSchema, tableSchema } from './entry.schema.ts'
import { storePaperResponse, importResponses } from './entry.server.ts'

export const savePaperResponse = createServerFn({ method: 'POST' })
  .validator(createInputValidator(paperSchema))
  .handler(({ data, context: { ctx } }) => storePaperResponse(ctx, data))

/** Previews a table of responses, or imports it. */
export const readResponseTable = createServerFn({ method: 'POST' })
  .validator(createInputValidator(tableSchema))
  .handler(({ data, context: { ctx } }) => importResponses(ctx, data))
