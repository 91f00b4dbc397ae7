import { setTimeout as wait } from 'node:timers/promises'
import { listNumberZones } from '#app/features/sms/number-zones.ts'
import { findQuietEnd } from '#app/features/sms/quiet-hours.ts'
import { startListener } from '#tests/support/portals/listen.ts'
import { queryAsOwner, callApi } from '#tests/support/remote-api.ts'
import { TWILIO, createTwilioService } from '#tests/support/sms/twilio-service.ts'
import { readMemoryMb } from './city-data.ts'
import type { BenchSetup } from './setup.ts'
import { type Measurement, computeMedian, roundTo } from './measurement.ts'

const READERS = 100_000
const SHORT_READERS = 5000
const PREPARED_WITHIN_SECONDS = 30
const GROWN_AT_MOST_MB = 200
/** Twilio's maximum, with several short codes: the highest rate a site can set. */
const ALLOWED_A_SECOND = 400
/** Time limit; anything left then is abandoned, counted and reported as a fault. */
const SENDING_WITHIN_SECONDS = 900
/** Memory is steady if the last quarter of the sending needs at most this much more than the second quarter. */
const STEADY_MB = 100
const TEXT = { en: 'Hello {{name}}, the plan is on show: {{link}}', 'fr-CA': 'Bonjour {{name}}, le plan est à voir : {{link}}' }
/** Number prefixes of which at least one is outside quiet hours at any time. */
const NUMBER_PREFIXES = ['+1613', '+4477', '+6421']

type Campaign = {
  data: { id: string; attributes: { status: string; counts: Record<'prepared' | 'waiting' | 'accepted' | 'failed' | 'skipped', number> } }
}

/**
 * A campaign to everybody on a large site, from pressing the button to the final count, at the highest rate a site can set. Each text is a
 * request to a server on this machine that speaks Twilio's protocol.
 */
export const sms: Measurement = {
  name: 'sms',
  run: async (ground) => {
    const readers = ground.short ? SHORT_READERS : READERS
    const { product, administrator: token } = ground
    const twilio = createTwilioService()
    const server = await startListener(twilio.listener)
    try {
      await addReaders(ground, readers)
      await connectTwilio(ground, server.origin)
      const made = await callApi<Campaign>(product, 'POST', '/sms-campaigns', token, {
        data: { type: 'sms-campaigns', attributes: { name: 'Bench', bodyTranslations: TEXT } },
      })
      const { id } = made.data
      const read = async () => (await callApi<Campaign>(product, 'GET', `/sms-campaigns/${id}`, token)).data.attributes
      const atRest = readMemoryMb(product.process.pid)
      const taken: number[] = []
      const look = async () => {
        await wait(1000)
        taken.push(readMemoryMb(product.process.pid))
        return read()
      }
      const relationships = { campaign: { data: { type: 'sms-campaigns', id } } }
      await callApi(product, 'POST', '/sms-sendings', token, { data: { type: 'sms-sendings', relationships } })
      let state = await look()
      while (state.status === 'scheduled') state = await look()
      const begun = performance.now()
      const seen = new Set<number>()
      while (state.status === 'preparing') seen.add((state = await look()).counts.prepared)
      const prepareSeconds = (performance.now() - begun) / 1000
      const bareSeconds = await measureBareCopy(ground, id)
      const from = { at: performance.now(), accepted: state.counts.accepted, sample: taken.length }
      const steps = new Set<number>()
      while (state.counts.waiting > 0 && performance.now() - from.at < SENDING_WITHIN_SECONDS * 1000)
        steps.add((state = await look()).counts.accepted)
      const sendingSeconds = (performance.now() - from.at) / 1000
      const perSecond = (state.counts.accepted - from.accepted) / sendingSeconds
      const late = state.counts.waiting
      if (late > 0) await giveUp(ground, id)
      while (state.counts.waiting > 0 || state.status === 'sending') state = await look()
      const { prepared, accepted, failed, skipped } = state.counts
      const whileSending = taken.slice(from.sample)
      const quarter = Math.max(1, Math.floor(whileSending.length / 4))
      const [early, atEnd] = [computeMedian(whileSending.slice(quarter, 2 * quarter)), computeMedian(whileSending.slice(-quarter))]
      const peak = Math.max(...taken)
      const to = new Set(twilio.taken.map((one) => one.to))
      return {
        summary: `A text to ${prepared} people, each sent through a server that speaks Twilio's protocol, allowed ${ALLOWED_A_SECOND} a second; preparing against copying the prepared rows by bare SQL, sending against what is allowed`,
        ratios: { prepare: roundTo(prepareSeconds / bareSeconds), sending: roundTo(perSecond / ALLOWED_A_SECOND) },
        values: {
          prepared,
          prepareSeconds: roundTo(prepareSeconds, 1),
          prepareSteps: seen.size,
          sendingSeconds: roundTo(sendingSeconds, 1),
          sendingSteps: steps.size,
          sentPerSecond: roundTo(perSecond, 0),
          accepted,
          failed,
          skipped,
          takenByService: twilio.taken.length,
          restMb: atRest,
          sendingEarlyMb: early,
          sendingLateMb: atEnd,
          peakMb: peak,
          bareSeconds: roundTo(bareSeconds, 1),
        },
        faults: [
          ...(prepared < readers ? [`only ${prepared} texts were prepared`] : []),
          ...(prepareSeconds > PREPARED_WITHIN_SECONDS ? [`preparing took ${roundTo(prepareSeconds, 1)} s`] : []),
          ...(accepted + failed + skipped === prepared ? [] : [`${accepted} + ${failed} + ${skipped} is not ${prepared}`]),
          ...(late > 0 ? [`${late} texts were not sent in ${SENDING_WITHIN_SECONDS} s`] : []),
          ...(twilio.taken.length === accepted ? [] : [`${accepted} texts count as accepted, and the service took ${twilio.taken.length}`]),
          ...(to.size === twilio.taken.length ? [] : [`${twilio.taken.length - to.size} texts were sent twice`]),
          ...(perSecond > ALLOWED_A_SECOND * 1.05 ? [`${roundTo(perSecond, 0)} texts a second are more than allowed`] : []),
          ...(peak - atRest > GROWN_AT_MOST_MB ? [`the process grew by ${peak - atRest} MB`] : []),
          ...(atEnd - early > STEADY_MB ? [`the process grew by ${atEnd - early} MB while it sent`] : []),
        ],
      }
    } finally {
      server.close()
    }
  },
}

