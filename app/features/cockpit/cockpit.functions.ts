import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { readCockpit } from './cockpit.server.ts'

export const getCockpit = createServerFn()
  .validator(createInputValidator(v.object({ project: idSchema })))
  .handler(({ context, data }) => readCockpit(context.ctx, data.project))
