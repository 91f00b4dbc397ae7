import { createServerFn } from '@tanstack/react-start'
import { noInput } from '#app/lib/validate.ts'
import { readHomeArea as readHomeAreaOf } from './home-area.server.ts'

export const readHomeArea = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readHomeAreaOf(context.ctx))
