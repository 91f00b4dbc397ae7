import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eraseAccount, readOwnData } from '#app/features/people/own-data.server.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { pages } from '#app/server/db/schema/pages.ts'
import { teamComments } from '#app/server/db/schema/teamwork.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addRound } from '#tests/factories/budgets.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addEvent } from '#tests/factories/events.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { searchColleagues } from './colleagues.server.ts'
import { chooseTeamMails } from './team-mails.server.ts'

const KINDS = ['project', 'activity', 'survey', 'page', 'report', 'contribution', 'event', 'budget', 'homepage', 'hub-page'] as const
type Kind = (typeof KINDS)[number]

let runtime: TestRuntime
let site: Site
let ids: Record<Kind, string>
let people: Record<'editor' | 'hubAdmin' | 'siteAdmin' | 'secondAdmin' | 'otherEditor' | 'otherHubAdmin' | 'participant', Account>
let stranger: Account
type Who = keyof typeof people | undefined

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'team' })
  const hub = await addHub(runtime, site)
  const otherHub = await addHub(runtime, site)
  const project = await addProject(runtime, site, { hubId: hub.id })
  const elsewhere = await addProject(runtime, site, { hubId: otherHub.id })
  const activity = await addActivity(runtime, site, { projectId: project.id })
  const page = createId()
  people = {
    editor: await addAccount(runtime, site, { role: 'project_admin', projectId: project.id }),
    hubAdmin: await addAccount(runtime, site, { role: 'hub_admin', hubId: hub.id }),
    siteAdmin: await addAccount(runtime, site, { role: 'site_admin' }),
    secondAdmin: await addAccount(runtime, site, { role: 'site_admin' }),
    otherEditor: await addAccount(runtime, site, { role: 'project_admin', projectId: elsewhere.id }),
    otherHubAdmin: await addAccount(runtime, site, { role: 'hub_admin', hubId: otherHub.id }),
    participant: await addAccount(runtime, site),
  }
  await db().tx((tx) => tx.insert(pages).values({ siteId: site.id, id: page, slug: 'rules', title: { en: 'Rules' }, body: { en: '' } }))
  ids = {
    project: project.id,
    report: project.id,
    activity: activity.id,
    survey: (await addSurvey(runtime, site, { projectId: project.id })).id,
    page,
    contribution: (await addContribution(runtime, site, { activityId: activity.id, number: 1, authorId: people.participant.id })).id,
    event: (await addEvent(runtime, site, { projectId: project.id })).id,
    budget: (await addRound(runtime, site, [{ amount: 100, costs: [50] }], { projectId: project.id })).id,
    homepage: site.id,
    'hub-page': hub.id,
  }
  const other = await addSite(runtime, { slug: 'harbour' })
  stranger = await addAccount(runtime, other, { role: 'site_admin' })
})

const db = () => runtime.database.site(site.id)
const as = (who: Who) => createApiClient(runtime, site, who && people[who].token)
const add = (who: Who, kind: Kind = 'project', more: Record<string, unknown> = {}) =>
  as(who).post(
    '/team-comments',
    buildResourceDocument('team-comments', { targetKind: kind, targetId: ids[kind], body: 'Is the date right?', ...more }),
  )
interface Shown {
  id: string
  attributes: Record<string, unknown> & { former: { body: string }[] }
  meta: { can: { update: boolean; resolve: boolean }; lockVersion: number }
}
const list = async (who: Who, kind: Kind = 'project') => {
  const { body } = await as(who).get(`/team-comments?filter[targetKind]=${kind}&filter[targetId]=${ids[kind]}&page[size]=100`)
  return { rows: (body?.data ?? []) as Shown[], open: (body?.meta as { open?: number } | undefined)?.open }
}
const change = (who: Who, id: string, attributes: Record<string, unknown>, lockVersion = 1) =>
  as(who).patch(`/team-comments/${id}`, buildResourceDocument('team-comments', attributes, { id, lockVersion }))
