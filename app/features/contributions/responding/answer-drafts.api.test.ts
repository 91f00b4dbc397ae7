import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributions, officialResponses } from '#app/server/db/schema/contributions.ts'
import { moderationSettings } from '#app/server/db/schema/moderation.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { eraseContribution } from '../moderation/decide.server.ts'

type Activity = Awaited<ReturnType<typeof addActivity>>
type Attributes = Record<string, unknown>
interface Draft {
  id: string
  attributes: Attributes
  meta: { lockVersion: number; can: { update: boolean; agree: boolean } }
  relationships: { status: { data: { id: string } | null } }
}

let runtime: TestRuntime
let site: Site
let activity: Activity
let people: Record<'writer' | 'colleague' | 'outsider' | 'participant', Pick<Account, 'id' | 'token'>>
let admin: Account
let id: string
let number = 0

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'answer-drafts', languages: ['en', 'cy'] })
  activity = await addActivity(runtime, site)
  const elsewhere = await addActivity(runtime, site)
  admin = await addAccount(runtime, site, { role: 'site_admin' })
  people = {
    writer: await addPerson(runtime, site, { role: 'project_admin', projectId: activity.projectId }),
    colleague: admin,
    outsider: await addPerson(runtime, site, { role: 'project_admin', projectId: elsewhere.projectId }),
    participant: await addPerson(runtime, site),
  }
})
beforeEach(async () => {
  await setAgreement(false)
  id = await addOne()
})

const db = () => runtime.database.site(site.id)
const addOne = async (to: Activity = activity, authorId?: string) =>
  (
    await addContribution(runtime, site, {
      activityId: to.id,
      number: (number += 1),
      statusId: statusOf('received', to),
      ...(authorId && { authorId }),
    })
  ).id
const statusOf = (code: string, of: Activity = activity) => of.statuses.find((status) => status.code === code)?.id ?? ''
const setAgreement = (answersNeedAgreement: boolean) =>
  db().tx((tx) =>
    tx
      .insert(moderationSettings)
      .values({ siteId: site.id, answersNeedAgreement })
      .onConflictDoUpdate({ target: moderationSettings.siteId, set: { answersNeedAgreement } }),
  )
const as = (who: keyof typeof people | undefined) => createApiClient(runtime, site, who && people[who].token)
const to = (contribution: string, status?: string) => ({
  contribution: { type: 'contributions', id: contribution },
  ...(status && { status: { type: 'contribution-statuses', id: status } }),
})
const IN_BOTH = { textTranslations: { en: 'In May.', cy: 'Ym mis Mai.' } }
const begin = (who: keyof typeof people | undefined, attributes: Attributes = IN_BOTH, status = statusOf('planned')) =>
  as(who).post('/official-response-drafts', buildResourceDocument('official-response-drafts', attributes, { to: to(id, status) }))
const read = async (who: keyof typeof people = 'writer'): Promise<Draft | undefined> => {
  const { body } = await as(who).get(`/official-response-drafts?filter[contribution]=${id}`)
  return ((body?.data ?? []) as Draft[])[0]
}
const change = (who: keyof typeof people, draft: Draft, attributes: Attributes, lockVersion = draft.meta.lockVersion) =>
  as(who).patch(
    `/official-response-drafts/${draft.id}`,
    buildResourceDocument('official-response-drafts', attributes, { id: draft.id, lockVersion }),
  )
const agree = (who: keyof typeof people, draft: Draft, draftVersion = draft.meta.lockVersion) =>
  as(who).post('/official-response-agreements', buildResourceDocument('official-response-agreements', { draft: draft.id, draftVersion }))
const answer = (who: keyof typeof people, attributes: Attributes = IN_BOTH, status = statusOf('planned'), contribution = id) =>
  as(who).post('/official-responses', buildResourceDocument('official-responses', attributes, { to: to(contribution, status) }))
