import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseDown } from '../db/database-down.ts'

type GiveBack = () => Promise<void>

/** What each request that is being answered has counted so far, by its id. */
const counted = new Map<string, GiveBack[]>()

const AGAIN_MS = 1000
const TRIES = 120

/** Notes that a request has counted an attempt. Jobs have no answer, so nothing is noted of theirs. */
export const noteAttempt = (requestId: string, giveBack: GiveBack): void => void counted.get(requestId)?.push(giveBack)

/**
 * Answers a request, and gives its attempts back if the answer is that we are unavailable: it was our fault that nothing came of them. If the
 * database is away too, that happens once it is back.
 */
export async function countUnlessUnavailable<Answer>(
  requestId: string,
  answer: () => Promise<Answer>,
  isUnavailable: (answer: Answer) => boolean,
): Promise<Answer> {
  const own: GiveBack[] = []
  counted.set(requestId, own)
  try {
    const answered = await answer()
    if (isUnavailable(answered)) await Promise.all(own.map(giveBackNowOrLater))
    return answered
  } finally {
    counted.delete(requestId)
  }
}

async function giveBackNowOrLater(giveBack: GiveBack): Promise<void> {
  try {
    await giveBack()
  } catch (error) {
    if (!isDatabaseDown(error)) throw error
    void giveBackLater(giveBack)
  }
}

async function giveBackLater(giveBack: GiveBack): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    await wait(AGAIN_MS, undefined, { ref: false })
    const isDone = await giveBack().then(
      () => true,
      (error: unknown) => !isDatabaseDown(error),
    )
    if (isDone) return
  }
}