const addOne = async (who: Who, kind: Kind = 'project', more: Record<string, unknown> = {}) => {
  const made = await add(who, kind, more)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return (made.body?.data as Shown | undefined)?.id ?? ''
}
const listMails = () => db().tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.kind, 'mentioned')))
const bell = async (who: Who) =>
  (
    ((await as(who).get('/notifications?filter[own]=false')).body?.data ?? []) as { id: string; attributes: Record<string, unknown> }[]
  ).filter(({ attributes }) => attributes['kind'] === 'mention')

beforeEach(() =>
  db().tx(async (tx) => {
    await tx.delete(teamComments)
    await tx.delete(outboxMails)
  }),
)

describe('who reads and writes comments', () => {
  test.each(KINDS.filter((kind) => !['page', 'homepage', 'hub-page'].includes(kind)))(
    'on a %s: those who work on it, and nobody else',
    async (kind) => {
      for (const who of ['editor', 'hubAdmin', 'siteAdmin'] as const) await addOne(who, kind)
      expect((await list('editor', kind)).rows).toHaveLength(3)
      expect((await list('hubAdmin', kind)).open).toBe(3)
      const [first] = (await list('siteAdmin', kind)).rows
      for (const who of ['otherEditor', 'otherHubAdmin', 'participant', undefined] as const) {
        expect((await add(who, kind)).status, `${who} writes`).toBeGreaterThanOrEqual(401)
        expect((await list(who, kind)).rows, `${who} reads`).toEqual([])
        expect((await as(who).get(`/team-comments/${first?.id}`)).status).not.toBe(200)
        expect((await change(who, first?.id ?? '', { isResolved: true })).status).not.toBe(200)
      }
    },
  )

  test.each([
    ['page', ['editor', 'hubAdmin', 'otherHubAdmin', 'participant', undefined]],
    ['homepage', ['editor', 'hubAdmin', 'otherHubAdmin', 'participant', undefined]],
    ['hub-page', ['editor', 'otherEditor', 'otherHubAdmin', 'participant', undefined]],
  ] as const)('on a %s: those who edit it, and nobody else', async (kind, others) => {
    await addOne('siteAdmin', kind)
    if (kind === 'hub-page') await addOne('hubAdmin', kind)
    for (const who of others) {
      expect((await add(who, kind)).status, `${who} writes`).toBeGreaterThanOrEqual(401)
      expect((await list(who, kind)).rows, `${who} reads`).toEqual([])
    }
    expect((await list('siteAdmin', kind)).rows).toHaveLength(kind === 'hub-page' ? 2 : 1)
  })

  test('the homepage of another site is none that can be commented on', async () => {
    const { id } = await addSite(runtime, { slug: 'elsewhere' })
    const sent = buildResourceDocument('team-comments', { targetKind: 'homepage', targetId: id, body: 'Hello' })
    expect((await as('siteAdmin').post('/team-comments', sent)).status).toBe(404)
  })

  test('an administrator of another site neither sees them nor writes any', async () => {
    const id = await addOne('editor')
    const elsewhere = createApiClient(runtime, site, stranger.token)
    expect((await elsewhere.get(`/team-comments/${id}`)).status).not.toBe(200)
    const sent = buildResourceDocument('team-comments', { targetKind: 'project', targetId: ids.project, body: 'Hello' })
    expect((await elsewhere.post('/team-comments', sent)).status).not.toBe(201)
    const ctx = await stranger.ctx()
    expect(await ctx.db.tx((tx) => tx.select().from(teamComments))).toEqual([])
  })

  test.each([
    ['event', 'events'],
    ['budget', 'budget_rounds'],
    ['hub-page', 'hubs'],
  ] as const)('comments on a %s go with it', async (kind, table) => {
    const gone = {
      event: () => addEvent(runtime, site),
      budget: () => addRound(runtime, site, [{ amount: 100, costs: [50] }]),
      'hub-page': () => addHub(runtime, site),
    }
    const { id } = await gone[kind]()
    const sent = buildResourceDocument('team-comments', { targetKind: kind, targetId: id, body: 'Hello' })
    expect((await as('siteAdmin').post('/team-comments', sent)).status).toBe(201)
    await db().tx((tx) => tx.execute(sql`delete from ${sql.identifier(table)} where id = ${id}`))
    expect(await db().tx((tx) => tx.select().from(teamComments))).toEqual([])
  })

  test('what does not exist has no comments', async () => {
    const sent = buildResourceDocument('team-comments', { targetKind: 'survey', targetId: createId(), body: 'Hello' })
    expect((await as('siteAdmin').post('/team-comments', sent)).status).toBe(404)
  })
})

