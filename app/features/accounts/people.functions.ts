import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idPartSchema } from '#app/lib/uuid.ts'
import { checked } from '#app/lib/validate.ts'
import { readActivity } from './people.activity.server.ts'

export const getActivity = createServerFn()
  .validator(checked(v.object({ id: idPartSchema })))
  .handler(({ context, data }) => readActivity(context.ctx, data.id))
