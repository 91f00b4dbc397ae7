import { beforeAll, describe, expect, test } from 'vitest'
import { apiResources } from '#app/root/api-resources.ts'
import { createId } from '#app/lib/uuid.ts'
import { createApiHandler } from '#app/server/api/create-handler.ts'
import { MEDIA_TYPE } from '#app/server/api/protocol.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'

/** What people without an account create: a session, an account, a way back into one, answers, contributions and replies, and translations of these. */
const BY_ANYONE = [
  'contribution-translations',
  'contributions',
  'email-confirmations',
  'password-changes',
  'password-resets',
  'replies',
  'responses',
  'sessions',
  'users',
  // What recognises somebody without an account.
  'browser-tokens',
  // Visitors show that they may take part, for example by a code in a letter or a text.
  'verification-texts',
  'verifications',
  // Visitors report, and authors without an account appeal with their receipt.
  'moderation-reports',
  'moderation-appeals',
]
/** What everybody does with their own account. */
const BY_PARTICIPANTS = ['account-deletions', 'budget-ballots', 'email-changes', 'profile-answers', 'session-confirmations']
const created = apiResources.resources.filter(({ shape }) => shape.operations.includes('create')).map(({ shape }) => shape.type)

let runtime: TestRuntime
let site: Site
let participant: string
const answer = createApiHandler(apiResources)

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  participant = (await addPerson(runtime, site)).token
})

/** What people without an account change or remove: their session, their draft of an answer, what they posted. */
const CHANGED_BY_ANYONE = ['contributions', 'reactions', 'replies', 'response-drafts', 'sessions']
/** What everybody changes of their own. */
const CHANGED_BY_PARTICIPANTS = ['identities', 'notifications', 'profile-answers', 'users', 'verifications']
const METHODS = { update: 'PATCH', put: 'PUT', remove: 'DELETE' } as const
const changed = apiResources.resources.flatMap(({ shape }) =>
  (['update', 'put', 'remove'] as const)
    .filter((operation) => shape.operations.includes(operation))
    .map((operation) => [METHODS[operation], shape.type, shape.kind] as const),
)

/** The status of a creation whose document cannot be read. */
async function postNonsense(type: string, token?: string): Promise<number> {
  const headers = { 'content-type': MEDIA_TYPE, ...(token && { 'x-api-token': `Bearer ${token}` }) }
  const request = new Request(`http://${site.host}/api/v2/${type}`, { method: 'POST', headers, body: '{"data":' })
  return (await answer(request, runtime, { address: '192.0.2.1' })).status
}

async function sendNonsense(method: string, path: string, token?: string): Promise<number> {
  const headers = { 'content-type': MEDIA_TYPE, ...(token && { 'x-api-token': `Bearer ${token}` }) }
  const request = new Request(`http://${site.host}/api/v2/${path}`, { method, headers, body: '{"data":' })
  return (await answer(request, runtime, { address: '192.0.2.1' })).status
}

describe('a change', () => {
  test.each(changed)('by %s of the type %s is refused at once if its sender could never make it', async (method, type, kind) => {
    const path = kind === 'singleton' ? type : `${type}/${createId()}`
    const anyone = CHANGED_BY_ANYONE.includes(type)
    const [visitor, theirs] = [await sendNonsense(method, path), await sendNonsense(method, path, participant)]
    if (anyone) expect([400, 404]).toContain(visitor)
    else expect(visitor).toBe(401)
    if (anyone || CHANGED_BY_PARTICIPANTS.includes(type)) expect([400, 404]).toContain(theirs)
    else expect(theirs).toBe(403)
  })

  test('is named by a type that exists', () => {
    const types = new Set(changed.map(([, type]) => type))
    expect([...CHANGED_BY_ANYONE, ...CHANGED_BY_PARTICIPANTS].filter((type) => !types.has(type))).toEqual([])
  })
})

describe('a document for something new', () => {
  test.each(created)('of the type %s is only read if its sender could ever create one', async (type) => {
    const anyone = BY_ANYONE.includes(type)
    expect(await postNonsense(type)).toBe(anyone ? 400 : 401)
    expect(await postNonsense(type, participant)).toBe(anyone || BY_PARTICIPANTS.includes(type) ? 400 : 403)
  })

  test('is named by a type that exists', () => {
    expect([...BY_ANYONE, ...BY_PARTICIPANTS].filter((type) => !created.includes(type))).toEqual([])
  })
})
