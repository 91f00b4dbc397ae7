import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { publishDueProjects } from '#app/features/projects/projects.publishing.server.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: ReturnType<typeof createApiClient>
let visitor: ReturnType<typeof createApiClient>

interface Doc {
  id: string
  attributes: Record<string, unknown>
  meta: { lockVersion: number; can: Record<string, boolean> }
}
const doc = (answer: ApiAnswer) => answer.body?.data as Doc
const docs = (answer: ApiAnswer) => answer.body?.data as Doc[]
const title = { en: 'A library for Northgate', 'fr-CA': 'Une bibliothèque à Northgate', cy: 'Llyfrgell i Northgate' }

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
  visitor = createApiClient(runtime, site)
})

const contentVersion = async () => (await runtime.database.global.select().from(sites).where(eq(sites.id, site.id)))[0]?.contentVersion ?? 0

describe('a project over the API', () => {
  test('is copied as a draft with its team, questions, dates and surveys, but not its responses or opening time', async () => {
    const faqs = [{ question: { en: 'Why now?' }, answer: { en: 'The roof leaks.' } }]
    const team = [{ name: 'Bea', role: { en: 'Planner' }, email: 'bea@example.org' }]
    const place = { address: { en: '1 Mill Lane' }, lat: 45.1, lng: -75.2 }
    const source = doc(
      await admin.post('/projects', buildResourceDocument('projects', { titleTranslations: { en: 'A roof' }, faqs, team, place })),
    )
    const dates = [{ title: { en: 'Open evening' }, happensAt: '2031-02-03T18:00:00.000Z', precision: 'day' }]
    const opensAt = '2031-01-01T00:00:00Z'
    const { lockVersion } = source.meta
    expect(
      (await admin.patch(`/projects/${source.id}`, buildResourceDocument('projects', { dates, opensAt }, { id: source.id, lockVersion })))
        .status,
    ).toBe(200)
    const survey = await addSurvey(runtime, site, { projectId: source.id, title: { en: 'Which roof?' } })
    expect(
      (await admin.post(`/projects/${source.id}/publications`, buildResourceDocument('publications', { waiveTranslations: true }))).status,
    ).toBe(201)

    const copied = await admin.post(
      '/projects',
      buildResourceDocument('projects', {
        titleTranslations: { en: 'Once more' },
        copyOf: source.id,
        copyParts: ['team', 'faqs', 'dates', 'surveys'],
      }),
    )
    expect(copied.status).toBe(201)
    const copy = doc(copied)
    expect(copy.attributes).toMatchObject({ title: 'Once more', status: 'draft', opensAt: null, participants: 0, faqs, team, place })
    expect(copy.attributes['dates']).toMatchObject(dates)
    const surveys = docs(await admin.get(`/surveys?filter[project]=${copy.id}`))
    expect(surveys.map(({ id, attributes }) => [id === survey.id, attributes['status']])).toEqual([[false, 'draft']])
    const bare = doc(
      await admin.post(
        '/projects',
        buildResourceDocument('projects', { titleTranslations: { en: 'Bare' }, copyOf: source.id, copyParts: [] }),
      ),
    )
    expect(docs(await admin.get(`/surveys?filter[project]=${bare.id}`))).toEqual([])
  })

  test('of another site or scope cannot be copied, and counts as nonexistent', async () => {
    const other = await addSite(runtime, { slug: 'farbank' })
    const theirs = createApiClient(runtime, other, (await addPerson(runtime, other, { role: 'site_admin' })).token)
    const foreign = doc(await theirs.post('/projects', buildResourceDocument('projects', { titleTranslations: { en: 'A roof' } }))).id
    const copyOf = (id: string) =>
      admin.post('/projects', buildResourceDocument('projects', { titleTranslations: { en: 'A roof' }, copyOf: id }))
    const [tried, nothing] = [await copyOf(foreign), await copyOf(createId())]
    expect(tried.status).toBe(404)
    expect(tried.body?.errors).toEqual(nothing.body?.errors)

    const hub = doc(await admin.post('/hubs', buildResourceDocument('hubs', { titleTranslations: { en: 'Roofs' } })))
    const secret = doc(await admin.post('/projects', buildResourceDocument('projects', { titleTranslations: { en: 'A secret' } }))).id
    const own = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'hub_admin', hubId: hub.id })).token)
    const into = { hub: { type: 'hubs', id: hub.id } }
    const take = (id: string) =>
      own.post('/projects', buildResourceDocument('projects', { titleTranslations: { en: 'Mine' }, copyOf: id }, { to: into }))
    expect((await take(secret)).body?.errors).toEqual((await take(createId())).body?.errors)
    expect((await take(secret)).status).toBe(404)
  })

  test('is created as a draft, edited, published, archived and restored', async () => {
    const made = await admin.post('/projects', buildResourceDocument('projects', { titleTranslations: title, summaryTranslations: title }))
    expect(made.status).toBe(201)
    const { id, attributes, meta } = doc(made)
    expect(attributes).toMatchObject({ slug: 'a-library-for-northgate', title: title.en, titleTranslations: title, status: 'draft' })
    expect(meta.can).toMatchObject({ update: true, publish: true })
    expect((await visitor.get(`/projects/${id}`)).status).toBe(404)

    const edited = await admin.patch(
      `/projects/${id}`,
      buildResourceDocument('projects', { closesAt: '2030-01-01T00:00:00Z', featured: true }, { id, lockVersion: meta.lockVersion }),
    )
    expect(edited.status).toBe(200)
    expect(doc(edited).attributes).toMatchObject({ featured: true, titleTranslations: title, closesAt: '2030-01-01T00:00:00.000Z' })

    const before = await contentVersion()
    const published = await admin.post(`/projects/${id}/publications`, buildResourceDocument('publications', {}))
    expect(published.status).toBe(201)
    expect(doc(published).attributes).toMatchObject({ status: 'published' })
    expect(await contentVersion()).toBeGreaterThan(before)
    expect(doc(await visitor.get(`/projects/${id}`)).attributes).not.toHaveProperty('titleTranslations')

    expect(
      (await admin.post('/archivals', buildResourceDocument('archivals', {}, { to: { project: { type: 'projects', id } } }))).status,
    ).toBe(201)
    expect(doc(await admin.get(`/projects/${id}`)).attributes).toMatchObject({ status: 'archived' })
    expect((await admin.delete(`/archivals/${id}`)).status).toBe(204)
    expect(doc(await admin.get(`/projects/${id}`)).attributes).toMatchObject({ status: 'published', archivedAt: null })
    const trail = await runtime.database
      .site(site.id)
      .tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.projectId, id)).orderBy(auditEvents.at, auditEvents.id))
    expect(trail.map((event) => event.action)).toEqual([
      'projects.create',
      'projects.update',
      'projects.publish',
      'projects.archive',
      'projects.unarchive',
    ])
  })

  test('cannot be archived or restored by those who may only request publication', async () => {
    const { id } = doc(await admin.post('/projects', buildResourceDocument('projects', { titleTranslations: { en: 'A fence' } })))
    expect(
      (await admin.post(`/projects/${id}/publications`, buildResourceDocument('publications', { waiveTranslations: true }))).status,
    ).toBe(201)
    const own = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'project_admin', projectId: id })).token)
    const archive = (by: typeof own) =>
      by.post('/archivals', buildResourceDocument('archivals', {}, { to: { project: { type: 'projects', id } } }))
    expect((await archive(own)).status).toBe(403)
    expect((await archive(admin)).status).toBe(201)
    expect((await own.delete(`/archivals/${id}`)).status).toBe(403)
  })

  test('is not published while a language of the site is missing, unless that is waived', async () => {
    const { id } = doc(await admin.post('/projects', buildResourceDocument('projects', { titleTranslations: { en: 'Only English' } })))
    const refused = await admin.post(
      '/publications',
      buildResourceDocument('publications', {}, { to: { project: { type: 'projects', id } } }),
    )
    expect(refused.status).toBe(422)
    expect(new Set(refused.codes)).toEqual(new Set(['translation-missing']))
    expect(refused.codes).toHaveLength(5) // two of the title, three of the summary
    const waived = await admin.post(
      '/publications',
      buildResourceDocument('publications', { waiveTranslations: true }, { to: { project: { type: 'projects', id } } }),
    )
    expect(waived.status).toBe(201)
  })

  test('a stale save changes nothing and shows both versions', async () => {
    const made = doc(await admin.post('/projects', buildResourceDocument('projects', { titleTranslations: title })))
    const save = (text: string) =>
      admin.patch(
        `/projects/${made.id}`,
        buildResourceDocument('projects', { titleTranslations: { en: text } }, { id: made.id, lockVersion: made.meta.lockVersion }),
      )
    expect((await save('First')).status).toBe(200)
    const second = await save('Second')
    expect(second).toMatchObject({ status: 409, codes: ['stale'] })
    expect(JSON.stringify(second.body)).toContain('First')
    expect(doc(await admin.get(`/projects/${made.id}`)).attributes).toMatchObject({ title: 'First' })
  })

  test('is published automatically at its time', async () => {
    const { id } = doc(await admin.post('/projects', buildResourceDocument('projects', { titleTranslations: title })))
    const publishAt = new Date(Date.now() + 60_000).toISOString()
    const appointed = await admin.post(
      `/projects/${id}/publications`,
      buildResourceDocument('publications', { publishAt, waiveTranslations: true }),
    )
    expect(doc(appointed).attributes).toMatchObject({ status: 'scheduled', publishAt })
    expect(await publishDueProjects(runtime)).toBe(0)
    runtime.setNow(new Date(Date.now() + 120_000))
    expect(await publishDueProjects(runtime)).toBe(1)
    runtime.setNow(undefined)
    expect(doc(await visitor.get(`/projects/${id}`)).attributes).toMatchObject({ status: 'published', publishedAt: publishAt })
  })

  test('refuses dates out of order, a duplicate slug and unknown attributes', async () => {
    await admin.post('/projects', buildResourceDocument('projects', { titleTranslations: title, slug: 'bridge' }))
    const answer = await admin.post('/projects', buildResourceDocument('projects', { titleTranslations: title, slug: 'bridge' }))
    expect(answer).toMatchObject({ status: 422, codes: ['taken'] })
    expect(answer.body?.errors?.[0]?.source).toEqual({ pointer: '/data/attributes/slug' })
    const dates = { opensAt: '2030-02-01T00:00:00Z', closesAt: '2030-01-01T00:00:00Z' }
    expect((await admin.post('/projects', buildResourceDocument('projects', { titleTranslations: title, ...dates }))).codes).toEqual([
      'dates-out-of-order',
    ])
    expect(
      (await admin.post('/projects', buildResourceDocument('projects', { titleTranslations: title, siteId: createId(), participants: 9 })))
        .codes,
    ).toEqual(['unknown-attribute', 'unknown-attribute'])
  })

  test('is found despite a misspelling, by status, and page by page', async () => {
    expect(docs(await admin.get('/projects?filter[q]=libary')).length).toBeGreaterThan(0)
    expect(docs(await admin.get('/projects?filter[q]=libary&filter[status]=archived'))).toEqual([])
    const page = await admin.get('/projects?page[size]=2&sort=title')
    expect(docs(page)).toHaveLength(2)
  })
})

