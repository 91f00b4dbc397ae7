import { isAppError } from '#app/lib/app-error.ts'

type Reporter = (error: unknown) => void

const MAX_WAITING = 20
const waiting: unknown[] = []
let send: Reporter | undefined

/** Reports a defect where error reporting is on. Answers such as "not found" are none. Kept until the reporter is there. */
export function reportError(error: unknown): void {
  if (isAppError(error) && error.status < 500) return
  if (send) send(error)
  else if (waiting.length < MAX_WAITING) waiting.push(error)
}

/** The reporter is there: it takes what waited. */
export function setErrorReporter(reporter: Reporter): void {
  send = reporter
  for (const error of waiting.splice(0)) reporter(error)
}
