import { describeError, type Logger } from '../server/log.ts'

/**
 * Libraries pass caught errors to `console.error` whole, including the values of a failed query or somebody's form input. This redirects
 * such reports to our own log, without values: what kind of error it was and where it was thrown. Clients that disconnected are not logged.
 */
export function redirectConsoleToLog(log: Logger): () => void {
  const { error, warn } = console
  const report =
    (level: 'error' | 'warn') =>
    (...words: unknown[]) => {
      const thrown = words.find((word) => word instanceof Error)
      if (thrown && isClientGone(thrown)) return
      log[level]('reported by a library', describeError(thrown ?? new Error('')))
    }
  Object.assign(console, { error: report('error'), warn: report('warn') })
  return () => void Object.assign(console, { error, warn })
}

const isClientGone = (error: Error) =>
  error.name === 'AbortError' || (error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET')
