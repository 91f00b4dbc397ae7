import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { FRAMES_HEADER } from '#app/lib/policy-headers.ts'
import { slugPartSchema } from '#app/lib/slug.ts'
import { createInputValidator, noInput } from '#app/lib/validate.ts'
import { listFrameOrigins, getHomepage, getHubHomepage, type HomeView } from './homepage.server.ts'

export const readHomepage = createServerFn()
  .validator(noInput)
  .handler(async ({ context }) => allowFrames(await getHomepage(context.ctx)))

/** A hub's own page, or null if it has published none: the standard page is shown instead. */
export const readHubHomepage = createServerFn()
  .validator(createInputValidator(v.object({ slug: slugPartSchema })))
  .handler(async ({ data, context }) => {
    const page = await getHubHomepage(context.ctx, data)
    return page && allowFrames(page)
  })

function allowFrames<View extends Pick<HomeView, 'blocks'>>(view: View): View {
  const frames = listFrameOrigins(view.blocks)
  if (frames.length) setResponseHeader(FRAMES_HEADER, frames.join(' '))
  return view
}
