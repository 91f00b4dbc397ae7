import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { getActivityResults } from './activity-results.server.ts'

/** The figures of an activity. */
export const readActivityResults = createServerFn()
  .validator(createInputValidator(v.object({ activity: idSchema })))
  .handler(({ data, context }) => getActivityResults(context.ctx, data.activity))
