import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import { createId } from '#app/lib/uuid.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, addSurvey, inAllLanguages, EVERY_TYPE } from '#tests/factories/surveys.ts'
import { type ApiAnswer, createApiClient, buildResourceDocument } from '#tests/support/api.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'

interface Document {
  id: string
  attributes: Record<string, unknown>
  meta?: { lockVersion?: number; can?: Record<string, boolean> }
}

let runtime: TestRuntime
let site: Site
let admin: ReturnType<typeof createApiClient>

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
})

const one = (answer: ApiAnswer): Document => {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body?.data as Document
}
const many = (answer: ApiAnswer): Document[] => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body?.data as Document[]
}
const pointers = (answer: ApiAnswer) => answer.body?.errors?.map((error) => [error.code, error.source?.pointer])
const visitor = () => createApiClient(runtime, site)
const toSurvey = (id: string) => ({ to: { survey: { type: 'surveys', id } } })
const publish = (id: string, attributes: Record<string, unknown> = {}) =>
  admin.post('/survey-versions', buildResourceDocument('survey-versions', attributes, toSurvey(id)))
const save = (id: string, lockVersion: number, attributes: Record<string, unknown>) =>
  admin.patch(`/surveys/${id}`, buildResourceDocument('surveys', attributes, { id, lockVersion }))
const respond = (
  surveyId: string,
  answers: Record<string, unknown>,
  more: { id?: string; attributes?: Record<string, unknown>; token?: string } = {},
) =>
  createApiClient(runtime, site, more.token).post(
    '/responses',
    buildResourceDocument(
      'responses',
      { answers, sendKey: 'only-the-sender-knows', ...more.attributes },
      { id: more.id ?? v7(), ...toSurvey(surveyId) },
    ),
  )

async function draft(of?: { id: string }): Promise<Document> {
  const project = of ?? (await addProject(runtime, site))
  const attributes = { titleTranslations: inAllLanguages('Your street'), definition: EVERY_TYPE, access: 'anyone' }
  return one(
    await admin.post('/surveys', buildResourceDocument('surveys', attributes, { to: { project: { type: 'projects', id: project.id } } })),
  )
}
/** EVERY_TYPE with one question changed or removed. */
function changed(id: string, change: Record<string, unknown> | undefined): Definition {
  const pages = EVERY_TYPE.pages.map((page) => ({
    ...page,
    questions: page.questions.flatMap((question) => (question.id === id ? (change ? [{ ...question, ...change }] : []) : [question])),
  }))
  return { schema: 1, pages }
}

