import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { freePort, runParley, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { createSite, queryOnce } from '#tests/support/running-product.ts'
import { sendRequest } from '#tests/support/send-request.ts'

const dir = temporaryFolder('metrics')
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const DATA_DIR = join(dir, 'data')
const METRICS_TOKEN = 'a token for Prometheus alone'
const HOSTS = ['alderbrook.localhost', 'birchport.localhost']

interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/** Prometheus' text format: https://prometheus.io/docs/instrumenting/exposition_formats/ */
function parseMetrics(text: string): Sample[] {
  expect(text.endsWith('\n'), 'the last line ends').toBe(true)
  const samples: Sample[] = []
  const typed = new Map<string, string>()
  let current = ''
  for (const line of text.split('\n').filter(Boolean)) {
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line)
    if (type) {
      const [, name = '', kind = ''] = type
      expect(typed.has(name), `${name} is one group`).toBe(false)
      typed.set(name, kind)
      current = name
    } else if (!line.startsWith('# HELP ')) {
      const [, name = '', labels = '', value = ''] = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? []
      const suffix = typed.get(current) === 'histogram' ? /^_(bucket|sum|count)$/ : /^$/
      expect([current, suffix.test(name.slice(current.length)), Number.isNaN(Number(value))], line).toEqual([
        name.slice(0, current.length),
        true,
        false,
      ])
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', given = '']) => [label, given])
      samples.push({ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) })
    }
  }
  return samples
}

