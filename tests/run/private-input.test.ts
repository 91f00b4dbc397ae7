import type { OutgoingHttpHeaders } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Site } from '#app/server/site-directory.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { type RawAnswer, sendRequest } from '#tests/support/send-request.ts'
import { addSite } from '#tests/support/database.ts'
import {
  buildCallPayload,
  buildExample,
  fillPath,
  listOperations,
  listRoutePaths,
  listServerFunctions,
} from '#tests/support/every-endpoint.ts'
import { createOwnDatabase, type OwnProduct } from '#tests/support/own-product.ts'
import { addPerson } from '#tests/support/people.ts'

const JSON_API = 'application/vnd.api+json'
const FORM = 'application/x-www-form-urlencoded'
const db = await createOwnDatabase()
let product: OwnProduct
let site: Site
let survey: Awaited<ReturnType<typeof addSurvey>>
let token: string

/** Unique words made of letters, since anything that looks like a token is easily redacted. */
const WHISPER = 'whisper'
let said = 0
const mark = () => `${WHISPER}${String(said++).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`

beforeAll(async () => {
  site = await addSite(db.runtime, { slug: 'mill' })
  survey = await addSurvey(db.runtime, site)
  token = (await addPerson(db.runtime, site, { role: 'site_admin' })).token
  product = await db.start({ LOG_LEVEL: 'debug' })
})

interface Sent {
  method?: string
  headers?: OutgoingHttpHeaders
  body?: string
}

/** Sends a request with something private in every header that a client can set freely. */
function send(path: string, { method = 'GET', headers = {}, body = '' }: Sent = {}): Promise<RawAnswer> {
  const host = `${site.host}:${product.product.port}`
  const spoken = Object.fromEntries(
    ['user-agent', 'referer', 'x-forwarded-for', 'x-request-id', 'if-none-match', 'authorization', 'accept-language', 'x-parley'].map(
      (name) => [name, mark()],
    ),
  )
  const cookie = `token=${token}; browser=${mark()}; current_language=en; ${mark()}=${mark()}`
  const own = { ...spoken, host, origin: `http://${host}`, cookie, 'content-length': Buffer.byteLength(body) }
  return sendRequest(product.product.port, path, { ...own, ...headers }, method, body)
}

async function sendAll(requests: readonly (() => Promise<RawAnswer>)[]): Promise<void> {
  const left = [...requests]
  const work = async () => {
    for (let one = left.shift(); one; one = left.shift()) await one()
  }
  await Promise.all(Array.from({ length: 4 }, work))
}

/** Lines of the product's output that contain any of it. */
async function leaked(): Promise<string[]> {
  const { headers } = await send('/healthz')
  await expect.poll(() => product.product.output()).toContain(String(headers['x-request-id']))
  return product.product
    .output()
    .split('\n')
    .filter((line) => line.toLowerCase().includes(WHISPER))
    .slice(0, 20)
}

const fieldsOf = (names: readonly string[]) => names.map((name) => `${name}=${mark()}`).join('&')

