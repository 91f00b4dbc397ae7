import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Site } from '#app/server/site-directory.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { sendRequest } from '#tests/support/send-request.ts'
import { addSite } from '#tests/support/database.ts'
import { listServerFunctions } from '#tests/support/every-endpoint.ts'
import { createOwnDatabase, type OwnProduct } from '#tests/support/own-product.ts'

const JSON_API = 'application/vnd.api+json'
const FORM = 'application/x-www-form-urlencoded'
const db = await createOwnDatabase()
let product: OwnProduct
let [site, other]: Site[] = []
let survey: Awaited<ReturnType<typeof addSurvey>>

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'mill' })
  other = await addSite(db.runtime, { slug: 'ferry' })
  survey = await addSurvey(db.runtime, site)
  product = await db.start()
})

function send(path: string, type: string, body: string | Buffer, more: Record<string, string> = {}) {
  const host = `${site?.host}:${product.product.port}`
  const headers = { host, origin: `http://${host}`, 'content-type': type, 'content-length': Buffer.byteLength(body), ...more }
  return sendRequest(product.product.port, path, headers, 'POST', String(body))
}

/** Prints what a request costs everybody else: the longest response time of another site's stored page meanwhile. */
async function reportLongestWait(attack: () => Promise<unknown>): Promise<void> {
  const kept = () => sendRequest(product.product.port, '/', { host: `${other?.host}:${product.product.port}` })
  for (let warm = 0; warm < 5; warm++) await kept()
  const began = performance.now()
  const watched = { longest: 0, isOver: false }
  const watch = (async () => {
    while (!watched.isOver) {
      const asked = performance.now()
      await kept()
      watched.longest = Math.max(watched.longest, performance.now() - asked)
    }
  })()
  await attack()
  watched.isOver = true
  await watch
  console.log(`took ${Math.round(performance.now() - began)} ms; another site's page at most ${Math.round(watched.longest)} ms`)
}

const response = (answers: unknown) =>
  JSON.stringify({
    data: {
      type: 'responses',
      id: crypto.randomUUID(),
      attributes: { answers, sendKey: 'k'.repeat(22) },
      relationships: { survey: { data: { type: 'surveys', id: survey.id } } },
    },
  })
const zeros = (count: number) => Array.from({ length: count }, () => 0)

describe('a body of 980 kB made of many small values', () => {
  test.each<[string, () => string]>([
    ['a list', () => `[${'0,'.repeat(489_999)}0]`],
    ['lists in a list', () => `[${'[],'.repeat(326_000)}0]`],
    ['a list of answers', () => response(zeros(489_000))],
    ['an answer with many choices', () => response({ mode: { choices: zeros(480_000) } })],
    ['answers to many questions', () => response(Object.fromEntries(zeros(60_000).map((_, at) => [`a${at}`, []])))],
    ['a form of many fields', () => Array.from({ length: 100_000 }, (_, at) => `f${at}=1`).join('&')],
  ])('%s is refused with 413, before it is parsed', async (name, body) => {
    const sent = body()
    await reportLongestWait(async () => {
      const isForm = name.includes('form')
      const paths = isForm ? ['/sign-in', '/cookies', `/projects/${survey.projectSlug}/surveys/${survey.slug}`] : ['/api/v2/responses']
      for (const path of paths) {
        const answer = await send(path, isForm ? FORM : JSON_API, sent, isForm ? { accept: 'text/html' } : {})
        expect(answer.status, path).toBe(413)
        expect(answer.text).toContain(isForm ? '<title>You sent too much</title>' : '"code":"too-large"')
      }
    })
  })

  test('allows long answers with few words', async () => {
    const words = 'A long story. '.repeat(140)
    const answer = await send('/api/v2/responses', JSON_API, response({ name: 'Fern Street', ideas: words }))
    expect(answer.status, answer.text).toBe(201)
  })
})

describe('an endpoint', () => {
  test('accepts no more than it needs: little if it has only a few fields', async () => {
    const long = 'x'.repeat(70_000)
    const session = JSON.stringify({ data: { type: 'sessions', attributes: { email: long, password: long } } })
    expect((await send('/api/v2/sessions', JSON_API, session)).status).toBe(413)
    expect((await send('/sign-in', FORM, `email=${long}`)).status).toBe(413)
    expect((await send('/cookies', FORM, `back=${'x&'.repeat(101)}`)).status).toBe(413)
    const parts = Array.from({ length: 200 }, (_, at) => `--b\r\ncontent-disposition: form-data; name="f${at}"\r\n\r\n1\r\n`).join('')
    expect((await send('/sign-in', 'multipart/form-data; boundary=b', `${parts}--b--\r\n`)).status).toBe(413)
  })

  test('that is a server function accepts no more either, and reports it like any other error', async () => {
    const call = (name: string, body: string) => send(`/_serverFn/${idOf(name)}`, 'application/json', body, { 'x-tsr-serverfn': 'true' })
    expect((await call('tellPresence', JSON.stringify('x'.repeat(70_000)))).status).toBe(401)
    const refused = await call('keepAnswers', JSON.stringify('x'.repeat(2_100_000)))
    expect([refused.status, refused.text]).toEqual([413, expect.stringContaining('too-large')])
    expect((await call('keepAnswers', `[${'0,'.repeat(489_999)}0]`)).status).toBe(413)
    expect((await call('keepAnswers', `{"t":${'['.repeat(5000)}`)).status).toBe(400)
  })

  test('refuses a body by its declared length before it arrives', async () => {
    for (const [path, type] of [
      ['/api/v2/responses', JSON_API],
      ['/sign-in', FORM],
      [`/_serverFn/${idOf('keepAnswers')}`, 'application/json'],
    ] as const)
      expect(await statusBeforeBody(path, type, 5_000_000), path).toBe(413)
  })
})

const idOf = (name: string) => listServerFunctions().find((one) => one.name === name)?.id ?? ''

/** The status returned for a request of which only the head was sent. */
function statusBeforeBody(path: string, type: string, length: number): Promise<number> {
  const { port } = product.product
  const host = `${site?.host}:${port}`
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', reject)
    socket.once('data', (heard) => {
      socket.destroy()
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(heard.toString())?.[1]))
    })
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
    )
  })
}
