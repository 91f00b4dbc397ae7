import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idPartSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { readActivity } from './people.activity.server.ts'

export const getActivity = createServerFn()
  .validator(createInputValidator(v.object({ id: idPartSchema })))
  .handler(({ context, data }) => readActivity(context.ctx, data.id))
