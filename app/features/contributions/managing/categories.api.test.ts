import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { createId } from '#app/lib/uuid.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})

const api = (person?: Person) => createApiClient(runtime, site, person?.token)
const inAll = (text: string) => ({ en: text, 'fr-CA': text, cy: text })
const GREEN_AND_ROADS = {
  categories: [
    { id: 'green', title: inAll('Green') },
    { id: 'roads', title: inAll('Roads') },
  ],
}

interface Category {
  id: string
  attributes: Record<string, unknown>
  meta: { lockVersion: number; can?: { update: boolean } }
}
const read = ({ body }: ApiAnswer) => body?.data as Category
const list = async (activityId: string, person?: Person) => {
  const { body } = await api(person).get(`/categories?filter[activity]=${activityId}&page[size]=100`)
  return (body?.data ?? []) as unknown as Category[]
}
const codesOf = (all: readonly Category[]) => all.map(({ attributes }) => attributes['code'])
const create = (activityId: string, attributes: Record<string, unknown>, person: Person | undefined = admin) =>
  api(person).post(
    '/categories',
    buildResourceDocument('categories', attributes, { to: { activity: { type: 'activities', id: activityId } } }),
  )
const update = (id: string, attributes: Record<string, unknown>, lockVersion: number, person: Person | undefined = admin) =>
  api(person).patch(`/categories/${id}`, buildResourceDocument('categories', attributes, { id, lockVersion }))