const required = (draft: Draft | undefined): Draft => {
  if (!draft) throw new Error('There is no draft')
  return draft
}
const beginAsked = async (attributes: Attributes = IN_BOTH) => {
  expect((await begin('writer', attributes)).status).toBe(201)
  expect((await change('writer', required(await read()), { asked: true })).status).toBe(200)
  return required(await read())
}
const idOf = ({ body }: { body: { data?: unknown } | undefined }) => (body?.data as { id: string } | undefined)?.id ?? ''
const listAnswers = (contribution = id) =>
  db().tx((tx) => tx.select().from(officialResponses).where(eq(officialResponses.contributionId, contribution)))
const loadStatus = async (contribution = id) =>
  (await db().tx((tx) => tx.select().from(contributions).where(eq(contributions.id, contribution))))[0]?.statusId

describe('a draft', () => {
  test('is seen and changed by everyone who may answer, with who wrote it and when, and by nobody else', async () => {
    expect((await begin('writer', { textTranslations: { en: 'In May.' } })).status).toBe(201)
    const draft = required(await read('colleague'))
    expect(draft.attributes).toMatchObject({ textTranslations: { en: 'In May.' }, writtenByName: expect.any(String), asked: false })
    expect(draft.attributes['writtenAt']).toEqual(expect.any(String))
    expect(draft.relationships.status.data?.id).toBe(statusOf('planned'))
    const before = draft.attributes['writtenByName']
    expect((await change('colleague', draft, { textTranslations: { en: 'In June.' } })).status).toBe(200)
    expect((await read())?.attributes['writtenByName']).not.toBe(before)
    for (const who of ['outsider', 'participant'] as const) {
      expect(await read(who)).toBeUndefined()
      expect((await as(who).get(`/official-response-drafts/${draft.id}`)).status).toBe(404)
      expect((await change(who, required(await read()), { textTranslations: { en: 'Never.' } })).status).not.toBe(200)
      expect((await begin(who)).status).toBe(403)
    }
    expect((await as(undefined).get(`/official-response-drafts?filter[contribution]=${id}`)).body?.data ?? []).toEqual([])
    // Nothing of it is public.
    expect(await listAnswers()).toEqual([])
    expect(await loadStatus()).toBe(statusOf('received'))
  })

  test('is one: whoever begins another is told so, and a change that another person has not seen is kept from being lost', async () => {
    expect((await begin('writer')).status).toBe(201)
    const second = await begin('colleague', { textTranslations: { en: 'Never.' } })
    expect([second.status, second.codes]).toEqual([409, ['conflict']])
    expect(JSON.stringify(second.body?.errors)).toContain('A colleague has started a draft')
    const draft = required(await read())
    expect((await change('colleague', draft, { textTranslations: { en: 'In June.' } })).status).toBe(200)
    const late = await change('writer', draft, { textTranslations: { en: 'In July.' } })
    expect([late.status, late.codes]).toEqual([409, ['stale']])
    expect(late.body?.errors?.[0]).toMatchObject({ meta: { current: { attributes: { textTranslations: { en: 'In June.' } } } } })
    expect((await read())?.attributes['textTranslations']).toEqual({ en: 'In June.' })
  })

  test('two at once begin one', async () => {
    const all = await Promise.all([begin('writer'), begin('colleague'), begin('writer')])
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  })

  test('ends with the answer that was written in it, unless somebody changed it meanwhile', async () => {
    await begin('writer')
    const seen = required(await read())
    await change('colleague', seen, { textTranslations: { en: 'In June.', cy: 'Ym mis Mehefin.' } })
    const sent = { ...IN_BOTH, draft: seen.id, draftVersion: seen.meta.lockVersion }
    expect((await answer('writer', sent)).codes).toEqual(['stale'])
    expect(await listAnswers()).toEqual([])
    const now = required(await read())
    expect((await answer('writer', { ...sent, draftVersion: now.meta.lockVersion })).status).toBe(201)
    expect(await read()).toBeUndefined()
    expect(await listAnswers()).toHaveLength(1)
  })

  test('is not lost by an answer that was not written in it, and is discarded on purpose', async () => {
    await begin('writer')
    expect((await answer('colleague')).status).toBe(201)
    const draft = required(await read())
    expect((await as('outsider').delete(`/official-response-drafts/${draft.id}`)).status).toBe(404)
    expect((await as('colleague').delete(`/official-response-drafts/${draft.id}`)).status).toBe(204)
    expect(await read()).toBeUndefined()
  })

  test('of a private answer goes with the words of the question', async () => {
    const questions = await addActivity(runtime, site, { kind: 'questions', projectId: activity.projectId })
    id = await addOne(questions)
    expect((await begin('writer', { ...IN_BOTH, visibility: 'private' }, statusOf('answered', questions))).status).toBe(201)
    await eraseContribution(await admin.ctx(), id, 'They asked for it')
    expect(await read()).toBeUndefined()
  })
})

