import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { addReaction } from '#app/features/contributions/responding/reactions.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { verifications } from '#app/server/db/schema/verifications.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addAreas } from '#tests/factories/areas.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { removeRandomValues } from '#tests/support/random-values.ts'
import { verifyByPostcode } from './verify-by-postcode.server.ts'

const NOON = new Date('2026-03-02T12:00:00Z')
const runtime = await createTestRuntime()
let site: Site
let admin: Person

beforeEach(async () => {
  runtime.setNow(NOON)
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}`, region: 'United Kingdom' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  await addAreas(runtime, site, [{ name: 'Northside', west: 0, south: 0, side: 1, postcodes: ['CF24'] }])
})

const as = (): Ctx => createCtx(runtime, site, { viewer: VISITOR, address: null })
const declare = (postcode: string, more: { browserToken?: BrowserToken; secret?: string | undefined } = {}) =>
  verifyByPostcode(as(), { postcode, browserToken: issueToken(runtime, site), ...more })
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (isAppError(error) ? (error.faults[0]?.code ?? error.code) : error),
  )
let lockVersion: number
const change = async (attributes: Record<string, unknown>, person: Person | undefined = admin) => {
  const document = buildResourceDocument('postcode-settings', attributes, { id: site.id, lockVersion })
  const answer = await createApiClient(runtime, site, person.token).patch(`/postcode-settings/${site.id}`, document)
  if (answer.status === 200) lockVersion++
  return answer
}
beforeEach(() => {
  lockVersion = 1
})

describe('a postcode', () => {
  test('is of a list by its whole or its beginning, or of an area if the administrators say so', async () => {
    expect(await refusalOf(declare('CF10 1AA'))).toBe('postcode-unknown')
    await change({ postcodes: ['cf10', 'NP20 4AA'] })
    for (const typed of ['cf101aa', 'CF10 9ZZ', 'np20-4aa'])
      expect((await declare(typed)).row).toMatchObject({
        method: 'postcode',
        level: 'contact',
        validUntil: new Date('2027-03-02T12:00:00Z'),
      })
    for (const typed of ['CF11 1AA', 'NP20 4AB', 'CF24 1AA']) expect(await refusalOf(declare(typed))).toBe('postcode-unknown')
    await change({ usesAreas: true })
    expect((await declare('CF24 1AA')).row.level).toBe('contact')
  })

  test('is a whole one of the site’s country', async () => {
    await change({ postcodes: ['CF10'] })
    for (const typed of ['CF10', 'K1A 0B1', 'CF10 1AAA']) expect(await refusalOf(declare(typed))).toBe('wrong-format')
    for (const typed of ['', ' - ']) expect(await refusalOf(declare(typed))).toBe('required')
  })

  test('is not stored, nor its area, and cannot tell two people of it apart', async () => {
    await change({ postcodes: ['CF10'], usesAreas: true })
    const activity = await addActivity(runtime, site, {
      reactAccess: 'verified',
      settings: { verification: { level: 'contact', list: null } },
    })
    const { id: contributionId } = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    const react = (secret: string | undefined) =>
      addReaction(as(), { id: createId(), contributionId, browserToken: issueToken(runtime, site), invitation: () => secret })
    const first = await declare('CF10 1AA')
    expect(await react(first.secret)).toMatchObject({ created: true })
    expect(await react((await declare('CF10 1AA')).secret)).toMatchObject({ created: true })
    // Another postcode in the same browser is the same person.
    const again = await declare('CF24 1AA', { secret: first.secret })
    expect(again).toMatchObject({ secret: first.secret, row: { id: first.row.id } })
    expect(await react(first.secret)).toMatchObject({ created: false })
    const db = runtime.database.site(site.id)
    const [counted] = await db.tx((tx) =>
      tx.select({ supports: contributions.supports }).from(contributions).where(eq(contributions.id, contributionId)),
    )
    expect(counted).toEqual({ supports: 2 })
    for (const table of ['verifications', 'audit_events']) {
      const { rows } = await db.tx((tx) => tx.execute<{ text: string }>(sql`select t::text as text from ${sql.identifier(table)} t`))
      expect(removeRandomValues(rows.map(({ text }) => text).join())).not.toMatch(/CF10 ?1AA|CF24|Northside/i)
    }
  })

  test('may be wrong five times an hour before people have to wait', async () => {
    await change({ postcodes: ['CF10'] })
    const browserToken = issueToken(runtime, site)
    for (let tried = 0; tried < 6; tried++) expect(await refusalOf(declare('CF11 1AA', { browserToken }))).toBe('postcode-unknown')
    expect(await refusalOf(declare('CF10 1AA', { browserToken }))).toBe('too-many-requests')
  })

  test('proves nothing any more once the administrators accept none', async () => {
    await change({ postcodes: ['CF10'] })
    await declare('CF10 1AA')
    await change({ postcodes: ['NP20'] })
    const held = () => runtime.database.site(site.id).tx((tx) => tx.select().from(verifications).where(eq(verifications.siteId, site.id)))
    expect(await held()).toHaveLength(1)
    await change({ postcodes: [] })
    expect(await held()).toEqual([])
  })

  test('is kept by site administrators through the API, and declared there', async () => {
    const api = (person?: Person) => createApiClient(runtime, site, person?.token)
    expect((await api(await addPerson(runtime, site)).get('/postcode-settings')).status).toBe(403)
    expect((await change({ usesAreas: true }, await addPerson(runtime, site))).status).toBe(403)
    const faulty = await change({ postcodes: ['CF10', '-'] })
    expect([faulty.status, faulty.codes]).toEqual([422, ['wrong-format']])
    expect((await change({ postcodes: ['CF10 ', 'cf10'] })).status).toBe(200)
    const { body: settings } = await api(admin).get('/postcode-settings')
    const [read] = (settings?.data ?? []) as { attributes: object }[]
    expect(read?.attributes).toEqual({ postcodes: ['CF10'], usesAreas: false })
    const answer = await api().post('/verifications', buildResourceDocument('verifications', { postcode: 'CF10 1AA' }))
    expect(answer.status).toBe(201)
    lockVersion = 1
    expect((await change({ usesAreas: true })).status).toBe(409)
  })
})
