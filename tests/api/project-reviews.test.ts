import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { and, desc, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import type { Role } from '#app/lib/roles.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { type Account, addAccount, loadMailsTo, requireItem, requireItems } from '#tests/support/accounts.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'

let runtime: TestRuntime
let site: Site
let projectId: string
let people: Record<'asker' | 'reviewer' | 'stranger', Account>
let number = 0
beforeAll(async () => {
  runtime = await createTestRuntime()
})
beforeEach(async () => {
  site = await addSite(runtime, { slug: `review-${++number}` })
  const hubId = createId()
  await runtime.database
    .site(site.id)
    .tx((tx) => tx.insert(hubs).values({ siteId: site.id, id: hubId, slug: 'roads', title: { en: 'Roads' } }))
  projectId = (await addProject(runtime, site, { hubId, status: 'draft', publishedAt: null, summary: inAllLanguages('To town') })).id
  const add = (role: Role, more: Parameters<typeof addAccount>[2] = {}) => addAccount(runtime, site, { role, ...more })
  people = {
    asker: await add('project_admin', { projectId, login: 'Aled Rees', locale: 'cy' }),
    reviewer: await add('hub_admin', { hubId, login: 'Bea Roy' }),
    stranger: await add('project_admin', { projectId: (await addProject(runtime, site)).id }),
  }
})

const api = (who: keyof typeof people) => createApiClient(runtime, site, people[who].token)
const publish = (who: keyof typeof people) =>
  api(who).post(`/projects/${projectId}/publications`, buildResourceDocument('publications', { waived: [] }))
const loadReview = async (who: keyof typeof people) => requireItems(await api(who).get(`/project-reviews?filter[project]=${projectId}`))[0]
const giveBack = (who: keyof typeof people, returnReason: string | null) =>
  api(who).patch(`/project-reviews/${projectId}`, buildResourceDocument('project-reviews', { returnReason }, { id: projectId }))
const statusOf = async () => {
  const [row] = await runtime.database.site(site.id).tx((tx) => tx.select().from(projects).where(eq(projects.id, projectId)))
  return row?.status
}
const kindsFor = async (who: keyof typeof people) =>
  requireItems(await api(who).get('/notifications')).map(({ attributes }) => attributes['kind'])
const pointersOf = ({ body }: ApiAnswer) => body?.errors?.map(({ source }) => source?.pointer)

describe('a project that waits for a review', () => {
  test('names who asked and when; those who may publish return it with a reason, which who asked is told', async () => {
    runtime.setNow(new Date('2026-03-02T10:00:00Z'))
    const first = await publish('asker')
    expect([first.status, first.body?.errors]).toEqual([201, undefined])
    expect(await loadReview('reviewer')).toMatchObject({
      attributes: { isWaiting: true, isOfChanges: false, askedBy: 'Aled Rees', askedAt: '2026-03-02T10:00:00.000Z', returnedAt: null },
      meta: { can: { return: true } },
    })
    expect(await loadReview('asker')).toMatchObject({ meta: { can: { return: false } } })
    expect(await loadReview('stranger')).toBeUndefined()
    for (const nothing of ['', '   ']) {
      const refused = await giveBack('reviewer', nothing)
      expect([refused.status, pointersOf(refused)]).toEqual([422, ['/data/attributes/returnReason']])
    }
    expect((await giveBack('asker', 'Mine')).codes).toEqual(['forbidden'])
    expect((await giveBack('stranger', 'Theirs')).status).toBe(404)
    // No way around the reason.
    expect((await api('reviewer').delete(`/publications/${projectId}`)).codes).toEqual(['conflict'])
    expect(await statusOf()).toBe('in_review')

    expect((await giveBack('reviewer', ' The map is missing. ')).status).toBe(200)
    expect(await statusOf()).toBe('draft')
    expect(await loadReview('asker')).toMatchObject({
      attributes: { isWaiting: false, returnedBy: 'Bea Roy', returnReason: 'The map is missing.' },
    })
    expect(await kindsFor('asker')).toContain('review-returned')
    expect(await kindsFor('reviewer')).not.toContain('review-returned')
    const mail = (await loadMailsTo(runtime, site.id, people.asker.email)).find(({ kind }) => kind === 'review-returned')
    expect(mail).toMatchObject({ language: 'cy', bodyText: expect.stringContaining('The map is missing.') })
    expect(mail?.bodyText).toContain('Bea Roy')
    const [last] = await runtime.database.site(site.id).tx((tx) =>
      tx
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.siteId, site.id), eq(auditEvents.action, 'projects.return')))
        .orderBy(desc(auditEvents.sequence)),
    )
    expect(last?.detail).toMatchObject({ reason: 'The map is missing.' })
    expect((await giveBack('reviewer', 'Again')).codes).toEqual(['conflict'])
    // Asked for again: the former return is history.
    expect((await publish('asker')).status).toBe(201)
    expect(await loadReview('asker')).toMatchObject({ attributes: { isWaiting: true, returnReason: null } })
  })

  test('is withdrawn by those who asked without a reason', async () => {
    await publish('asker')
    expect((await api('asker').delete(`/publications/${projectId}`)).status).toBe(204)
    expect(await statusOf()).toBe('draft')
    expect(await loadReview('reviewer')).toBeUndefined()
  })
})

