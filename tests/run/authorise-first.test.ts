import { once } from 'node:events'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Product, ROOT, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { createSite, openSession } from '#tests/support/running-product.ts'

/**
 * Everything that accepts a body, found in the source code: new entry points are tested automatically and must refuse strangers unless
 * listed as open.
 */
interface Entrance {
  name: string
  method: string
  path: string
}

/**
 * Forms for people without an account: to sign in, to follow, to answer, to contribute and support, to report and appeal, or with a code or link among their fields. Each only reads as much as such a
 * form needs.
 */
const OPEN_ROUTES = [
  '/appeals/$decision',
  '/confirm-email',
  '/cookies',
  '/embed/surveys/$id',
  '/first-admin',
  '/follow',
  '/forgot-password',
  '/projects/$slug/$activity',
  '/projects/$slug/$activity/$number',
  '/projects/$slug/$activity/$number/reply',
  '/projects/$slug/$activity/$number/report',
  '/projects/$slug/$activity/new',
  '/projects/$slug/$activity/receipt',
  '/projects/$slug/budgets/$round',
  '/projects/$slug/budgets/$round/check',
  '/projects/$slug/budgets/$round/receipt',
  '/projects/$slug/events/$event',
  '/projects/$slug/events/$event/receipt',
  '/projects/$slug/surveys/$survey',
  '/projects/$slug/surveys/$survey/receipt',
  '/receipt',
  '/register',
  '/reset-password',
  '/sign-in',
  '/sign-out',
  '/unfollow',
  // People are verified without an account too.
  '/verify',
]
/** A text to be translated; answers saved while they are being given; a preview opened by a signed link; a passkey used before somebody is signed in. */
const OPEN_FUNCTIONS = ['askTranslation', 'ensureBrowserToken', 'keepAnswers', 'readPreviewData', 'sendPollAnswer', 'startPasskeyUse']
/** For everybody with an account: participants add passkeys too. Without a body there is nothing to call. */
const FUNCTIONS_OF_ACCOUNTS = ['startPasskeySetup']

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

/** Sends the head and the beginning of a body that never continues, and returns the response. */
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
  [401, 403, 404].includes(status) || (status === 303 && /\/(sign-in|follow\?)/.test(location))
const FORM = 'multipart/form-data; boundary=b'
const TYPE_OF: Record<string, string> = { '/media/uploads/$id': 'application/offset+octet-stream', '/hooks/mail': 'message/rfc822' }

describe('everything that accepts a body', () => {
  test('is found in the code, and everything listed as open still exists', () => {
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

  test('as a server function refuses strangers, and participants, without waiting for the body', async () => {
    const closed = findFunctions().filter(({ name }) => !OPEN_FUNCTIONS.includes(name))
    for (const type of ['application/json', FORM]) {
      for (const entrance of closed) {
        const stranger = await sendHalf(entrance, type)
        const reader = await sendHalf(entrance, type, `token=${participant}`)
        // 0: it waits for the body.
        const isOfAccounts = FUNCTIONS_OF_ACCOUNTS.includes(entrance.name)
        expect([entrance.name, stranger.status, reader.status]).toEqual([entrance.name, 401, isOfAccounts ? 0 : 403])
      }
    }
  })

  test('as a survey import refuses participants without waiting for the file', async () => {
    const entrance = { name: 'import', method: 'POST', path: '/admin/surveys/import.json' }
    expect((await sendHalf(entrance, FORM, `token=${participant}`)).status).toBe(404)
  })
})
