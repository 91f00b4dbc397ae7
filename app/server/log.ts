const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
type Level = (typeof LEVELS)[number]

export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** One JSON object a line on standard output. Never pass tokens, passwords, answers or e-mail addresses as fields. */
export function createLogger(level: Level, write: (line: string) => void = (line) => process.stdout.write(line)): Logger {
  const from = LEVELS.indexOf(level)
  const at =
    (name: Level) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      if (LEVELS.indexOf(name) < from) return
      write(`${JSON.stringify({ time: new Date().toISOString(), level: name, message, ...fields })}\n`)
    }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/**
 * What of an unknown thrown value is safe and useful in a log line. Drizzle's own message repeats the values of the query, which may be
 * personal: what it wraps says what went wrong.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) }
  const failedQuery = error.message.startsWith('Failed query:')
  if (failedQuery && error.cause instanceof Error)
    return { ...describeError(error.cause), query: /^Failed query: (\w+ [^(]{0,60})/.exec(error.message)?.[1] }
  return { error: failedQuery ? 'Failed query' : error.message, stack: error.stack, ...('code' in error ? { code: error.code } : {}) }
}
