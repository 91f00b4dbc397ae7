import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { createInputValidator } from '#app/lib/validate.ts'
import { getUpdate } from './updates.server.ts'

export const readUpdate = createServerFn()
  .validator(createInputValidator(v.object({ project: v.string(), update: v.string() })))
  .handler(({ data, context }) => getUpdate(context.ctx, data))
