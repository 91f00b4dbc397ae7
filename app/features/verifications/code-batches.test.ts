import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readOwnData } from '#app/features/people/own-data.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { loadViewer, type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { codeBatches, verificationCodes, verifications } from '#app/server/db/schema/verifications.ts'
import { addReaction } from '#app/features/contributions/responding/reactions.server.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson as addViewer } from '#tests/factories/surveys.ts'
import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { createCodeBatch } from './code-batches.server.ts'
import { endOwnVerification, sweepVerifications } from './verifications.server.ts'
import { verifyByCode } from './verify-by-code.server.ts'

const NOON = new Date('2026-03-02T12:00:00Z')
const NEXT_YEAR = new Date('2027-03-02T12:00:00Z')

let runtime: TestRuntime
let site: Site
let admin: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})
beforeEach(() => runtime.setNow(NOON))

const as = (viewer: Ctx['viewer'] = VISITOR, address: string | null = null, of = site): Ctx => createCtx(runtime, of, { viewer, address })
const toViewer = async (person: Person) =>
  (await loadViewer({ db: runtime.database.site(site.id), database: runtime.database }, person.token, new Date())) as SignedInViewer
const api = (person?: Person, of = site) => createApiClient(runtime, of, person?.token)

const makeCodes = async (count: number, validUntil = NEXT_YEAR) => {
  const batch = await createCodeBatch(as(await toViewer(admin)), { name: 'Spring mailing', level: 'resident', validUntil, count })
  return { id: batch.id, codes: batch.made?.codes ?? [], address: batch.made?.address }
}
const verify = (code = '', more: { browserToken?: BrowserToken; secret?: string | undefined } = {}, ctx = as()) =>
  verifyByCode(ctx, { code, browserToken: issueToken(runtime, site), ...more })
const faultsOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error: unknown) => (isAppError(error) ? error.faults.map(({ code, pointer }) => (pointer ? [code, pointer] : [code])) : [error]),
  )
type Body = { data?: unknown } | undefined
const attributesOf = (body: Body) => (body?.data as { attributes: Record<string, unknown> } | undefined)?.attributes ?? {}

