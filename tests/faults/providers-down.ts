import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort, type Product } from '#tests/support/product.ts'
import { callApi, getOwnerUrl, queryAsOwner, signInForToken } from '#tests/support/remote-api.ts'
import { TWILIO } from '#tests/support/sms/twilio-service.ts'
import { assertExactlyOnce } from './exactly-once.ts'
import type { Fault } from './fault.ts'
import { withFaultSetup, withProduct } from './setup.ts'
import { startWriters } from './writers.ts'

const PEOPLE = 20
const DOWN_FOR_MS = 20_000
/** Longest time a visitor may wait for a page. */
const PAGE_WITHIN_MS = 5000

/** Nothing answers of what the product talks to: mail, texts, webhooks, the council's accounts, traces, the list of breached passwords. */
export const providersDown: Fault = {
  name: 'every provider down',
  run: () =>
    withFaultSetup(async ({ dataDir, surveyId, settings }) => {
      const deadAddress = `127.0.0.1:${await freePort()}`
      const down = {
        OUTGOING_LOOPBACK: '1',
        SMTP_URL: `smtp://${deadAddress}`,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://${deadAddress}`,
        BREACHED_PASSWORDS_URL: `http://${deadAddress}`,
        SENTRY_DSN: `http://key@${deadAddress}/1`,
      }
      return withProduct({ ...settings, ...down }, async (product) => {
        const url = getOwnerUrl(dataDir)
        const token = await signInForToken(product, 'site.admin@riverbend.example')
        await installProviders(product, token, `http://${deadAddress}`)
        const provider = await addIdentityProvider(product, token, `http://${deadAddress}`)
        const writers = startWriters(product.origin, surveyId, join(dataDir, '../acknowledged'), PEOPLE)
        try {
          const until = performance.now() + DOWN_FOR_MS
          let pages = 0
          let slowest = 0
          while (performance.now() < until) {
            for (const path of ['/', `/projects?q=${pages}`, '/sign-in', '/api/v2/projects', '/healthz', '/readyz']) {
              const from = performance.now()
              const answer = await fetch(product.origin + path)
              await answer.text()
              assert.equal(answer.status, 200, path)
              slowest = Math.max(slowest, performance.now() - from)
              pages += 1
            }
            const attributes = { email: `down-${pages}@people.example`, login: 'Ana', password: 'a rather long phrase' }
            await callApi(product, 'POST', '/users', undefined, { data: { type: 'users', attributes } })
            const begun = await fetch(`${product.origin}/sign-in/${provider}`, { redirect: 'manual' })
            assert.match(
              begun.headers.get('location') ?? '',
              /sign-in\/failed\?fault=(unreachable|not-active)/,
              'a page says that the other service does not answer',
            )
          }
          assert.ok(slowest < PAGE_WITHIN_MS, `a page waited ${Math.round(slowest)} ms`)
          await writers.stop()
          assert.deepEqual(
            writers.refusals.map(({ status, body }) => `${status} ${body}`),
            [],
            'nobody is refused',
          )
          const { acknowledged } = await assertExactlyOnce(product, url, surveyId, writers)
          const [waiting] = await queryAsOwner<{ mails: number; deliveries: number }>(
            url,
            `select (select count(*)::int from outbox_mails where sent_at is null) as mails,
                    (select count(*)::int from webhook_deliveries where next_attempt_at is not null) as deliveries`,
          )
          assert.ok(waiting && waiting.mails > 0 && waiting.deliveries > 0, `what could not be sent waits: ${JSON.stringify(waiting)}`)
          assert.deepEqual(product.output().match(/.*"level":"error".*/g) ?? [], [], 'nothing is logged as an error')
          return `${pages} pages, none slower than ${Math.round(slowest)} ms; ${acknowledged} acknowledged and there; ${waiting.mails} mails and ${waiting.deliveries} webhooks wait`
        } finally {
          await writers.stop()
          await wait(100)
        }
      })
    }),
}

type Made = { data: { id: string; meta: { lockVersion: number } } }

async function installProviders(product: Product, token: string, address: string): Promise<void> {
  for (const [integration, given] of [
    ['webhooks', { address: `${address}/hooks` }],
    ['sms-twilio', { ...TWILIO, address, perSecond: 40 }],
  ] as const) {
    const { data } = await callApi<Made>(product, 'POST', '/installations', token, {
      data: { type: 'installations', attributes: { integration, settings: given } },
    })
    await callApi(product, 'PATCH', `/installations/${data.id}`, token, {
      data: { type: 'installations', id: data.id, attributes: { enabled: true }, meta: data.meta },
    })
  }
}

async function addIdentityProvider(product: Product, token: string, issuer: string): Promise<string> {
  const attributes = { name: 'Council account', issuer, clientId: 'parley', clientSecret: 'a secret of the council' }
  const { data } = await callApi<Made>(product, 'POST', '/identity-providers', token, { data: { type: 'identity-providers', attributes } })
  return data.id
}
