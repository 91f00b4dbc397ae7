import { describeError, type Logger } from '../server/log.ts'

/**
 * Libraries report what they caught by `console.error`, whole: with the values of a failed query, or the words of somebody's form. From
 * now on such a report is a line of our own log, which holds neither: it says what kind of error it was and where it comes from. A client
 * that went away is not worth one.
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
