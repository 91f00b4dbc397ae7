import { and, eq, like } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readWeek } from '#app/features/cockpit/weekly-mail/read-week.server.ts'
import { readDashboard } from '#app/features/dashboard/dashboard.server.ts'
import type { Role } from '#app/lib/roles.ts'
import { createId } from '#app/lib/uuid.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { hubs } from '#app/server/db/schema/projects.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addProject, addSurvey, inAllLanguages, POLL } from '#tests/factories/surveys.ts'
import { type Account, addAccount, loadMailsTo, requireItem, requireItems } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'

type Who = 'asker' | 'second' | 'reviewer' | 'admin' | 'otherHub' | 'stranger' | 'elsewhere'

let runtime: TestRuntime
let site: Site
let projectId: string
let hubId: string
let people: Record<Who, Account>
let number = 0
beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  runtime.setNow(new Date('2026-03-02T10:00:00Z'))
  site = await addSite(runtime, { slug: `draft-review-${++number}` })
  hubId = createId()
  const otherHub = createId()
  await inSite((tx) =>
    tx.insert(hubs).values([
      { siteId: site.id, id: hubId, slug: 'roads', title: { en: 'Roads' } },
      { siteId: site.id, id: otherHub, slug: 'parks', title: { en: 'Parks' } },
    ]),
  )
  projectId = (await addProject(runtime, site, { hubId, title: inAllLanguages('Fern Street') })).id
  const add = (role: Role, more: Parameters<typeof addAccount>[2] = {}) => addAccount(runtime, site, { role, ...more })
  people = {
    asker: await add('project_admin', { projectId, login: 'Aled Rees', locale: 'cy' }),
    second: await add('project_admin', { projectId, login: 'Moe' }),
    reviewer: await add('hub_admin', { hubId, login: 'Bea Roy' }),
    admin: await add('site_admin', { login: 'Ada' }),
    otherHub: await add('hub_admin', { hubId: otherHub }),
    stranger: await add('project_admin', { projectId: (await addProject(runtime, site)).id }),
    elsewhere: await addAccount(runtime, await addSite(runtime, { slug: `draft-review-other-${number}` }), { role: 'site_admin' }),
  }
})

const inSite = <Result>(work: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0]) =>
  runtime.database.site(site.id).tx(work) as Promise<Result>
const api = (who: Who) => createApiClient(runtime, site, people[who].token)
const toOutcome = ({ status, codes }: { status: number; codes: string[] }) => [status, ...codes]
const later = (minutes: number) => runtime.setNow(new Date(Date.parse('2026-03-02T10:00:00Z') + minutes * 60_000))

/** What tests do with one kind of draft. */
interface Reviewed {
  thing: 'survey' | 'activity'
  type: 'surveys' | 'activities'
  reviews: 'survey-reviews' | 'activity-reviews'
  title: string
  path: (id: string) => string
  add: (isPublic: boolean) => Promise<string>
  /** Changes the draft, so that it says something else than before. */
  change: (who: Who, id: string, words: string) => Promise<void>
  /** Makes the draft say what is published. */
  undo: (who: Who, id: string) => Promise<void>
  publish: (who: Who, id: string) => Promise<(number | string)[]>
}

const poll = (title: string) => {
  const [page] = POLL.pages
  const [question] = page?.questions ?? []
  if (!page || !question) throw new Error('A poll has a question')
  return { ...POLL, pages: [{ ...page, questions: [{ ...question, title: inAllLanguages(title) }] }] }
}

async function saveSurvey(who: Who, id: string, attributes: Record<string, unknown>): Promise<void> {
  expect(toOutcome(await api(who).patch(`/surveys/${id}`, buildResourceDocument('surveys', attributes, { id })))).toEqual([200])
}

