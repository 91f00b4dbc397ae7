import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { createInputValidator } from '#app/lib/validate.ts'
import { listOwnContributions } from './own-list.server.ts'

/** What the viewer sent with their account. */
export const readOwnContributions = createServerFn()
  .validator(createInputValidator(v.object({ page: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)), 1) })))
  .handler(({ data: { page }, context: { ctx } }) => {
    setResponseHeader('cache-control', 'private, no-store')
    return listOwnContributions(ctx, page)
  })
