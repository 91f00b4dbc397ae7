import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start'
import { setResponseStatus } from '@tanstack/react-start/server'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { describeError } from '#app/server/log.ts'

/** An unknown error as people may see it. On the server, its details go to the log with the request id. */
export const hideFault = createIsomorphicFn()
  .server((error: unknown): AppError => {
    const ctx = getGlobalStartContext()?.ctx
    // A query's redacted error was logged where it was thrown.
    const level = error instanceof Error && error.message === 'redacted' ? 'debug' : 'error'
    ctx?.runtime.log[level]('page failed', { requestId: ctx.requestId, ...describeError(error) })
    return new AppError('internal', ctx ? { meta: { requestId: ctx.requestId } } : {})
  })
  .client((): AppError => new AppError('internal'))

const getCurrentRequestId = createIsomorphicFn()
  .server((): string | undefined => getGlobalStartContext()?.ctx.requestId)
  .client((): string | undefined => undefined)

/** The request id whose log lines describe the error, to show to people who ran into it. */
export function findRequestId(error: unknown): string | undefined {
  if (!isAppError(error)) return getCurrentRequestId()
  const id = error.meta?.['requestId']
  return typeof id === 'string' ? id : undefined
}

interface SettledMatch {
  status: string
  error?: unknown
}

/** Sets the HTTP status of a page that failed: an AppError thrown outside a server function has its own. */
export const setStatusFromMatches = createIsomorphicFn().server((matches: readonly SettledMatch[]): void => {
  const failed = matches.find((match) => match.status === 'error')
  if (failed && isAppError(failed.error)) setResponseStatus(failed.error.status)
})
