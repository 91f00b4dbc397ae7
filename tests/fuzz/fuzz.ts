import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { createFaultFinder } from './answer-faults.ts'
import type { FuzzGround } from './ground.ts'
import { type Actor, createRequests, type FuzzRequest, getHome } from './requests.ts'
import { type Answer, sendOver } from './send-over.ts'

/** So many requests are on their way at once. */
const AT_ONCE = 8
/** How often a request that is told to come back later is sent again. */
const MAX_REPEATS = 5
/** A Retry-After longer than this is a fault. */
const MAX_WAIT_SECONDS = 60

export interface FuzzReport {
  sent: number
  /** How many times a request was told to come back later (503 with Retry-After), and was sent again. */
  postponed: number
  /** How many had which first digit of status, by kind of request, e.g. `api 2xx`. */
  statuses: Record<string, number>
  /** The smallest request that shows it, with what was wrong. */
  defect?: string
}

/** Sends generated requests, and shrinks the first of them that is answered as none should be. */
export async function fuzzProduct(ground: FuzzGround, { seed, requests }: { seed: number; requests: number }): Promise<FuzzReport> {
  const findFault = createFaultFinder(ground)
  const report: FuzzReport = { sent: 0, postponed: 0, statuses: {} }
  const hasEnded = new Set<Actor>()
  const property = fc.asyncProperty(fc.array(createRequests(ground), { minLength: AT_ONCE, maxLength: AT_ONCE }), async (batch) => {
    for (const actor of hasEnded) ground.tokens[actor] = await ground.openSession(actor)
    hasEnded.clear()
    const answers = await Promise.allSettled(
      batch.map((request) =>
        sendPatiently(
          () => sendRequest(ground, request),
          () => (report.postponed += 1),
        ),
      ),
    )
    for (const [at, result] of answers.entries()) {
      const request = batch[at]
      if (!request) continue
      if (result.status === 'rejected') throw new Error(`${describeRequest(request)}: ${String(result.reason)}`)
      report.sent += 1
      if (result.value.status === 401 && request.site === getHome(request.actor)) hasEnded.add(request.actor)
      const kind = `${request.kind} ${String(result.value.status)[0]}xx`
      report.statuses[kind] = (report.statuses[kind] ?? 0) + 1
      const fault = findFault(request, result.value)
      if (fault) throw new Error(`${describeRequest(request)}: ${fault}`)
    }
  })
  const result = await fc.check(property, { seed, numRuns: Math.ceil(requests / AT_ONCE) })
  if (result.failed) report.defect = `seed ${seed}: ${String(result.errorInstance)}`
  return report
}

/**
 * Sends again when an overloaded product asks for it. A 503 that does not say when to come back, or that comes again and again, is
 * returned as it is, and is a fault.
 */
export async function sendPatiently(send: () => Promise<Answer>, onPostponed: () => void): Promise<Answer> {
  for (let repeats = 0; ; repeats++) {
    const answer = await send()
    const seconds = Number(answer.headers['retry-after'])
    if (answer.status !== 503 || !(seconds > 0 && seconds <= MAX_WAIT_SECONDS) || repeats === MAX_REPEATS) return answer
    onPostponed()
    await wait(seconds * 1000)
  }
}

export function sendRequest(ground: FuzzGround, { kind, actor, site, method, path, headers, body }: FuzzRequest): Promise<Answer> {
  const host = `${ground.sites[site].host}:${ground.port}`
  const token = ground.tokens[actor]
  const proof: Record<string, string> = !token
    ? {}
    : kind === 'api'
      ? { 'x-api-token': `Bearer ${token}` }
      : { cookie: [`token=${token}`, headers['cookie'] ?? []].flat().join('; ') }
  return sendOver(ground.agent, ground.port, {
    method,
    path,
    body,
    headers: { origin: `http://${host}`, ...headers, ...proof, host },
  })
}

const describeRequest = ({ actor, site, method, path, headers, body }: FuzzRequest): string =>
  JSON.stringify({
    actor,
    site,
    method,
    path,
    headers: { ...headers, cookie: undefined, 'x-api-token': undefined },
    body: body.slice(0, 2000),
  })
