import { beforeAll, expect, test } from 'vitest'
import { listPeople } from '#app/features/accounts/people.list.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { replies } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { campaigns } from '#app/server/db/schema/messages.ts'
import { projectFollows } from '#app/server/db/schema/updates.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addHub } from '#tests/factories/content.ts'
import { addBusyPerson, BUSY } from '#tests/factories/busy-person.ts'
import { addProject, addSurvey } from '#tests/factories/surveys.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { requestContext } from '#tests/support/request-context.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { ACTIVITIES_PER_PAGE, type PersonSearch } from './activity.schema.ts'
import { readActivity, readParticipations } from './people.activity.server.ts'
import { exportPeople } from './people.export.server.ts'

let runtime: TestRuntime
let site: Site
let siteAdmin: Account

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  siteAdmin = await addAccount(runtime, site, { role: 'site_admin' })
})

const inSite = () => runtime.database.site(site.id)
const read = async (viewer: Account, person: { id: string }, search?: PersonSearch) => readActivity(await viewer.ctx(), person.id, search)

test('lists what somebody did in every part of the product and leads to each, but not what is secret', async () => {
  const { account } = await addBusyPerson(runtime, site)
  const { data, meta } = await read(siteAdmin, account)
  expect(meta.total).toBe(data.length)
  expect(new Set(data.map(({ kind }) => kind))).toEqual(
    new Set([
      'joined',
      'answered',
      'contributed',
      'replied',
      'signed-up',
      'follows',
      'follows-contribution',
      'member',
      'verified',
      'agreed-mails',
      'agreed-texts',
    ]),
  )
  expect(data.map(({ at }) => at)).toEqual(
    data
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  for (const one of data.filter(({ kind }) => ['answered', 'contributed', 'replied', 'signed-up', 'follows-contribution'].includes(kind)))
    expect(one).toMatchObject({ title: expect.any(String), target: expect.any(String), project: { title: expect.any(String) } })
  // What they wrote stays where it stands.
  for (const word of [BUSY.idea, BUSY.reply, BUSY.personalNote]) expect(JSON.stringify(data)).not.toContain(word)
})

test('an answer to an anonymous survey is not listed, even if it was given before the survey became anonymous', async () => {
  const ann = await addAccount(runtime, site)
  const survey = await addSurvey(runtime, site, { anonymous: true })
  await inSite().tx((tx) =>
    tx.insert(responses).values({
      siteId: site.id,
      id: createId(),
      surveyId: survey.id,
      version: 1,
      userId: ann.id,
      language: 'en',
      answers: {},
      receiptHash: Buffer.from(createId()),
    }),
  )
  expect((await read(siteAdmin, ann)).data.map(({ kind }) => kind)).toEqual(['joined'])
})

test('newsletters that were sent and came back are listed with their name', async () => {
  const ann = await addAccount(runtime, site)
  const campaignId = createId()
  await inSite().tx(async (tx) => {
    const at = runtime.now()
    await tx
      .insert(campaigns)
      .values({ siteId: site.id, id: campaignId, channel: 'email', name: 'Spring news', createdAt: at, updatedAt: at })
    await tx.insert(outboxMails).values({
      siteId: site.id,
      id: createId(),
      recipient: ann.email,
      language: 'en',
      subject: 'Spring',
      bodyText: '',
      bodyHtml: '',
      userId: ann.id,
      campaignId,
      sentAt: at,
      returnedAt: at,
      returnedAs: 'hard',
    })
  })
  const { data } = await read(siteAdmin, ann)
  expect(data.filter(({ kind }) => kind === 'mailed' || kind === 'returned')).toMatchObject([
    { kind: 'mailed', title: 'Spring news', target: campaignId, project: null },
    { kind: 'returned', title: 'Spring news', target: campaignId, project: null },
  ])
})

test('pages are cut by the database in one statement, and kind and project narrow the list', async () => {
  const ann = await addAccount(runtime, site)
  const activity = await addActivity(runtime, site)
  const contribution = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
  const other = await addProject(runtime, site)
  await inSite().tx(async (tx) => {
    await tx.insert(projectFollows).values({ siteId: site.id, projectId: other.id, userId: ann.id })
    await tx.insert(replies).values(
      Array.from({ length: 60 }, (_, index) => ({
        siteId: site.id,
        id: createId(),
        contributionId: contribution.id,
        authorId: ann.id,
        language: 'en' as const,
        body: 'Yes',
        state: 'published' as const,
        receiptHash: Buffer.from(createId()),
        createdAt: new Date(Date.UTC(2026, 0, 1, 0, index)),
      })),
    )
  })
  const pages = await Promise.all([1, 2, 3, 4].map((page) => read(siteAdmin, ann, { page })))
  expect(pages.map(({ data }) => data.length)).toEqual([ACTIVITIES_PER_PAGE, ACTIVITIES_PER_PAGE, 12, 0])
  expect(pages.map(({ meta }) => meta.total)).toEqual([62, 62, 62, 62])
  expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(62)
  expect((await read(siteAdmin, ann, { kind: 'follows' })).data).toMatchObject([{ kind: 'follows', project: { id: other.id } }])
  expect((await read(siteAdmin, ann, { project: activity.projectId })).meta.total).toBe(60)
  expect((await read(siteAdmin, ann, { project: other.id, kind: 'replied' })).meta.total).toBe(0)
  const { statements } = await recordDatabaseUse(runtime, () => read(siteAdmin, ann, { page: 2 }))
  expect(statements.filter((text) => text.includes('replies'))).toHaveLength(1)
})

test('administrators of a hub see what happened in their hub only; others nothing', async () => {
  const hub = await addHub(runtime, site, { slug: 'own-hub' })
  const [own, foreign] = [await addProject(runtime, site, { hubId: hub.id }), await addProject(runtime, site)]
  const hubAdmin = await addAccount(runtime, site, { role: 'hub_admin', hubId: hub.id })
  const projectAdmin = await addAccount(runtime, site, { role: 'project_admin', projectId: own.id })
  const ann = await addAccount(runtime, site)
  await inSite().tx((tx) =>
    tx.insert(projectFollows).values([own, foreign].map(({ id }) => ({ siteId: site.id, projectId: id, userId: ann.id }))),
  )
  expect((await read(hubAdmin, ann)).data).toMatchObject([{ kind: 'follows', project: { id: own.id } }])
  expect((await read(hubAdmin, ann, { project: foreign.id })).meta.total).toBe(0)
  for (const who of [projectAdmin, ann]) await expect(read(who, ann)).rejects.toMatchObject({ code: 'forbidden' })
  const elsewhere = await addAccount(runtime, await addSite(runtime, { slug: 'elsewhere' }))
  await expect(read(siteAdmin, elsewhere)).rejects.toMatchObject({ code: 'not-found' })
})

test('who took part in several projects is known by how many, and when first and last, without what was withdrawn or is anonymous', async () => {
  const hub = await addHub(runtime, site, { slug: 'parts' })
  const [park, street, lake] = [
    await addProject(runtime, site, { hubId: hub.id }),
    await addProject(runtime, site),
    await addProject(runtime, site),
  ]
  const hubAdmin = await addAccount(runtime, site, { role: 'hub_admin', hubId: hub.id })
  const [ann, bob, cy] = [await addAccount(runtime, site), await addAccount(runtime, site), await addAccount(runtime, site)]
  const at = (day: number) => new Date(Date.UTC(2026, 0, day))
  const answer = (surveyId: string, userId: string, day: number, withdrawnAt?: Date) =>
    inSite().tx((tx) =>
      tx.insert(responses).values({
        siteId: site.id,
        id: createId(),
        surveyId,
        version: 1,
        userId,
        language: 'en',
        answers: {},
        submittedAt: at(day),
        withdrawnAt,
        receiptHash: Buffer.from(createId()),
      }),
    )
  const inStreet = await addSurvey(runtime, site, { projectId: street.id })
  const anonymous = await addSurvey(runtime, site, { projectId: lake.id, anonymous: true })
  const ideas = await addActivity(runtime, site, { projectId: park.id })
  await answer(inStreet.id, ann.id, 10)
  await answer(inStreet.id, ann.id, 11)
  await answer(anonymous.id, ann.id, 30)
  const idea = await addContribution(runtime, site, { activityId: ideas.id, number: 1, authorId: ann.id, submittedAt: at(5) })
  await addContribution(runtime, site, { activityId: ideas.id, number: 2, authorId: bob.id, submittedAt: at(6), state: 'withdrawn' })
  await answer(inStreet.id, bob.id, 7, at(8))
  await inSite().tx((tx) =>
    tx.insert(replies).values({
      siteId: site.id,
      id: createId(),
      contributionId: idea.id,
      authorId: cy.id,
      language: 'en',
      body: 'Yes',
      state: 'published',
      receiptHash: Buffer.from(createId()),
      createdAt: at(20),
    }),
  )
  const ids = [ann.id, bob.id, cy.id]
  const annAsSiteSees = { userId: ann.id, projects: 2, firstAt: at(5), lastAt: at(11) }
  const cyPart = { userId: cy.id, projects: 1, firstAt: at(20), lastAt: at(20) }
  const byUser = (list: { userId: string }[]) => list.toSorted((a, b) => ids.indexOf(a.userId) - ids.indexOf(b.userId))
  expect(byUser(await readParticipations(await siteAdmin.ctx(), ids))).toEqual([annAsSiteSees, cyPart])
  expect(byUser(await readParticipations(await hubAdmin.ctx(), ids))).toEqual([
    { userId: ann.id, projects: 1, firstAt: at(5), lastAt: at(5) },
    cyPart,
  ])
  await expect(readParticipations(await ann.ctx(), ids)).rejects.toMatchObject({ code: 'forbidden' })

  const listWith = async (viewer: Account, projectsAtLeast: number) =>
    (await listPeople(await viewer.ctx(), { projectsAtLeast, sort: [{ by: 'createdAt', descending: false }], offset: 0, limit: 500 })).rows
      .map(({ id }) => id)
      .filter((id) => ids.includes(id))
  expect(await listWith(siteAdmin, 1)).toEqual([ann.id, cy.id])
  expect(await listWith(siteAdmin, 2)).toEqual([ann.id])
  expect(await listWith(siteAdmin, 3)).toEqual([])
  expect(await listWith(hubAdmin, 2)).toEqual([])

  const context = requestContext({ ...(await siteAdmin.ctx()), reason: 'To thank them' })
  const request = new Request(
    'http://x/admin/people.csv?projectsAtLeast=2&hide=email,role,lastSeenAt,language,news,createdAt,status,groups',
  )
  const [heads, ...lines] = (await (await exportPeople({ context, request })).text()).trim().split(/\r?\n/)
  expect(heads?.replace(/^\uFEFF/, '')).toMatch(/^id,login,projects,first_participation,last_participation\b/)
  expect(lines.filter((line) => line.includes(ann.id))[0]).toContain(',2,2026-01-05T00:00:00.000Z,2026-01-11T00:00:00.000Z')
  expect(lines.some((line) => line.includes(cy.id))).toBe(false)
})
