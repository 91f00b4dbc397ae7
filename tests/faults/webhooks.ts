import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '#app/lib/random.ts'
import { type Product, startProduct } from '#tests/support/product.ts'
import { queryAsOwner, callApi, getOwnerUrl, loadResponseIds, signInForToken } from '#tests/support/remote-api.ts'
import { startListener } from '#tests/support/portals/listen.ts'
import type { Fault } from './fault.ts'
import { withFaultSetup } from './setup.ts'
import { startWriters } from './writers.ts'

const ROUNDS = 3
const PEOPLE = 20
const WELL_WITHIN_MS = 240_000

/**
 * The product is killed while people respond and a webhook receives each response; its endpoint fails, hangs and hangs up. Each stored
 * response is delivered, always under the same id.
 */
export const webhookKills: Fault = {
  name: 'kill -9 under webhooks',
  run: () =>
    withFaultSetup(async ({ dataDir, surveyId, settings }) => {
      const random = createRandom('webhooks')
      /** Ids under which each response was delivered, and the total number of deliveries. */
      const told = new Map<string, Set<string>>()
      let posts = 0
      let well = false
      const receiver = await startListener((_url, response, asked) => {
        void (async () => {
          const body = await readBody(asked)
          if (!body) return
          const manner = well ? 'takes' : random.pick(['takes', 'takes', 'takes', 'fails', 'hangs up', 'takes and hangs up'])
          if (manner === 'takes' || manner === 'takes and hangs up') {
            posts += 1
            const { type, data } = JSON.parse(body) as { type: string; data: { response?: string } }
            if (type === 'response.received' && data.response)
              told.set(data.response, (told.get(data.response) ?? new Set()).add(String(asked.headers['webhook-id'])))
          }
          if (manner === 'takes') response.writeHead(204).end()
          else if (manner === 'fails') response.writeHead(503).end()
          else asked.socket.destroy()
        })()
      })
      const allowed = { ...settings, OUTGOING_LOOPBACK: '1' }
      let product = await startProduct(allowed)
      const log = join(dataDir, '../acknowledged')
      try {
        await installWebhooks(product, receiver.origin)
        for (let count = 0; count < ROUNDS; count++) {
          const writers = startWriters(product.origin, surveyId, log, PEOPLE)
          await wait(3000 + random.int(0, 2000))
          product.process.kill('SIGKILL')
          await product.ended
          await writers.stop()
          product = await startProduct({ ...allowed, PORT: String(product.port) })
          // Skips the minutes until a dead process's leases expire.
          await makeDeliveriesDue(getOwnerUrl(dataDir))
        }
        well = true
        const deadline = performance.now() + WELL_WITHIN_MS
        for (;;) {
          await makeDeliveriesDue(getOwnerUrl(dataDir))
          const [open] = await queryAsOwner<{ total: number }>(
            getOwnerUrl(dataDir),
            `select count(*)::int total from webhook_deliveries where next_attempt_at is not null`,
          )
          if (open?.total === 0) break
          assert.ok(performance.now() < deadline, `${open?.total} deliveries are still on their way`)
          await wait(1000)
        }
        const stored = await loadResponseIds(getOwnerUrl(dataDir), surveyId)
        assert.ok(stored.length > ROUNDS * PEOPLE, 'people answered')
        const untold = stored.filter((id) => !told.has(id))
        assert.deepEqual(untold, [], 'answers that were stored and never told')
        for (const [id, ids] of told) {
          assert.equal(ids.size, 1, `response ${id} was told under ${ids.size} ids`)
          assert.ok(stored.includes(id), `response ${id} was told and is not stored`)
        }
        return `${stored.length} answers told of by ${posts} posts, each under one id and none of an answer that is not there, with ${ROUNDS} kills`
      } finally {
        await product.stop()
        receiver.close()
      }
    }),
}

/** Undefined if the sender died half-way. */
const readBody = (asked: IncomingMessage): Promise<string | undefined> => readText(asked).catch(() => undefined)

async function installWebhooks(product: Product, origin: string): Promise<void> {
  const token = await signInForToken(product, 'site.admin@riverbend.example')
  type Made = { data: { id: string; meta: { lockVersion: number } } }
  const attributes = { integration: 'webhooks', settings: { address: `${origin}/hooks` } }
  const { data } = await callApi<Made>(product, 'POST', '/installations', token, { data: { type: 'installations', attributes } })
  await callApi(product, 'PATCH', `/installations/${data.id}`, token, {
    data: { type: 'installations', id: data.id, attributes: { enabled: true }, meta: data.meta },
  })
}

async function makeDeliveriesDue(url: string): Promise<void> {
  await queryAsOwner(url, 'update installations set paused_until = null, health = $1 where paused_until is not null', ['failing'])
  await queryAsOwner(url, `update webhook_deliveries set next_attempt_at = now() where next_attempt_at > now() + interval '25 seconds'`)
}
