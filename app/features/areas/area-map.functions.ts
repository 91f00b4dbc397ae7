import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { createInputValidator, noInput } from '#app/lib/validate.ts'
import { getAreaMap } from './area-map.server.ts'
import { streetsInput } from './map/streets-input.server.ts'
import { drawStreetView } from './map/site-map.server.ts'
import { soughtSchema } from './map/sought.schema.ts'
import { searchOnMap } from './map/find-on-map.server.ts'

export const readAreaMap = createServerFn()
  .validator(noInput)
  .handler(({ context }) => getAreaMap(context.ctx))

/** Streets in the picture of a box; null if there are none. */
export const readStreets = createServerFn()
  .validator(createInputValidator(streetsInput))
  .handler(async ({ data, context: { ctx } }) => (await drawStreetView(ctx, data.box)) ?? null)

/** What the map's search finds, best first. */
export const searchMap = createServerFn()
  .validator(createInputValidator(v.object({ text: soughtSchema })))
  .handler(({ data, context: { ctx } }) => searchOnMap(ctx, data.text))
