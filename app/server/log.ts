const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
type Level = (typeof LEVELS)[number]

export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

const BATCH_MS = 100
const BATCH_LENGTH = 16_384
let waiting = ''
let timer: NodeJS.Timeout | undefined

/** Writes lines of requests together: a system call for each would cost as much as a stored page. Warnings and errors go out at once. */
function writeInBatches(line: string, level: Level): void {
  waiting += line
  if (level === 'warn' || level === 'error' || waiting.length > BATCH_LENGTH) flushLines()
  else timer ??= setTimeout(flushLines, BATCH_MS).unref()
}

function flushLines(): void {
  clearTimeout(timer)
  timer = undefined
  const lines = waiting
  waiting = ''
  if (lines) process.stdout.write(lines)
}

process.on('exit', flushLines)

/** Logs one JSON object per line to standard output. Never pass user input or an error's message as a field: see `describeError`. */
export function createLogger(level: Level, write: (line: string, level: Level) => void = writeInBatches): Logger {
  const from = LEVELS.indexOf(level)
  const logAt =
    (name: Level) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      if (LEVELS.indexOf(name) < from) return
      write(`${JSON.stringify({ time: new Date().toISOString(), level: name, message, ...fields })}\n`, name)
    }
  return { debug: logAt('debug'), info: logAt('info'), warn: logAt('warn'), error: logAt('error') }
}

/**
 * The parts of an unknown thrown value that are safe to log: the kind of error, where it was thrown and what caused it. Messages of
 * validators, parsers, PostgreSQL and Drizzle may repeat client input, so messages are left out unless they are our own.
 */
export function describeError(thrown: unknown, depth = 0): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { error: `a thrown ${typeof thrown}` }
  const words = findSafeMessage(thrown)
  const { name, cause } = thrown
  // Nothing is wrong with the code that asked.
  if (name === 'DatabaseAway' && 'code' in thrown) return { error: name, code: thrown.code }
  const facts: Record<string, unknown> = { error: words ?? (ERROR_NAME.test(name) ? name : 'Error'), stack: extractStackFrames(thrown) }
  for (const key of ERROR_FIELDS) {
    const fact: unknown = key in thrown ? thrown[key as keyof Error] : undefined
    if (typeof fact === 'string' && SAFE_VALUE.test(fact)) facts[key] = fact
  }
  const query = /^Failed query: (\w+ [^('$]{0,60})/.exec(thrown.message)?.[1]
  if (query) facts['query'] = query
  if (cause !== undefined && depth < DEEPEST_CAUSE) facts['cause'] = describeError(cause, depth + 1)
  return facts
}

const ERROR_NAME = /^[A-Za-z]{1,40}$/
/** Fields of system errors, PostgreSQL errors and AppErrors: names that a program chose, never values. */
const ERROR_FIELDS = ['code', 'syscall', 'schema', 'table', 'column', 'constraint', 'routine']
const SAFE_VALUE = /^[\w-]{1,80}$/
const DEEPEST_CAUSE = 3
/** Messages of the JavaScript engine and the database driver that quote nothing. */
const KNOWN_MESSAGES =
  /^(Cannot (read|set) properties of (undefined|null)|Cannot convert undefined or null to object|Maximum call stack size exceeded|Invalid (array|string) length|Connection terminated( unexpectedly| due to connection timeout)?|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after calling end)/
/** PostgreSQL states about connections, permissions, resources and timeouts, never about values. */
const STATE_WITHOUT_VALUES = /^(08|25|28|40|53|55|57|58)...$|^42501$/

/** The message if it holds no values: a sentence of our own, cut where something may be quoted. */
function findSafeMessage(error: Error): string | undefined {
  const { message } = error
  const code = 'code' in error ? String(error.code) : undefined
  if (code !== undefined && STATE_WITHOUT_VALUES.test(code)) return message.slice(0, 200)
  const known = KNOWN_MESSAGES.exec(message)
  if (known) return known[0]
  if (error.name !== 'Error' || code !== undefined || 'issues' in error) return undefined
  return /^[\p{L}\d ,’-]{1,120}/u.exec(message)?.[0].trim() || undefined
}

const STACK_FRAME = /^ {4}at (?:[\w$.<>[\] #]+ \()?(?:file:\/\/\/|node:|\/)[^\s()]+:\d+:\d+\)?$/

/** The stack without the message it starts with. */
function extractStackFrames({ stack = '', message }: Error): string[] {
  const at = message ? stack.indexOf(message) : -1
  return (at < 0 ? stack : stack.slice(at + message.length))
    .split('\n')
    .filter((line) => STACK_FRAME.test(line))
    .slice(0, 12)
    .map((line) => line.trim())
}
