import { createServerFn } from '@tanstack/react-start'
import { noInput } from '#app/lib/validate.ts'
import { getSiteFrame } from './sites.server.ts'

export const readSiteFrame = createServerFn()
  .validator(noInput)
  .handler(({ context }) => getSiteFrame(context.ctx))
