import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { orMoved } from '#app/features/sites/old-addresses.server.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { checked } from '#app/lib/validate.ts'
import { getPage } from './pages.server.ts'

export const readPage = createServerFn()
  .validator(checked(v.object({ slug: slugPartSchema })))
  .handler(({ data, context }) => orMoved(context.ctx, 'pages', data.slug, () => getPage(context.ctx, data)))
