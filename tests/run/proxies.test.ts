import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessions } from '#app/server/db/schema/accounts.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAccount, type Account, PASSWORD } from '#tests/support/accounts.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase } from '#tests/support/own-product.ts'
import { freePort, runParley, temporaryFolder } from '#tests/support/product.ts'
import { sendRequest } from '#tests/support/send-request.ts'

const JSON_API = 'application/vnd.api+json'
const HOST = 'consult.example.org'
const db = await createOwnDatabase()
const dir = temporaryFolder('proxies')
afterAll(() => rmSync(dir, { recursive: true, force: true }))
let site: Site
let admin: Account
let productPort = 0

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'riverbend' })
  await db.asOwner(`update site_domains set host = '${HOST}' where site_id = '${site.id}'`)
  admin = await addAccount(db.runtime, site, { role: 'site_admin' })
  const { product } = await db.start({ PUBLIC_URL: `https://${HOST}`, TRUSTED_PROXIES: '1' })
  productPort = product.port
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', join(dir, 'privkey.pem'), '-out', join(dir, 'fullchain.pem')]
  execFileSync('openssl', ['req', '-x509', '-days', '2', '-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`, ...key], {
    stdio: 'ignore',
  })
})
/** Client ports of all connections to the product that are open or were closed in the last minute. Only Linux reports them. */
function listConnections(): Set<string> {
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1)
  const port = productPort.toString(16).toUpperCase().padStart(4, '0')
  const ends = rows.map((row) =>
    row
      .trim()
      .split(/\s+/)
      .slice(1, 3)
      .map((address) => address.split(':')[1] ?? ''),
  )
  return new Set(ends.flatMap(([own = '', other = '']) => (own === port ? [other] : other === port ? [own] : [])))
}

interface Ports {
  plain: number
  secure: number
}

/** What `parley example` prints, with the test's ports and certificate in place of those that an operator names. */
async function readExample(name: string): Promise<string> {
  const printed = runParley(['example', name], {})
  expect(await printed.ended).toBe(0)
  return printed.output()
}

function replaceOnce(text: string, changes: [from: string, to: string][]): string {
  return changes.reduce((now, [from, to]) => {
    expect(now, `the example says ${from}`).toContain(from)
    return now.replaceAll(from, to)
  }, text)
}