const SURVEY: Reviewed = {
  thing: 'survey',
  type: 'surveys',
  reviews: 'survey-reviews',
  title: 'Night buses',
  path: (id) => `/admin/surveys/${id}`,
  add: async (isPublic) =>
    (
      await addSurvey(runtime, site, {
        projectId,
        title: inAllLanguages('Night buses'),
        definition: POLL,
        ...(isPublic ? {} : { status: 'draft' as const, publishedVersion: null }),
      })
    ).id,
  change: (who, id, words) => saveSurvey(who, id, { definition: poll(words) }),
  undo: (who, id) => saveSurvey(who, id, { definition: POLL }),
  publish: async (who, id) =>
    toOutcome(await api(who).post(`/surveys/${id}/versions`, buildResourceDocument('survey-versions', { waived: [] }))),
}

const toIdeas = (title: string) => ({
  titleTranslations: inAllLanguages(title),
  introTranslations: inAllLanguages('Say what you want.'),
  stage: null,
  opensAt: null,
  closesAt: null,
  postAccess: 'anyone_once',
  reactAccess: 'anyone_once',
  groupId: null,
  moderation: 'before',
  settings: {},
  fields: [],
})

/** The newest version of each activity. */
const drafts = new Map<string, string>()

async function saveActivity(who: Who, id: string, content: Record<string, unknown>): Promise<void> {
  const parent = drafts.get(id)
  const to = { activity: { type: 'activities', id }, ...(parent && { parent: { type: 'activity-revisions', id: parent } }) }
  const saved = await api(who).post('/activity-revisions', buildResourceDocument('activity-revisions', { content }, { to }))
  drafts.set(id, requireItem(saved).id)
}

const ACTIVITY: Reviewed = {
  thing: 'activity',
  type: 'activities',
  reviews: 'activity-reviews',
  title: 'Trees',
  path: (id) => `/admin/projects/${projectId}/activities/${id}`,
  add: async (isPublic) => {
    const values = { projectId, title: inAllLanguages('Trees'), intro: inAllLanguages('Say what you want.') }
    return (await addActivity(runtime, site, { ...values, ...(isPublic ? {} : { status: 'draft' }) })).id
  },
  change: (who, id, words) => saveActivity(who, id, { ...toIdeas('Trees'), introTranslations: inAllLanguages(words) }),
  undo: async (who, id) => {
    const { attributes } = requireItem(await api(who).get(`/activities/${id}`))
    const settings = attributes['settings']
    const access = { postAccess: attributes['postAccess'], reactAccess: attributes['reactAccess'], moderation: attributes['moderation'] }
    await saveActivity(who, id, { ...toIdeas('Trees'), ...access, settings })
  },
  publish: async (who, id) => {
    const { attributes } = requireItem(await api(who).get(`/activities/${id}`))
    if (attributes['status'] === 'draft')
      return toOutcome(await api(who).patch(`/activities/${id}`, buildResourceDocument('activities', { status: 'published' }, { id })))
    const to = { revision: { type: 'activity-revisions', id: drafts.get(id) ?? '' } }
    return toOutcome(
      await api(who).post('/activity-revision-publications', buildResourceDocument('activity-revision-publications', {}, { to })),
    )
  },
}

const ask = async ({ reviews, type, thing }: Reviewed, who: Who, id: string) =>
  toOutcome(await api(who).post(`/${reviews}`, buildResourceDocument(reviews, {}, { to: { [thing]: { type, id } } })))
const giveBack = async ({ reviews }: Reviewed, who: Who, id: string, returnReason: string) =>
  toOutcome(await api(who).patch(`/${reviews}/${id}`, buildResourceDocument(reviews, { returnReason }, { id })))
const loadReview = async ({ reviews, thing }: Reviewed, who: Who, id: string) =>
  requireItems(await api(who).get(`/${reviews}?filter[${thing}]=${id}`))[0]
const listActs = async ({ type }: Reviewed, id: string) =>
  (
    await inSite<{ action: string; actorId: string | null; detail: Record<string, unknown> }[]>((tx) =>
      tx
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.subjectId, id), like(auditEvents.action, `${type}.%`)))
        .orderBy(auditEvents.sequence),
    )
  ).filter(({ action }) => !action.endsWith('.update'))
