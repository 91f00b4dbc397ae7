import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start'
import { setResponseStatus } from '@tanstack/react-start/server'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { describeError } from '#app/server/log.ts'

/** An unknown error as people may see it. On the server it is described in the log, under the request's id. */
export const hideFault = createIsomorphicFn()
  .server((error: unknown): AppError => {
    const ctx = getGlobalStartContext()?.ctx
    // What a query holds back under this word was logged where it was thrown.
    const level = error instanceof Error && error.message === 'redacted' ? 'debug' : 'error'
    ctx?.runtime.log[level]('page failed', { requestId: ctx.requestId, ...describeError(error) })
    return new AppError('internal', ctx ? { meta: { requestId: ctx.requestId } } : {})
  })
  .client((): AppError => new AppError('internal'))

const getCurrentRequestId = createIsomorphicFn()
  .server((): string | undefined => getGlobalStartContext()?.ctx.requestId)
  .client((): string | undefined => undefined)

/** The request in whose log lines a fault of ours is described, to be told to the people who ran into it. */
export function findRequestId(error: unknown): string | undefined {
  if (!isAppError(error)) return getCurrentRequestId()
  const id = error.meta?.['requestId']
  return typeof id === 'string' ? id : undefined
}

interface SettledMatch {
  status: string
  error?: unknown
}

/** Answers with the HTTP status of what went wrong on a page: an AppError that was thrown outside of a server function has its own. */
export const setStatusFromMatches = createIsomorphicFn().server((matches: readonly SettledMatch[]): void => {
  const failed = matches.find((match) => match.status === 'error')
  if (failed && isAppError(failed.error)) setResponseStatus(failed.error.status)
})
