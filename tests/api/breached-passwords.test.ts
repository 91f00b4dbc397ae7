import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAccount, requireMailedToken } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'

const BREACHED = 'correct horse battery staple'
const PADDED = 'a password that only pads'
const FINE = 'nobody else ever chose this'
const hash = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()

let runtime: TestRuntime
let site: Site
const asked: { url: string | undefined; padding: unknown; other: string[] }[] = []
let isDown = false

/** A list as https://haveibeenpwned.com/API/v3#PwnedPasswords describes it: all hashes that begin so, without their beginning. */
const list = createServer((request, response) => {
  const { 'add-padding': padding, cookie, referer, ...headers } = request.headers
  asked.push({ url: request.url, padding, other: [cookie, referer, ...Object.values(headers)].flatMap((one) => one ?? []) })
  if (isDown) return response.writeHead(503).end()
  const prefix = request.url?.split('/').at(-1) ?? ''
  const lines = [`${'0'.repeat(35)}:4`]
  if (hash(BREACHED).startsWith(prefix)) lines.push(`${hash(BREACHED).slice(5)}:3303003`)
  if (hash(PADDED).startsWith(prefix)) lines.push(`${hash(PADDED).slice(5)}:0`)
  return response.end(lines.join('\r\n'))
}).listen(0, '127.0.0.1')

beforeAll(async () => {
  if (!list.listening) await once(list, 'listening')
  const BREACHED_PASSWORDS_URL = `http://127.0.0.1:${(list.address() as AddressInfo).port}`
  runtime = await createTestRuntime({ OUTGOING_LOOPBACK: '1', BREACHED_PASSWORDS_URL })
  site = await addSite(runtime)
})
afterAll(() => list.close())

const api = (token?: string) => createApiClient(runtime, site, token)
const register = (password: string, email = `${createId()}@riverbend.example`) =>
  api().post('/users', buildResourceDocument('users', { login: 'Ann Tremblay', email, password }))

test('are refused wherever a password is chosen, and the list learns five digits of their hash', async () => {
  expect((await register(BREACHED)).codes).toEqual(['common-password'])
  expect((await register(FINE)).status).toBe(201)
  expect((await register(PADDED)).status, 'a line that only pads').toBe(201)
  const ann = await addAccount(runtime, site, { email: `${createId()}@riverbend.example` })
  await api().post('/password-resets', buildResourceDocument('password-resets', { email: ann.email }))
  const token = await requireMailedToken(runtime, site.id, ann.email, 'reset-password')
  const choose = (password: string) => api().post('/password-changes', buildResourceDocument('password-changes', { token, password }))
  expect((await choose(BREACHED)).codes).toEqual(['common-password'])
  expect((await choose(FINE)).status).toBe(201)
  expect(new Set(asked.map(({ url }) => url))).toEqual(
    new Set([BREACHED, FINE, PADDED].map((password) => `/range/${hash(password).slice(0, 5)}`)),
  )
  expect(asked.every(({ padding }) => padding === 'true')).toBe(true)
  expect(asked.flatMap(({ other }) => other).join(' ')).not.toMatch(/riverbend|Tremblay/)
  expect(runtime.logged.join('\n')).not.toContain(BREACHED)
})

test('are not asked for beyond the limit of registrations', async () => {
  const email = `${createId()}@riverbend.example`
  for (let count = 0; count < 5; count++) await register(BREACHED, email)
  const before = asked.length
  expect((await register(BREACHED, email)).status).toBe(429)
  expect(asked.length).toBe(before)
})

test('keep nobody out if the list does not answer', async () => {
  isDown = true
  expect((await register(BREACHED)).status).toBe(201)
  expect(runtime.logged.join('\n')).toContain('the list of breached passwords did not answer')
})
