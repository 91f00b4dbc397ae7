import { createServerFn } from '@tanstack/react-start'
import { noInput } from '#app/lib/validate.ts'
import { readPhone as readPhoneOf } from './phone-numbers.server.ts'

export const readPhone = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readPhoneOf(context.ctx))
