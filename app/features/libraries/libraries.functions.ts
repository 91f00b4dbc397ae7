import { createServerFn } from '@tanstack/react-start'
import { noInput } from '#app/lib/validate.ts'
import { readLibrariesDetails, readPublicConfig } from './libraries.server.ts'

export const getLibrariesDetails = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readLibrariesDetails(context.ctx))

export const getPublicConfig = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readPublicConfig(context.ctx))
