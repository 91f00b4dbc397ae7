import { createServerFn } from '@tanstack/react-start'
import { createInputValidator, createQuerySchema, noInput } from '#app/lib/validate.ts'
import { listDesk, readDeskFrame } from './desk-list.server.ts'
import { readDeskSearch } from './desk-search.ts'

export const loadDesk = createServerFn()
  .validator(createInputValidator(createQuerySchema(readDeskSearch)))
  .handler(({ data, context: { ctx } }) => listDesk(ctx, data))

export const loadDeskFrame = createServerFn()
  .validator(noInput)
  .handler(({ context: { ctx } }) => readDeskFrame(ctx))
