import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idPartSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { readUpdateAudience } from './updates.editing.server.ts'
import { getUpdate } from './updates.server.ts'

export const readUpdate = createServerFn()
  .validator(createInputValidator(v.object({ project: v.string(), update: v.string() })))
  .handler(({ data, context }) => getUpdate(context.ctx, data))

export const getUpdateAudience = createServerFn()
  .validator(createInputValidator(v.object({ project: idPartSchema })))
  .handler(({ data, context }) => readUpdateAudience(context.ctx, data.project))