describe('changing comments', () => {
  test('two comments at the same time both stay', async () => {
    await Promise.all([add('editor'), add('hubAdmin'), add('siteAdmin')])
    expect((await list('editor')).rows).toHaveLength(3)
  })

  test('its author edits it, and what it said before stays; of two edits the second is told', async () => {
    const id = await addOne('editor')
    expect((await change('hubAdmin', id, { body: 'Never.' })).status).toBe(403)
    const both = await Promise.all([
      change('editor', id, { body: 'Is the day right?' }),
      change('editor', id, { body: 'Is the hour right?' }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(both.flatMap(({ codes }) => codes)).toEqual(['stale'])
    const [shown] = (await list('hubAdmin')).rows
    expect(shown?.attributes).toMatchObject({ editedAt: expect.any(String), former: [{ body: 'Is the date right?' }] })
    expect((await change('editor', id, { body: ' ' }, 2)).codes).toEqual(['required'])
  })

  test('anybody who works on it resolves and reopens it', async () => {
    const id = await addOne('editor')
    expect((await change('hubAdmin', id, { isResolved: true })).status).toBe(200)
    const { rows, open } = await list('editor')
    expect(rows[0]?.attributes).toMatchObject({ isResolved: true, resolvedBy: expect.any(String), body: 'Is the date right?' })
    expect(open).toBe(0)
    expect((await change('siteAdmin', id, { isResolved: false }, 2)).status).toBe(200)
    expect((await list('editor')).open).toBe(1)
  })

  test('its author deletes it: a mark stays, and no word of it', async () => {
    const id = await addOne('editor', 'project', { mentionIds: [people.hubAdmin.id] })
    await change('editor', id, { body: 'Second words' })
    expect((await as('hubAdmin').delete(`/team-comments/${id}`)).status).toBe(403)
    expect((await as('editor').delete(`/team-comments/${id}`)).status).toBe(204)
    const { rows, open } = await list('hubAdmin')
    expect(rows[0]?.attributes).toMatchObject({ body: '', former: [], mentions: [], deletedAt: expect.any(String) })
    expect(open).toBe(0)
    expect(await bell('hubAdmin')).toEqual([])
    expect((await change('editor', id, { body: 'Again' }, 3)).status).toBe(409)
  })

  test('the audit log says who did what, without words', async () => {
    const id = await addOne('editor')
    await change('editor', id, { body: 'Second words' })
    await change('hubAdmin', id, { isResolved: true }, 2)
    await as('editor').delete(`/team-comments/${id}`)
    const events = await db().tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.subjectId, id)))
    expect(events.map(({ action }) => action).toSorted()).toEqual(['add', 'delete', 'edit', 'resolve'].map((act) => `team-comments.${act}`))
    expect(JSON.stringify(events)).not.toContain('words')
  })
})

