import { once } from 'node:events'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Product, ROOT, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { createSite, openSession } from '#tests/support/running-product.ts'

/** Everything that takes a body, found in the code: what is new is asked for here too, and refuses strangers unless it is listed as open. */
interface Entrance {
  name: string
  method: string
  path: string
}

/** Forms that people without an account send: to sign in, to answer, by a code or link in what they send. Each reads what such a form needs. */
const OPEN_ROUTES = [
  '/confirm-email',
  '/cookies',
  '/embed/surveys/$id',
  '/first-admin',
  '/forgot-password',
  '/projects/$slug/surveys/$survey',
  '/projects/$slug/surveys/$survey/receipt',
  '/receipt',
  '/register',
  '/reset-password',
  '/sign-in',
  '/sign-out',
  '/unfollow',
]
/** Answers that are kept while they are given; and a preview, which a link in the call opens. */
const OPEN_FUNCTIONS = ['keepAnswers', 'readPreviewData']

const sources = (pattern: string) => globSync(pattern, { cwd: ROOT }).map((file) => readFileSync(join(ROOT, file), 'utf8'))

const routes: Entrance[] = sources('app/routes/**/*.{ts,tsx}').flatMap((source) => {
  const [, address = ''] = /createFileRoute\('([^']*)'\)/.exec(source) ?? []
  const [, handlers = ''] = /handlers: \{([^}]*)\}/.exec(source) ?? []
  const name = address.replace('/_site', '').replace(/(.)\/$/, '$1')
  const path = name.replace(/\$\w+/g, 'nothing')
  return [...handlers.matchAll(/\b(POST|PUT|PATCH|DELETE|ANY)\b/g)].map(([, method = '']) => ({ name, path, method }))
})

function findFunctions(): Entrance[] {
  const built = sources('dist/server/**/*.js').join('\n')
  return sources('app/**/*.functions.ts').flatMap((source) =>
    [...source.matchAll(/export const (\w+) = createServerFn\(\{\s*method: 'POST'/g)].map(([, name = '']) => {
      const [, id] = new RegExp(`"(\\w{64})": \\{\\s*functionName: "${name}_createServerFn_handler"`).exec(built) ?? []
      return { name, method: 'POST', path: `/_serverFn/${id}` }
    }),
  )
}

const dir = temporaryFolder('bodies')
const DATA_DIR = join(dir, 'data')
const HOST = 'quay.localhost'
let product: Product
let participant: string

beforeAll(async () => {
  const settings = { DATA_DIR, NO_DEMO: '1', LOG_LEVEL: 'warn' }
  product = await startProduct(settings)
  await createSite({ ...settings, PORT: String(product.port) }, HOST, 'Quay')
  participant = await openSession(DATA_DIR, HOST, 'Reader')
})
afterAll(async () => {
  await product.stop()
  rmSync(dir, { recursive: true, force: true })
})

/** Begins to send a body that never goes on, and takes what is answered to it. */
async function sendHalf({ method, path }: Entrance, type: string, cookie = ''): Promise<{ status: number; location: string }> {
  const socket = connect(product.port, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => (heard += chunk.toString()))
  socket.on('error', () => {})
  await once(socket, 'connect')
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${HOST}`,
    `Origin: http://${HOST}`,
    'Sec-Fetch-Site: same-origin',
    'x-tsr-serverfn: true',
    `Content-Type: ${type}`,
    'Transfer-Encoding: chunked',
    ...(cookie ? [`Cookie: ${cookie}`] : []),
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n5\r\n--b\r\n\r\n`)
  const deadline = Date.now() + 20_000
  while (!socket.destroyed && Date.now() < deadline && !heard.includes('\r\n\r\n')) await wait(20)
  socket.destroy()
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(heard)?.[1] ?? 0),
    location: /^location: (.*)$/im.exec(heard)?.[1]?.trim() ?? '',
  }
}

const isRefused = ({ status, location }: { status: number; location: string }) =>
  [401, 403, 404].includes(status) || (status === 303 && location.includes('/sign-in'))
const FORM = 'multipart/form-data; boundary=b'
const TYPE_OF: Record<string, string> = { '/media/uploads/$id': 'application/offset+octet-stream', '/hooks/mail': 'message/rfc822' }

describe('what takes a body', () => {
  test('is found in the code, and what is open to everybody is still there', () => {
    const functions = findFunctions()
    expect(routes.length).toBeGreaterThan(20)
    expect(functions.length).toBeGreaterThan(5)
    expect(functions.filter(({ path }) => path.endsWith('undefined'))).toEqual([])
    const names = new Set([...routes, ...functions].map(({ name }) => name))
    expect([...OPEN_ROUTES, ...OPEN_FUNCTIONS].filter((name) => !names.has(name))).toEqual([])
  })

  test.each(routes.filter(({ name }) => !OPEN_ROUTES.includes(name)))(
    'at $name refuses strangers without waiting for the body',
    async (entrance) => {
      const answer = await sendHalf(entrance, TYPE_OF[entrance.name] ?? FORM)
      expect(isRefused(answer), JSON.stringify(answer)).toBe(true)
    },
  )

  test('by call of a function refuses strangers, and participants, without waiting for the body', async () => {
    const closed = findFunctions().filter(({ name }) => !OPEN_FUNCTIONS.includes(name))
    for (const type of ['application/json', FORM]) {
      for (const entrance of closed) {
        const stranger = await sendHalf(entrance, type)
        const reader = await sendHalf(entrance, type, `token=${participant}`)
        expect([entrance.name, stranger.status, reader.status]).toEqual([entrance.name, 401, 403])
      }
    }
  })

  test('to make a survey of refuses participants without waiting for the file', async () => {
    const entrance = { name: 'import', method: 'POST', path: '/admin/surveys/import.json' }
    expect((await sendHalf(entrance, FORM, `token=${participant}`)).status).toBe(404)
  })
})