describe('a second person’s agreement', () => {
  beforeEach(() => setAgreement(true))

  test('is needed for words, also of an edit; a status alone and a withdrawal need none', async () => {
    const refused = await answer('writer')
    expect([refused.status, refused.codes]).toEqual([403, ['forbidden']])
    expect(JSON.stringify(refused.body?.errors)).toContain('a colleague agrees to each answer')
    expect((await answer('writer', {}, statusOf('under_review'))).status).toBe(201)
    await setAgreement(false)
    const given = await answer('writer')
    await setAgreement(true)
    const response = idOf(given)
    const edit = (attributes: Attributes) =>
      as('writer').patch(
        `/official-responses/${response}`,
        buildResourceDocument('official-responses', { ...attributes, waiveTranslations: true }, { id: response, lockVersion: 1 }),
      )
    expect((await edit({ textTranslations: { en: 'Never.' } })).status).toBe(403)
    expect((await edit({ withdrawalReasonTranslations: { en: 'It was wrong.' } })).status).toBe(200)
  })

  test('publishes what was asked for, once, in the name of whoever asked, and is recorded', async () => {
    const draft = await beginAsked()
    expect(draft.meta.can.agree).toBe(false)
    const own = await agree('writer', draft)
    expect([own.status, own.codes]).toEqual([403, ['forbidden']])
    expect(JSON.stringify(own.body?.errors)).toContain('A colleague has to agree')
    expect((await agree('outsider', draft)).status).toBe(403)
    expect((await agree('participant', draft)).status).toBe(403)
    expect(required(await read('colleague')).meta.can.agree).toBe(true)
    const all = await Promise.all([1, 2, 3].map(() => agree('colleague', draft)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([201, 404, 404])
    expect(await listAnswers()).toMatchObject([{ text: IN_BOTH.textTranslations, createdBy: people.writer.id }])
    expect(await loadStatus()).toBe(statusOf('planned'))
    expect(await read()).toBeUndefined()
    const events = await db().tx((tx) =>
      tx
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.subjectId, id), eq(auditEvents.action, 'contributions.agree-answer'))),
    )
    expect(events).toMatchObject([{ actorId: people.colleague.id, detail: { askedBy: people.writer.id } }])
  })

  test('is asked for only what could be published', async () => {
    await begin('writer', { textTranslations: { en: 'In May.' } })
    const draft = required(await read())
    const asked = await change('writer', draft, { asked: true })
    expect([asked.status, asked.codes]).toEqual([422, ['translation-missing']])
    expect((await read())?.attributes['asked']).toBe(false)
    expect((await change('writer', draft, { asked: true, waived: ['text.cy'] })).status).toBe(200)
    expect((await agree('colleague', required(await read()))).status).toBe(201)
  })

  test('is for the words that were read: a change ends the request, and an older version is refused', async () => {
    const draft = await beginAsked()
    expect((await change('colleague', draft, { textTranslations: { en: 'In June.', cy: 'Ym mis Mehefin.' } })).status).toBe(200)
    expect((await read())?.attributes['asked']).toBe(false)
    expect((await agree('colleague', draft)).codes).toEqual(['stale'])
    expect((await agree('colleague', required(await read()))).codes).toEqual(['conflict'])
    expect((await change('colleague', required(await read()), { asked: true })).status).toBe(200)
    // Only the person who asked last may not agree.
    expect((await agree('colleague', required(await read()))).status).toBe(403)
    expect((await agree('writer', required(await read()))).status).toBe(201)
  })

  test('is refused with a reason, by another person than the asker, who reads it and asks again', async () => {
    const draft = await beginAsked()
    expect((await change('writer', draft, { returnReason: 'No.' })).status).toBe(403)
    expect((await change('colleague', draft, { returnReason: '  ' })).codes).toEqual(['required'])
    expect((await change('colleague', draft, { returnReason: 'It is June.' })).status).toBe(200)
    const returned = required(await read())
    expect(returned.attributes).toMatchObject({ asked: false, returnReason: 'It is June.', returnedByName: expect.any(String) })
    expect((await change('colleague', returned, { returnReason: 'Again.' })).codes).toEqual(['conflict'])
    expect((await change('writer', returned, { textTranslations: { en: 'In June.', cy: 'Ym mis Mehefin.' } })).status).toBe(200)
    expect((await read())?.attributes['returnReason']).toBe('It is June.')
    expect((await change('writer', required(await read()), { asked: true })).status).toBe(200)
    expect((await read())?.attributes).toMatchObject({ asked: true, returnReason: '' })
    expect(await listAnswers()).toEqual([])
  })

  test('is taken back by whoever asked', async () => {
    const draft = await beginAsked()
    expect((await change('writer', draft, { asked: false })).status).toBe(200)
    expect((await agree('colleague', required(await read()))).codes).toEqual(['conflict'])
  })

  test('is the site’s choice, made by its administrators', async () => {
    const { body } = await as('colleague').get('/moderation-settings')
    const [settings] = (body?.data ?? []) as { id: string; attributes: Attributes; meta: { lockVersion: number } }[]
    expect(settings?.attributes['answersNeedAgreement']).toBe(true)
    const set = (who: keyof typeof people) =>
      as(who).patch(
        `/moderation-settings/${site.id}`,
        buildResourceDocument(
          'moderation-settings',
          { answersNeedAgreement: false },
          { id: site.id, lockVersion: settings?.meta.lockVersion ?? 0 },
        ),
      )
    expect((await set('writer')).status).toBe(403)
    expect((await set('colleague')).status).toBe(200)
    expect((await answer('writer')).status).toBe(201)
  })
})