test('Prometheus reads what all processes, jobs and the database do; nobody else does', async () => {
  const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())]
  const settings = { DATA_DIR, PORT, METRICS_PORT, METRICS_TOKEN, NO_DEMO: '1', LOG_LEVEL: 'warn', WEB_PROCESSES: '2' }
  const product = await startProduct(settings)
  onTestFinished(async () => void (await product.stop()))
  const address = `http://127.0.0.1:${METRICS_PORT}/metrics`
  const scrape = async () => {
    const answer = await fetch(address, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    return answer.text()
  }
  const sum = (samples: Sample[], name: string, labels: Record<string, string> = {}) =>
    samples
      .filter((sample) => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
      .reduce((total, { value }) => total + value, 0)

  // Two sites: what waits is counted over both, and told of neither.
  for (const host of HOSTS) await createSite(settings, host, host.split('.')[0] ?? '')
  for (const [at, host] of HOSTS.entries()) {
    const insert = `insert into outbox_mails (site_id, id, recipient, language, subject, body_text, body_html, next_attempt_at, fault)
      select site_id, $2, 'somebody@people.example', 'en', 'Hello', '', '', now() + $3::interval, $4 from site_domains where host = $1`
    await queryOnce(DATA_DIR, insert, [host, createId(), '-90 seconds', null])
    if (at === 0) await queryOnce(DATA_DIR, insert, [host, createId(), '1 hour', null])
    if (at === 0) await queryOnce(DATA_DIR, insert, [host, createId(), '-1 hour', 'refused'])
  }

  const [host = ''] = HOSTS
  const asked: [path: string, route: string][] = [
    ['/projects', '/projects'],
    ['/fr-CA/projects', '/projects'],
    ['/projects/somebody@people.example', '/projects/$slug'],
    ['/projects/another-made-up-name', '/projects/$slug'],
    ['/made/up/by/somebody', 'unknown'],
    ['/%E0%A4%A', 'unknown'],
    ['/api/v2/projects', '/api/v2/projects'],
    [`/api/v2/projects/${createId()}`, '/api/v2/projects/$id'],
    ['/api/v2/made-up', '/api/v2/unknown'],
    ['/favicon.svg', 'file'],
    ['/healthz', 'health'],
  ]
  const before = parseMetrics(await scrape())
  for (let round = 0; round < 4; round++) for (const [path] of asked) await sendRequest(product.port, path, { host })
  // Prometheus asks over and over; the last answers are counted a moment after they arrived.
  let samples: Sample[] = []
  let text = ''
  const countNew = async () => {
    text = await scrape()
    samples = parseMetrics(text)
    const routes = [...new Set(asked.map(([, route]) => route))]
    return routes.map((route) => [
      route,
      sum(samples, 'parley_http_requests_total', { route }) - sum(before, 'parley_http_requests_total', { route }),
      sum(samples, 'parley_http_request_duration_seconds_count', { route }) -
        sum(before, 'parley_http_request_duration_seconds_count', { route }),
    ])
  }
  const counts = Map.groupBy(asked, ([, route]) => route)
  await expect.poll(countNew).toEqual([...counts].map(([route, list]) => [route, list.length * 4, list.length * 4]))
  expect(sum(samples, 'parley_http_requests_total', { route: '/projects', status: '200', method: 'GET' })).toBe(8)
  expect(text, 'no site, no person, nothing that a client made up').not.toMatch(/alderbrook|birchport|people\.example|made|somebody/i)

  // Each process by itself.
  const ofProcess = (name: string) =>
    [...new Set(samples.filter((sample) => sample.name === name).map(({ labels }) => labels['process']))].toSorted()
  expect(ofProcess('process_resident_memory_bytes')).toEqual(['main', 'web-1', 'web-2'])
  expect(ofProcess('nodejs_eventloop_lag_p99_seconds')).toEqual(['main', 'web-1', 'web-2'])
  expect(sum(samples, 'process_resident_memory_bytes', { process: 'web-1' })).toBeGreaterThan(50_000_000)
  expect(ofProcess('parley_database_pool_connections')).toEqual(['web-1', 'web-2'])
  expect(sum(samples, 'parley_database_pool_connections', { pool: 'requests', state: 'most' })).toBe(24)
  expect(sum(samples, 'parley_web_processes', { state: 'answering' })).toBe(2)

  // The database, its processes, and what waits in all sites.
  expect(sum(samples, 'parley_database_up')).toBe(1)
  expect(sum(samples, 'parley_database_size_bytes')).toBeGreaterThan(5_000_000)
  if (process.platform === 'linux') expect(sum(samples, 'parley_child_memory_bytes', { kind: 'database' })).toBeGreaterThan(10_000_000)
  const countMails = async () => {
    samples = parseMetrics(await scrape())
    return [sum(samples, 'parley_messages_waiting', { kind: 'mail' }), sum(samples, 'parley_messages_due', { kind: 'mail' })]
  }
  expect(await countMails()).toEqual([3, 2])
  expect(sum(samples, 'parley_messages_oldest_due_seconds', { kind: 'mail' })).toBeGreaterThan(89)
  expect(sum(samples, 'parley_messages_oldest_due_seconds', { kind: 'mail' })).toBeLessThan(1000)
  const ranJobs = async () => {
    samples = parseMetrics(await scrape())
    return sum(samples, 'parley_job_runs_total', { job: 'deliver-mails', result: 'success' })
  }
  await expect.poll(ranJobs).toBeGreaterThan(0)
  expect(Math.abs(sum(samples, 'parley_job_last_success_timestamp_seconds', { job: 'deliver-mails' }) - Date.now() / 1000)).toBeLessThan(
    120,
  )

  // Metrics need the token, and no site's own address serves them.
  expect((await fetch(address)).status).toBe(401)
  expect((await fetch(address, { headers: { authorization: 'Bearer another' } })).status).toBe(401)
  expect((await fetch(new URL('/', address), { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).status).toBe(404)
  for (const path of ['/metrics', '/api/v2/metrics']) {
    const answer = await sendRequest(product.port, path, { host, authorization: `Bearer ${METRICS_TOKEN}` })
    expect([path, answer.status, /parley_http|process_resident/.test(answer.text)]).toEqual([path, 404, false])
  }

  // A process that is started for another takes its place.
  const [killed = ''] = execFileSync('pgrep', ['-P', String(product.process.pid), '-f', 'web-process.ts'], { encoding: 'utf8' }).split('\n')
  process.kill(Number(killed), 'SIGKILL')
  const listProcesses = async () => {
    samples = parseMetrics(await scrape())
    return ofProcess('process_resident_memory_bytes')
  }
  await expect.poll(listProcesses).toEqual(['main', 'web-1', 'web-2'])
})

test('settings that would show metrics to the public are refused with a sentence, and a port that is taken', async () => {
  const start = async (settings: Record<string, string>) => {
    const running = runParley(['start'], { DATA_DIR: join(dir, 'never'), NO_DEMO: '1', ...settings })
    return [await running.ended, running.complaint().trim()]
  }
  expect(await start({ PORT: '4999', METRICS_PORT: '4999', METRICS_HOST: '0.0.0.0' })).toEqual([
    1,
    'These settings are wrong: METRICS_PORT must be another than PORT; METRICS_TOKEN must be set where METRICS_HOST is not this machine alone.',
  ])
  expect(await start({ METRICS_PORT: 'x', METRICS_TOKEN: 'short' })).toEqual([
    1,
    'These settings are wrong: METRICS_PORT must be a port number; METRICS_TOKEN must have at least 20 characters.',
  ])
})
