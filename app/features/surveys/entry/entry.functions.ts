import { createServerFn } from '@tanstack/react-start'
import { createInputValidator } from '#app/lib/validate.ts'
import { paperSchema, tableSchema } from './entry.schema.ts'
import { storePaperResponse, importResponses } from './entry.server.ts'

/** Stores what somebody answered on paper. */
export const savePaperResponse = createServerFn({ method: 'POST' })
  .validator(createInputValidator(paperSchema))
  .handler(({ data, context: { ctx } }) => storePaperResponse(ctx, data))

/** Tells what a table of responses has, or takes all of it. */
export const readResponseTable = createServerFn({ method: 'POST' })
  .validator(createInputValidator(tableSchema))
  .handler(({ data, context: { ctx } }) => importResponses(ctx, data))
