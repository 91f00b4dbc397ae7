import { setTimeout as wait } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { toNewsletterContent } from '#app/features/campaigns/newsletters/newsletters.schema.ts'
import { findReferences } from '#app/server/mail/return-address.ts'
import { startMailServer } from '#tests/faults/smtp-server.ts'
import { queryAsOwner, callApi } from '#tests/support/remote-api.ts'
import { readMemoryMb } from './city-data.ts'
import type { BenchSetup } from './setup.ts'
import { type Measurement, computeMedian, roundTo } from './measurement.ts'

const READERS = 100_000
const SHORT_READERS = 3000
const PREPARED_WITHIN_SECONDS = 30
/** Maximum growth from a cold start, so it includes warming up. */
const GROWN_AT_MOST_MB = 300
/** Time limit; anything left then is abandoned, counted and reported as a fault. */
const SENDING_WITHIN_SECONDS = 1500
/** Memory is steady if the last quarter of the sending needs at most this much more than the second quarter. */
const STEADY_MB = 100
/** Emails sent by bare nodemailer, for comparison. */
const BARE_MAILS = 1000
const SUBJECT = { en: 'Autumn on the river', 'fr-CA': 'L’automne sur la rivière' }
const BODY = {
  en: 'Hello {{name}}, the **plan** is on show. '.repeat(20),
  'fr-CA': 'Bonjour {{name}}, le **plan** est à voir. '.repeat(20),
}

type Newsletter = {
  data: { id: string; attributes: { status: string; counts: Record<'prepared' | 'waiting' | 'accepted' | 'failed' | 'skipped', number> } }
}

/** A newsletter to everybody on a large site, from pressing the button to the final count, sent to an SMTP server on this machine. */
export const newsletter: Measurement = {
  name: 'newsletter',
  run: async (ground) => {
    const readers = ground.short ? SHORT_READERS : READERS
    const server = await startMailServer()
    ground.settings['SMTP_URL'] = server.url
    await ground.restart()
    const { product, administrator: token } = ground
    try {
      // Otherwise the emails in the demo's outbox would be sent first.
      await queryAsOwner(ground.databaseUrl, 'delete from outbox_mails')
      await addReaders(ground, readers)
      const content = toNewsletterContent([{ id: 'b_plan', type: 'rich_text', body: BODY }])
      const attributes = { name: 'Bench', subjectTranslations: SUBJECT, content }
      const made = await callApi<Newsletter>(product, 'POST', '/newsletters', token, { data: { type: 'newsletters', attributes } })
      const { id } = made.data
      const read = async () => (await callApi<Newsletter>(product, 'GET', `/newsletters/${id}`, token)).data.attributes
      const atRest = readMemoryMb(product.process.pid)
      const memories: number[] = []
      const look = async () => {
        await wait(1000)
        memories.push(readMemoryMb(product.process.pid))
        return read()
      }
      const relationships = { campaign: { data: { type: 'newsletters', id } } }
      await callApi(product, 'POST', '/newsletter-sendings', token, { data: { type: 'newsletter-sendings', relationships } })
      let state = await look()
      while (state.status === 'scheduled') state = await look()
      const begun = performance.now()
      while (state.status === 'preparing') state = await look()
      const prepareSeconds = (performance.now() - begun) / 1000
      const from = { at: performance.now(), taken: server.taken.length, sample: memories.length }
      const steps = new Set<number>()
      while (state.counts.waiting > 0 && performance.now() - from.at < SENDING_WITHIN_SECONDS * 1000)
        steps.add((state = await look()).counts.accepted)
      const sendingSeconds = (performance.now() - from.at) / 1000
      const perSecond = (server.taken.length - from.taken) / sendingSeconds
      const late = state.counts.waiting
      if (late > 0) await giveUp(ground, id)
      while (state.counts.waiting > 0 || state.status === 'sending') state = await look()
      const barePerSecond = await measureBareMails(server.url)
      const { prepared, accepted, failed, skipped } = state.counts
      const whileSending = memories.slice(from.sample)
      const quarter = Math.max(1, Math.floor(whileSending.length / 4))
      const [early, atEnd] = [computeMedian(whileSending.slice(quarter, 2 * quarter)), computeMedian(whileSending.slice(-quarter))]
      const peak = Math.max(...memories)
      const taken = server.taken.flatMap((messageId) => findReferences(messageId).map(({ mailId }) => mailId))
      const twice = taken.length - new Set(taken).size
      return {
        summary: `A newsletter to ${prepared} people through a mail server on this machine; sending against the same server given mails of that size by bare nodemailer over one connection`,
        ratios: { sending: roundTo(perSecond / barePerSecond) },
        values: {
          prepared,
          prepareSeconds: roundTo(prepareSeconds, 1),
          sendingSeconds: roundTo(sendingSeconds, 1),
          sendingSteps: steps.size,
          sentPerSecond: roundTo(perSecond, 0),
          barePerSecond: roundTo(barePerSecond, 0),
          accepted,
          failed,
          skipped,
          takenByService: taken.length,
          connections: server.connections,
          restMb: atRest,
          sendingEarlyMb: early,
          sendingLateMb: atEnd,
          peakMb: peak,
        },
        faults: [
          ...(prepared < readers ? [`only ${prepared} mails were prepared`] : []),
          ...(prepareSeconds > PREPARED_WITHIN_SECONDS ? [`preparing took ${roundTo(prepareSeconds, 1)} s`] : []),
          ...(accepted + failed + skipped === prepared ? [] : [`${accepted} + ${failed} + ${skipped} is not ${prepared}`]),
          ...(late > 0 ? [`${late} mails were not sent in ${SENDING_WITHIN_SECONDS} s`] : []),
          ...(taken.length === accepted ? [] : [`${accepted} mails count as accepted, and the server took ${taken.length}`]),
          ...(twice > 0 ? [`${twice} mails were sent twice`] : []),
          ...(peak - atRest > GROWN_AT_MOST_MB ? [`the process grew by ${peak - atRest} MB`] : []),
          ...(atEnd - early > STEADY_MB ? [`the process grew by ${atEnd - early} MB while it sent`] : []),
        ],
      }
    } finally {
      delete ground.settings['SMTP_URL']
      await ground.restart()
      await server.stop()
    }
  },
}