const listNews = async (who: Who) =>
  requireItems(await api(who).get('/notifications')).map(({ attributes }) => [
    attributes['kind'],
    attributes['title'],
    attributes['subject'],
  ])

describe.each([SURVEY, ACTIVITY])('drafts of $type', (kind) => {
  const { thing } = kind

  test('waits for a colleague after who may only edit asked, and publishing it approves it', async () => {
    const id = await kind.add(true)
    await kind.change('asker', id, 'Which night suits you?')
    expect(await ask(kind, 'asker', id)).toEqual([201])
    expect(await loadReview(kind, 'reviewer', id)).toMatchObject({
      id,
      attributes: {
        status: 'in_review',
        askedBy: 'Aled Rees',
        askedAt: '2026-03-02T10:00:00.000Z',
        changedAt: null,
        returnedAt: null,
        returnReason: null,
      },
      meta: { can: { review: true, remove: false } },
    })
    expect(await loadReview(kind, 'asker', id)).toMatchObject({ meta: { can: { review: false, remove: true } } })
    expect(await ask(kind, 'second', id)).toEqual([409, 'conflict'])
    // Who asked cannot approve what they may not publish. Changes of a published activity are published by those who may edit it.
    if (thing === 'survey') expect(await kind.publish('asker', id)).toEqual([403, 'forbidden'])
    later(5)
    expect(await kind.publish('reviewer', id)).toEqual([201])
    expect(await loadReview(kind, 'asker', id)).toBeUndefined()
    const acts = await listActs(kind, id)
    expect(acts.map(({ action, actorId }) => [action, actorId])).toEqual([
      [`${kind.type}.request-review`, people.asker.id],
      [expect.stringContaining('.publish'), people.reviewer.id],
    ])
    expect(acts.at(-1)?.detail).toMatchObject({ asker: people.asker.id })
  })

  test('is seen by those who administer its project, its department or the site, and by nobody else', async () => {
    const id = await kind.add(true)
    await kind.change('asker', id, 'Which night suits you?')
    await ask(kind, 'asker', id)
    for (const who of ['asker', 'second', 'reviewer', 'admin'] as const) expect(await loadReview(kind, who, id), who).toBeDefined()
    for (const who of ['otherHub', 'stranger'] as const) {
      expect(await loadReview(kind, who, id), who).toBeUndefined()
      expect((await api(who).get(`/${kind.reviews}/${id}`)).status, who).toBe(404)
      expect((await giveBack(kind, who, id, 'Not mine'))[0], who).toBe(404)
    }
    // A token of another site opens nothing here.
    expect((await api('elsewhere').get(`/${kind.reviews}/${id}`)).status).toBe(401)
    const another = await kind.add(true)
    await kind.change('asker', another, 'Another')
    expect((await ask(kind, 'otherHub', another))[0]).toBe(403)
    expect((await ask(kind, 'stranger', another))[0]).toBe(403)
    const ofProject = requireItems(await api('admin').get(`/${kind.reviews}?filter[project]=${projectId}&filter[waiting]=true`))
    expect(ofProject.map((item) => item.id)).toEqual([id])
    expect(requireItems(await api('admin').get(`/${kind.reviews}?filter[waiting]=false`))).toEqual([])
  })

  test('is returned with a reason, which the person who asked gets; then it is asked for again', async () => {
    const id = await kind.add(true)
    await kind.change('asker', id, 'Which night suits you?')
    await ask(kind, 'asker', id)
    const [asked, ...others] = await loadMailsTo(runtime, site.id, people.reviewer.email)
    expect([asked?.kind, others]).toEqual(['agreement-asked', []])
    expect(asked?.bodyText).toContain('Fern Street')
    expect(asked?.bodyText).toContain(kind.title)
    expect(JSON.stringify(asked)).toContain(kind.path(id))
    // Who may not publish it is not asked.
    for (const who of ['asker', 'second', 'otherHub', 'stranger'] as const)
      expect(await loadMailsTo(runtime, site.id, people[who].email), who).toEqual([])

    expect(await giveBack(kind, 'reviewer', id, '  ')).toEqual([422, 'required'])
    expect(await giveBack(kind, 'second', id, 'Mine')).toEqual([403, 'forbidden'])
    later(10)
    expect(await giveBack(kind, 'reviewer', id, ' Say which line. ')).toEqual([200])
    expect(await loadReview(kind, 'asker', id)).toMatchObject({
      attributes: {
        status: 'returned',
        returnedBy: 'Bea Roy',
        returnedAt: '2026-03-02T10:10:00.000Z',
        returnReason: 'Say which line.',
      },
      meta: { can: { review: false, remove: false } },
    })
    const [returned] = await loadMailsTo(runtime, site.id, people.asker.email)
    expect(returned).toMatchObject({ kind: 'review-returned', language: 'cy', bodyText: expect.stringContaining('Say which line.') })
    expect(JSON.stringify(returned)).toContain(kind.path(id))
    expect((await listActs(kind, id)).at(-1)).toMatchObject({
      action: `${kind.type}.return`,
      detail: { reason: 'Say which line.', asker: people.asker.id },
    })
    expect(await giveBack(kind, 'reviewer', id, 'Again')).toEqual([409, 'conflict'])
    await kind.change('asker', id, 'Which night suits you, on line 5?')
    expect(await ask(kind, 'asker', id)).toEqual([201])
    expect(await loadReview(kind, 'asker', id)).toMatchObject({ attributes: { status: 'in_review', returnReason: null } })
  })

  test('says that it was changed after the request, by whom and when', async () => {
    const id = await kind.add(true)
    await kind.change('asker', id, 'Which night suits you?')
    await ask(kind, 'asker', id)
    later(20)
    await kind.change('second', id, 'Which nights suit you?')
    expect(await loadReview(kind, 'reviewer', id)).toMatchObject({
      attributes: { status: 'in_review', askedBy: 'Aled Rees', changedAt: '2026-03-02T10:20:00.000Z', changedBy: 'Moe' },
    })
    // Nothing is left to approve.
    await kind.undo('second', id)
    expect(await loadReview(kind, 'reviewer', id)).toBeUndefined()
    expect((await ask(kind, 'asker', id))[0]).toBe(409)
  })

  test('is asked about as a whole before its first publication, and only complete', async () => {
    const id = await kind.add(false)
    expect(await ask(kind, 'asker', id)).toEqual([201])
    expect(await loadReview(kind, 'reviewer', id)).toMatchObject({ attributes: { status: 'in_review', changedAt: null } })
    expect(await kind.publish('asker', id)).toEqual([403, 'forbidden'])
    later(5)
    await kind.change('second', id, 'Where do you want them?')
    expect(await loadReview(kind, 'reviewer', id)).toMatchObject({
      attributes: { changedAt: '2026-03-02T10:05:00.000Z', changedBy: 'Moe' },
    })
    expect(await kind.publish('reviewer', id)).toEqual([kind.thing === 'survey' ? 201 : 200])
    expect(await loadReview(kind, 'reviewer', id)).toBeUndefined()
  })

  test('is not decided about by the person who asked, who alone can withdraw the request', async () => {
    const id = await kind.add(true)
    await kind.change('admin', id, 'Which night suits you?')
    // People who may publish can ask for a second look too.
    expect(await ask(kind, 'admin', id)).toEqual([201])
    expect(await giveBack(kind, 'admin', id, 'Mine')).toEqual([403, 'review-other'])
    expect(await loadReview(kind, 'admin', id)).toMatchObject({ meta: { can: { review: false, remove: true } } })
    expect((await api('reviewer').delete(`/${kind.reviews}/${id}`)).codes).toEqual(['forbidden'])
    expect((await api('admin').delete(`/${kind.reviews}/${id}`)).status).toBe(204)
    expect(await loadReview(kind, 'reviewer', id)).toBeUndefined()
    expect((await listActs(kind, id)).map(({ action }) => action)).toEqual([`${kind.type}.request-review`, `${kind.type}.withdraw-review`])
  })

  test('of two who decide at the same time, one does', async () => {
    const id = await kind.add(true)
    await kind.change('asker', id, 'Which night suits you?')
    await ask(kind, 'asker', id)
    const results = await Promise.all([giveBack(kind, 'reviewer', id, 'No'), giveBack(kind, 'admin', id, 'No')])
    expect(results.map(([status]) => status).toSorted()).toEqual([200, 409])
    expect(await loadMailsTo(runtime, site.id, people.asker.email)).toHaveLength(1)
  })

  test('is in the bell, on the first page and in the weekly mail of those who may publish it, and the person who asked hears what became of it', async () => {
    const id = await kind.add(true)
    await kind.change('asker', id, 'Which night suits you?')
    const [reviewer, asker] = [await people.reviewer.ctx(), await people.asker.ctx()]
    const subject = thing === 'survey' ? id : `${projectId}/activities/${id}`
    const expectWaiting = async (waiting: boolean) => {
      expect(await listNews('reviewer')).toEqual(waiting ? [[`${thing}-review`, kind.title, subject]] : [])
      expect(await listNews('otherHub')).toEqual([])
      expect((await readDashboard(reviewer)).awaitingReview).toEqual(waiting ? [{ projectId, id, title: kind.title, what: thing }] : [])
      expect((await readWeek(reviewer, '2026-03-02')).draftReviews).toBe(waiting ? 1 : 0)
      expect((await readWeek(asker, '2026-03-02')).draftReviews).toBe(0)
    }
    await expectWaiting(false)
    await ask(kind, 'asker', id)
    await expectWaiting(true)
    expect(await listNews('asker')).toEqual([])
    later(1)
    await giveBack(kind, 'reviewer', id, 'Say which line.')
    await expectWaiting(false)
    expect(await listNews('asker')).toEqual([[`${thing}-returned`, kind.title, subject]])
    expect(await listNews('second')).toEqual([])
    later(2)
    await ask(kind, 'asker', id)
    later(3)
    await kind.publish('reviewer', id)
    expect(await listNews('asker')).toEqual([
      [`${thing}-published`, kind.title, subject],
      [`${thing}-returned`, kind.title, subject],
    ])
    // A later publication without a request is not announced as an answer to one.
    later(4)
    await kind.change('reviewer', id, 'Which night is yours?')
    await kind.publish('reviewer', id)
    expect(await listNews('asker')).toHaveLength(2)
  })
})

