import { and, desc, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDraftLink, listDraftLinks } from '#app/features/revisions/draft-links.server.ts'
import { publishDueProjects } from '#app/features/projects/projects.publishing.server.ts'
import { getProjectPreview } from '#app/features/projects/projects.preview.server.ts'
import { getProject } from '#app/features/projects/projects.server.ts'
import { searchSite } from '#app/features/search/search.server.ts'
import { createCtx, withViewer } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let hub: { id: string }
let project: { id: string; slug: string }
let people: Record<'site_admin' | 'hub_admin' | 'project_admin', Person>
let number = 0

beforeAll(async () => {
  runtime = await createTestRuntime()
})

beforeEach(async () => {
  runtime.setNow(undefined)
  site = await addSite(runtime, { slug: `drafted${++number}`, languages: ['en', 'fr-CA'] })
  hub = await addHub(runtime, site)
  project = await addProject(runtime, site, {
    slug: 'elm-street',
    hubId: hub.id,
    title: texts('Elm Street'),
    summary: texts('Safer for everybody.'),
  })
  people = {
    site_admin: await addPerson(runtime, site, { role: 'site_admin' }),
    hub_admin: await addPerson(runtime, site, { role: 'hub_admin', hubId: hub.id }),
    project_admin: await addPerson(runtime, site, { role: 'project_admin', projectId: project.id }),
  }
})

type Role = keyof typeof people
const texts = (en: string) => ({ en, 'fr-CA': `${en} (fr)` })
const api = (role?: Role) => createApiClient(runtime, site, role && people[role].token)
interface Resource {
  id: string
  attributes: Record<string, unknown>
}
interface Version {
  id: string
  attributes: { author: string | null; content: { titleTranslations: Record<string, string>; summaryTranslations: Record<string, string> } }
}
const resourceOf = ({ body }: ApiAnswer): Resource => (body?.data ?? { id: '', attributes: {} }) as Resource
const idOf = (answer: ApiAnswer) => resourceOf(answer).id
const attributesOf = (answer: ApiAnswer) => resourceOf(answer).attributes
const listVersions = async (query = ''): Promise<Version[]> => {
  const { body } = await api('site_admin').get(`/project-revisions?filter[project]=${project.id}${query}`)
  return (body?.data ?? []) as Version[]
}

const content = (title: string, more: object = {}) => ({
  titleTranslations: texts(title),
  summaryTranslations: texts('Safer for everybody.'),
  bodyTranslations: {},
  outcomeTranslations: {},
  picture: null,
  pictureAltTranslations: {},
  place: null,
  team: [],
  faqs: [],
  dates: [],
  ...more,
})

const save = (given: object, parent?: string, role: Role = 'site_admin') =>
  api(role).post(
    '/project-revisions',
    buildResourceDocument(
      'project-revisions',
      { content: given },
      { to: { project: { type: 'projects', id: project.id }, ...(parent ? { parent: { type: 'project-revisions', id: parent } } : {}) } },
    ),
  )
const publish = (revision: string, attributes: Record<string, unknown> = {}, role: Role = 'site_admin') =>
  api(role).post(
    '/project-revision-publications',
    buildResourceDocument('project-revision-publications', attributes, { to: { revision: { type: 'project-revisions', id: revision } } }),
  )
const unpublish = (role: Role) => api(role).delete(`/publications/${project.id}`)
const patch = (attributes: Record<string, unknown>, role: Role = 'site_admin') =>
  api(role).patch(`/projects/${project.id}`, buildResourceDocument('projects', attributes, { id: project.id }))
const shownTitle = async () => (await getProject(createCtx(runtime, site), { slug: 'elm-street' })).title.text
const changes = async () => attributesOf(await api('site_admin').get(`/projects/${project.id}`))['changes']
const newest = async () => (await listVersions('&page[size]=1'))[0]
const contentVersion = async () => (await runtime.database.global.select().from(sites).where(eq(sites.id, site.id)))[0]?.contentVersion
const lastActs = async (limit: number) =>
  (
    await runtime.database.site(site.id).tx((tx) =>
      tx
        .select({ action: auditEvents.action })
        .from(auditEvents)
        .where(and(eq(auditEvents.siteId, site.id), eq(auditEvents.subjectId, project.id)))
        .orderBy(desc(auditEvents.sequence))
        .limit(limit),
    )
  ).map(({ action }) => action)

