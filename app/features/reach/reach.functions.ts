import { createServerFn } from '@tanstack/react-start'
import { readReachSearch, placeOfWord, type ReachSearch } from './reach.search.ts'
import { readReach } from './reach.server.ts'

export const getReach = createServerFn()
  .validator((search: ReachSearch) => readReachSearch({ ...search }))
  .handler(({ context, data }) => readReach(context.ctx, { place: placeOfWord(data.place), days: data.days ?? 30 }))
