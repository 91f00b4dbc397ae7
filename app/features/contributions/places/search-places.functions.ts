import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { soughtSchema } from '#app/features/areas/map/sought.schema.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { searchPlacesAt } from './search-places.server.ts'

/** What the search of an activity's map finds, best first. */
export const searchActivityMap = createServerFn()
  .validator(createInputValidator(v.object({ project: slugPartSchema, activity: slugPartSchema, text: soughtSchema })))
  .handler(({ data, context: { ctx } }) => searchPlacesAt(ctx, data))
