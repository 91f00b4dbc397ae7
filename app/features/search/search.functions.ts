import { createServerFn } from '@tanstack/react-start'
import { checked, querySchema } from '#app/lib/validate.ts'
import { readSiteSearch } from './search.schema.ts'
import { searchSite } from './search.server.ts'

export const readSearch = createServerFn()
  .validator(checked(querySchema(readSiteSearch)))
  .handler(({ data, context }) => searchSite(context.ctx, data))