describe('the log repeats nothing that was sent', () => {
  test('to the API, with a token, with a broken one or without any', async () => {
    const described: unknown = JSON.parse((await send('/api/v2/openapi.json')).text)
    const operations = listOperations(described)
    expect(operations.length).toBeGreaterThan(300)
    const query = () => `filter[q]=${mark()}&filter[${mark()}]=${mark()}&sort=${mark()}&include=${mark()}`
    const requests = operations.flatMap(({ method, path, body }) => {
      const make = (sent: string, bearer: string | undefined, address: string) => () =>
        send(`/api/v2${address}`, {
          method,
          body: sent,
          headers: { ...(bearer ? { 'x-api-token': `Bearer ${bearer}` } : {}), accept: JSON_API, 'content-type': JSON_API },
        })
      const whole = (text: () => string) => (body ? JSON.stringify(buildExample(body, described, text)) : '')
      return [
        make(whole(mark), token, fillPath(path, crypto.randomUUID())),
        make(whole(mark), undefined, fillPath(path, mark())),
        make(
          whole(() => `${mark()}\0`),
          token,
          fillPath(path, mark()),
        ),
        make(body ? `{"data": ${mark()}` : '', mark(), `${fillPath(path, crypto.randomUUID())}?${query()}`),
      ]
    })
    await sendAll(requests)
    expect(await leaked()).toEqual([])
  })

  test('to server functions, whose validators repeat what they refuse', async () => {
    const functions = listServerFunctions()
    expect(functions.length).toBeGreaterThanOrEqual(59)
    const members = [
      'slug',
      'token',
      'id',
      'page',
      'project',
      'survey',
      'hub',
      'host',
      'q',
      'update',
      'sendKey',
      'text',
      'connector',
      'words',
      'campaign',
      'subject',
      'editor',
      'preview',
      'resume',
      'invitation',
    ]
    const payloads = () => [
      buildCallPayload(mark()),
      buildCallPayload([mark()]),
      buildCallPayload(Object.fromEntries(members.map((name) => [name, mark()]))),
      buildCallPayload(Object.fromEntries(members.map((name) => [name, `${mark()}\0`]))),
      buildCallPayload({
        survey: crypto.randomUUID(),
        id: crypto.randomUUID(),
        sendKey: mark().padEnd(20, 'x'),
        version: 1,
        answers: { name: mark(), [mark()]: { [mark()]: mark() } },
      }),
      `{"t": ${mark()}`,
      `{"t":{"t":99,"s":"${mark()}"},"f":127,"m":[]}`,
    ]
    const requests = functions.flatMap(({ id }) =>
      payloads().flatMap((payload) => [
        () => send(`/_serverFn/${id}?payload=${encodeURIComponent(payload)}`, { headers: { 'x-tsr-serverfn': 'true' } }),
        () =>
          send(`/_serverFn/${id}`, {
            method: 'POST',
            body: payload,
            headers: { 'x-tsr-serverfn': 'true', 'content-type': 'application/json' },
          }),
        () => send(`/_serverFn/${id}`, { method: 'POST', body: fieldsOf(members), headers: { 'content-type': FORM } }),
      ]),
    )
    await sendAll([...requests, () => send(`/_serverFn/${mark()}?payload=${mark()}`)])
    expect(await leaked()).toEqual([])
  })

  test('to pages and forms, in fields, in the address and in its query', async () => {
    const fields = [
      'form',
      'email',
      'login',
      'password',
      'token',
      'code',
      'phone',
      'project',
      'step',
      'go',
      'shown',
      'version',
      'id',
      'sendKey',
      'website',
      'area',
      'file',
      'consent',
      'back',
      'invitation',
      'q.name',
      'q.mode',
    ]
    const real = listRoutePaths().map((path) => path.replace('$slug', survey.projectSlug).replace('$survey', survey.slug))
    const paths = () => [...listRoutePaths(), ...real].map((path) => fillPath(path, mark()))
    const query = () =>
      `?token=${mark()}&q=${mark()}&${mark()}=${mark()}&step=${mark()}&invitation=${mark()}&preview=${mark()}&next=/${mark()}`
    const html = { accept: 'text/html' }
    const parts = () =>
      `--b\r\ncontent-disposition: form-data; name="${mark()}"\r\n\r\n${mark()}\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="${mark()}"\r\n\r\n${mark()}\r\n--b--\r\n`
    await sendAll([
      ...paths().map((path) => () => send(path + query(), { headers: html })),
      ...paths().map((path) => () => send(path + query(), { headers: { ...html, cookie: '' } })),
      // Without a session: the account forms would end it.
      ...paths().map(
        (path) => () => send(path, { method: 'POST', body: fieldsOf(fields), headers: { ...html, cookie: '', 'content-type': FORM } }),
      ),
      ...paths().map(
        (path) => () =>
          send(path, {
            method: 'POST',
            body: parts(),
            headers: { ...html, cookie: '', 'content-type': 'multipart/form-data; boundary=b' },
          }),
      ),
      ...paths().map((path) => () => send(path, { method: 'PATCH', body: mark(), headers: { cookie: '', 'content-type': mark() } })),
      () => send(`//${mark()}`),
      () => send(`/%zz${mark()}`),
      () => send(`/${mark()}\\`),
    ])
    expect(await leaked()).toEqual([])
  })

  test('even if the database itself refuses it', async () => {
    await db.asOwner(`alter table responses add constraint planted check (answers::text not like '%whisper%')`)
    await db.asOwner(`alter table response_drafts add constraint planted check (answers::text not like '%whisper%')`)
    const body = JSON.stringify({
      data: {
        type: 'responses',
        id: crypto.randomUUID(),
        attributes: { answers: { name: mark() }, sendKey: 'k'.repeat(22) },
        relationships: { survey: { data: { type: 'surveys', id: survey.id } } },
      },
    })
    const refused = await send('/api/v2/responses', { method: 'POST', body, headers: { 'content-type': JSON_API } })
    expect(refused.status).toBe(422)
    await expect.poll(() => product.product.output()).toContain('"code":"23514"')
    const form = `q.name=${mark()}&id=${crypto.randomUUID()}&sendKey=${'k'.repeat(22)}`
    const path = `/projects/${survey.projectSlug}/surveys/${survey.slug}`
    await send(path, { method: 'POST', body: form, headers: { accept: 'text/html', 'content-type': FORM } })
    expect(await leaked()).toEqual([])
  })
})
