import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { startProduct } from '#tests/support/product.ts'
import { findReferences } from '#app/server/mail/return-address.ts'
import { queryAsOwner, callApi, getOwnerUrl } from '#tests/support/remote-api.ts'
import type { Fault } from './fault.ts'
import { withFaultSetup } from './setup.ts'
import { type MailServer, type Manner, startMailServer } from './smtp-server.ts'

const WELL_WITHIN_MS = 60_000
const MANNERS: readonly Manner[] = ['silent', 'slow', 'refuses-late', 'resets', 'babbles']
/** Longest time a visitor may wait for a page while a mail server misbehaves. */
const PAGE_WITHIN_MS = 5000

/**
 * The mail service is slow, lies or hangs up. Nobody waits for it, no email counts as sent unless it was accepted, and each one arrives
 * once the service is back.
 */
export const mailService: Fault = {
  name: 'mail service',
  run: () =>
    withFaultSetup(async ({ dataDir, settings }) => {
      const server = await startMailServer()
      const product = await startProduct({ ...settings, SMTP_URL: server.url })
      const url = getOwnerUrl(dataDir)
      const seen: string[] = []
      try {
        await queryAsOwner(url, 'delete from outbox_mails')
        for (const manner of MANNERS) seen.push(await misbehave(manner))
      } finally {
        const from = performance.now()
        assert.equal(await product.stop(), 0)
        assert.ok(performance.now() - from < 12_000, 'it stops in time whatever the mail service does')
        await server.stop()
      }
      return `no page waited, nothing counted as sent that was not taken, all arrived: ${seen.join('; ')}`

      async function misbehave(manner: Manner): Promise<string> {
        server.manner = manner
        const before = server.connections
        const email = `${manner}@people.example`
        const attributes = { email, login: 'Ana', password: 'a rather long phrase' }
        await callApi(product, 'POST', '/users', undefined, { data: { type: 'users', attributes } })
        await waitUntil(() => server.connections > before, `the mail service is asked (${manner})`)
        const asked = performance.now()
        assert.equal((await fetch(`${product.origin}/projects?q=${manner}`)).status, 200)
        assert.ok(performance.now() - asked < PAGE_WITHIN_MS, `a page waited for the mail service (${manner})`)
        await wait(2000)
        assert.deepEqual(await stateOf(email), { sent: false }, `a mail counts as sent that was not taken (${manner})`)
        server.manner = 'well'
        const well = performance.now()
        // Skips the minutes before the retry.
        await waitUntil(
          async () => {
            await queryAsOwner(url, `update outbox_mails set next_attempt_at = now() where sent_at is null and next_attempt_at > now()`)
            return (await stateOf(email)).sent
          },
          `the mail arrives once the service is well (${manner})`,
          500,
        )
        const [mail] = await queryAsOwner<{ id: string; attempts: number }>(
          url,
          'select id, attempts from outbox_mails where recipient = $1',
          [email],
        )
        assert.ok(mail)
        const arrived = countArrivals(server, mail.id)
        assert.ok(arrived >= 1, `it says sent and the service has not got it (${manner})`)
        return `${manner} (${mail.attempts} attempts, there ${Math.round((performance.now() - well) / 1000)} s later)`
      }

      async function stateOf(email: string): Promise<{ sent: boolean }> {
        const rows = await queryAsOwner<{ sent: boolean }>(
          url,
          'select sent_at is not null as sent from outbox_mails where recipient = $1',
          [email],
        )
        assert.equal(rows.length, 1, `one mail for ${email}`)
        return { sent: rows[0]?.sent ?? false }
      }
    }),
}

const countArrivals = (server: MailServer, id: string) =>
  server.taken.filter((messageId) => findReferences(messageId).some(({ mailId }) => mailId === id)).length

async function waitUntil(done: () => boolean | Promise<boolean>, what: string, every = 100): Promise<void> {
  const deadline = performance.now() + WELL_WITHIN_MS
  while (!(await done())) {
    assert.ok(performance.now() < deadline, `not within ${WELL_WITHIN_MS / 1000} s: ${what}`)
    await wait(every)
  }
}
