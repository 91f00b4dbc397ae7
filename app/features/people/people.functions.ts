import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { idPartSchema } from '#app/lib/uuid.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { PEOPLE_PER_PAGE } from '#app/features/accounts/people-search.schema.ts'
import { ACTIVITY_KINDS } from './activity.schema.ts'
import { readActivity, readParticipations } from './people.activity.server.ts'

const activityInputSchema = v.object({
  id: idPartSchema,
  kind: v.optional(v.picklist(ACTIVITY_KINDS)),
  project: v.optional(idPartSchema),
  page: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000))),
})

export const getActivity = createServerFn()
  .validator(createInputValidator(activityInputSchema))
  .handler(({ context, data: { id, ...search } }) => readActivity(context.ctx, id, search))

export const getParticipations = createServerFn()
  .validator(createInputValidator(v.pipe(v.array(idPartSchema), v.maxLength(PEOPLE_PER_PAGE))))
  .handler(({ context, data }) => readParticipations(context.ctx, data))
