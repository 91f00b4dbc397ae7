import { createServerFn } from '@tanstack/react-start'
import { createInputValidator, createQuerySchema } from '#app/lib/validate.ts'
import { readReachSearch, parsePlaceParam } from './reach.search.ts'
import { readReach } from './reach.server.ts'

export const getReach = createServerFn()
  .validator(createInputValidator(createQuerySchema(readReachSearch)))
  .handler(({ context, data }) => readReach(context.ctx, { place: parsePlaceParam(data.place), days: data.days ?? 30 }))
