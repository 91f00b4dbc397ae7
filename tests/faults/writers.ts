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

/** Sends one thing under an id, as one of many people. @returns the status, or `none` */
type Send = (id: string, writer: number, refusals: Writers['refusals']) => Promise<string>

/** This many people send responses one after the other until they are stopped, each with its own id. */
export const startWriters = (origin: string, surveyId: string, log: string, count = 40): Writers =>
  startSending(log, count, (id, writer, refusals) => sendResponse(origin, surveyId, id, writer, refusals))

/** The same for anything that is sent under an id of the sender. */
export function startSending(log: string, count: number, send: Send): Writers {
  const file = openSync(log, 'a')
  const ending = new AbortController()
  const open = new Set<string>()
  const statuses: Record<string, number> = {}
  const refusals: Writers['refusals'] = []
  const write = async (writer: number) => {
    while (!ending.signal.aborted) {
      const id = v7()
      open.add(id)
      const status = await send(id, writer, refusals)
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
export const sendResponse = (origin: string, surveyId: string, id: string, writer = 0, refusals?: Writers['refusals']): Promise<string> =>
  sendDocument(`${origin}/api/v2/responses`, { method: 'POST', document: createResponseDocument(surveyId, id), writer, refusals })

interface Sent {
  method: 'POST' | 'PUT'
  document: object
  /** Who sends it: everyone has an address of their own. */
  writer: number
  /** The token of their session. */
  bearer?: string | undefined
  refusals?: Writers['refusals'] | undefined
}

/** Sends a document to the API. @returns the status, or `none` */
export async function sendDocument(url: string, { method, document, writer, bearer, refusals }: Sent): Promise<string> {
  try {
    const answer = await fetch(url, {
      method,
      headers: {
        ...SENDING_HEADERS,
        ...(bearer && { 'x-api-token': `Bearer ${bearer}` }),
        'x-forwarded-for': `10.0.${writer >> 8}.${writer & 255}`,
      },
      body: JSON.stringify(document),
      signal: AbortSignal.timeout(30_000),
    })
    const body = await answer.text()
    if (!answer.ok) refusals?.push({ status: answer.status, retryAfter: answer.headers.get('retry-after'), body })
    return String(answer.status)
  } catch {
    return 'none'
  }
}