describe('sites are isolated over the API', () => {
  test('no token of one site reaches another’s things, by any method', async () => {
    const other = await addSite(runtime, { slug: 'harbour' })
    const foreign = { hub: createId(), project: createId() }
    await runtime.database.site(other.id).tx(async (tx) => {
      await tx.insert(hubs).values({ siteId: other.id, id: foreign.hub, slug: 'port', title: { en: 'Port' } })
      await tx.insert(projects).values({
        siteId: other.id,
        id: foreign.project,
        slug: 'noise',
        title: { en: 'Noise' },
        status: 'published',
        publishedAt: new Date(),
      })
    })
    for (const [type, id] of [
      ['projects', foreign.project],
      ['hubs', foreign.hub],
      ['publications', foreign.project],
    ] as const) {
      expect((await admin.get(`/${type}/${id}`)).status, `GET ${type}`).toBe(404)
      expect((await admin.delete(`/${type}/${id}`)).status, `DELETE ${type}`).toBe(404)
    }
    const update = buildResourceDocument('projects', { featured: true }, { id: foreign.project, lockVersion: 1 })
    expect((await admin.patch(`/projects/${foreign.project}`, update)).status).toBe(404)
    const into = buildResourceDocument('projects', { titleTranslations: title }, { to: { hub: { type: 'hubs', id: foreign.hub } } })
    expect((await admin.post('/projects', into)).status).toBe(404)
    // and the token itself is not valid there
    const there = createApiClient(runtime, other, (await addPerson(runtime, site, { role: 'site_admin' })).token)
    expect((await there.get('/projects')).status).toBe(401)
  })
})