test('a survey is asked about only as it was seen, and only complete', async () => {
  const id = await SURVEY.add(true)
  expect(await ask(SURVEY, 'asker', id)).toEqual([409, 'already-published'])
  const untranslated = { id: 'line', type: 'short_text', title: { en: 'Which line?' }, required: false, maxLength: 40 }
  await saveSurvey('asker', id, { definition: { ...POLL, pages: [...POLL.pages, { id: 'page2', questions: [untranslated] }] } })
  const refused = await ask(SURVEY, 'asker', id)
  expect(refused[0]).toBe(422)
  expect(refused).toContain('translation-missing')
  const to = { survey: { type: 'surveys', id } }
  const stale = await api('asker').post('/survey-reviews', buildResourceDocument('survey-reviews', { onLockVersion: 1 }, { to }))
  expect(toOutcome(stale)).toEqual([409, 'stale'])
  expect(await loadReview(SURVEY, 'reviewer', id)).toBeUndefined()
})

test('an activity is asked about only complete', async () => {
  const { id } = await addActivity(runtime, site, { projectId, title: { en: 'Trees' }, status: 'draft' })
  const refused = await ask(ACTIVITY, 'asker', id)
  expect(refused[0]).toBe(422)
  expect(refused).toContain('translation-missing')
  expect(await loadReview(ACTIVITY, 'reviewer', id)).toBeUndefined()
  const shown = await ACTIVITY.add(true)
  // Nothing of it was ever changed.
  expect(await ask(ACTIVITY, 'asker', shown)).toEqual([409, 'conflict'])
})
