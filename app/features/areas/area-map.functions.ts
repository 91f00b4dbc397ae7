import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { createInputValidator, noInput } from '#app/lib/validate.ts'
import { getAreaMap } from './area-map.server.ts'
import { streetsInput } from './map/streets-input.server.ts'
import { drawStreetView } from './map/site-map.server.ts'
import { findOnMap } from './map/find-on-map.server.ts'

const MAX_SOUGHT_LENGTH = 200

export const readAreaMap = createServerFn()
  .validator(noInput)
  .handler(({ context }) => getAreaMap(context.ctx))

/** Streets in the picture of a box; null if there are none. */
export const readStreets = createServerFn()
  .validator(createInputValidator(streetsInput))
  .handler(async ({ data, context: { ctx } }) => (await drawStreetView(ctx, data.box)) ?? null)

/** What the map's search finds; null if nothing. */
export const searchMap = createServerFn()
  .validator(createInputValidator(v.object({ text: v.pipe(v.string(), v.maxLength(MAX_SOUGHT_LENGTH)) })))
  .handler(({ data, context: { ctx } }) => ctx.db.read(async (tx) => (await findOnMap(ctx, tx, data.text)) ?? null))
