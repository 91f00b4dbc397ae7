import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { listNumberZones } from '#app/features/sms/number-zones.ts'
import { findQuietEnd } from '#app/features/sms/quiet-hours.ts'
import { createRandom } from '#app/lib/random.ts'
import { createId } from '#app/lib/uuid.ts'
import { type Product, startProduct } from '#tests/support/product.ts'
import { queryAsOwner, callApi, getOwnerUrl, signInForToken } from '#tests/support/remote-api.ts'
import { startListener } from '#tests/support/portals/listen.ts'
import { NOTIFY, createNotifyService } from '#tests/support/sms/gov-notify-service.ts'
import { type TwilioMood, TWILIO, createTwilioService } from '#tests/support/sms/twilio-service.ts'
import type { Fault } from './fault.ts'
import { withFaultSetup } from './setup.ts'

const READERS = 240
const ANSWERING = 24
const KILLS = 3
const WELL_WITHIN_MS = 300_000
const NUMBER_PREFIXES = ['+1613', '+4477', '+6421']
/** How Twilio reacts to the next requests; after all of these it works normally. */
const TWILIO_MOODS: readonly TwilioMood[] = ['fine', 'fine', 'fine', 'busy', 'busy-for', 'down', 'silent-after', 'garbled-after', 'closes']
const HANGING = 6
const REFUSED = 7
const ANSWERS = ['WALK', '2', '4', 'yes']

type Counts = Record<'prepared' | 'waiting' | 'accepted' | 'delivered' | 'failed' | 'skipped', number>

/**
 * Two services fail in every way possible while a campaign goes out and people answer by text, and the product is killed half-way. Each
 * reader gets at most one text, every accepted text is counted, and each answer is one step.
 */
export const smsServices: Fault = {
  name: 'sms services',
  run: () =>
    withFaultSetup(async ({ dataDir, settings }) => {
      const random = createRandom('sms services')
      const [twilio, notify] = [createTwilioService(), createNotifyService()]
      const servers = await Promise.all([startListener(twilio.listener), startListener((...asked) => notify.listener(...asked))])
      const allowed = { ...settings, OUTGOING_LOOPBACK: '1' }
      let product = await startProduct(allowed)
      let url = getOwnerUrl(dataDir)
      let token = await signInForToken(product, 'site.admin@riverbend.example')
      try {
        const hook = await connectServices(product, token, servers)
        const phones = await addReaders(url)
        await queryAsOwner(url, 'delete from sms_messages')
        twilio.moods.push(
          ...random.shuffle([
            ...Array.from({ length: READERS }, () => random.pick(TWILIO_MOODS)),
            ...Array.from({ length: HANGING }, (): TwilioMood => 'hangs-after'),
            ...Array.from({ length: REFUSED }, (): TwilioMood => 'refuses-number'),
          ]),
        )
        notify.failing.push(...Array.from({ length: 40 }, (_, n) => (n % 3 === 0 ? 500 : 429)))
        notify.silentAfter = 20
        const id = await sendCampaign(product, token)
        const answering = phones.slice(0, ANSWERING)
        const told = { steps: 0, callbacks: 0 }
        const callbacks = sendAllCallbacks(() => product, hook, twilio.taken, random, told)
        const answers = Promise.all(answering.map((phone) => answerSurvey(() => product, hook, phone, told)))
        for (let count = 0; count < KILLS; count++) {
          await wait(4000 + random.int(0, 3000))
          product.process.kill('SIGKILL')
          await product.ended
          product = await startProduct({ ...allowed, PORT: String(product.port) })
          url = getOwnerUrl(dataDir)
        }
        token = await signInForToken(product, 'site.admin@riverbend.example')
        const counts = await waitUntilDone(product, token, url, id)
        await answers
        await callbacks.stop()
        await assertAnswered(url, answering)
        const taken = [...twilio.taken.map(({ to }) => to), ...notify.taken.map((one) => `+${one.phone_number.replace(/\D/g, '')}`)]
        const rows = await queryAsOwner<{ phone: string; status: string }>(
          url,
          'select phone, status from sms_messages where campaign_id = $1',
          [id],
        )
        const campaignTexts = (phone: string) =>
          twilio.taken.filter(({ to, body }) => to === phone && body.startsWith('Hello')).length +
          notify.taken.filter((one) => one.phone_number === phone && one.personalisation.message.startsWith('Hello')).length
        for (const { phone, status } of rows) {
          const times = campaignTexts(phone)
          assert.ok(times <= 1, `${phone} was sent the campaign ${times} times`)
          if (status === 'accepted' || status === 'delivered') assert.equal(times, 1, `${phone} counts as ${status} and no service has it`)
        }
        assert.equal(counts.accepted + counts.failed + counts.skipped, counts.prepared)
        assert.equal(rows.length, counts.prepared)
        assert.equal(twilio.moods.length, 0, 'Twilio failed in every way it was to')
        return `${counts.prepared} texts: ${counts.accepted} accepted (${counts.delivered} delivered), ${counts.failed} failed, none twice, with ${KILLS} kills; ${taken.length} texts taken by two services; ${told.callbacks} callbacks and ${told.steps} texts told up to three times; ${ANSWERING} people’s answers stored once each`
      } finally {
        await product.stop()
        for (const server of servers) server.close()
      }
    }),
}

