import { isNotFound, isRedirect } from '@tanstack/react-router'
import { createMiddleware } from '@tanstack/react-start'
import { getRequest, setResponseStatus } from '@tanstack/react-start/server'
import { recordRefusal } from '#app/features/audit/audit.server.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { toErrorCode } from '#app/server/db/error-code.ts'
import { describeError } from '#app/server/log.ts'
import type { RequestContext } from '#app/server/request-context.ts'

/** Sets an AppError's HTTP status; anything unknown becomes `internal` or a database error's code: logged here, never shown. */
export const mapErrors = createMiddleware({ type: 'function' }).server(async ({ next, context }) => {
  const { ctx, call } = (context ?? {}) as unknown as Partial<RequestContext>
  if (call) call.hasArrived = true
  try {
    return await next()
  } catch (error) {
    if (isRedirect(error) || isNotFound(error) || error instanceof Response) throw error
    if (isAppError(error)) {
      if (ctx && error.code === 'forbidden') {
        const { method, url } = getRequest()
        await recordRefusal(ctx, { method, path: new URL(url).pathname })
      }
      setResponseStatus(error.status)
      throw error
    }
    const code = toErrorCode(error)
    if (code !== 'unavailable')
      ctx?.runtime.log[code === 'internal' ? 'error' : 'warn']('server function failed', {
        requestId: ctx.requestId,
        ...describeError(error),
      })
    const mapped = new AppError(code, ctx && code === 'internal' ? { meta: { requestId: ctx.requestId } } : {})
    setResponseStatus(mapped.status)
    throw mapped
  }
})
