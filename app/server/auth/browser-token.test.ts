import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { issueBrowserToken, parseBrowserToken } from './browser-token.ts'
import { createBrowserToken } from './sign-browser-token.ts'

let runtime: TestRuntime
let site: Site
let other: Site
let activityId: string
const noon = new Date('2026-03-02T12:00:00Z')
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  other = await addSite(runtime, { slug: 'dyffryn' })
  activityId = (await addActivity(runtime, site, { postAccess: 'anyone', reactAccess: 'anyone' })).id
})
beforeEach(() => runtime.setNow(noon))

const parse = (token: string, of = site) => parseBrowserToken(createCtx(runtime, of), token)
const api = (address = '192.0.2.7', of = site) => createApiClient(runtime, of, undefined, { address })

async function askToken(address?: string): Promise<{ status: number; token: string }> {
  const { status, body } = await api(address).post('/browser-tokens', { data: { type: 'browser-tokens', attributes: {} } })
  return { status, token: (body?.data as { attributes: { token: string } } | undefined)?.attributes.token ?? '' }
}

let ideas = 0
const addIdea = async () => (await addContribution(runtime, site, { activityId, number: ++ideas, supports: 0 })).id

const support = (contribution: string, browserToken?: string) => {
  const id = createId()
  const to = { contribution: { type: 'contributions', id: contribution } }
  return api().put(
    `/reactions/${id}`,
    buildResourceDocument('reactions', { value: 'support', ...(browserToken && { browserToken }) }, { id, to }),
  )
}
const countSupports = async (id: string) =>
  ((await api().get(`/contributions/${id}`)).body?.data as { attributes: { supports: number } } | undefined)?.attributes.supports

describe('a token', () => {
  test('counts if the site issued it, and on this site only', async () => {
    const { status, token } = await askToken()
    expect(status).toBe(201)
    expect(parse(token)).toBe(token)
    expect(parse(token, other)).toBeUndefined()
  })

  test('is none if it was made up, shortened, changed or spelt differently', async () => {
    const { token } = await askToken()
    const [random = '', signature = ''] = token.split('.')
    for (const sent of ['', 'a-browser-of-mine', createId(), random, `${random}.`, `${random}.${'A'.repeat(22)}`, `${token} `, `${token}=`])
      expect(parse(sent)).toBeUndefined()
    expect(parse(createBrowserToken('another secret of another installation', site.id))).toBeUndefined()
    const last = (text: string) => Array.from(DIGITS, (digit) => text.slice(0, -1) + digit)
    // The last digit of 16 bytes has bits that mean nothing.
    expect(last(token).filter((sent) => parse(sent))).toEqual([token])
    expect(last(random).filter((sent) => parse(`${sent}.${signature}`))).toEqual([random])
  })

  test('is issued to one address 600 times an hour, whatever its last 64 bits are', async () => {
    const issue = (place: number) => issueBrowserToken(createCtx(runtime, site, { address: `2001:db8:1:2::${place.toString(16)}` }))
    // Those that are asked for at once share a transaction.
    const issued = await Promise.all(Array.from({ length: 600 }, (_, place) => issue(place)))
    expect(new Set(issued).size).toBe(600)
    expect((await askToken('2001:db8:1:2::ffff')).status).toBe(429)
    expect((await askToken('2001:db8:1:3::1')).status).toBe(201)
  })
})

describe('without an issued token', () => {
  test('400 supports with tokens that the sender made up count for nothing', async () => {
    const id = await addIdea()
    const statuses = new Set<number>()
    for (let sent = 0; sent < 400; sent++) statuses.add((await support(id, createId())).status)
    expect([...statuses]).toEqual([401])
    expect(await countSupports(id)).toBe(0)
  })

  test('80 answers to a survey that accepts one from each browser are refused', async () => {
    const survey = await addSurvey(runtime, site, { access: 'anyone_once' })
    const codes = new Set<string | undefined>()
    for (let sent = 0; sent < 80; sent++) {
      const id = createId()
      const attributes = { answers: {}, sendKey: 'only-the-sender-knows', browserToken: createId() }
      const to = { survey: { type: 'surveys', id: survey.id } }
      codes.add((await api().post('/responses', buildResourceDocument('responses', attributes, { id, to }))).codes[0])
    }
    expect([...codes]).toEqual(['browser-or-account-needed'])
  })
})

test('one browser counts once, however often it presses at once', async () => {
  const id = await addIdea()
  const { token } = await askToken('192.0.2.8')
  await Promise.all(Array.from({ length: 6 }, () => support(id, token)))
  expect(await countSupports(id)).toBe(1)
})
