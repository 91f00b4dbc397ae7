import { createServerFn } from '@tanstack/react-start'
import { setResponseStatus } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { isAppError } from '#app/lib/app-error.ts'
import { createInputValidator, noInput } from '#app/lib/validate.ts'
import { loadLinkedMails, readFollows as readFollowsOf } from './follows.server.ts'

/** What the emailed link would end; null with status 410 if the link is invalid. */
export const readFollow = createServerFn()
  .validator(createInputValidator(v.object({ token: v.string() })))
  .handler(async ({ data, context }) => {
    try {
      return await loadLinkedMails(context.ctx, data.token)
    } catch (error) {
      if (!isAppError(error, 'link-expired')) throw error
      setResponseStatus(410)
      return null
    }
  })

export const readFollows = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readFollowsOf(context.ctx))