const PROXIES: { name: string; program: string; prepare: (ports: Ports) => Promise<string[]> }[] = [
  {
    name: 'nginx',
    program: '/usr/sbin/nginx',
    prepare: async ({ plain, secure }) => {
      const site = replaceOnce(await readExample('nginx'), [
        ['127.0.0.1:3000', `127.0.0.1:${productPort}`],
        ['listen 80;', `listen 127.0.0.1:${plain};`],
        ['listen 443 ', `listen 127.0.0.1:${secure} `],
        ['/etc/ssl/parley/', `${dir}/`],
      ])
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${dir}/${kind};`).join('\n')
      const user = process.getuid?.() === 0 ? 'user root;' : ''
      writeFileSync(
        join(dir, 'nginx.conf'),
        `${user}\npid ${dir}/nginx.pid;\nerror_log stderr warn;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${site}\n}\n`,
      )
      return ['-c', join(dir, 'nginx.conf'), '-g', 'daemon off;']
    },
  },
  {
    name: 'caddy',
    program: '/usr/bin/caddy',
    prepare: async ({ plain, secure }) => {
      const site = replaceOnce(await readExample('caddy'), [
        ['127.0.0.1:3000', `127.0.0.1:${productPort}`],
        [`${HOST} {`, `${HOST} {\n\ttls ${dir}/fullchain.pem ${dir}/privkey.pem`],
      ])
      const options = `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port ${plain}\n\thttps_port ${secure}\n}\n`
      writeFileSync(join(dir, 'Caddyfile'), options + site)
      return ['run', '--config', join(dir, 'Caddyfile'), '--adapter', 'caddyfile']
    },
  },
]

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  reused: boolean
}

interface Sent {
  method?: string
  headers?: Record<string, string | number>
  body?: Buffer | string
  agent?: Agent
  /** This machine's address that the request comes from. */
  from?: string
}

function sendThroughProxy(port: number, path: string, { method = 'GET', headers = {}, body, agent, from }: Sent = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        servername: HOST,
        rejectUnauthorized: false,
        agent: agent ?? new Agent(),
        ...(from ? { localAddress: from } : {}),
        headers: { host: HOST, ...length, ...headers },
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: Buffer.concat(chunks).toString(),
            reused: sent.reusedSocket,
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

const isReady = ({ secure }: Ports) =>
  sendThroughProxy(secure, '/healthz').then(
    ({ status }) => status === 200,
    () => false,
  )

for (const { name, program, prepare } of PROXIES) {
  describe.skipIf(!existsSync(program))(
    `${name}, as \`parley example ${name}\` prints it (skipped where ${program} is not installed)`,
    () => {
      const ports: Ports = { plain: 0, secure: 0 }
      let proxy: ChildProcess | undefined
      const complaints: string[] = []
      beforeAll(async () => {
        Object.assign(ports, { plain: await freePort(), secure: await freePort() })
        mkdirSync(join(dir, name), { recursive: true })
        proxy = spawn(program, await prepare(ports), {
          env: { ...process.env, HOME: join(dir, name), XDG_DATA_HOME: join(dir, name), XDG_CONFIG_HOME: join(dir, name) },
          stdio: ['ignore', 'ignore', 'pipe'],
        })
        proxy.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk.toString()))
        const deadline = Date.now() + 20_000
        while (!(await isReady(ports))) {
          if (Date.now() > deadline || proxy.exitCode !== null) throw new Error(`${name} does not answer: ${complaints.join('')}`)
          await wait(100)
        }
      })
      afterAll(async () => {
        if (!proxy || proxy.exitCode !== null) return
        const ended = once(proxy, 'exit')
        proxy.kill('SIGTERM')
        await ended
      })

      test('HTTP leads to HTTPS, which browsers are told to keep to', async () => {
        const plain = await sendRequest(ports.plain, '/projects?q=bus', { host: HOST })
        expect([301, 308]).toContain(plain.status)
        expect(plain.headers.location).toBe(`https://${HOST}/projects?q=bus`)
        const page = await sendThroughProxy(ports.secure, '/projects', { headers: { 'accept-language': 'en' } })
        expect([page.status, page.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000'])
        expect(page.text, 'links name the public address').toContain(`rel="canonical" href="https://${HOST}/projects"`)
        expect(page.text).not.toContain(`http://${HOST}`)
        expect(page.text).not.toContain(`127.0.0.1`)
        expect(String(page.headers['set-cookie'] ?? '')).toMatch(/current_language=[^;]+;.*secure/i)
      })

      test('the client’s address and scheme are what the proxy saw, whatever the client says; another host gets no site', async () => {
        const document = { data: { type: 'sessions', attributes: { email: admin.email, password: PASSWORD } } }
        const begun = await sendThroughProxy(ports.secure, '/api/v2/sessions', {
          method: 'POST',
          from: '127.0.0.7',
          headers: { 'content-type': JSON_API, accept: JSON_API, 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http' },
          body: JSON.stringify(document),
        })
        expect(begun.status, begun.text).toBe(201)
        const { id } = (JSON.parse(begun.text) as { data: { id: string } }).data
        const [session] = await db.database.site(site.id).read((tx) => tx.select().from(sessions).where(eq(sessions.id, id)))
        expect(session?.address).toBe('127.0.0.7')
        const elsewhere = await sendThroughProxy(ports.secure, '/', { headers: { host: 'another.example.org' } })
        expect(elsewhere.text).not.toContain('Riverbend')
      })

      test('pages arrive compressed by Parley, and unchanged ones not again', async () => {
        const page = await sendThroughProxy(ports.secure, '/projects', { headers: { 'accept-encoding': 'br' } })
        expect([page.status, page.headers['content-encoding'], page.headers.vary]).toEqual([
          200,
          'br',
          expect.stringMatching(/accept-encoding/i),
        ])
        const etag = page.headers.etag ?? ''
        expect(etag).not.toBe('')
        const again = await sendThroughProxy(ports.secure, '/projects', { headers: { 'accept-encoding': 'br', 'if-none-match': etag } })
        expect([again.status, again.text]).toEqual([304, ''])
      })

      test('files pass, and what is too large is refused in Parley’s words', async () => {
        const bytes = randomBytes(900_000)
        const api = { 'content-type': JSON_API, accept: JSON_API, 'x-api-token': `Bearer ${admin.token}` }
        const begun = await sendThroughProxy(ports.secure, '/api/v2/media-uploads', {
          method: 'POST',
          headers: api,
          body: JSON.stringify({ data: { type: 'media-uploads', attributes: { name: 'noise.png', bytes: bytes.length } } }),
        })
        expect(begun.status, begun.text).toBe(201)
        const { id } = (JSON.parse(begun.text) as { data: { id: string } }).data
        const piece = await sendThroughProxy(ports.secure, `/media/uploads/${id}`, {
          method: 'PATCH',
          headers: {
            'x-api-token': `Bearer ${admin.token}`,
            'content-type': 'application/offset+octet-stream',
            'upload-offset': 0,
            origin: `https://${HOST}`,
          },
          body: bytes,
        })
        expect([piece.status, piece.headers['upload-offset']]).toEqual([204, String(bytes.length)])
        // Just above the 64 MB that one form may bring.
        const large = await sendThroughProxy(ports.secure, '/projects/a/surveys/b', {
          method: 'POST',
          headers: { 'content-type': 'multipart/form-data; boundary=b', origin: `https://${HOST}`, 'accept-language': 'en' },
          body: Buffer.alloc(64_500_000, 'x'),
        })
        expect([large.status, large.headers['x-request-id'] !== undefined]).toEqual([413, true])
        // Calls of the API, files as text and pages know bounds of their own, which lie far below.
        const bodies = { '/api/v2/responses': JSON_API, '/api/v2/projects': JSON_API, '/projects/a': 'text/plain', '/seen': 'text/plain' }
        for (const [path, type] of Object.entries(bodies)) {
          const headers = { 'content-type': type, origin: `https://${HOST}`, 'x-api-token': `Bearer ${admin.token}` }
          const body = Buffer.alloc(20_000_000, 'x')
          const refused = await sendThroughProxy(ports.secure, path, { method: 'POST', headers, body })
          expect([path, refused.status >= 400 && refused.status < 500, refused.headers['x-request-id'] !== undefined]).toEqual([
            path,
            true,
            true,
          ])
        }
        const beyond = await sendThroughProxy(ports.secure, '/projects/a/surveys/b', {
          method: 'POST',
          headers: { 'content-type': 'multipart/form-data; boundary=b', origin: `https://${HOST}` },
          body: Buffer.alloc(70_000_000, 'x'),
        }).catch((error: NodeJS.ErrnoException) => ({ status: error.code }))
        expect([413, 'EPIPE', 'ECONNRESET']).toContain(beyond.status)
      })

      test('connections are kept, on both sides', async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        await sendThroughProxy(ports.secure, '/projects', { agent })
        const before = listConnections()
        const answers: Answer[] = []
        for (let round = 0; round < 10; round++) answers.push(await sendThroughProxy(ports.secure, `/projects?q=bus${round}`, { agent }))
        agent.destroy()
        expect(answers.map(({ status, reused }) => [status, reused])).toEqual(answers.map(() => [200, true]))
        expect([...listConnections().difference(before)].length, 'the proxy opened hardly any').toBeLessThanOrEqual(1)
      })
    },
  )
}

test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
  'the example for systemd says nothing that systemd does not know, and gives the service few rights (skipped where systemd-analyze is not installed)',
  async () => {
    const printed = await readExample('systemd')
    const unit = join(dir, 'parley.service')
    // Its program is where the operator puts it.
    writeFileSync(unit, printed.replace('/srv/parley/node_modules/.bin/node', process.execPath))
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' })
    expect(verified.stderr.split('\n').filter((line) => line.includes('parley.service'))).toEqual([])
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], { encoding: 'utf8' })
    const exposure = /exposure level for parley\.service: (\d+\.\d)/.exec(stdout)?.[1]
    expect(Number(exposure), stdout).toBeLessThan(2.5)
  },
)
