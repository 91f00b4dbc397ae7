import { beforeAll, beforeEach, expect, test } from 'vitest'
import { respondToRequest } from '#app/serve/respond.ts'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import type { Site } from '../site-directory.ts'
import { countAttempt } from './limits.ts'

let runtime: TestRuntime
let site: Site
const limits = [{ name: 'try', of: 'ann', most: 1, minutes: 15 }]

beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  site = await addSite(runtime, { slug: `s${crypto.randomUUID()}` })
})

/** A request for a page that counts a try and then is answered with a status. */
async function send(status: number): Promise<number> {
  const { response } = await respondToRequest(
    new Request(`http://${site.host}/sign-in`, { method: 'POST', headers: { host: site.host } }),
    runtime,
    { id: crypto.randomUUID(), address: '192.0.2.7', forEveryone: false },
    {
      handleApi: () => Promise.reject(new AppError('internal')),
      render: async (_, { ctx }) => {
        try {
          await countAttempt(ctx, limits)
          return new Response(null, { status })
        } catch (error) {
          if (!isAppError(error)) throw error
          return new Response(null, { status: error.status })
        }
      },
    },
  )
  return response.status
}

test('a try that we were unavailable for does not count: the next one is not told to wait', async () => {
  expect([await send(503), await send(503), await send(200), await send(200)]).toEqual([503, 503, 200, 429])
})

test('a try that was answered counts, whatever the answer', async () => {
  expect([await send(422), await send(200)]).toEqual([422, 429])
})