describe('hubs, topics, updates and pages over the API', () => {
  test('can be created, updated and deleted, unless they are in use', async () => {
    const hub = doc(await admin.post('/hubs', buildResourceDocument('hubs', { titleTranslations: title })))
    expect(
      (
        await admin.patch(
          `/hubs/${hub.id}`,
          buildResourceDocument(
            'hubs',
            { contactEmail: 'roads@example.org', picture: '/media/road.jpg', pictureAltTranslations: { en: 'A road' } },
            { id: hub.id, lockVersion: hub.meta.lockVersion },
          ),
        )
      ).status,
    ).toBe(200)
    const topic = doc(await admin.post('/topics', buildResourceDocument('topics', { titleTranslations: { en: 'Transport' } })))
    const to = { hub: { type: 'hubs', id: hub.id }, topic: { type: 'topics', id: topic.id } }
    const project = doc(await admin.post('/projects', buildResourceDocument('projects', { titleTranslations: title }, { to })))
    expect((await admin.delete(`/hubs/${hub.id}`)).codes).toEqual(['conflict'])
    expect((await admin.delete(`/topics/${topic.id}`)).codes).toEqual(['conflict'])
    const update = await admin.post(
      '/project-updates',
      buildResourceDocument(
        'project-updates',
        { titleTranslations: title, bodyTranslations: title },
        { to: { project: { type: 'projects', id: project.id } } },
      ),
    )
    expect(update.status).toBe(201)
    expect((await visitor.get(`/project-updates/${doc(update).id}`)).status).toBe(404)
    const page = doc(
      await admin.post('/pages', buildResourceDocument('pages', { titleTranslations: title, bodyTranslations: title, kind: 'legal' })),
    )
    expect((await visitor.get(`/pages/${page.id}`)).status).toBe(404)
    expect(
      (
        await admin.patch(
          `/pages/${page.id}`,
          buildResourceDocument('pages', { publishedAt: '2026-01-01T00:00:00Z' }, { id: page.id, lockVersion: page.meta.lockVersion }),
        )
      ).status,
    ).toBe(200)
    expect((await visitor.get(`/pages/${page.id}`)).status).toBe(200)
    expect((await admin.delete(`/projects/${project.id}`)).status).toBe(204)
    expect((await admin.delete(`/hubs/${hub.id}`)).status).toBe(204)
  })
})
