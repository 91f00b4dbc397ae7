import { createServerFn } from '@tanstack/react-start'
import { createInputValidator } from '#app/lib/validate.ts'
import { paperSchema } from './entry.schema.ts'
import { storePaperResponse } from './entry.server.ts'

export const savePaperResponse = createServerFn({ method: 'POST' })
  .validator(createInputValidator(paperSchema))
  .handler(({ data, context: { ctx } }) => storePaperResponse(ctx, data))