describe('one answer to several activities of a project', () => {
  test('gives each the status that means the same there, by a draft and a colleague’s agreement too', async () => {
    const other = await addActivity(runtime, site, { projectId: activity.projectId })
    const there = await addOne(other)
    await setAgreement(true)
    const draft = await beginAsked({ ...IN_BOTH, alsoTo: [there] })
    expect(draft.attributes['others']).toMatchObject([{ id: there, activity: expect.any(String) }])
    expect((await agree('colleague', draft)).status).toBe(201)
    expect(await loadStatus()).toBe(statusOf('planned'))
    expect(await loadStatus(there)).toBe(statusOf('planned', other))
    expect(await listAnswers(there)).toMatchObject([{ text: IN_BOTH.textTranslations }])
  })

  test('is refused in words where an activity has no such status, and beyond the project', async () => {
    const other = await addActivity(runtime, site, { projectId: activity.projectId })
    const there = await addOne(other)
    const made = await as('colleague').post(
      '/contribution-statuses',
      buildResourceDocument(
        'contribution-statuses',
        { titleTranslations: { en: 'With the county', cy: 'Gyda’r sir' } },
        { to: { activity: { type: 'activities', id: activity.id } } },
      ),
    )
    const own = idOf(made)
    const refused = await answer('writer', { ...IN_BOTH, alsoTo: [there] }, own)
    expect([refused.status, refused.codes]).toEqual([422, ['not-a-choice']])
    expect(JSON.stringify(refused.body?.errors)).toContain('has no status “With the county”')
    const foreign = await addOne(await addActivity(runtime, site))
    const beyond = await answer('writer', { ...IN_BOTH, alsoTo: [foreign] })
    expect(beyond.body?.errors?.[0]).toMatchObject({ code: 'not-a-choice' })
    expect(await listAnswers()).toEqual([])
  })
})
