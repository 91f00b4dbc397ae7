import { sweepAccounts } from '../features/accounts/sweep.server.ts'
import { describeError } from '../server/log.ts'
import { deliverMails } from '../server/mail/deliver.ts'
import type { Runtime } from '../server/runtime.ts'

const MAILS_EVERY_MS = 10_000
const SWEEP_EVERY_MS = 6 * 3_600_000

/**
 * What a process does besides answering: sends the mails that wait, and removes what has run out. Any number of processes may do so
 * at once: a mail is claimed before it is sent, and sweeping twice sweeps nothing.
 */
export function startChores(runtime: Runtime): { stop: () => Promise<void> } {
  const chores = [
    every(MAILS_EVERY_MS, () => deliverMails(runtime), runtime),
    every(SWEEP_EVERY_MS, () => sweepAccounts(runtime.database, runtime.now()), runtime),
  ]
  return {
    stop: async () => {
      await Promise.all(chores.map((chore) => chore.stop()))
    },
  }
}

/** Waits for one round to end before it counts towards the next. */
function every(ms: number, work: () => Promise<unknown>, runtime: Runtime): { stop: () => Promise<void> } {
  let stopped = false
  let round: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const next = () => {
    timer = setTimeout(() => {
      round = work()
        .catch((error: unknown) => runtime.log.warn('a chore failed', describeError(error)))
        .finally(() => stopped || next())
    }, ms).unref()
  }
  next()
  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await round
    },
  }
}
