import { describe, expect, test } from 'vitest'
import { sendPatiently } from './fuzz.ts'
import type { Answer } from './send-over.ts'

const answer = (status: number, retryAfter?: string): Answer => ({
  status,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  text: '',
})

/** @param answers in their order; the last is repeated */
async function sendAndCount(answers: Answer[]) {
  let sent = 0
  let postponed = 0
  const given = await sendPatiently(
    async () => answers[Math.min(sent++, answers.length - 1)] ?? answer(0),
    () => (postponed += 1),
  )
  return { status: given.status, sent, postponed }
}

describe('a generated request', () => {
  test('is sent again when it is told when to come back', async () => {
    expect(await sendAndCount([answer(503, '0.01'), answer(503, '0.01'), answer(200)])).toEqual({ status: 200, sent: 3, postponed: 2 })
  })

  test.each([
    ['no Retry-After', undefined],
    ['an empty one', ''],
    ['one that is no number', 'soon'],
    ['one of an hour', '3600'],
  ])('is not sent again after a 503 with %s, which is a fault', async (_, retryAfter) => {
    expect(await sendAndCount([answer(503, retryAfter), answer(200)])).toEqual({ status: 503, sent: 1, postponed: 0 })
  })

  test('that is put off again and again ends in the 503, which is a fault', async () => {
    expect(await sendAndCount([answer(503, '0.01')])).toEqual({ status: 503, sent: 6, postponed: 5 })
  })

  test('is sent once whatever else it is answered', async () => {
    for (const status of [200, 404, 429, 500]) expect(await sendAndCount([answer(status, '0.01')])).toMatchObject({ status, sent: 1 })
  })
})