describe('changes of a published project', () => {
  test('stay a draft until they are published, and are then found by search', async () => {
    const before = await contentVersion()
    const first = await save(content('Elm Avenue'))
    expect(first.status).toBe(201)
    expect(await shownTitle()).toBe('Elm Street')
    expect(await contentVersion()).toBe(before)
    expect(await changes()).toBe('draft')
    expect((await publish(idOf(first))).status).toBe(201)
    expect(await shownTitle()).toBe('Elm Avenue')
    expect(await changes()).toBeNull()
    expect(await contentVersion()).toBeGreaterThan(before ?? 0)
    expect(await lastActs(1)).toEqual(['projects.publish-changes'])
    expect((await searchSite(createCtx(runtime, site), { q: 'avenue' })).hits).toMatchObject([{ slug: 'elm-street' }])
  })

  test('can be discarded by saving what is published again', async () => {
    const first = idOf(await save(content('Elm Avenue')))
    await save(content('Elm Street'), first)
    expect(await changes()).toBeNull()
  })

  test('are shown in the preview and through a link, and to nobody else', async () => {
    await save(content('Elm Avenue', { dates: [{ title: texts('Walk'), happensAt: '2031-05-01T10:00:00.000Z', precision: 'day' }] }))
    const admin = await withViewer(createCtx(runtime, site), people.site_admin.token)
    const preview = await getProjectPreview(admin, { slug: 'elm-street' })
    expect([preview.title.text, preview.dates.map(({ title }) => title.text)]).toEqual(['Elm Avenue', ['Walk']])
    const unsaved = await getProjectPreview(admin, { slug: 'elm-street', content: content('Elm Boulevard') })
    expect(unsaved.title.text).toBe('Elm Boulevard')
    expect((await getProjectPreview(admin, { slug: 'elm-street', published: 'true' })).title.text).toBe('Elm Street')
    await expect(getProjectPreview(createCtx(runtime, site), { slug: 'elm-street' })).rejects.toMatchObject({ code: 'not-found' })

    await createDraftLink(admin, { subject: 'project', placeId: project.id, expiresAt: new Date(Date.now() + 864e5).toISOString() })
    const [link] = (await listDraftLinks(admin, { project: project.id, page: { limit: 1, offset: 0 } })).rows
    const token = new URL(link?.path ?? '', 'http://site').searchParams.get('preview') ?? ''
    const shared = await getProject(createCtx(runtime, site), { slug: 'elm-street', preview: token })
    expect([shared.title.text, shared.preview]).toEqual(['Elm Avenue', true])
    const forged = await getProject(createCtx(runtime, site), { slug: 'elm-street', preview: `${token}x` })
    expect([forged.title.text, forged.preview]).toEqual(['Elm Street', false])
  })

  test('of two editors are refused with both versions, and overwrite nothing', async () => {
    const first = idOf(await save(content('One')))
    const theirs = idOf(await save(content('Theirs'), first))
    const mine = await save(content('Mine'), first)
    expect([mine.status, mine.codes]).toEqual([409, ['stale']])
    expect(mine.body?.errors?.[0]).toMatchObject({
      meta: {
        yours: { content: { titleTranslations: { en: 'Mine' } } },
        current: { id: theirs, content: { titleTranslations: { en: 'Theirs' } } },
      },
    })
  })

  test('are a history: what was published before them can be published again, and undoing does so too', async () => {
    const first = idOf(await save(content('One')))
    await publish(first)
    const second = idOf(await save(content('Two'), first))
    await publish(second)
    const list = await listVersions('&filter[published]=true&sort=publishedAt')
    expect(list.map(({ attributes }) => attributes.content.titleTranslations['en'])).toEqual(['Elm Street', 'One', 'Two'])
    expect(list[1]?.attributes.author).not.toBeNull()
    expect((await api('site_admin').delete(`/project-revision-publications/${second}`)).status).toBe(204)
    expect(await shownTitle()).toBe('One')
    expect(await changes()).toBe('draft')
    expect((await publish(list[0]?.id ?? '')).status).toBe(201)
    expect(await shownTitle()).toBe('Elm Street')
  })

  test('can be undone down to the last version, which stays', async () => {
    const first = idOf(await save(content('One')))
    await publish(first)
    const undo = (id: string) => api('site_admin').delete(`/project-revision-publications/${id}`)
    expect((await undo(first)).status).toBe(204)
    const [before] = await listVersions('&filter[published]=true')
    expect((await undo(before?.id ?? '')).codes).toEqual(['conflict'])
    expect(await shownTitle()).toBe('Elm Street')
  })

  test('name each text that a language lacks, to be written or waived by name', async () => {
    const faqs = [{ question: texts('Why?'), answer: { en: 'Because of the school.' } }]
    const id = idOf(await save(content('Elm Avenue', { bodyTranslations: { en: 'More.' }, faqs })))
    const refused = await publish(id)
    expect(refused.body?.errors?.map(({ code, source }) => [code, source?.pointer])).toEqual([
      ['translation-missing', '/data/attributes/content/bodyTranslations/fr-CA'],
      ['translation-missing', '/data/attributes/content/faqs/0/answer/fr-CA'],
    ])
    expect((await publish(id, { waived: ['body.fr-CA'] })).codes).toEqual(['translation-missing'])
    expect((await publish(id, { waived: ['body.fr-CA', 'faqs.0.answer.fr-CA'] })).status).toBe(201)
  })

  test('without any title are refused, and named as the API names its fields', async () => {
    const refused = await save(content('x', { titleTranslations: { en: ' ' } }))
    expect([refused.status, refused.body?.errors?.[0]?.source?.pointer]).toEqual([422, '/data/attributes/content/titleTranslations'])
  })
})