/** Replaces the sandbox with both services, Twilio first. @returns the path for Twilio's status reports */
export async function connectServices(product: Product, token: string, [twilio, notify]: readonly { origin: string }[]): Promise<string> {
  type Installation = { id: string; attributes: { integration: string; hookAddress: string | null }; meta: { lockVersion: number } }
  const one = (method: string, path: string, data: object) =>
    callApi<{ data: Installation }>(product, method, path, token, { data: { type: 'installations', ...data } })
  const enable = ({ id, meta }: Installation, enabled: boolean) =>
    one('PATCH', `/installations/${id}`, { id, attributes: { enabled }, meta: { lockVersion: meta.lockVersion } })
  const installed = await callApi<{ data: Installation[] }>(product, 'GET', '/installations', token)
  for (const installation of installed.data) await enable(installation, false)
  const first = await one('POST', '/installations', {
    attributes: { integration: 'sms-twilio', settings: { ...TWILIO, address: twilio?.origin, perSecond: 40 } },
  })
  await enable(first.data, true)
  const second = await one('POST', '/installations', {
    attributes: { integration: 'sms-gov-notify', settings: { ...NOTIFY, address: notify?.origin } },
  })
  await enable(second.data, true)
  return new URL(first.data.attributes.hookAddress ?? '').pathname
}

/**
 * Replaces the demo's people with recipients who have a confirmed number and consent and are outside quiet hours right now.
 * @returns their numbers
 */
export async function addReaders(url: string): Promise<string[]> {
  const now = new Date()
  const prefix = NUMBER_PREFIXES.find((one) => !findQuietEnd(now, listNumberZones(one))) ?? '+1613'
  await queryAsOwner(url, 'delete from user_phones')
  await queryAsOwner(
    url,
    `insert into user_phones (site_id, user_id, phone, confirmed_at)
     select site_id, id, $1 || (5550000 + row_number() over (order by id))::text, now() from users
     where site_id = (select id from sites where slug = 'riverbend') and blocked_at is null and email_confirmed_at is not null limit $2`,
    [prefix, READERS],
  )
  await queryAsOwner(url, `update users set locale = 'en' where id in (select user_id from user_phones)`)
  await queryAsOwner(
    url,
    `insert into sms_consents (site_id, id, phone, user_id, given, words, language, source, at)
     select site_id, gen_random_uuid(), phone, user_id, true, 'Yes', 'en', 'account', now() from user_phones`,
  )
  return (await queryAsOwner<{ phone: string }>(url, 'select phone from user_phones order by phone')).map(({ phone }) => phone)
}

export async function sendCampaign(product: Product, token: string): Promise<string> {
  const attributes = { name: 'Chaos', bodyTranslations: { en: 'Hello {{name}}', 'fr-CA': 'Bonjour {{name}}' } }
  const { data } = await callApi<{ data: { id: string } }>(product, 'POST', '/sms-campaigns', token, {
    data: { type: 'sms-campaigns', attributes },
  })
  const relationships = { campaign: { data: { type: 'sms-campaigns', id: data.id } } }
  await callApi(product, 'POST', '/sms-sendings', token, { data: { type: 'sms-sendings', relationships } })
  return data.id
}