describe('mentioning a colleague', () => {
  test('tells them in the bell and by one email, and not who wrote it', async () => {
    const id = await addOne('editor', 'survey', { mentionIds: [people.hubAdmin.id, people.editor.id] })
    expect((await bell('hubAdmin')).map(({ attributes }) => attributes)).toMatchObject([
      { subject: `/admin/surveys/${ids.survey}#comments`, read: false },
    ])
    expect(await bell('editor')).toEqual([])
    expect(await bell('siteAdmin')).toEqual([])
    expect((await listMails()).map(({ userId }) => userId)).toEqual([people.hubAdmin.id])
    await change('editor', id, { body: 'Changed', mentionIds: [people.hubAdmin.id] })
    expect(await listMails()).toHaveLength(1)
  })

  test('leads to where it is edited, under its title, by bell and by email', async () => {
    const ofProject = `/admin/projects/${ids.project}`
    const places: Record<Kind, string> = {
      project: ofProject,
      report: `${ofProject}/heard/report`,
      activity: `${ofProject}/activities/${ids.activity}`,
      event: `${ofProject}/events/${ids.event}`,
      budget: `${ofProject}/budgets/${ids.budget}`,
      survey: `/admin/surveys/${ids.survey}`,
      page: `/admin/pages/${ids.page}`,
      contribution: `/admin/contributions/${ids.contribution}`,
      homepage: '/admin/homepage',
      'hub-page': `/admin/homepage?hub=${ids['hub-page']}`,
    }
    for (const kind of KINDS) await addOne('siteAdmin', kind, { mentionIds: [people.secondAdmin.id] })
    const told = (await bell('secondAdmin')).map(({ attributes }) => attributes)
    expect(told.map(({ subject }) => subject).toSorted()).toEqual(KINDS.map((kind) => `${places[kind]}#comments`).toSorted())
    const titleOf = (kind: Kind) => told.find(({ subject }) => subject === `${places[kind]}#comments`)?.['title']
    expect([titleOf('event'), titleOf('budget'), titleOf('homepage')]).toEqual(['Walk along the river', 'Neighbourhood fund', site.name])
    expect(titleOf('hub-page')).toBeTruthy()
    const mails = await listMails()
    for (const kind of KINDS)
      expect(
        mails.some(({ bodyText }) => bodyText.includes(`${places[kind]}#comments`)),
        kind,
      ).toBe(true)
  })

  test('who does not want the email gets none, and is told in the bell', async () => {
    await chooseTeamMails(await people.hubAdmin.ctx(), { mentions: false, weekly: true })
    await addOne('editor', 'project', { mentionIds: [people.hubAdmin.id] })
    expect(await listMails()).toEqual([])
    expect(await bell('hubAdmin')).toHaveLength(1)
    await chooseTeamMails(await people.hubAdmin.ctx(), { mentions: true, weekly: true })
  })

  test.each(['otherEditor', 'otherHubAdmin', 'participant'] as const)(
    '%s, who may not see it, is refused by name of the field',
    async (who) => {
      const refused = await add('editor', 'project', { mentionIds: [people[who].id] })
      expect(refused.status).toBe(422)
      expect(refused.codes).toEqual(['may-not-see'])
      expect((await list('editor')).rows).toEqual([])
      expect(await listMails()).toEqual([])
    },
  )

  test('a person of another site is refused as well', async () => {
    expect((await add('editor', 'project', { mentionIds: [stranger.id] })).codes).toEqual(['may-not-see'])
  })

  test('the search offers those who work on it, by their names', async () => {
    const find = async (kind: Kind, words = '') =>
      (await searchColleagues(await people.editor.ctx(), { kind, id: ids[kind], words })).choices.map(({ id }) => id).toSorted()
    const own = [people.editor.id, people.hubAdmin.id, people.siteAdmin.id, people.secondAdmin.id].toSorted()
    expect(await find('project')).toEqual(own)
    await expect(find('page')).rejects.toMatchObject({ code: 'forbidden' })
    expect(await find('project', 'nobody has this name')).toEqual([])
  })
})

describe('personal data', () => {
  test('the download has what the person wrote, and what was said about what they sent, without names', async () => {
    await addOne('editor', 'contribution', { body: 'She rang us.' })
    const readOf = async (person: Account) =>
      ((await readOwnData(await person.ctx()))['teamwork'] as { comments: Record<string, unknown>[] }).comments
    expect(await readOf(people.editor)).toMatchObject([{ body: 'She rang us.', own: true }])
    expect(await readOf(people.participant)).toMatchObject([{ body: 'She rang us.', own: false }])
    expect(JSON.stringify(await readOf(people.participant))).not.toContain(people.editor.id)
    expect(await readOf(people.hubAdmin)).toEqual([])
  })

  test('words stay when their author is erased, without a name', async () => {
    const leaver = await addAccount(runtime, site, { role: 'site_admin' })
    const sent = buildResourceDocument('team-comments', { targetKind: 'project', targetId: ids.project, body: 'Kept.' })
    await createApiClient(runtime, site, leaver.token).post('/team-comments', sent)
    const ctx = await people.siteAdmin.ctx()
    await ctx.db.tx((tx) => eraseAccount(ctx, tx, site.id, leaver.id))
    expect((await list('editor')).rows[0]?.attributes).toMatchObject({ body: 'Kept.', authorName: null })
  })
})
