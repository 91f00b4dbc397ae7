import { and, desc, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readActivityFrame, toActivityView } from '#app/features/contributions/reading/activity-view.server.ts'
import { createCtx } from '#app/server/context.ts'
import { mapFiles } from '#app/server/db/schema/areas.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import type { Site } from '#app/server/site-directory.ts'
import { createId } from '#app/lib/uuid.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let project: { id: string; slug: string }
let activity: Awaited<ReturnType<typeof addActivity>>
let people: Record<'site_admin' | 'project_admin', Person>
let number = 0

beforeAll(async () => {
  runtime = await createTestRuntime()
})

beforeEach(async () => {
  site = await addSite(runtime, { slug: `changed${++number}`, languages: ['en', 'fr-CA'] })
  project = await addProject(runtime, site, { slug: 'riverside' })
  activity = await addActivity(runtime, site, {
    projectId: project.id,
    slug: 'trees',
    title: texts('Trees'),
    hasOpened: true,
    settings: { categories: [{ id: 'shade', title: texts('Shade') }] },
  })
  people = {
    site_admin: await addPerson(runtime, site, { role: 'site_admin' }),
    project_admin: await addPerson(runtime, site, { role: 'project_admin', projectId: project.id }),
  }
})

const texts = (en: string) => ({ en, 'fr-CA': `${en} (fr)` })
const api = (role?: keyof typeof people) => createApiClient(runtime, site, role && people[role].token)
interface Resource {
  id: string
  attributes: Record<string, unknown>
  meta: { lockVersion: number }
}
const resourceOf = ({ body }: ApiAnswer) => (body?.data ?? { id: '', attributes: {}, meta: {} }) as Resource
const idOf = (answer: ApiAnswer) => resourceOf(answer).id

const content = (title: string, more: { settings?: object } & Record<string, unknown> = {}) => ({
  titleTranslations: texts(title),
  introTranslations: {},
  stage: null,
  opensAt: null,
  closesAt: null,
  postAccess: 'anyone_once',
  reactAccess: 'anyone_once',
  groupId: null,
  moderation: 'before',
  fields: [],
  ...more,
  settings: { categories: [{ id: 'shade', title: texts('Shade') }], ...more.settings },
})
const save = (given: object, parent?: string, role: keyof typeof people = 'site_admin') =>
  api(role).post(
    '/activity-revisions',
    buildResourceDocument(
      'activity-revisions',
      { content: given },
      {
        to: {
          activity: { type: 'activities', id: activity.id },
          ...(parent ? { parent: { type: 'activity-revisions', id: parent } } : {}),
        },
      },
    ),
  )
const publish = (revision: string, attributes: Record<string, unknown> = {}, role: keyof typeof people = 'site_admin') =>
  api(role).post(
    '/activity-revision-publications',
    buildResourceDocument('activity-revision-publications', attributes, { to: { revision: { type: 'activity-revisions', id: revision } } }),
  )
const withdraw = (revision: string) => api('site_admin').delete(`/activity-revision-publications/${revision}`)
const read = async (id = activity.id) => resourceOf(await api('site_admin').get(`/activities/${id}`))
const patch = async (attributes: Record<string, unknown>, id = activity.id) =>
  api('site_admin').patch(
    `/activities/${id}`,
    buildResourceDocument('activities', attributes, { id, lockVersion: (await read(id)).meta.lockVersion }),
  )
const shown = async () => {
  const ctx = createCtx(runtime, site)
  return toActivityView(ctx, await readActivityFrame(ctx, { project: 'riverside', activity: 'trees' }))
}
const listVersions = async (query = '') =>
  ((await api('site_admin').get(`/activity-revisions?filter[activity]=${activity.id}${query}`)).body?.data ?? []) as (Resource & {
    attributes: { content: ReturnType<typeof content>; author: string | null }
  })[]
const lastAct = async () =>
  (
    await runtime.database.site(site.id).tx((tx) =>
      tx
        .select({ action: auditEvents.action })
        .from(auditEvents)
        .where(and(eq(auditEvents.siteId, site.id), eq(auditEvents.subjectId, activity.id)))
        .orderBy(desc(auditEvents.sequence))
        .limit(1),
    )
  )[0]?.action

