import { createServerFn } from '@tanstack/react-start'
import { noInput } from '#app/lib/validate.ts'
import { getAreaMap } from './area-map.server.ts'

export const readAreaMap = createServerFn()
  .validator(noInput)
  .handler(({ context }) => getAreaMap(context.ctx))
