import { createServerFn } from '@tanstack/react-start'
import { createInputValidator, createQuerySchema } from '#app/lib/validate.ts'
import { readPersonal } from '#app/server/shared-rendering.ts'
import { readReachSearch, parsePlaceParam } from './reach.search.ts'
import { readReach, readReachSummary } from './reach.server.ts'

export const getReach = createServerFn()
  .validator(createInputValidator(createQuerySchema(readReachSearch)))
  .handler(({ context, data }) => readReach(context.ctx, { place: parsePlaceParam(data.place), days: data.days ?? 30 }))

export const getReachSummary = createServerFn()
  .validator(createInputValidator(createQuerySchema(readReachSearch)))
  .handler(({ context, data }) => {
    const { place, days = 30 } = data
    return readPersonal(context.ctx, ['reach', place, days], (ctx) => readReachSummary(ctx, parsePlaceParam(place), days))
  })