describe('codes of letters', () => {
  test('have 80 bits in groups of four, and each verifies the person who types it, however it is written', async () => {
    const { id, codes, address } = await makeCodes(3)
    expect(new Set(codes).size).toBe(3)
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
    expect(address).toMatch(/^http:\/\/riverbend\.localhost(:\d+)?\/verify\?code=$/)
    const { row, secret } = await verify(codes[0]?.toLowerCase().replaceAll('-', ' '))
    expect(row).toMatchObject({ method: 'code', level: 'resident', batchId: id, validUntil: NEXT_YEAR, userId: null })
    expect(secret).toHaveLength(43)
  })

  test('are kept as keyed hashes only, and nobody sees who used which', async () => {
    const { codes } = await makeCodes(2)
    await verify(codes[0])
    for (const table of ['code_batches', 'verification_codes', 'verifications', 'audit_events']) {
      const { rows } = await as().db.tx((tx) => tx.execute<{ text: string }>(sql`select t::text as text from ${sql.identifier(table)} t`))
      const text = rows.map((row) => row.text).join()
      for (const code of codes) expect(text.includes(code) || text.includes(code.replaceAll('-', ''))).toBe(false)
    }
  })

  test('work once: for the same browser and account again, for nobody else', async () => {
    const { codes } = await makeCodes(1)
    const first = await verify(codes[0])
    expect(await verify(codes[0], { secret: first.secret })).toMatchObject({ secret: first.secret, row: { id: first.row.id } })
    expect(await faultsOf(verify(codes[0]))).toEqual([['taken', '/code']])
    const person = await toViewer(await addPerson(runtime, site))
    expect(await faultsOf(verify(codes[0], {}, as(person)))).toEqual([['taken', '/code']])
    // Who verified in this browser and then signed in holds it in the account too, and is still one person.
    const own = await verify(codes[0], { secret: first.secret }, as(person))
    expect(own.row.subjectHash.equals(first.row.subjectHash)).toBe(true)
  })

  test('are taken by one of two who send one at the same moment', async () => {
    const { codes } = await makeCodes(1)
    const both = await Promise.allSettled([verify(codes[0]), verify(codes[0]), verify(codes[0])])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  test('can be used again by a person who has removed what they showed', async () => {
    const { codes } = await makeCodes(1)
    const { row, secret } = await verify(codes[0])
    await endOwnVerification(as(), row.id, secret)
    expect((await verify(codes[0])).row.subjectHash.equals(row.subjectHash)).toBe(true)
  })

  test('that are refused say what to do, and count as tries', async () => {
    const { codes } = await makeCodes(1)
    expect(await faultsOf(verify('  '))).toEqual([['required', '/code']])
    expect(await faultsOf(verify('K7QF'))).toEqual([['wrong-format', '/code']])
    const browserToken = issueToken(runtime, site)
    for (let tried = 0; tried < 6; tried++)
      expect(await faultsOf(verify('K7QF-1M8Z-XW3R-90BT', { browserToken }))).toEqual([['not-found', '/code']])
    expect(await faultsOf(verify(codes[0], { browserToken }))).toEqual([['too-many-requests']])
    const at = as(VISITOR, '192.0.2.60')
    for (let tried = 0; tried < 101; tried++) await faultsOf(verify('K7QF-1M8Z-XW3R-90BT', {}, at))
    expect(await faultsOf(verify(codes[0], {}, at))).toEqual([['too-many-requests']])
    await expect(verify(codes[0])).resolves.toBeDefined()
  })

  test('verify no guest of the platform, who has no account here', async () => {
    const { codes } = await makeCodes(1)
    const viewer = {
      ...(await addViewer(runtime, site, { roles: [{ role: 'platform_admin' }] })),
      siteId: PLATFORM_SITE_ID,
      supportGranted: true,
    }
    await expect(verify(codes[0], {}, as(viewer))).rejects.toEqual(expect.objectContaining({ code: 'forbidden' }))
  })

  test('count their person once in an activity', async () => {
    const { codes } = await makeCodes(2)
    const activity = await addActivity(runtime, site, { reactAccess: 'verified' })
    const { id: contributionId } = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    const react = (secret: string | undefined) =>
      addReaction(as(), { id: createId(), contributionId, browserToken: issueToken(runtime, site), invitation: () => secret })
    const first = await verify(codes[0])
    await react(first.secret)
    await endOwnVerification(as(), first.row.id, first.secret)
    // The same letter in another browser.
    expect(await react((await verify(codes[0])).secret)).toMatchObject({ created: false })
    await react((await verify(codes[1])).secret)
    const [counted] = await as().db.tx((tx) =>
      tx.select({ supports: contributions.supports }).from(contributions).where(eq(contributions.id, contributionId)),
    )
    expect(counted).toEqual({ supports: 2 })
  })

  test('and what they proved are one site’s, and go when their time is over', async () => {
    const soon = new Date(NOON.getTime() + 3_600_000)
    const { id, codes } = await makeCodes(1, soon)
    const other = await addSite(runtime, { slug: 'harbour' })
    expect(await faultsOf(verify(codes[0], {}, as(VISITOR, null, other)))).toEqual([['not-found', '/code']])
    await verify(codes[0])
    runtime.setNow(new Date(soon.getTime() + 1))
    expect(await faultsOf(verify(codes[0]))).toEqual([['not-found', '/code']])
    await sweepVerifications(runtime)
    const left = await as().db.tx(async (tx) => [
      ...(await tx.select({ id: codeBatches.id }).from(codeBatches).where(eq(codeBatches.id, id))),
      ...(await tx.select({ id: verificationCodes.batchId }).from(verificationCodes).where(eq(verificationCodes.batchId, id))),
      ...(await tx.select({ id: verifications.batchId }).from(verifications).where(eq(verifications.batchId, id))),
    ])
    expect(left).toEqual([])
  })
})

describe('through the API', () => {
  const attributes = { name: 'Spring mailing', level: 'resident', count: 6, validUntil: NEXT_YEAR.toISOString() }

  test('an administrator makes codes once, sees how many were used from five on, ends the rest and deletes all', async () => {
    const made = await api(admin).post('/code-batches', buildResourceDocument('code-batches', attributes))
    expect(made.status).toBe(201)
    const { id } = (made.body?.data ?? {}) as { id: string }
    const codes = attributesOf(made.body)['codes'] as string[]
    expect(codes).toHaveLength(6)
    const read = async () => attributesOf((await api(admin).get(`/code-batches/${id}`)).body)
    expect(await read()).toMatchObject({ total: 6, used: null, isEnded: false })
    expect(await read()).not.toHaveProperty('codes')
    expect((await api().get(`/code-batches/${id}`)).status).toBe(404)
    const use = (code = '') => api().post('/verifications', buildResourceDocument('verifications', { code }))
    for (const code of codes.slice(0, 4)) expect((await use(code)).status).toBe(201)
    expect(await read()).toMatchObject({ used: null })
    const fifth = await use(codes[4])
    expect(attributesOf(fifth.body)).toMatchObject({ method: 'code', level: 'resident', secret: expect.any(String) as string })
    expect(await read()).toMatchObject({ used: 5 })
    const again = await use(codes[4])
    expect([again.status, again.codes]).toEqual([422, ['taken']])
    const change = (more: Record<string, unknown>) =>
      api(admin).patch(`/code-batches/${id}`, buildResourceDocument('code-batches', more, { id }))
    expect((await change({ isEnded: true })).status).toBe(200)
    const ended = await use(codes[5])
    expect([ended.status, ended.codes]).toEqual([404, ['not-found']])
    expect(await read()).toMatchObject({ total: 6, used: 5, isEnded: true })
    expect((await change({ isEnded: false })).status).toBe(409)
    expect((await change({ level: 'contact' })).status).toBe(200)
    const held = () =>
      as().db.tx((tx) => tx.select({ level: verifications.level }).from(verifications).where(eq(verifications.batchId, id)))
    expect(await held()).toEqual(Array.from({ length: 5 }, () => ({ level: 'contact' })))
    expect((await api(admin).delete(`/code-batches/${id}`)).status).toBe(204)
    expect(await held()).toEqual([])
  })

  test('refuses a batch of no or too many codes, without a name or of the past', async () => {
    const refuse = async (more: Record<string, unknown>) =>
      (await api(admin).post('/code-batches', buildResourceDocument('code-batches', { ...attributes, ...more }))).status
    for (const more of [{ count: 0 }, { count: 20_001 }, { name: ' ' }, { validUntil: NOON.toISOString() }])
      expect(await refuse(more)).toBe(422)
  })

  test('a person whom an administrator ended cannot use their letter again', async () => {
    const { codes } = await makeCodes(1)
    const person = await addPerson(runtime, site)
    const use = () => api(person).post('/verifications', buildResourceDocument('verifications', { code: codes[0] }))
    const used = await use()
    expect(attributesOf(used.body)).not.toHaveProperty('secret')
    const data = await readOwnData(as(await toViewer(person)))
    expect(data['verifications']).toMatchObject([{ method: 'code', level: 'resident' }])
    const { id } = (used.body?.data ?? {}) as { id: string }
    expect((await api(admin).delete(`/verifications/${id}`)).status).toBe(204)
    expect((await use()).codes).toEqual(['not-found'])
  })
})
