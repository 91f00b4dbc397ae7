import { createServerFn } from '@tanstack/react-start'
import { setResponseStatus } from '@tanstack/react-start/server'
import * as v from 'valibot'
import { isAppError } from '#app/lib/app-error.ts'
import { createInputValidator, noInput } from '#app/lib/validate.ts'
import { loadEmailFollow, loadFollowTarget } from './email-follows.server.ts'
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

/** The page that follows a project: for a project's slug, or for the link that was emailed; null with status 410 if the link is invalid. */
export const readFollowing = createServerFn()
  .validator(createInputValidator(v.object({ project: v.optional(v.string()), token: v.optional(v.string()) })))
  .handler(async ({ data: { project, token }, context }) => {
    if (token === undefined) return { target: await loadFollowTarget(context.ctx, project ?? ''), link: null }
    try {
      return { target: null, link: await loadEmailFollow(context.ctx, token) }
    } catch (error) {
      if (!isAppError(error, 'link-expired')) throw error
      setResponseStatus(410)
      return { target: null, link: null }
    }
  })
