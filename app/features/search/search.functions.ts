import { createServerFn } from '@tanstack/react-start'
import { createInputValidator, createQuerySchema } from '#app/lib/validate.ts'
import { readSiteSearch } from './search.schema.ts'
import { searchSite } from './search.server.ts'

export const readSearch = createServerFn()
  .validator(createInputValidator(createQuerySchema(readSiteSearch)))
  .handler(({ data, context }) => searchSite(context.ctx, data))
