import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { moderationCases } from '#app/server/db/schema/moderation.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let other: Site
let admin: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'dyffryn', languages: ['cy', 'en'] })
  other = await addSite(runtime, { slug: 'harbour' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})

const api = (person?: Person, of = site) => createApiClient(runtime, of, person?.token)
interface Found {
  id: string
  attributes: Record<string, unknown>
  meta: { lockVersion: number }
}
const loadLists = async (person = admin) => ((await api(person).get('/moderation-word-lists')).body?.data ?? []) as Found[]

async function change(language: string, attributes: Record<string, unknown>, person = admin) {
  const list = (await loadLists()).find((each) => each.attributes['language'] === language)
  if (!list) throw new Error(`There is no list in ${language}`)
  const document = buildResourceDocument('moderation-word-lists', attributes, { id: list.id, lockVersion: list.meta.lockVersion })
  return api(person).patch(`/moderation-word-lists/${list.id}`, document)
}

/** What becomes of a text that is sent to an activity moderated after publication: its state, and why a case was opened. */
async function send(body: string, of = site) {
  const activity = await addActivity(runtime, of, { moderation: 'after', postAccess: 'anyone' })
  const id = v7()
  const attributes = { title: 'Meinciau', body, shownAs: 'anonymous', sendKey: 'only-the-sender-knows' }
  const to = { activity: { type: 'activities', id: activity.id } }
  const sent = await api(undefined, of).post('/contributions', buildResourceDocument('contributions', attributes, { id, to }))
  const ctx = createCtx(runtime, of, { viewer: VISITOR, language: 'en' })
  const cases = await ctx.db.read((tx) =>
    tx
      .select({ openedBy: moderationCases.openedBy })
      .from(moderationCases)
      .where(and(eq(moderationCases.contributionId, id), eq(moderationCases.state, 'open'))),
  )
  const { attributes: stored } = (sent.body?.data ?? { attributes: {} }) as Found
  return [sent.status, stored['state'], ...cases.map(({ openedBy }) => openedBy)]
}

describe('word lists', () => {
  test('start with default words in each language of the site, for those who may change them', async () => {
    const lists = await loadLists()
    expect(lists.map(({ attributes }) => attributes['language'])).toEqual(['cy', 'en'])
    for (const { attributes } of lists) expect((attributes['held'] as string[]).length).toBeGreaterThan(0)
    expect((await api().get('/moderation-word-lists')).body?.data ?? []).toEqual([])
  })

  test('hold a text or have it looked at, and never refuse it; authors are not told which word it was', async () => {
    expect(await send('Mae’r hen hwren yma eto.')).toEqual([201, 'held', 'words'])
    expect(await send('Am gachu!')).toEqual([201, 'published', 'words'])
    expect(await send('Rhyw ddydd, pys a ffagots.')).toEqual([201, 'published'])
  })

  test('go before personal data only where they hold', async () => {
    expect(await send('Am gachu! ana@example.org')).toEqual([201, 'published', 'personal-data'])
    expect(await send('Hen hwren! ana@example.org')).toEqual([201, 'held', 'words'])
    expect(await send('Hen hwren! 4111 1111 1111 1111')).toEqual([201, 'held', 'personal-data'])
  })

  test('are those of all languages of the site, and of no other site', async () => {
    const saved = await change('cy', { held: ['Câth', '  cath ', 'ci mawr'], flagged: ['cath', 'aderyn'] })
    expect(saved.status).toBe(200)
    expect((await loadLists()).find(({ attributes }) => attributes['language'] === 'cy')?.attributes).toMatchObject({
      held: ['Câth', 'ci mawr'],
      flagged: ['aderyn'],
    })
    expect(await send('fy nghath i')).toEqual([201, 'held', 'words'])
    expect(await send('gi mawr')).toEqual([201, 'held', 'words'])
    expect(await send('ei haderyn hi')).toEqual([201, 'published', 'words'])
    expect(await send('cathod')).toEqual([201, 'published'])
    // What was in the list before is no longer there.
    expect(await send('hwren')).toEqual([201, 'published'])
    expect(await send('fy nghath i', other)).toEqual([201, 'published'])
  })

  test('are changed by site administrators alone, one change at a time, with a trace that names no word', async () => {
    const hub = await addPerson(runtime, site, { role: 'hub_admin' })
    expect((await change('en', { held: [] }, hub)).status).toBe(404)
    const [list] = await loadLists()
    const document = (lockVersion: number) =>
      buildResourceDocument('moderation-word-lists', { flagged: ['badger'] }, { id: list?.id ?? '', lockVersion })
    const version = list?.meta.lockVersion ?? 0
    const first = await api(admin).patch(`/moderation-word-lists/${list?.id}`, document(version))
    const second = await api(admin).patch(`/moderation-word-lists/${list?.id}`, document(version))
    expect([first.status, second.status, second.codes]).toEqual([200, 409, ['stale']])
    const ctx = createCtx(runtime, site, { viewer: VISITOR, language: 'en' })
    const events = await ctx.db.read((tx) =>
      tx
        .select()
        .from(auditEvents)
        .where(eq(auditEvents.subjectId, list?.id ?? '')),
    )
    expect(events.map(({ action }) => action)).toContain('moderation-word-lists.update')
    expect(JSON.stringify(events)).not.toContain('badger')
  })

  test('say what is wrong with an entry', async () => {
    for (const [held, code] of [
      [['a'], 'too-short'],
      [['…'], 'too-short'],
      [['x'.repeat(61)], 'too-long'],
      [Array.from({ length: 501 }, (_, at) => `word${at}`), 'too-many'],
    ] as const) {
      const refused = await change('en', { held })
      expect([refused.status, refused.codes, refused.body?.errors?.[0]?.source?.pointer]).toEqual([422, [code], '/data/attributes/held'])
    }
  })

  test('are looked at in replies too', async () => {
    const activity = await addActivity(runtime, other, { moderation: 'after', postAccess: 'anyone' })
    const { id } = await addContribution(runtime, other, { activityId: activity.id, number: 1 })
    const reply = await api(undefined, other).post(
      '/replies',
      buildResourceDocument(
        'replies',
        { body: 'You motherfucker.', sendKey: 'only-the-sender-knows' },
        { id: createId(), to: { contribution: { type: 'contributions', id } } },
      ),
    )
    expect([reply.status, (reply.body as { data: Found }).data.attributes['state']]).toEqual([201, 'held'])
  })
})
