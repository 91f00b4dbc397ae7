import { createServerFn } from '@tanstack/react-start'
import { noInput } from '#app/lib/validate.ts'
import { listPagePictures } from './media.places.server.ts'

export const readPagePictures = createServerFn()
  .validator(noInput)
  .handler(({ context }) => listPagePictures(context.ctx))
