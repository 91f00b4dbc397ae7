import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { freePort, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { createSite } from '#tests/support/running-product.ts'
import { sendRequest } from '#tests/support/send-request.ts'

const dir = temporaryFolder('traces')
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const HOST = 'alderbrook.localhost'
const SERVER_KIND = 2
const SECRETS = ['somebody@people.example', 'a password of somebody']

/** OTLP/JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}
interface Export {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
}

async function startCollector() {
  const spans: Span[] = []
  const collect = async (request: IncomingMessage, response: ServerResponse) => {
    const { resourceSpans } = (await json(request)) as Export
    if (request.url === '/v1/traces') spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans).flatMap((scope) => scope.spans))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((request, response) => void collect(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { spans, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const readAttribute = ({ attributes }: Span, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value
  return value?.stringValue ?? value?.intValue
}

test('a collector of OpenTelemetry gets the requests with their statements, and the jobs, but nothing that people sent', async () => {
  const { spans, endpoint } = await startCollector()
  const PORT = await freePort()
  const settings = { DATA_DIR: dir, PORT: String(PORT), NO_DEMO: '1', LOG_LEVEL: 'warn', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  const product = await startProduct(settings)
  onTestFinished(async () => void (await product.stop()))
  await createSite(settings, HOST, 'alderbrook')
  const stranger = '0af7651916cd43dd8448eb211c80319c'
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET', body = '') =>
    sendRequest(PORT, path, { host: HOST, ...headers }, method, body)
  const [email = '', password = ''] = SECRETS
  const page = await ask(`/projects/${email}?q=${encodeURIComponent(password)}`, { traceparent: `00-${stranger}-b7ad6b7169203331-01` })
  const list = await ask('/api/v2/projects')
  const signIn = JSON.stringify({ data: { type: 'sessions', attributes: { email, password } } })
  const session = await ask('/api/v2/sessions', { 'content-type': 'application/vnd.api+json' }, 'POST', signIn)
  expect([page.status, list.status, session.status]).toEqual([404, 200, 401])
  await product.stop()

  const findRequest = (name: string) => spans.find((span) => span.name === name)
  for (const [name, status, { headers }] of [
    ['GET /projects/$slug', 404, page],
    ['GET /api/v2/projects', 200, list],
    ['POST /api/v2/sessions', 401, session],
  ] as const) {
    const span = findRequest(name)
    if (!span) throw new Error(`No ${name} among ${spans.map((other) => other.name).join(', ')}`)
    const facts = ['http.response.status_code', 'parley.request_id', 'parley.site'].map((fact) => readAttribute(span, fact))
    expect([name, span.kind, span.parentSpanId, ...facts]).toEqual([
      name,
      SERVER_KIND,
      undefined,
      status,
      headers['x-request-id'],
      name.includes('api') ? undefined : 'alderbrook',
    ])
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId)
    expect(
      statements.some((statement) => /select/.test(String(readAttribute(statement, 'db.query.text')))),
      name,
    ).toBe(true)
    expect(new Set(statements.map(({ traceId }) => traceId))).toEqual(new Set([span.traceId]))
  }
  expect(spans.some(({ name }) => name.startsWith('job '))).toBe(true)
  // Without proxies that are believed, a header of anybody joins no trace.
  expect(spans.some(({ traceId }) => traceId === stranger)).toBe(false)
  for (const secret of [...SECRETS, ...SECRETS.map(encodeURIComponent)]) expect(JSON.stringify(spans)).not.toContain(secret)
})