describe('changes of a published activity', () => {
  test('stay a draft until they are published', async () => {
    const first = await save(content('Trees and shade', { settings: { photos: 2 } }))
    expect(first.status).toBe(201)
    expect((await shown()).title.text).toBe('Trees')
    expect((await read()).attributes).toMatchObject({ hasChanges: true, title: 'Trees' })
    expect((await publish(idOf(first))).status).toBe(201)
    expect(await shown()).toMatchObject({ title: { text: 'Trees and shade' }, tools: { photos: 2 } })
    expect((await read()).attributes['hasChanges']).toBe(false)
    expect(await lastAct()).toBe('activities.publish-changes')
  })

  test('are a history: undoing publishes what was public before, and an older version can be published again', async () => {
    const first = idOf(await save(content('One')))
    await publish(first)
    const second = idOf(await save(content('Two'), first))
    await publish(second)
    const published = await listVersions('&filter[published]=true&sort=publishedAt')
    expect(published.map(({ attributes }) => attributes.content.titleTranslations.en)).toEqual(['Trees', 'One', 'Two'])
    expect(published[1]?.attributes.author).not.toBeNull()
    expect((await withdraw(second)).status).toBe(204)
    expect((await shown()).title.text).toBe('One')
    expect(await lastAct()).toBe('activities.withdraw-changes')
    expect((await read()).attributes['hasChanges']).toBe(true)
    expect((await publish(published[0]?.id ?? '')).status).toBe(201)
    expect((await shown()).title.text).toBe('Trees')
    expect((await withdraw(first)).codes).toEqual(['conflict'])
  })

  test('of two editors are refused with both versions, and overwrite nothing', async () => {
    const first = idOf(await save(content('One')))
    const theirs = idOf(await save(content('Theirs'), first, 'project_admin'))
    const mine = await save(content('Mine'), first)
    expect([mine.status, mine.codes]).toEqual([409, ['stale']])
    expect(mine.body?.errors?.[0]).toMatchObject({ meta: { current: { id: theirs } } })
    expect((await listVersions('&page[size]=1'))[0]).toMatchObject({ id: theirs, attributes: { author: expect.any(String) } })
  })

  test('name each text that is missing in a language of the site', async () => {
    const first = idOf(await save(content('Trees', { introTranslations: { en: 'Where?' } })))
    const refused = await publish(first)
    expect(refused.body?.errors?.map(({ code, source }) => [code, source?.pointer])).toEqual([
      ['translation-missing', '/data/attributes/content/introTranslations/fr-CA'],
    ])
    expect((await publish(first, { waived: ['intro.fr-CA'] })).status).toBe(201)
  })

  test('keep the categories that contributions have, also if those came after the version was saved', async () => {
    const first = idOf(await save(content('Trees', { settings: { categories: [] } })))
    await addContribution(runtime, site, { activityId: activity.id, number: 1, categories: ['shade'] })
    await publish(first)
    expect((await read()).attributes['settings']).toMatchObject({ categories: [{ id: 'shade', archived: true }] })
  })

  test.each([
    ['settings of another kind', content('Trees', { settings: { border: 'warn' } }), '/data/attributes/content/settings/border'],
    ['no title', content('Trees', { titleTranslations: { en: ' ' } }), '/data/attributes/content/titleTranslations'],
    [
      'an end before its start',
      content('Trees', { opensAt: '2027-02-01T00:00:00Z', closesAt: '2027-01-01T00:00:00Z' }),
      '/data/attributes/content/closesAt',
    ],
    [
      'other reactions than people gave',
      content('Trees', { settings: { reactions: 'agree_disagree' } }),
      '/data/attributes/content/settings/reactions',
    ],
  ])('with %s are refused where they are', async (_, given, pointer) => {
    const refused = await save(given)
    expect([refused.status, refused.body?.errors?.[0]?.source?.pointer]).toEqual([422, pointer])
  })

  test('are published by those who may edit the activity, and seen by nobody else', async () => {
    const first = idOf(await save(content('One'), undefined, 'project_admin'))
    expect((await publish(first, {}, 'project_admin')).status).toBe(201)
    expect((await api().get(`/activity-revisions/${first}`)).status).toBe(404)
    const elsewhere = await addPerson(runtime, site, { role: 'project_admin', projectId: (await addProject(runtime, site)).id })
    const theirs = createApiClient(runtime, site, elsewhere.token)
    expect((await theirs.get(`/activity-revisions/${first}`)).status).toBe(404)
    expect((await theirs.get('/activity-revisions')).body?.data).toEqual([])
    expect((await api().get(`/activities/${activity.id}`)).body?.data).not.toHaveProperty('attributes.hasChanges')
  })
})

