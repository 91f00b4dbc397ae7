import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startProduct } from '#tests/support/product.ts'
import { callApi, getOwnerUrl, queryAsOwner, signInForToken } from '#tests/support/remote-api.ts'
import { assertExactlyOnce } from './exactly-once.ts'
import type { Fault } from './fault.ts'
import { withFaultSetup } from './setup.ts'
import { startMailServer } from './smtp-server.ts'
import { startWriters } from './writers.ts'

const HOUR_MS = 3_600_000
/** Where the clock stands after each jump, in hours: forward, far back, forward again, and right. */
const JUMPS = [1, -2, 10, 0] as const
const PEOPLE = 20
const SENT_WITHIN_MS = 60_000

/**
 * The clock of the web server jumps; the database's does not. No participant's session ends, no request is refused, no answer is lost, and
 * messages that are due are sent, even after the clock was set back. An administrator's session may end: two hours without use, by the clock.
 */
export const clockJumps: Fault = {
  name: 'clock jumps',
  run: () =>
    withFaultSetup(async ({ dataDir, surveyId, settings }) => {
      const mail = await startMailServer()
      const clock = join(dataDir, '../clock')
      writeFileSync(clock, '0')
      const preload = `--import ${new URL('jumping-clock.ts', import.meta.url).href}`
      const product = await startProduct({ ...settings, SMTP_URL: mail.url, JUMPING_CLOCK: clock, NODE_OPTIONS: preload })
      const url = getOwnerUrl(dataDir)
      const writers = startWriters(product.origin, surveyId, join(dataDir, '../acknowledged'), PEOPLE)
      try {
        const token = await signInForToken(product, 'participant@riverbend.example')
        await queryAsOwner(url, 'delete from outbox_mails')
        const seen: string[] = []
        for (const [index, hours] of JUMPS.entries()) {
          writeFileSync(clock, String(hours * HOUR_MS))
          await wait(500)
          const { headers } = await fetch(`${product.origin}/projects?q=${index}`)
          assert.ok(Math.abs(Date.parse(headers.get('date') ?? '') - Date.now()) < 11 * HOUR_MS, 'it serves')
          await callApi(product, 'GET', '/current-user', token)
          const email = `clock-${index}@people.example`
          const attributes = { email, login: 'Ana', password: 'a rather long phrase' }
          await callApi(product, 'POST', '/users', undefined, { data: { type: 'users', attributes } })
          const from = performance.now()
          const isSent = async () =>
            (
              await queryAsOwner<{ sent: boolean }>(url, 'select sent_at is not null as sent from outbox_mails where recipient = $1', [
                email,
              ])
            ).some(({ sent }) => sent)
          while (!(await isSent())) {
            assert.ok(performance.now() - from < SENT_WITHIN_MS, `a mail waits although the clock is only off by ${hours} h`)
            await wait(200)
          }
          seen.push(`${hours} h: a mail sent after ${Math.round((performance.now() - from) / 100) / 10} s`)
          await wait(1500)
        }
        await writers.stop()
        assert.deepEqual(
          writers.refusals.map(({ status, body }) => `${status} ${body}`),
          [],
          'nobody is refused',
        )
        await callApi(product, 'GET', '/current-user', token)
        const { acknowledged } = await assertExactlyOnce(product, url, surveyId, writers)
        assert.deepEqual(product.output().match(/.*"level":"error".*/g) ?? [], [], 'nothing is logged as an error')
        return `${seen.join('; ')}; nobody refused, no participant signed out, ${acknowledged} acknowledged and there`
      } finally {
        await writers.stop()
        await product.stop()
        await mail.stop()
      }
    }),
}
