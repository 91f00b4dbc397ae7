import { isAppError } from '#app/lib/app-error.ts'

type Reporter = (error: unknown) => void

const MAX_WAITING = 20
const waiting: unknown[] = []
let send: Reporter | undefined

/** Reports a defect if error reporting is on; an answer such as "not found" is not a defect. Buffered until the reporter has loaded. */
export function reportError(error: unknown): void {
  if (isAppError(error) && error.status < 500) return
  if (send) send(error)
  else if (waiting.length < MAX_WAITING) waiting.push(error)
}

/** Called once the reporter has loaded: flushes the buffer. */
export function setErrorReporter(reporter: Reporter): void {
  send = reporter
  for (const error of waiting.splice(0)) reporter(error)
}
