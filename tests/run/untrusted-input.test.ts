import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { identityProviders } from '#app/server/db/schema/identity.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { addSite } from '#tests/support/database.ts'
import { listServerFunctions } from '#tests/support/every-endpoint.ts'
import { createOwnDatabase, type OwnProduct } from '#tests/support/own-product.ts'
import { createSamlKeys } from '#tests/support/saml-provider.ts'
import { sendRequest } from '#tests/support/send-request.ts'
import { type Sent, type Target, UNTRUSTED_INPUT } from './untrusted-input.ts'

const MOST_MS = 100
/** Other work on the machine can only lengthen a wait, and does so by chance; what an input costs, it costs each time. */
const TRIES = 6

const db = await createOwnDatabase()
const mailToken = 'a-token-of-the-mail-server'
let product: OwnProduct
let host: string
let target: Target
let watcher: Worker
/** See `watch-health.ts`. */
const shared = new Int32Array(new SharedArrayBuffer(12))

beforeAll(async () => {
  const site = await addSite(db.runtime, { slug: 'mill' })
  const survey = await addSurvey(db.runtime, site)
  const activity = await addActivity(db.runtime, site, { kind: 'places' })
  const provider = { saml: createId(), openid: createId() }
  const service = { twilio: createId(), 'gov-notify': createId() }
  await db.database.site(site.id).tx(async (tx) => {
    for (const [protocol, id] of Object.entries(provider) as ['saml' | 'openid', string][])
      await tx.insert(identityProviders).values({
        siteId: site.id,
        id,
        protocol,
        preset: 'generic',
        name: 'Town hall',
        audience: 'residents',
        issuer: 'https://login.council.example/saml',
        ssoUrl: 'https://login.council.example/sso',
        certificates: [createSamlKeys().certificate],
        clientId: 'parley',
        clientAuth: 'client-secret',
        claims: {} as never,
        state: 'testing',
        createdAt: new Date(),
        updatedAt: new Date(),
      })
    for (const [integration, id] of Object.entries(service))
      await tx.insert(installations).values({ siteId: site.id, id, integration, settings: {}, enabledAt: new Date() })
  })
  product = await db.start({ TRUSTED_PROXIES: '1', MAIL_REPORT_TOKEN: mailToken })
  host = `${site.host}:${product.product.port}`
  const functionPath = (name: string) => `/_serverFn/${listServerFunctions().find((one) => one.name === name)?.id ?? ''}`
  target = {
    saml: `/hooks/saml/${provider.saml}`,
    openId: `/hooks/sign-in/${provider.openid}`,
    activity: `/projects/${activity.projectSlug}/${activity.slug}`,
    survey: `/projects/${survey.projectSlug}/surveys/${survey.slug}`,
    surveyId: survey.id,
    activityId: activity.id,
    sms: { form: `/hooks/sms/${service.twilio}`, json: `/hooks/sms/${service['gov-notify']}` },
    mailToken,
    keepAnswers: functionPath('keepAnswers'),
    readFunction: functionPath('readProjects'),
  }
  watcher = new Worker(new URL('../support/watch-health.ts', import.meta.url), { workerData: { port: product.product.port, shared } })
  for (let warm = 0; warm < 3; warm++) for (const path of ['/', target.survey, `${target.activity}/new`]) await send({ what: 'warm', path })
})
afterAll(async () => {
  Atomics.store(shared, 0, 1)
  await once(watcher, 'exit')
})

const state = { sent: 0 }

/** Each time from another address, as an attacker with many would, so that no limit of an address ends it early. */
function send({ method = 'GET', path, headers = {}, body }: Sent) {
  const from = `192.0.${(state.sent >> 8) % 256}.${state.sent++ % 256}`
  const own = { host, origin: `http://${host}`, accept: 'text/html', 'x-forwarded-for': from }
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  return sendRequest(product.product.port, path, { ...own, ...length, ...headers }, method, body)
}

/** Waits until the watcher has asked and been answered from now on. */
async function awaitHealth(): Promise<void> {
  const [, answered = 0] = shared
  while (Atomics.load(shared, 1) < answered + 2) await wait(1)
}

/** @returns how long `/healthz` took at most meanwhile, in milliseconds */
async function measure(input: Sent): Promise<{ status: number; waited: number }> {
  await awaitHealth()
  Atomics.store(shared, 2, 0)
  // A connection that the server ends while the client still sends is an answer too.
  const { status } = await send(input).catch(() => ({ status: 0 }))
  await awaitHealth()
  return { status, waited: Atomics.load(shared, 2) / 1000 }
}

describe.each(UNTRUSTED_INPUT)('$name, read by $readBy', ({ bounds, worst }) => {
  test('has bounds, and the worst of its kind holds up nobody', async () => {
    expect(Object.values(bounds).every((bound) => bound > 0)).toBe(true)
    for (const input of worst(target)) {
      const waits: number[] = []
      let status: number
      do {
        const measured = await measure(input)
        waits.push(measured.waited)
        status = measured.status
      } while (Math.min(...waits) > MOST_MS && waits.length < TRIES)
      expect.soft(Math.min(...waits), `${input.what} (${status})`).toBeLessThan(MOST_MS)
      expect.soft(status, input.what).not.toBe(500)
      if (process.env['PARLEY_SHOW_WAITS']) console.log(`${input.what}: ${status}, ${waits.map((each) => each.toFixed(1)).join(' ')} ms`)
    }
  })
})