describe('a survey over the API', () => {
  test('is created as a draft that nobody else sees, and published as an immutable version', async () => {
    const made = await draft()
    expect(made.attributes).toMatchObject({ slug: 'your-street', status: 'draft', publishedVersion: null, hasChanges: true })
    expect((await visitor().get(`/surveys/${made.id}`)).status).toBe(404)
    expect(one(await publish(made.id))).toMatchObject({ id: `${made.id}.1`, attributes: { number: 1 } })
    expect((await publish(made.id)).codes).toEqual(['already-published'])
    const seen = one(await visitor().get(`/surveys/${made.id}`))
    expect(seen.attributes).toMatchObject({ status: 'published', state: 'open', title: 'Your street' })
    expect(seen.attributes).not.toHaveProperty('definition')
    const reworded = changed('name', { title: inAllLanguages('Where do you live?') })
    expect(one(await save(made.id, 1, { definition: reworded })).attributes).toMatchObject({ hasChanges: true, publishedVersion: 1 })
    expect(one(await publish(made.id)).attributes).toMatchObject({ number: 2, definition: reworded })
    const versions = many(await visitor().get(`/survey-versions?filter[survey]=${made.id}`))
    expect(versions.map((version) => version.attributes['definition'])).toEqual([reworded, EVERY_TYPE])
  })

  test('counts each browser or account once, unless somebody chooses otherwise', async () => {
    const project = await addProject(runtime, site)
    const to = { to: { project: { type: 'projects', id: project.id } } }
    const made = one(await admin.post('/surveys', buildResourceDocument('surveys', { titleTranslations: { en: 'Once' } }, to)))
    expect(made.attributes['access']).toBe('anyone_once')
    const open = one(await save(made.id, 1, { access: 'anyone' }))
    expect(open.attributes['access']).toBe('anyone')
  })

  test('gets the project’s dates and a free slug', async () => {
    const project = await addProject(runtime, site, { closesAt: new Date('2031-01-01T00:00:00Z') })
    const to = { to: { project: { type: 'projects', id: project.id } } }
    const make = () => admin.post('/surveys', buildResourceDocument('surveys', { titleTranslations: { en: 'Élan' } }, to))
    const [first, second] = [one(await make()), one(await make())]
    expect([first.attributes['slug'], second.attributes['slug'], first.attributes['closesAt']]).toEqual([
      'elan',
      'elan-2',
      '2031-01-01T00:00:00.000Z',
    ])
    const taken = await admin.post('/surveys', buildResourceDocument('surveys', { titleTranslations: { en: 'Élan' }, slug: 'elan' }, to))
    expect(pointers(taken)).toEqual([['taken', '/data/attributes/slug']])
  })

  test('cannot be published incomplete, and everything missing is named', async () => {
    const made = await draft()
    const definition = changed('mode', { title: { en: 'How?' }, options: [] })
    one(await save(made.id, 1, { definition, introTranslations: { en: 'Hello' } }))
    expect(pointers(await publish(made.id))).toEqual([
      ['translation-missing', '/data/attributes/intro/fr-CA'],
      ['translation-missing', '/data/attributes/intro/cy'],
      ['translation-missing', '/data/attributes/definition/pages/0/questions/2/title/fr-CA'],
      ['translation-missing', '/data/attributes/definition/pages/0/questions/2/title/cy'],
      ['too-few', '/data/attributes/definition/pages/0/questions/2/options'],
    ])
    expect((await publish(made.id, { waiveTranslations: true })).codes).toEqual(['too-few'])
  })

  test('saved twice on one version: the second gets what the first saved', async () => {
    const made = await draft()
    one(await save(made.id, 1, { titleTranslations: inAllLanguages('First') }))
    const stale = await save(made.id, 1, { titleTranslations: inAllLanguages('Second') })
    expect(stale).toMatchObject({ status: 409, codes: ['stale'] })
    expect(JSON.stringify(stale.body)).toContain('First')
    expect(JSON.stringify(stale.body)).toContain('Second')
    expect((await publish(made.id, { onLockVersion: 1 })).codes).toEqual(['stale'])
  })

  test('published concurrently is published once', async () => {
    const made = await draft()
    const statuses = (await Promise.all([publish(made.id), publish(made.id), publish(made.id)])).map((answer) => answer.status)
    expect(statuses.toSorted()).toEqual([201, 409, 409])
  })

  test('with an invalid definition is refused with a pointer', async () => {
    const made = await draft()
    const wrong = await save(made.id, 1, {
      definition: { schema: 1, pages: [{ id: 'p', questions: [{ id: '1x', type: 'telepathy', title: {} }] }] },
    })
    expect(wrong.status).toBe(422)
    expect(pointers(wrong)?.[0]?.[1]).toMatch(/^\/data\/attributes\/definition\/pages\/0\/questions\/0\//)
  })
})

describe('a survey with responses', () => {
  const answered = async () => {
    const made = await draft()
    one(await publish(made.id))
    one(await respond(made.id, { name: 'Elm', mode: { choice: 'bus' }, safe: 4 }))
    return made
  }

  test('keeps the type and scale of its questions, except that any may become text', async () => {
    const made = await answered()
    const type = await save(made.id, 1, { definition: changed('mode', { type: 'several_choices' }) })
    expect(pointers(type)).toEqual([['question-type-fixed', '/data/attributes/definition/pages/0/questions/2/type']])
    const scale = await save(made.id, 1, { definition: changed('safe', { scale: { max: 10 } }) })
    expect(pointers(scale)).toEqual([['scale-fixed', '/data/attributes/definition/pages/1/questions/1/scale/max']])
    const { id, title } = { id: 'mode', title: inAllLanguages('How?') }
    const asText = {
      schema: 1,
      pages: EVERY_TYPE.pages.map((page) => ({
        ...page,
        questions: page.questions.map((q) => (q.id === id ? { id, type: 'short_text', title } : q)),
      })),
    }
    expect((await save(made.id, 1, { definition: asText })).status).toBe(200)
  })

  test('cannot change whether it is anonymous', async () => {
    const made = await answered()
    expect(pointers(await save(made.id, 1, { anonymous: true }))).toEqual([['fixed-once-open', '/data/attributes/anonymous']])
    const fresh = await draft()
    expect((await save(fresh.id, 1, { anonymous: true })).status).toBe(200)
  })

  test('loses nothing when questions and options are removed, and counts new ones over those who saw them', async () => {
    const made = await answered()
    const mode = EVERY_TYPE.pages[0]?.questions[2]
    const options = mode && 'options' in mode ? mode.options.filter((option) => option.id !== 'bus') : []
    const without = changed('mode', { options: [...options, { id: 'boat', label: inAllLanguages('By boat') }] })
    const second = {
      ...without,
      pages: without.pages.map((page) => ({ ...page, questions: page.questions.filter((question) => question.id !== 'safe') })),
    }
    second.pages[1]?.questions.push({ id: 'new', type: 'short_text', title: inAllLanguages('New') })
    one(await save(made.id, 1, { definition: second }))
    one(await publish(made.id))
    one(await respond(made.id, { name: 'Oak', mode: { choice: 'boat' }, new: 'yes' }))
    const results = one(await admin.get(`/survey-results/${made.id}`))
    const byId = new Map((results.attributes['questions'] as { question: { id: string } }[]).map((each) => [each.question.id, each]))
    expect(results.attributes['responses']).toBe(2)
    expect(byId.get('mode')).toMatchObject({
      question: { removedOptions: ['bus'] },
      asked: 2,
      answered: 2,
      cells: [
        { value: 'foot', count: 0 },
        { value: 'other', count: 0 },
        { value: 'boat', count: 1 },
        { value: 'bus', count: 1 },
      ],
    })
    expect(byId.get('safe')).toMatchObject({ question: { removed: true }, asked: 1, answered: 1, mean: 4, median: 4 })
    expect(byId.get('new')).toMatchObject({ asked: 1, answered: 1 })
  })

  test('shows how publishing affects existing answers beforehand, and how many', async () => {
    const made = await answered()
    one(await respond(made.id, { name: 'Oak', mode: { choice: 'bus' } }))
    const mode = EVERY_TYPE.pages[0]?.questions[2]
    const options = mode && 'options' in mode ? mode.options.filter((option) => option.id !== 'bus') : []
    const without = changed('mode', { options })
    const pages = without.pages.map((page) => ({ ...page, questions: page.questions.filter((question) => question.id !== 'safe') }))
    one(await save(made.id, 1, { definition: { ...without, pages } }))
    const { attributes } = one(await admin.get(`/survey-changes/${made.id}`))
    expect(attributes).toEqual({
      effects: [
        { kind: 'removed', of: 'option', question: 'mode', item: 'bus', answers: 2 },
        { kind: 'removed', of: 'question', question: 'safe', answers: 1 },
      ],
      unfinished: 0,
    })
    expect((await visitor().get(`/survey-changes/${made.id}`)).status).not.toBe(200)
  })

  test('cannot be published with broken rules: each is named', async () => {
    const made = await draft()
    const [first, second] = EVERY_TYPE.pages
    const chose = (option: string) => ({ question: 'mode', is: 'any_of', options: [option] })
    const broken = {
      schema: 1,
      pages: [
        { ...first, next: [{ page: 'page3' }] },
        { ...second, id: 'page2' },
        {
          id: 'page3',
          showIf: { all: [chose('bus'), chose('foot')] },
          questions: [{ id: 'last', type: 'yes_no', title: inAllLanguages('Last?') }],
        },
      ],
    }
    one(await save(made.id, 1, { definition: broken }))
    expect(pointers(await publish(made.id))).toEqual([
      ['never-true', '/data/attributes/definition/pages/2/showIf'],
      ['never-reached', '/data/attributes/definition/pages/1'],
    ])
  })

  test('is archived instead of deleted; one without responses is deleted', async () => {
    const made = await answered()
    expect((await admin.delete(`/surveys/${made.id}`)).codes).toEqual(['conflict'])
    one(await admin.post('/survey-archivals', buildResourceDocument('survey-archivals', {}, toSurvey(made.id))))
    expect(one(await visitor().get(`/surveys/${made.id}`)).attributes).toMatchObject({ status: 'archived', state: 'closed' })
    expect((await respond(made.id, { name: 'Late' })).codes).toEqual(['survey-closed'])
    expect((await admin.delete(`/survey-archivals/${made.id}`)).status).toBe(204)
    expect((await respond(made.id, { name: 'In time' })).status).toBe(201)
    expect((await admin.delete(`/surveys/${(await draft()).id}`)).status).toBe(204)
  })
})

describe('responses over the API', () => {
  test('can be submitted by anyone, return a receipt, and are stored once however often they are sent', async () => {
    const survey = await addSurvey(runtime, site)
    const id = v7()
    const first = one(await respond(survey.id, { name: 'Elm' }, { id }))
    const again = one(await respond(survey.id, { name: 'Oak' }, { id }))
    expect(again).toMatchObject({ id, attributes: { answers: { name: 'Elm' }, receiptCode: first.attributes['receiptCode'] } })
    expect((await respond(survey.id, { name: 'Oak' }, { id, attributes: { sendKey: 'somebody-elses-key' } })).codes).toEqual(['conflict'])
    expect((await visitor().get(`/responses/${id}`)).status).toBe(404)
    expect(many(await visitor().get('/responses'))).toEqual([])
    const seen = one(await admin.get(`/responses/${id}`))
    expect(seen.attributes).toMatchObject({ answers: { name: 'Elm' }, participant: null, source: 'api' })
    expect(seen.attributes).not.toHaveProperty('receiptCode')
  })

  test('that break the survey’s rules are refused with a pointer to each answer', async () => {
    const survey = await addSurvey(runtime, site)
    const answer = await respond(survey.id, { want: { choices: ['none', 'trees'] }, safe: 'five', nothing: 'x' })
    expect(pointers(answer)).toEqual([
      ['required', '/data/attributes/answers/name'],
      ['exclusive-choice', '/data/attributes/answers/want'],
      ['not-a-choice', '/data/attributes/answers/safe'],
      ['unknown-attribute', '/data/attributes/answers/nothing'],
    ])
  })

  test.each([
    ['answers that are none', { answers: 'yes' }, 422],
    ['a prototype for an answer', { answers: JSON.parse('{"__proto__": "x"}') as unknown }, 400],
    ['a list of lists', { answers: { want: { choices: [['trees']] } } }, 422],
    ['a key that is short', { sendKey: 'x' }, 422],
    ['a version that is none', { version: -1 }, 422],
    ['an attribute nobody declared', { receiptCode: 'K7QF' }, 422],
  ])('%s: refused without a server error', async (_what, attributes, status) => {
    const survey = await addSurvey(runtime, site)
    expect((await respond(survey.id, { name: 'Elm' }, { attributes })).status).toBe(status)
  })

  test('are filtered, searched, sorted and paged in the database', async () => {
    const survey = await addSurvey(runtime, site)
    for (const [name, choice, safe] of [
      ['Elm 100%', 'bus', 1],
      ['Oak', 'foot', 5],
      ['Elm_Hill', 'bus', 5],
    ] as const) {
      one(await respond(survey.id, { name, mode: { choice }, safe, want: { choices: choice === 'bus' ? ['trees', 'seats'] : ['none'] } }))
    }
    one(await respond(survey.id, { name: 'Way', mode: { choice: 'other', other: 'By boat' } }))
    const names = async (query: string) =>
      many(await admin.get(`/responses?filter[survey]=${survey.id}&sort=submittedAt${query}`)).map(
        (row) => (row.attributes['answers'] as { name: string }).name,
      )
    expect(await names('&filter[answer]=mode:bus')).toEqual(['Elm 100%', 'Elm_Hill'])
    expect(await names('&filter[answer]=want:none')).toEqual(['Oak'])
    expect(await names('&filter[answer]=safe:5')).toEqual(['Oak', 'Elm_Hill'])
    expect(await names('&filter[q]=elm')).toEqual(['Elm 100%', 'Elm_Hill'])
    expect(await names('&filter[q]=100%25')).toEqual(['Elm 100%'])
    expect(await names('&filter[q]=BOAT')).toEqual(['Way'])
    expect(await names('&filter[q]=bus')).toEqual([])
    expect(await names('&page[size]=2&page[number]=2')).toEqual(['Elm_Hill', 'Way'])
    expect(await names('&filter[from]=2100-01-01T00:00:00Z')).toEqual([])
    expect((await admin.get('/responses?filter[answer]=x')).status).toBe(400)
    const written = many(await admin.get(`/written-answers?filter[survey]=${survey.id}&filter[question]=mode`))
    expect(written.map((row) => row.attributes['text'])).toEqual(['By boat'])
    expect((await admin.get('/written-answers')).status).toBe(400)
    expect((await visitor().get(`/written-answers?filter[survey]=${survey.id}&filter[question]=name`)).status).toBe(401)
  })

  test('reveal who gave them only to those who may see personal data', async () => {
    const project = await addProject(runtime, site)
    const survey = await addSurvey(runtime, site, { projectId: project.id })
    const person = await addPerson(runtime, site, { email: 'ana@example.org' })
    const { id } = one(await respond(survey.id, { name: 'Elm' }, { token: person.token }))
    const as = async (mayExportPersonalData: boolean) =>
      createApiClient(
        runtime,
        site,
        (await addPerson(runtime, site, { role: 'project_admin', projectId: project.id, mayExportPersonalData })).token,
      )
    expect(one(await (await as(false)).get(`/responses/${id}`)).attributes).not.toHaveProperty('participant')
    expect(one(await (await as(true)).get(`/responses/${id}`)).attributes).toMatchObject({ participant: { email: 'ana@example.org' } })
    expect(one(await createApiClient(runtime, site, person.token).get(`/responses/${id}`)).attributes).toMatchObject({
      answers: { name: 'Elm' },
    })
  })
})

describe('draft responses', () => {
  const keep = (surveyId: string, id: string, answers: Record<string, unknown>, more: { token?: string; sendKey?: string } = {}) =>
    createApiClient(runtime, site, more.token).put(
      `/response-drafts/${id}`,
      buildResourceDocument(
        'response-drafts',
        { answers, sendKey: more.sendKey ?? 'only-the-sender-knows' },
        { id, ...toSurvey(surveyId) },
      ),
    )

  test('are stored as typed, replaced, and deleted once the response is submitted', async () => {
    const survey = await addSurvey(runtime, site)
    const person = await addPerson(runtime, site)
    const own = createApiClient(runtime, site, person.token)
    const id = v7()
    expect((await keep(survey.id, id, { safe: 9 }, person)).status).toBe(201)
    expect((await keep(survey.id, id, { safe: 9, name: 'El' }, person)).status).toBe(200)
    expect(one(await own.get(`/response-drafts/${id}`)).attributes).toMatchObject({ answers: { safe: 9, name: 'El' }, version: 1 })
    one(await respond(survey.id, { name: 'Elm' }, { id, token: person.token }))
    expect((await own.get(`/response-drafts/${id}`)).status).toBe(404)
    expect((await keep(survey.id, id, { name: 'x' }, person)).codes).toEqual(['already-answered'])
  })

  test('are written by nobody else, and read by nobody without an account', async () => {
    const survey = await addSurvey(runtime, site)
    const id = v7()
    expect((await keep(survey.id, id, { name: 'El' })).status).toBe(201)
    expect((await visitor().get(`/response-drafts/${id}`)).status).toBe(404)
    expect((await keep(survey.id, id, { name: 'Mine' }, { sendKey: 'somebody-elses-key' })).codes).toEqual(['conflict'])
  })

  test('of an anonymous survey store no account', async () => {
    const survey = await addSurvey(runtime, site, { anonymous: true })
    const person = await addPerson(runtime, site)
    const id = v7()
    await keep(survey.id, id, { name: 'El' }, person)
    expect((await createApiClient(runtime, site, person.token).get(`/response-drafts/${id}`)).status).toBe(404)
  })
})

test('sites are isolated: no token of one reaches another’s surveys, versions, responses or results', async () => {
  const other = await addSite(runtime, { slug: 'harbour' })
  const survey = await addSurvey(runtime, other)
  const id = v7()
  const theirs = createApiClient(runtime, other)
  one(
    await theirs.post(
      '/responses',
      buildResourceDocument('responses', { answers: { name: 'x' }, sendKey: 'only-the-sender-knows' }, { id, ...toSurvey(survey.id) }),
    ),
  )
  for (const path of [
    `/surveys/${survey.id}`,
    `/survey-versions/${survey.id}.1`,
    `/responses/${id}`,
    `/survey-results/${survey.id}`,
    `/survey-changes/${survey.id}`,
  ]) {
    expect([path, (await admin.get(path)).status]).toEqual([path, 404])
  }
  expect((await publish(survey.id)).status).toBe(404)
  expect((await respond(survey.id, { name: 'x' })).status).toBe(404)
  expect((await admin.delete(`/surveys/${survey.id}`)).status).toBe(404)
})

test('changes to a survey are audited, and published pages are invalidated', async () => {
  const version = () =>
    runtime.database.global
      .select()
      .from(sites)
      .where(eq(sites.id, site.id))
      .then(([row]) => row?.contentVersion ?? 0)
  const project = await addProject(runtime, site)
  const before = await version()
  const made = await draft(project)
  expect(await version()).toBe(before)
  one(await publish(made.id))
  expect(await version()).toBeGreaterThan(before)
  const trail = await runtime.database.site(site.id).tx((tx) =>
    tx
      .select({ action: auditEvents.action })
      .from(auditEvents)
      .where(and(eq(auditEvents.siteId, site.id), eq(auditEvents.subjectId, made.id))),
  )
  expect(trail.map((event) => event.action).sort()).toEqual(['surveys.create', 'surveys.publish'])
})

test('a project administrator edits a survey and, once the project is public, requests its publication', async () => {
  const project = await addProject(runtime, site)
  const person = await addPerson(runtime, site, { role: 'project_admin', projectId: project.id })
  const own = createApiClient(runtime, site, person.token)
  const to = { to: { project: { type: 'projects', id: project.id } } }
  const made = one(
    await own.post('/surveys', buildResourceDocument('surveys', { titleTranslations: inAllLanguages('Mine'), definition: EVERY_TYPE }, to)),
  )
  expect(made.meta?.can).toMatchObject({ update: true, publish: false })
  expect((await own.post('/survey-versions', buildResourceDocument('survey-versions', {}, toSurvey(made.id)))).status).toBe(403)
  await runtime.database
    .site(site.id)
    .tx((tx) => tx.update(projects).set({ publishedAt: null, status: 'draft' }).where(eq(projects.id, project.id)))
  expect((await own.post('/survey-versions', buildResourceDocument('survey-versions', {}, toSurvey(made.id)))).status).toBe(201)
  const elsewhere = await addSurvey(runtime, site, { id: createId() })
  expect(
    (await own.patch(`/surveys/${elsewhere.id}`, buildResourceDocument('surveys', { minutes: 3 }, { id: elsewhere.id, lockVersion: 1 })))
      .status,
  ).toBe(403)
  expect(
    await runtime.database
      .site(site.id)
      .tx((tx) => tx.select({ minutes: surveys.minutes }).from(surveys).where(eq(surveys.id, elsewhere.id))),
  ).toEqual([{ minutes: null }])
})