describe('the categories of an activity, through the API', () => {
  test('are read by everybody who may see the activity, in order, and named by it', async () => {
    const { id } = await addActivity(runtime, site, { settings: GREEN_AND_ROADS })
    const seen = await list(id)
    expect(seen.map(({ attributes: { title, code, position, archived } }) => ({ title, code, position, archived }))).toEqual([
      { title: 'Green', code: 'green', position: 0, archived: false },
      { title: 'Roads', code: 'roads', position: 1, archived: false },
    ])
    expect(seen[0]?.meta.can).toEqual({ update: false })
    expect((await api().get(`/activities/${id}/categories`)).body?.data).toMatchObject(seen.map((one) => ({ id: one.id })))
    const { body } = await api().get(`/activities/${id}?include=categories`)
    expect(body).toMatchObject({ included: seen.map((one) => ({ type: 'categories', id: one.id })) })
    expect(codesOf(((await api().get('/categories?sort=-position&page[size]=1')).body?.data ?? []) as unknown as Category[])).toEqual([
      'roads',
    ])
  })

  test('of a draft are seen only by those who may see drafts', async () => {
    const { id } = await addActivity(runtime, site, { status: 'draft', settings: GREEN_AND_ROADS })
    const participant = await addPerson(runtime, site)
    for (const person of [undefined, participant]) {
      expect(await list(id, person)).toEqual([])
      expect((await api(person).get(`/categories/${id}.green`)).status).toBe(404)
    }
    expect(codesOf(await list(id, admin))).toEqual(['green', 'roads'])
  })

  test('are added, renamed, moved and archived by those who may edit the activity, and offered or not accordingly', async () => {
    const { id } = await addActivity(runtime, site, { settings: GREEN_AND_ROADS })
    const made = await create(id, { titleTranslations: inAll('Water'), position: 0 })
    expect(made.status).toBe(201)
    const water = read(made)
    expect(codesOf(await list(id))).toEqual([water.attributes['code'], 'green', 'roads'])
    const moved = await update(water.id, { position: 2, titleTranslations: inAll('The river') }, water.meta.lockVersion)
    expect([moved.status, read(moved).attributes['title'], read(moved).attributes['position']]).toEqual([200, 'The river', 2])
    const archived = await update(water.id, { archived: true }, read(moved).meta.lockVersion)
    expect(read(archived).attributes).toMatchObject({ archived: true, title: 'The river' })
    const post = (category: string) =>
      api().post(
        '/contributions',
        buildResourceDocument(
          'contributions',
          { title: 'A bench', body: 'By the river', shownAs: 'anonymous', sendKey: 'only-the-sender-knows', categories: [category] },
          { id: createId(), to: { activity: { type: 'activities', id } } },
        ),
      )
    const code = String(water.attributes['code'])
    expect([(await post('green')).status, (await post(code)).status]).toEqual([201, 422])
    await update(water.id, { archived: false }, read(archived).meta.lockVersion)
    expect((await post(code)).status).toBe(201)
  })

  test('are deleted, or archived if a contribution has them', async () => {
    const { id } = await addActivity(runtime, site, { settings: GREEN_AND_ROADS })
    await addContribution(runtime, site, { activityId: id, number: 1, categories: ['roads'] })
    expect((await api(admin).delete(`/categories/${id}.green`)).status).toBe(204)
    expect((await api(admin).delete(`/categories/${id}.roads`)).status).toBe(204)
    expect((await list(id)).map(({ attributes }) => [attributes['code'], attributes['archived']])).toEqual([['roads', true]])
    expect((await api(admin).get(`/categories/${id}.green`)).status).toBe(404)
  })

  test('are refused with a pointer: without a title, in a missing language, beyond thirty, for an unknown activity', async () => {
    const { id } = await addActivity(runtime, site, { settings: GREEN_AND_ROADS })
    const pointersOf = ({ body }: ApiAnswer) => body?.errors?.map(({ source }) => source?.pointer)
    const empty = await create(id, { titleTranslations: { en: ' ' } })
    expect([empty.status, pointersOf(empty)]).toEqual([422, ['/data/attributes/titleTranslations']])
    const english = await create(id, { titleTranslations: { en: 'Water', cy: 'Dŵr' } })
    expect([english.codes, pointersOf(english)]).toEqual([['translation-missing'], ['/data/attributes/titleTranslations/fr-CA']])
    const unknown = await create(createId(), { titleTranslations: inAll('Water') })
    expect(unknown.status).toBe(404)
    for (let more = 2; more < 30; more++) expect((await create(id, { titleTranslations: inAll(`No. ${more}`) })).status).toBe(201)
    const tooMany = await create(id, { titleTranslations: inAll('One more') })
    expect([tooMany.status, tooMany.codes]).toEqual([422, ['too-many']])
    expect(await list(id)).toHaveLength(30)
  })

  test('are lost by nobody: those added at the same time are all there, and a stale change is a conflict', async () => {
    const { id } = await addActivity(runtime, site, { settings: GREEN_AND_ROADS })
    const [before] = await list(id, admin)
    const made = await Promise.all(['Water', 'Light', 'Play'].map((title) => create(id, { titleTranslations: inAll(title) })))
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await list(id)).toHaveLength(5)
    expect((await update(`${id}.green`, { titleTranslations: inAll('Parks') }, before?.meta.lockVersion ?? 0)).status).toBe(409)
    const [stored] = await runtime.database.site(site.id).tx((tx) => tx.select().from(activities).where(eq(activities.id, id)))
    expect(stored?.lockVersion).toBe(4)
  })

  test('are changed by nobody else', async () => {
    const { id } = await addActivity(runtime, site, { settings: GREEN_AND_ROADS })
    const participant = await addPerson(runtime, site)
    expect((await create(id, { titleTranslations: inAll('Water') }, participant)).status).toBe(403)
    expect((await update(`${id}.green`, { archived: true }, 1, participant)).status).toBe(403)
    expect((await api(participant).delete(`/categories/${id}.green`)).status).toBe(403)
    const elsewhere = await addSite(runtime, { slug: 'harbour' })
    expect((await createApiClient(runtime, elsewhere).get(`/categories/${id}.green`)).status).toBe(404)
    expect(codesOf(await list(id))).toEqual(['green', 'roads'])
  })
})
