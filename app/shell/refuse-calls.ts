import { createMiddleware } from '@tanstack/react-start'
import { AppError } from '#app/lib/app-error.ts'

/**
 * Refuses malformed server function calls. The framework reports a call that it cannot parse or find as a defect: if the function was never
 * reached, the request is at fault.
 */
export const refuseCalls = createMiddleware().server(async ({ next, context, handlerType }) => {
  if (handlerType !== 'serverFn') return next()
  const { call } = context
  if (call?.refusal) throw call.refusal
  const isUnread = (status: number) => status >= 500 && call?.hasArrived === false
  let result
  try {
    result = await next()
  } catch (error) {
    if (error instanceof Response || call?.hasArrived !== false) throw error
    throw new AppError('not-found')
  }
  if (isUnread(result.response.status)) throw new AppError('bad-request')
  return result
})
