import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idSchema } from '#app/lib/uuid.ts'
import { createInputValidator, createQuerySchema, noInput } from '#app/lib/validate.ts'
import { readDeskEntry } from './desk-entry.server.ts'
import { listDesk, readDeskFrame } from './desk-list.server.ts'
import { readDeskSearch } from './desk-search.ts'

export const loadDesk = createServerFn()
  .validator(createInputValidator(createQuerySchema(readDeskSearch)))
  .handler(({ data, context: { ctx } }) => listDesk(ctx, data))

export const loadDeskFrame = createServerFn()
  .validator(noInput)
  .handler(({ context: { ctx } }) => readDeskFrame(ctx))

export const loadDeskEntry = createServerFn()
  .validator(createInputValidator(v.object({ id: idSchema, search: createQuerySchema(readDeskSearch) })))
  .handler(({ data: { id, search }, context: { ctx } }) => readDeskEntry(ctx, id, search))