describe('who may', () => {
  test('publish changes: hub and site administrators; a project administrator asks them', async () => {
    const first = idOf(await save(content('Elm Avenue'), undefined, 'project_admin'))
    expect((await publish(first, {}, 'project_admin')).status).toBe(201)
    expect(await shownTitle()).toBe('Elm Street')
    expect(await changes()).toBe('in_review')
    expect(await lastActs(1)).toEqual(['projects.request-changes-review'])
    expect((await api('hub_admin').get('/notifications')).body?.data).toMatchObject([
      { attributes: { kind: 'review', subject: project.id } },
    ])
    expect((await publish(first, {}, 'hub_admin')).status).toBe(201)
    expect(await shownTitle()).toBe('Elm Avenue')
    expect(await changes()).toBeNull()
    expect((await api('project_admin').delete(`/project-revision-publications/${first}`)).status).toBe(403)
  })

  test('cancel the request: those who asked', async () => {
    const first = idOf(await save(content('Elm Avenue'), undefined, 'project_admin'))
    await publish(first, {}, 'project_admin')
    expect((await api('project_admin').delete(`/project-revision-publications/${first}`)).status).toBe(204)
    expect(await changes()).toBe('draft')
  })

  test('see versions: only those who edit the project', async () => {
    const first = idOf(await save(content('Elm Avenue')))
    await publish(first)
    expect((await api().get(`/project-revisions/${first}`)).status).toBe(404)
    const elsewhere = await addPerson(runtime, site, { role: 'project_admin', projectId: (await addProject(runtime, site)).id })
    const theirs = createApiClient(runtime, site, elsewhere.token)
    expect((await theirs.get(`/project-revisions/${first}`)).status).toBe(404)
    expect((await theirs.get('/projects')).body?.data).not.toContainEqual(
      expect.objectContaining({ id: project.id, attributes: expect.objectContaining({ changes: expect.anything() }) }),
    )
    const other = await addSite(runtime, { slug: `farbank${number}` })
    const foreign = createApiClient(runtime, other, (await addPerson(runtime, other, { role: 'site_admin' })).token)
    expect((await foreign.get(`/project-revisions/${first}`)).status).toBe(404)
  })
})

