import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import { noInput } from '#app/lib/validate.ts'
import { listOwnNotifications } from './notifications.server.ts'

/** What happened to what the viewer sent to activities. */
export const readOwnNotifications = createServerFn()
  .validator(noInput)
  .handler(({ context: { ctx } }) => {
    setResponseHeader('cache-control', 'private, no-store')
    return listOwnNotifications(ctx)
  })
