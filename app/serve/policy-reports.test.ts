import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createLogger } from '#app/server/log.ts'
import { createPolicyReportReceiver } from './policy-reports.ts'

const HOUR_MS = 3_600_000

/** A receiver with its own clock, and what it logged. */
async function openReceiver() {
  const logged: string[] = []
  const clock = { now: 0 }
  const receive = createPolicyReportReceiver(
    createLogger('debug', (line) => logged.push(line)),
    () => clock.now,
  )
  const server = createServer((request, response) => void receive(request, response, {})).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const send = async (body: string) => (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).status
  const report = (blocked: string, directive = 'script-src-elem') =>
    send(
      JSON.stringify({
        'csp-report': { 'document-uri': 'https://a.example/receipt?code=secret', 'effective-directive': directive, 'blocked-uri': blocked },
      }),
    )
  return { logged, clock, send, report }
}

test('a breach of the content policy is logged with its directive and origin, once an hour, and never with an address', async () => {
  const { logged, clock, report } = await openReceiver()
  expect(await report('https://evil.example/path?who=ann')).toBe(204)
  await report('https://evil.example/other')
  await report('inline')
  expect(logged.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: 'warn', directive: 'script-src-elem', blocked: 'https://evil.example' }),
    expect.objectContaining({ level: 'warn', blocked: 'inline' }),
  ])
  expect(logged.join()).not.toMatch(/secret|who=ann|receipt/)
  clock.now += HOUR_MS
  await report('inline')
  expect(logged).toHaveLength(3)
})

test('what is no report, or too long, is answered alike and not logged', async () => {
  const { logged, send, report } = await openReceiver()
  for (const body of ['', '{', '[]', 'null', '{"csp-report":1}', '{"csp-report":{"effective-directive":7}}'])
    expect(await send(body), body).toBe(204)
  await report('not an address')
  await report('inline', 'script-src\nlevel')
  await send(
    JSON.stringify({ 'csp-report': { 'effective-directive': 'img-src', 'blocked-uri': 'inline', sample: 'x'.repeat(20_000) } }),
  ).catch(() => 204)
  expect(logged).toEqual([])
})

test('nobody fills the log: after a hundred different ones it hears of no more', async () => {
  const { logged, report } = await openReceiver()
  for (let at = 0; at < 130; at++) await report(`https://s${at}.example/`)
  expect(logged).toHaveLength(100)
})
