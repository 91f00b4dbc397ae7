import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { v7 } from 'uuid'
import { createResponseDocument, SENDING_HEADERS } from '#tests/support/remote-api.ts'

export interface Writers {
  /** Stops them and waits for their open requests. */
  stop: () => Promise<void>
  /** Ids in the acknowledgement log, which is on disk before the next request is sent. */
  acknowledged: () => string[]
  /** Ids that were sent but not acknowledged: the sender cannot know whether they were stored. */
  open: () => string[]
  /** Adds ids to the log that were acknowledged when sent again. */
  keep: (ids: string[]) => void
  /** Number of responses by status; `none` if there was no response. */
  statuses: Record<string, number>
  /** Full responses other than success, to check what people were told. */
  refusals: { status: number; retryAfter: string | null; body: string }[]
}

/** This many people send responses one after the other until they are stopped, each with its own id. */
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