describe('a direct change by the API', () => {
  test('is live at once, is in the history, and is not undone by publishing the draft', async () => {
    const draft = idOf(await save(content('Elm Avenue')))
    expect((await patch({ summaryTranslations: texts('Slower for everybody.') })).status).toBe(200)
    expect((await getProject(createCtx(runtime, site), { slug: 'elm-street' })).summary.text).toBe('Slower for everybody.')
    const next = await newest()
    expect(next?.id).not.toBe(draft)
    expect([next?.attributes.content.titleTranslations['en'], next?.attributes.content.summaryTranslations['en']]).toEqual([
      'Elm Avenue',
      'Slower for everybody.',
    ])
    // Who still edits the version before it is told.
    expect((await save(content('Elm Boulevard'), draft)).codes).toEqual(['stale'])
    await publish(next?.id ?? '')
    const shown = await getProject(createCtx(runtime, site), { slug: 'elm-street' })
    expect([shown.title.text, shown.summary.text]).toEqual(['Elm Avenue', 'Slower for everybody.'])
  })

  test('of what is published needs the right to publish; settings do not', async () => {
    const refused = await patch({ titleTranslations: texts('Elm Avenue') }, 'project_admin')
    expect([refused.status, refused.codes]).toEqual([403, ['forbidden']])
    expect((await patch({ featured: true }, 'project_admin')).status).toBe(200)
    expect(await shownTitle()).toBe('Elm Street')
  })
})

describe('a project that is not published', () => {
  test('says at once what is saved, without a word to visitors', async () => {
    await unpublish('site_admin')
    const before = await contentVersion()
    const { id } = (await newest()) ?? { id: '' }
    expect((await save(content('Elm Avenue'), id)).status).toBe(201)
    expect(attributesOf(await api('site_admin').get(`/projects/${project.id}`))['title']).toBe('Elm Avenue')
    expect(await changes()).toBeNull()
    expect(await contentVersion()).toBe(before)
  })

  test('has the version in its history that was published when its time came', async () => {
    await unpublish('site_admin')
    const publishAt = new Date(Date.now() + 60_000).toISOString()
    await api('site_admin').post(`/projects/${project.id}/publications`, buildResourceDocument('publications', { publishAt }))
    runtime.setNow(new Date(Date.now() + 120_000))
    expect(await publishDueProjects(runtime)).toBe(1)
    expect(await shownTitle()).toBe('Elm Street')
    const { id } = (await newest()) ?? { id: '' }
    expect(attributesOf(await api('site_admin').get(`/project-revisions/${id}`))['publishedAt']).not.toBeNull()
  })

  test('warns of missing languages before it is published, which can be waived by name', async () => {
    await unpublish('site_admin')
    await patch({ bodyTranslations: { en: 'More.' } })
    const send = (attributes: Record<string, unknown>) =>
      api('site_admin').post(`/projects/${project.id}/publications`, buildResourceDocument('publications', attributes))
    const refused = await send({})
    expect(refused.body?.errors?.map(({ source }) => source?.pointer)).toEqual(['/data/attributes/bodyTranslations/fr-CA'])
    expect((await send({ waived: ['body.fr-CA'] })).status).toBe(201)
  })
})

describe('a published project is taken off the site', () => {
  test('by those who may publish it: its address answers as for a draft, and its changes stay', async () => {
    await save(content('Elm Avenue'))
    expect((await unpublish('project_admin')).status).toBe(403)
    expect((await unpublish('hub_admin')).status).toBe(204)
    await expect(getProject(createCtx(runtime, site), { slug: 'elm-street' })).rejects.toMatchObject({ code: 'not-found' })
    expect(await lastActs(1)).toEqual(['projects.unpublish'])
    expect(attributesOf(await api('site_admin').get(`/projects/${project.id}`))).toMatchObject({
      status: 'draft',
      title: 'Elm Avenue',
      changes: null,
    })
  })

  test('and published again, with its history', async () => {
    await unpublish('site_admin')
    const again = await api('site_admin').post(`/projects/${project.id}/publications`, buildResourceDocument('publications', {}))
    expect(again.status).toBe(201)
    expect(await shownTitle()).toBe('Elm Street')
  })
})