describe('a project that is changed while it waits', () => {
  let parent: string | undefined
  beforeEach(() => {
    parent = undefined
  })
  const save = async (who: keyof typeof people, title: string) => {
    const before: Record<string, { type: string; id: string }> = parent ? { parent: { type: 'project-revisions', id: parent } } : {}
    const content = { titleTranslations: inAllLanguages(title), summaryTranslations: inAllLanguages('To town') }
    const more = { bodyTranslations: {}, outcomeTranslations: {}, picture: null, pictureAltTranslations: {}, place: null }
    const saved = await api(who).post(
      '/project-revisions',
      buildResourceDocument(
        'project-revisions',
        { content: { ...content, ...more, team: [], faqs: [], dates: [] } },
        { to: { project: { type: 'projects', id: projectId }, ...before } },
      ),
    )
    expect([saved.status, saved.body?.errors]).toEqual([201, undefined])
    parent = requireItem(saved).id
    return parent
  }
  const at = (time: string) => runtime.setNow(new Date(`2026-03-02T${time}:00Z`))

  test.each([false, true])('says who changed it and when; edited before the request: %s', async (wasEdited) => {
    at('09:00')
    if (wasEdited) await save('asker', 'A bus')
    at('10:00')
    expect((await publish('asker')).status).toBe(201)
    expect(await loadReview('reviewer')).toMatchObject({ attributes: { isWaiting: true, changedAt: null, changedBy: null } })
    // In the minute of the request, too.
    await save('asker', 'A slower bus')
    expect(await loadReview('reviewer')).toMatchObject({ attributes: { changedAt: '2026-03-02T10:00:00.000Z', changedBy: 'Aled Rees' } })
    at('11:00')
    await save('reviewer', 'A better bus')
    expect(await loadReview('asker')).toMatchObject({ attributes: { changedAt: '2026-03-02T11:00:00.000Z', changedBy: 'Bea Roy' } })
    // What was returned does not wait, and a new request is about the draft as it is then.
    expect((await giveBack('reviewer', 'The map is missing.')).status).toBe(200)
    expect(await loadReview('asker')).toMatchObject({ attributes: { isWaiting: false, changedAt: null } })
    expect((await publish('asker')).status).toBe(201)
    expect(await loadReview('reviewer')).toMatchObject({ attributes: { isWaiting: true, changedAt: null } })
  })

  test('is known of a request that does not name its draft by when the draft was saved', async () => {
    at('09:00')
    await save('asker', 'A bus')
    at('10:00')
    await runtime.database.site(site.id).tx(async (tx) => {
      await tx.update(projects).set({ status: 'in_review' }).where(eq(projects.id, projectId))
      await recordAudit(createCtx(runtime, site), tx, {
        action: 'projects.request-review',
        actor: { id: people.asker.id, role: 'project_admin' },
        subject: { type: 'projects', id: projectId },
      })
    })
    expect(await loadReview('reviewer')).toMatchObject({ attributes: { changedAt: null } })
    at('10:30')
    await save('asker', 'A slower bus')
    expect(await loadReview('reviewer')).toMatchObject({ attributes: { changedAt: '2026-03-02T10:30:00.000Z' } })
  })

  test('changes of a public project: the draft that was asked about, or a later one', async () => {
    await runtime.database.site(site.id).tx((tx) =>
      tx
        .update(projects)
        .set({ status: 'published', publishedAt: new Date('2026-01-01T00:00:00Z') })
        .where(eq(projects.id, projectId)),
    )
    at('10:00')
    const revision = await save('asker', 'A slower bus')
    const to = { revision: { type: 'project-revisions', id: revision } }
    const asked = await api('asker').post(
      '/project-revision-publications',
      buildResourceDocument('project-revision-publications', {}, { to }),
    )
    expect(asked.status).toBe(201)
    expect(await loadReview('reviewer')).toMatchObject({ attributes: { isOfChanges: true, changedAt: null } })
    at('10:20')
    await save('asker', 'A bus at night')
    expect(await loadReview('reviewer')).toMatchObject({ attributes: { changedAt: '2026-03-02T10:20:00.000Z', changedBy: 'Aled Rees' } })
  })
})

