import { setTimeout as wait } from 'node:timers/promises'
import { quietUntil, zoneOf } from '#app/features/sms/quiet-hours.ts'
import { asOwner, call } from '#tests/support/remote.ts'
import { memory } from './city-data.ts'
import type { Ground } from './ground.ts'
import { type Measurement, round } from './measurement.ts'

const READERS = 100_000
const SHORT_READERS = 20_000
const PREPARED_WITHIN_SECONDS = 30
const GROWN_AT_MOST_MB = 200
/** How long it is watched while it sends; what is left then is given up, and must be counted. */
const SENDING_SECONDS = 25
const TEXT = { en: 'Hello {{name}}, the plan is on show: {{link}}', 'fr-CA': 'Bonjour {{name}}, le plan est à voir : {{link}}' }
/** Beginnings of numbers; at any hour somewhere among them nobody sleeps. */
const SOMEWHERE = ['+1613', '+4477', '+6421']

type Campaign = {
  data: { id: string; attributes: { status: string; counts: Record<'prepared' | 'waiting' | 'accepted' | 'failed' | 'skipped', number> } }
}

/** A campaign to everybody on a large site, from one press of a button to the count at the end, through the sandbox. */
export const sms: Measurement = {
  name: 'sms',
  run: async (ground) => {
    const readers = ground.short ? SHORT_READERS : READERS
    await addReaders(ground, readers)
    const { product, administrator: token } = ground
    const made = await call<Campaign>(product, 'POST', '/sms-campaigns', token, {
      data: { type: 'sms-campaigns', attributes: { name: 'Bench', bodyTranslations: TEXT } },
    })
    const { id } = made.data
    const read = async () => (await call<Campaign>(product, 'GET', `/sms-campaigns/${id}`, token)).data.attributes
    const atRest = memory(product.process.pid)
    let peak = atRest
    const look = async () => {
      await wait(1000)
      peak = Math.max(peak, memory(product.process.pid))
      return read()
    }
    const relationships = { campaign: { data: { type: 'sms-campaigns', id } } }
    await call(product, 'POST', '/sms-sendings', token, { data: { type: 'sms-sendings', relationships } })
    let state = await look()
    while (state.status === 'scheduled') state = await look()
    const begun = performance.now()
    const seen = new Set<number>()
    while (state.status === 'preparing') seen.add((state = await look()).counts.prepared)
    const prepareSeconds = (performance.now() - begun) / 1000
    const from = { at: performance.now(), accepted: state.counts.accepted }
    while (state.status === 'sending' && performance.now() - from.at < SENDING_SECONDS * 1000) state = await look()
    const perSecond = ((state.counts.accepted - from.accepted) * 1000) / (performance.now() - from.at)
    if (state.status === 'sending') await giveUp(ground, id)
    while ((state = await look()).counts.waiting > 0);
    const { prepared, accepted, failed, skipped } = state.counts
    const bareSeconds = await bareCopy(ground, id)
    return {
      summary: `A text to ${prepared} people: prepared, sent for ${SENDING_SECONDS} s, the rest given up; against copying the prepared rows by bare SQL`,
      ratios: { prepare: round(prepareSeconds / bareSeconds) },
      values: {
        prepared,
        prepareSeconds: round(prepareSeconds, 1),
        progressSteps: seen.size,
        sentPerSecond: round(perSecond, 0),
        accepted,
        failed,
        skipped,
        restMb: atRest,
        peakMb: peak,
        bareSeconds: round(bareSeconds, 1),
      },
      faults: [
        ...(prepared < readers ? [`only ${prepared} texts were prepared`] : []),
        ...(prepareSeconds > PREPARED_WITHIN_SECONDS ? [`preparing took ${round(prepareSeconds, 1)} s`] : []),
        ...(accepted + failed + skipped === prepared ? [] : [`${accepted} + ${failed} + ${skipped} is not ${prepared}`]),
        ...(accepted === 0 ? ['nothing was sent'] : []),
        ...(peak - atRest > GROWN_AT_MOST_MB ? [`the process grew by ${peak - atRest} MB`] : []),
      ],
    }
  },
}

/** People with a confirmed number who agreed to texts, where nobody sleeps at this hour. */
async function addReaders({ databaseUrl }: Ground, count: number): Promise<void> {
  const now = new Date()
  const prefix = SOMEWHERE.find((one) => !quietUntil(now, zoneOf(one, 'America/Toronto'))) ?? '+1613'
  const site = `(select id from sites where slug = 'riverbend')`
  await asOwner(
    databaseUrl,
    `insert into users (site_id, id, email, login, locale, email_confirmed_at)
     select ${site}, gen_random_uuid(), 'reader' || n || '@bench.example', 'Reader ' || n, case n % 3 when 0 then 'fr-CA' else 'en' end, now()
     from generate_series(1, $1::int) n`,
    [count],
  )
  await asOwner(
    databaseUrl,
    `insert into user_phones (site_id, user_id, phone, confirmed_at)
     select site_id, id, $1 || (2000000 + row_number() over ())::text, now() from users where email like 'reader%@bench.example'`,
    [prefix],
  )
  await asOwner(
    databaseUrl,
    `insert into sms_consents (site_id, id, phone, user_id, given, words, language, source, at)
     select site_id, gen_random_uuid(), phone, user_id, true, 'Yes', 'en', 'account', now() from user_phones where phone like $1`,
    [`${prefix}2%`],
  )
  await asOwner(databaseUrl, `update installations set settings = settings - 'textsAMonth' where integration = 'sms-sandbox'`)
  for (const table of ['users', 'user_phones', 'sms_consents']) await asOwner(databaseUrl, `analyze ${table}`)
}

async function giveUp({ product, administrator }: Ground, id: string): Promise<void> {
  const answer = await fetch(`${product.origin}/api/v2/sms-sendings/${id}`, {
    method: 'DELETE',
    headers: { accept: 'application/vnd.api+json', 'x-api-token': `Bearer ${administrator}` },
  })
  if (!answer.ok) throw new Error(`Giving up was answered with ${answer.status}`)
}

/** @returns seconds for the same rows into a table with the same indexes, by one statement */
async function bareCopy({ databaseUrl }: Ground, campaign: string): Promise<number> {
  await asOwner(databaseUrl, 'create table bare_texts (like sms_messages including all)')
  const from = performance.now()
  await asOwner(databaseUrl, 'insert into bare_texts select * from sms_messages where campaign_id = $1', [campaign])
  const seconds = (performance.now() - from) / 1000
  await asOwner(databaseUrl, 'drop table bare_texts')
  return seconds
}
