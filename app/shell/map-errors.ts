import { isNotFound, isRedirect } from '@tanstack/react-router'
import { createMiddleware } from '@tanstack/react-start'
import { getRequest, setResponseStatus } from '@tanstack/react-start/server'
import { recordRefusal } from '#app/features/audit/audit.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { isDatabaseDown } from '#app/server/db/database-down.ts'
import { describeError } from '#app/server/log.ts'

/** Gives an AppError its HTTP status and turns anything unknown into `internal`: logged here, never shown. */
export const mapErrors = createMiddleware({ type: 'function' }).server(async ({ next, context }) => {
  try {
    return await next()
  } catch (error) {
    if (isRedirect(error) || isNotFound(error) || error instanceof Response) throw error
    if (isAppError(error)) {
      const refused = error.code === 'forbidden' ? (context as unknown as Partial<RequestContext> | undefined)?.ctx : undefined
      if (refused) {
        const { method, url } = getRequest()
        await recordRefusal(refused, { method, path: new URL(url).pathname })
      }
      setResponseStatus(error.status)
      throw error
    }
    if (isDatabaseDown(error)) {
      setResponseStatus(503)
      throw new AppError('unavailable')
    }
    const ctx = (context as unknown as Partial<RequestContext> | undefined)?.ctx
    ctx?.runtime.log.error('server function failed', { requestId: ctx.requestId, ...describeError(error) })
    setResponseStatus(500)
    throw new AppError('internal', ctx ? { meta: { requestId: ctx.requestId } } : {})
  }
})