test('what waits without a trail can be returned too, though nobody is named or told', async () => {
  await runtime.database.site(site.id).tx((tx) => tx.update(projects).set({ status: 'in_review' }).where(eq(projects.id, projectId)))
  expect(await loadReview('reviewer')).toMatchObject({ attributes: { isWaiting: true, isOfChanges: false, askedBy: null } })
  expect((await giveBack('reviewer', 'Who asked?')).status).toBe(204)
  expect(await statusOf()).toBe('draft')
})

test('changes of a public project are returned the same way, and stay as a draft', async () => {
  await runtime.database.site(site.id).tx((tx) =>
    tx
      .update(projects)
      .set({ status: 'published', publishedAt: new Date('2026-01-01T00:00:00Z') })
      .where(eq(projects.id, projectId)),
  )
  const content = {
    titleTranslations: inAllLanguages('A slower bus'),
    summaryTranslations: inAllLanguages('To town'),
    bodyTranslations: {},
    outcomeTranslations: {},
  }
  const more = { picture: null, pictureAltTranslations: {}, place: null, team: [], faqs: [], dates: [] }
  const saved = await api('asker').post(
    '/project-revisions',
    buildResourceDocument(
      'project-revisions',
      { content: { ...content, ...more } },
      { to: { project: { type: 'projects', id: projectId } } },
    ),
  )
  const revision = requireItem(saved).id
  const ask = () =>
    api('asker').post(
      '/project-revision-publications',
      buildResourceDocument('project-revision-publications', {}, { to: { revision: { type: 'project-revisions', id: revision } } }),
    )
  const asked = await ask()
  expect([asked.status, asked.body?.errors]).toEqual([201, undefined])
  expect(await loadReview('reviewer')).toMatchObject({ attributes: { isWaiting: true, isOfChanges: true, askedBy: 'Aled Rees' } })
  expect((await api('reviewer').delete(`/project-revision-publications/${revision}`)).codes).toEqual(['conflict'])
  expect((await giveBack('reviewer', 'Say why it is slower.')).status).toBe(200)
  expect(await loadReview('asker')).toMatchObject({ attributes: { isWaiting: false, returnReason: 'Say why it is slower.' } })
  expect(await statusOf()).toBe('published')
  await runtime.database
    .site(site.id)
    .tx((tx) => tx.update(revisionHeads).set({ hasChanges: false }).where(eq(revisionHeads.siteId, site.id)))
  expect(await loadReview('asker'), 'published by somebody').toBeUndefined()
})