/** Replaces the sandbox with Twilio. */
async function connectTwilio({ product, administrator: token }: BenchSetup, address: string): Promise<void> {
  type Installation = { id: string; meta: { lockVersion: number } }
  const one = (method: string, path: string, data: object) =>
    callApi<{ data: Installation }>(product, method, path, token, { data: { type: 'installations', ...data } })
  const enable = ({ id, meta }: Installation, enabled: boolean) =>
    one('PATCH', `/installations/${id}`, { id, attributes: { enabled }, meta: { lockVersion: meta.lockVersion } })
  const before = await callApi<{ data: (Installation & { attributes: { integration: string } })[] }>(
    product,
    'GET',
    '/installations',
    token,
  )
  for (const installation of before.data) if (installation.attributes.integration.startsWith('sms-')) await enable(installation, false)
  const settings = { ...TWILIO, address, perSecond: ALLOWED_A_SECOND }
  await enable((await one('POST', '/installations', { attributes: { integration: 'sms-twilio', settings } })).data, true)
}

/** Recipients with a confirmed number and consent, outside quiet hours right now. */
async function addReaders({ databaseUrl }: BenchSetup, count: number): Promise<void> {
  const now = new Date()
  const prefix = NUMBER_PREFIXES.find((one) => !findQuietEnd(now, listNumberZones(one))) ?? '+1613'
  const site = `(select id from sites where slug = 'riverbend')`
  // Some of the demo's own people are in quiet hours now: their texts would wait until morning.
  await queryAsOwner(databaseUrl, `delete from user_phones where site_id = ${site}`)
  await queryAsOwner(
    databaseUrl,
    `insert into users (site_id, id, email, login, locale, email_confirmed_at)
     select ${site}, gen_random_uuid(), 'reader' || n || '@bench.example', 'Reader ' || n, case n % 3 when 0 then 'fr-CA' else 'en' end, now()
     from generate_series(1, $1::int) n`,
    [count],
  )
  await queryAsOwner(
    databaseUrl,
    `insert into user_phones (site_id, user_id, phone, confirmed_at)
     select site_id, id, $1 || (2000000 + row_number() over ())::text, now() from users where email like 'reader%@bench.example'`,
    [prefix],
  )
  await queryAsOwner(
    databaseUrl,
    `insert into sms_consents (site_id, id, phone, user_id, given, words, language, source, at)
     select site_id, gen_random_uuid(), phone, user_id, true, 'Yes', 'en', 'account', now() from user_phones where phone like $1`,
    [`${prefix}2%`],
  )
  for (const table of ['users', 'user_phones', 'sms_consents']) await queryAsOwner(databaseUrl, `analyze ${table}`)
}

async function giveUp({ product, administrator }: BenchSetup, id: string): Promise<void> {
  const answer = await fetch(`${product.origin}/api/v2/sms-sendings/${id}`, {
    method: 'DELETE',
    headers: { accept: 'application/vnd.api+json', 'x-api-token': `Bearer ${administrator}` },
  })
  if (!answer.ok) throw new Error(`Giving up was answered with ${answer.status}`)
}

/** @returns seconds to insert the same rows into a table with the same indexes, in one statement */
async function measureBareCopy({ databaseUrl }: BenchSetup, campaign: string): Promise<number> {
  await queryAsOwner(databaseUrl, 'create table bare_texts (like sms_messages including all)')
  const from = performance.now()
  await queryAsOwner(databaseUrl, 'insert into bare_texts select * from sms_messages where campaign_id = $1', [campaign])
  const seconds = (performance.now() - from) / 1000
  await queryAsOwner(databaseUrl, 'drop table bare_texts')
  return seconds
}
