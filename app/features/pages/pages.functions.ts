import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { redirectIfMoved } from '#app/features/sites/old-addresses.server.ts'
import { parseRichText } from '#app/lib/rich-text.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { createInputValidator } from '#app/lib/validate.ts'
import { allowVideoFrames } from '#app/server/allow-video-frames.ts'
import { getPage } from './pages.server.ts'

export const readPage = createServerFn()
  .validator(createInputValidator(v.object({ slug: slugPartSchema })))
  .handler(async ({ data, context }) => {
    const page = await redirectIfMoved(context.ctx, 'pages', data.slug, () => getPage(context.ctx, data))
    allowVideoFrames(parseRichText(page.body.text))
    return page
  })
