import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { toNewsletterContent } from '#app/features/campaigns/newsletters/newsletters.schema.ts'
import { startProduct } from '#tests/support/product.ts'
import { MAILS_IN_HAND } from '#app/server/mail/deliver.ts'
import { findReferences } from '#app/server/mail/return-address.ts'
import { queryAsOwner, callApi, getOwnerUrl, signInForToken } from '#tests/support/remote-api.ts'
import type { Fault } from './fault.ts'
import { withFaultSetup } from './setup.ts'
import { startMailServer } from './smtp-server.ts'

const READERS = 6000
/** Kill the product at each of these numbers of prepared and of accepted emails. */
const KILLED_AT = { prepared: 1, taken: [300, 1500, 3000] }
const WELL_WITHIN_MS = 300_000
const SUBJECT = { en: 'Winter', 'fr-CA': 'Hiver' }

type Newsletter = {
  data: { attributes: { status: string; counts: Record<'prepared' | 'waiting' | 'accepted' | 'failed' | 'skipped', number> } }
}

/**
 * The product is killed while it prepares and while it sends a newsletter. Everybody gets it, nobody twice, and the counts match what was
 * accepted.
 */
export const newsletterKills: Fault = {
  name: 'kill -9 under a newsletter',
  run: () =>
    withFaultSetup(async ({ dataDir, settings }) => {
      const server = await startMailServer()
      const sending = { ...settings, SMTP_URL: server.url }
      let product = await startProduct(sending)
      try {
        await queryAsOwner(getOwnerUrl(dataDir), 'delete from outbox_mails')
        await addReaders(getOwnerUrl(dataDir))
        let token = await signInForToken(product, 'site.admin@riverbend.example')
        const body = { en: 'The **paths** are cleared.', 'fr-CA': 'Les sentiers sont dégagés.' }
        const content = toNewsletterContent([{ id: 'b_paths', type: 'rich_text', body }])
        const attributes = { name: 'Chaos', subjectTranslations: SUBJECT, content }
        const made = await callApi<{ data: { id: string } }>(product, 'POST', '/newsletters', token, {
          data: { type: 'newsletters', attributes },
        })
        const { id } = made.data
        const relationships = { campaign: { data: { type: 'newsletters', id } } }
        await callApi(product, 'POST', '/newsletter-sendings', token, { data: { type: 'newsletter-sendings', relationships } })
        const written = async () => {
          const [counted] = await queryAsOwner<{ total: number }>(
            getOwnerUrl(dataDir),
            'select count(*)::int total from outbox_mails where campaign_id = $1',
            [id],
          )
          return counted?.total ?? 0
        }
        const kill = async () => {
          product.process.kill('SIGKILL')
          await product.ended
          product = await startProduct({ ...sending, PORT: String(product.port) })
        }
        await waitUntil(async () => (await written()) >= KILLED_AT.prepared, 'its mails are being written')
        await kill()
        for (const count of KILLED_AT.taken) {
          await waitUntil(() => server.taken.length >= count, `${count} mails are taken`)
          await kill()
        }
        token = await signInForToken(product, 'site.admin@riverbend.example')
        const counts = await waitUntilDone()
        const rows = await queryAsOwner<{ id: string; sent: boolean; fault: string | null; user_id: string }>(
          getOwnerUrl(dataDir),
          'select id, sent_at is not null as sent, fault, user_id from outbox_mails where campaign_id = $1',
          [id],
        )
        const taken = new Map<string, number>()
        for (const messageId of server.taken) {
          const mail = findReferences(messageId)[0]?.mailId ?? ''
          taken.set(mail, (taken.get(mail) ?? 0) + 1)
        }
        for (const row of rows) {
          const times = taken.get(row.id) ?? 0
          assert.ok(times <= 1, `mail ${row.id} was taken ${times} times`)
          if (row.sent) assert.equal(times, 1, `mail ${row.id} counts as sent and was not taken`)
          else assert.equal(row.fault, 'message-unknown', `mail ${row.id} is neither sent nor given up`)
        }
        assert.equal(new Set(rows.map(({ user_id }) => user_id)).size, rows.length, 'one mail for each')
        assert.equal(rows.length, counts.prepared)
        assert.ok(counts.prepared >= READERS, `only ${counts.prepared} of ${READERS} were written to`)
        assert.equal(counts.accepted + counts.failed + counts.skipped, counts.prepared)
        assert.equal(counts.accepted, rows.filter(({ sent }) => sent).length)
        // Few emails are in flight at a time, so each kill leaves at most that many in doubt.
        assert.ok(counts.failed <= KILLED_AT.taken.length * MAILS_IN_HAND, `${counts.failed} mails were given up`)
        return `${counts.prepared} mails: ${counts.accepted} sent, ${counts.failed} of which nobody knows, none twice, with ${KILLED_AT.taken.length + 1} kills`

        /** Waits until nothing is in flight, skipping the minutes until a dead process's leases expire. */
        async function waitUntilDone() {
          const deadline = performance.now() + WELL_WITHIN_MS
          for (;;) {
            const { data } = await callApi<Newsletter>(product, 'GET', `/newsletters/${id}`, token)
            if (data.attributes.status === 'done') return data.attributes.counts
            assert.ok(performance.now() < deadline, `still ${data.attributes.status} with ${JSON.stringify(data.attributes.counts)}`)
            await queryAsOwner(
              getOwnerUrl(dataDir),
              `update outbox_mails set next_attempt_at = now()
               where campaign_id = $1 and sent_at is null and fault is null and next_attempt_at between now() + interval '30 seconds' and now() + interval '1 hour'
                 and (handed_at is null or handed_at < now() - interval '30 seconds')`,
              [id],
            )
            await wait(1500)
          }
        }
      } finally {
        await product.stop()
        await server.stop()
      }
    }),
}

/** Subscribers in addition to the demo's. */
const addReaders = (url: string) =>
  queryAsOwner(
    url,
    `insert into users (site_id, id, email, login, locale, email_confirmed_at, marketing_consent_at)
     select (select id from sites where slug = 'riverbend'), gen_random_uuid(), 'reader' || n || '@fault.example', 'Reader ' || n,
       case n % 3 when 0 then 'fr-CA' else 'en' end, now(), now() from generate_series(1, $1::int) n`,
    [READERS],
  )

async function waitUntil(done: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + WELL_WITHIN_MS
  while (!(await done())) {
    assert.ok(performance.now() < deadline, `not within ${WELL_WITHIN_MS / 1000} s: ${what}`)
    await wait(50)
  }
}
