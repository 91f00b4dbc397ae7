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

/** Comma-separated: a list of values would make the address of a whole page of people too long. */
const idsSchema = v.pipe(
  v.string(),
  v.transform((text) => text.split(',')),
  v.array(idPartSchema),
  v.maxLength(PEOPLE_PER_PAGE),
)

export const getParticipations = createServerFn()
  .validator(createInputValidator(v.object({ ids: idsSchema })))
  .handler(({ context, data: { ids } }) => readParticipations(context.ctx, ids))
