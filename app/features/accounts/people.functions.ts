import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idSchema } from '#app/lib/uuid.ts'
import { readActivity } from './people.activity.server.ts'

export const getActivity = createServerFn()
  .validator(v.object({ id: idSchema }))
  .handler(({ context, data }) => readActivity(context.ctx, data.id))
