import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { redirectIfMoved } from '#app/features/sites/old-addresses.server.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { getPage } from './pages.server.ts'

export const readPage = createServerFn()
  .validator(createInputValidator(v.object({ slug: slugPartSchema })))
  .handler(({ data, context }) => redirectIfMoved(context.ctx, 'pages', data.slug, () => getPage(context.ctx, data)))