/** Subscribers in addition to the demo's. */
async function addReaders({ databaseUrl }: BenchSetup, count: number): Promise<void> {
  await queryAsOwner(
    databaseUrl,
    `insert into users (site_id, id, email, login, locale, email_confirmed_at, marketing_consent_at)
     select (select id from sites where slug = 'riverbend'), gen_random_uuid(), 'letter' || n || '@bench.example', 'Reader ' || n,
       case n % 3 when 0 then 'fr-CA' else 'en' end, now(), now() from generate_series(1, $1::int) n`,
    [count],
  )
  await queryAsOwner(databaseUrl, 'analyze users')
}

async function giveUp({ product, administrator }: BenchSetup, id: string): Promise<void> {
  const answer = await fetch(`${product.origin}/api/v2/newsletter-sendings/${id}`, {
    method: 'DELETE',
    headers: { accept: 'application/vnd.api+json', 'x-api-token': `Bearer ${administrator}` },
  })
  if (!answer.ok) throw new Error(`Giving up was answered with ${answer.status}`)
}

/** @returns similar emails per second that the server accepts without the product */
async function measureBareMails(url: string): Promise<number> {
  const transport = createTransport({ url, pool: true, maxConnections: 1, maxMessages: Infinity })
  const from = performance.now()
  for (let count = 0; count < BARE_MAILS; count++) {
    await transport.sendMail({
      from: 'bench@parley.example',
      to: 'reader@bench.example',
      subject: SUBJECT.en,
      text: BODY.en,
      html: `<p>${BODY.en}</p>`.repeat(2),
      messageId: `<bare${count}@parley.example>`,
    })
  }
  const seconds = (performance.now() - from) / 1000
  transport.close()
  return BARE_MAILS / seconds
}