test('a direct change by the API is public at once, is in the history, and is not undone by publishing the draft', async () => {
  const draft = idOf(await save(content('Trees and shade', { settings: { photos: 2 } })))
  expect((await patch({ settings: { ...content('x').settings, moderationDays: 5 } })).status).toBe(200)
  expect(await shown()).toMatchObject({ title: { text: 'Trees' }, moderationDays: 5 })
  const [newest] = await listVersions('&page[size]=1')
  expect(newest?.attributes.content).toMatchObject({
    titleTranslations: texts('Trees and shade'),
    settings: { photos: 2, moderationDays: 5 },
  })
  expect((await save(content('Trees'), draft)).codes).toEqual(['stale'])
  await publish(newest?.id ?? '')
  expect(await shown()).toMatchObject({ title: { text: 'Trees and shade' }, moderationDays: 5, tools: { photos: 2 } })
})

describe('a draft activity', () => {
  beforeEach(async () => {
    await patch({ status: 'draft' })
  })

  test('is what was saved last, and its versions begin the history when it is published', async () => {
    const first = await save(content('Shade'), (await listVersions('&page[size]=1'))[0]?.id)
    expect(first.status).toBe(201)
    expect((await read()).attributes).toMatchObject({ title: 'Shade', hasChanges: false })
    expect((await publish(idOf(first))).codes).toEqual(['not-published'])
    expect((await patch({ status: 'published' })).status).toBe(200)
    expect((await listVersions()).find(({ id }) => id === idOf(first))?.attributes['publishedAt']).not.toBeNull()
  })

  test('leaves no draft behind when it is deleted', async () => {
    await save(content('Shade'), (await listVersions('&page[size]=1'))[0]?.id)
    expect((await api('site_admin').delete(`/activities/${activity.id}`)).status).toBe(204)
    const heads = await runtime.database
      .site(site.id)
      .tx((tx) => tx.select().from(revisionHeads).where(eq(revisionHeads.scopeId, activity.id)))
    expect(heads).toEqual([])
  })
})

test('changes not published are taken into the draft when the activity is taken off the site', async () => {
  await save(content('Trees and shade'))
  await patch({ status: 'draft' })
  expect((await read()).attributes).toMatchObject({ title: 'Trees and shade', status: 'draft', hasChanges: false })
})

describe('places', () => {
  const addPlaces = (values: object = {}) =>
    addActivity(runtime, site, { projectId: project.id, kind: 'places', status: 'draft', title: texts('Places'), ...values })
  const addMap = () =>
    runtime.database.site(site.id).tx((tx) =>
      tx.insert(mapFiles).values({
        siteId: site.id,
        id: createId(),
        hash: 'x',
        bytes: 1,
        name: 'streets.pmtiles',
        credit: 'Riverbend',
        box: [0, 0, 1, 1],
        minZoom: 0,
        maxZoom: 14,
        tiles: 1,
      }),
    )

  test('are not published without a map that shows where one is: the refusal says so', async () => {
    const { id } = await addPlaces()
    expect((await read(id)).attributes['mapMissing']).toBe(true)
    const refused = await patch({ status: 'published' }, id)
    expect([refused.status, refused.codes]).toEqual([422, ['map-missing']])
    await addMap()
    expect((await read(id)).attributes['mapMissing']).toBe(false)
    expect((await patch({ status: 'published' }, id)).status).toBe(200)
  })

  test('are published with a layer of their own instead', async () => {
    const { id } = await addPlaces({ layers: 1 })
    expect((await patch({ status: 'published' }, id)).status).toBe(200)
  })

  test('that are public already are changed without one', async () => {
    const { id } = await addPlaces({ status: 'published' })
    expect((await patch({ moderation: 'after' }, id)).status).toBe(200)
    expect((await read()).attributes['mapMissing']).toBe(false)
  })
})

test('a project is deleted with the drafts of its activities', async () => {
  await save(content('Trees and shade'))
  await runtime.database.site(site.id).tx((tx) => tx.update(activities).set({ status: 'draft' }).where(eq(activities.id, activity.id)))
  expect((await api('site_admin').delete(`/projects/${project.id}`)).status).toBeLessThan(300)
  const heads = await runtime.database
    .site(site.id)
    .tx((tx) => tx.select().from(revisionHeads).where(eq(revisionHeads.scopeId, activity.id)))
  expect(heads).toEqual([])
})