/** Waits until nothing is in flight, skipping the minutes until each text and each service is retried. */
async function waitUntilDone(product: Product, token: string, url: string, id: string): Promise<Counts> {
  const deadline = performance.now() + WELL_WITHIN_MS
  for (;;) {
    const { data } = await callApi<{ data: { attributes: { status: string; counts: Counts } } }>(
      product,
      'GET',
      `/sms-campaigns/${id}`,
      token,
    )
    if (data.attributes.status === 'done') return data.attributes.counts
    assert.ok(performance.now() < deadline, `still ${data.attributes.status} with ${JSON.stringify(data.attributes.counts)}`)
    await queryAsOwner(url, 'update installations set paused_until = null, health = $1 where paused_until is not null', ['failing'])
    // No request takes longer than twenty seconds: nobody still holds what was claimed before that.
    await queryAsOwner(
      url,
      `update sms_messages set next_attempt_at = now() where next_attempt_at > now() and next_attempt_at < now() + interval '95 seconds'`,
    )
    await queryAsOwner(url, `update sms_messages set next_attempt_at = now() where next_attempt_at > now() + interval '125 seconds'`)
    await wait(1500)
  }
}

const computeSignature = (address: string, form: Record<string, string>) =>
  createHmac('sha1', TWILIO.authToken)
    .update(
      address +
        Object.keys(form)
          .toSorted()
          .map((name) => name + form[name])
          .join(''),
    )
    .digest('base64')

/** Sends the product a callback like Twilio does: again and again until it is accepted. */
async function sendCallback(product: () => Product, path: string, form: Record<string, string>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const address = `http://localhost:${product().port}${path}`
    try {
      const headers = { 'x-twilio-signature': computeSignature(address, form) }
      const answer = await fetch(address, { method: 'POST', body: new URLSearchParams(form), headers })
      if (answer.ok) return
      assert.ok(answer.status >= 500 || answer.status === 404, `a signed callback was answered with ${answer.status}`)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
    }
    await wait(250)
  }
  throw new Error('nobody heard the callback')
}

/** Reports the status of each text while others are being sent: out of order, twice, late. */
function sendAllCallbacks(
  product: () => Product,
  hook: string,
  taken: readonly { sid: string }[],
  random: ReturnType<typeof createRandom>,
  told: { callbacks: number },
) {
  const ending = new AbortController()
  let next = 0
  const going = (async () => {
    while (!ending.signal.aborted || next < taken.length) {
      const batch = taken.slice(next, next + 10)
      next += batch.length
      await Promise.all(
        batch.flatMap(({ sid }) => {
          const last = random.chance(0.9) ? 'delivered' : 'undelivered'
          return random.shuffle(['queued', 'sent', last, last, 'sent']).map(async (MessageStatus) => {
            await wait(random.int(0, 400))
            await sendCallback(product, hook, { MessageSid: sid, MessageStatus })
            told.callbacks += 1
          })
        }),
      )
      await wait(100)
    }
  })()
  return {
    stop: async () => {
      ending.abort()
      await going
    },
  }
}

/** Answers a survey from one phone, with each text delivered three times concurrently. */
async function answerSurvey(product: () => Product, hook: string, phone: string, told: { steps: number }): Promise<void> {
  for (const Body of ANSWERS) {
    const form = { MessageSid: `SM${createId().replaceAll('-', '')}`, From: phone, To: TWILIO.from, Body }
    await Promise.all([sendCallback(product, hook, form), sendCallback(product, hook, form), sendCallback(product, hook, form)])
    told.steps += 1
    await wait(1500)
  }
}

async function assertAnswered(url: string, phones: readonly string[]): Promise<void> {
  const deadline = performance.now() + WELL_WITHIN_MS
  const query = `select answers from responses r join surveys s on s.id = r.survey_id
    join user_phones p on p.user_id = r.user_id where s.slug = 'after-the-walk' and r.source = 'sms' and p.phone = any($1) and r.submitted_at > now() - interval '1 hour'`
  let rows = await queryAsOwner<{ answers: object }>(url, query, [phones])
  while (rows.length < phones.length && performance.now() < deadline) {
    await wait(1000)
    rows = await queryAsOwner(url, query, [phones])
  }
  assert.equal(rows.length, phones.length, 'each answered once')
  for (const { answers } of rows) assert.deepEqual(answers, { q_best: { choice: 'o_pier' }, q_safe: 4, q_again: { choice: 'yes' } })
}
