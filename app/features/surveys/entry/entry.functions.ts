import { createServerFn } from '@tanstack/react-start'
import { checked } from '#app/lib/validate.ts'
import { paperSchema, tableSchema } from './entry.schema.ts'
import { enterPaper, importResponses } from './entry.server.ts'

/** Stores what somebody answered on paper. */
export const savePaper = createServerFn({ method: 'POST' })
  .validator(checked(paperSchema))
  .handler(({ data, context: { ctx } }) => enterPaper(ctx, data))

/** Tells what a table of responses has, or takes all of it. */
export const readResponseTable = createServerFn({ method: 'POST' })
  .validator(checked(tableSchema))
  .handler(({ data, context: { ctx } }) => importResponses(ctx, data))
