import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { v7 } from 'uuid'
import { createResponseDocument, SENDING_HEADERS } from '#tests/support/remote-api.ts'

export interface Writers {
  /** Ends them, and waits for those that are waiting for an answer. */
  stop: () => Promise<void>
  /** Ids in the acknowledgement log, which is on disk before the next request is sent. */
  acknowledged: () => string[]
  /** Ids that were sent and not acknowledged: stored or not, the sender cannot know. */
  open: () => string[]
  /** Writes ids into the log that were acknowledged when they were sent again. */
  keep: (ids: string[]) => void
  /** How often each status was answered; `none` where there was no answer. */
  statuses: Record<string, number>
  /** Answers that were no success, in full, for a look at what people were told. */
  refusals: { status: number; retryAfter: string | null; body: string }[]
}

/** So many people send responses one after the other until they are stopped, each under an id of its own. */
export function startWriters(origin: string, surveyId: string, log: string, count = 40): Writers {
  const file = openSync(log, 'a')
  const ending = new AbortController()
  const open = new Set<string>()
  const statuses: Record<string, number> = {}
  const refusals: Writers['refusals'] = []
  const write = async (writer: number) => {
    while (!ending.signal.aborted) {
      const id = v7()
      open.add(id)
      const status = await sendResponse(origin, surveyId, id, writer, refusals)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status === '201' || status === '200') {
        writeSync(file, `${id}\n`)
        fsyncSync(file)
        open.delete(id)
      } else await wait(20)
    }
  }
  const done = Promise.all(Array.from({ length: count }, (_, writer) => write(writer)))
  let closed: Promise<void> | undefined
  return {
    statuses,
    refusals,
    open: () => [...open],
    keep: (ids) => appendFileSync(log, ids.map((id) => `${id}\n`).join('')),
    acknowledged: () => readFileSync(log, 'utf8').split('\n').filter(Boolean),
    stop: () => {
      closed ??= (async () => {
        ending.abort()
        await done
        closeSync(file)
      })()
      return closed
    },
  }
}

/** Sends one response. @returns the status, or `none` */
export async function sendResponse(
  origin: string,
  surveyId: string,
  id: string,
  writer = 0,
  refusals?: Writers['refusals'],
): Promise<string> {
  try {
    const answer = await fetch(`${origin}/api/v2/responses`, {
      method: 'POST',
      headers: { ...SENDING_HEADERS, 'x-forwarded-for': `10.0.${writer >> 8}.${writer & 255}` },
      body: JSON.stringify(createResponseDocument(surveyId, id)),
      signal: AbortSignal.timeout(30_000),
    })
    const body = await answer.text()
    if (!answer.ok) refusals?.push({ status: answer.status, retryAfter: answer.headers.get('retry-after'), body })
    return String(answer.status)
  } catch {
    return 'none'
  }
}
