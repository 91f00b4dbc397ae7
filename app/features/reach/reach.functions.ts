import { createServerFn } from '@tanstack/react-start'
import { checked, querySchema } from '#app/lib/validate.ts'
import { readReachSearch, placeOfWord } from './reach.search.ts'
import { readReach } from './reach.server.ts'

export const getReach = createServerFn()
  .validator(checked(querySchema(readReachSearch)))
  .handler(({ context, data }) => readReach(context.ctx, { place: placeOfWord(data.place), days: data.days ?? 30 }))
