import { createServerFn } from '@tanstack/react-start'
import { readSiteSearch } from './search.schema.ts'
import { searchSite } from './search.server.ts'

export const readSearch = createServerFn()
  .validator((search: { q?: string | undefined }) => readSiteSearch(search))
  .handler(({ data, context }) => searchSite(context.ctx, data))
