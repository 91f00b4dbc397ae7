import { and, eq, inArray } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { memberships } from '#app/server/db/schema/accounts.ts'
import { contributions, officialResponses } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { moderationSettings } from '#app/server/db/schema/moderation.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { setContributionFollowing } from '../following/follow-contribution.server.ts'
import { tellOfAnswers } from '../following/tell-of-answers.server.ts'
import { listAnswerSets, sendToMany } from './answer-sets.server.ts'
import { planDeskAnswer } from './desk-answers.server.ts'
import { sendAnswerSets } from './send-answer-sets.server.ts'

type Activity = Awaited<ReturnType<typeof addActivity>>

let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
let outsider: SignedInViewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'desk-answers' })
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  // The job finds what a sender may by the roles that are stored.
  await as().db.tx((tx) => tx.insert(memberships).values({ id: createId(), siteId: site.id, userId: admin.id, role: 'site_admin' }))
  const elsewhere = await addActivity(runtime, site)
  outsider = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: elsewhere.projectId }] })
})

const as = (viewer: Ctx['viewer'] = admin): Ctx => createCtx(runtime, site, { viewer, language: 'en', address: null })
const statusOf = ({ statuses }: Activity, code: string) => statuses.find((one) => one.code === code)?.id ?? ''

async function addSeveral() {
  const one = await addActivity(runtime, site)
  const other = await addActivity(runtime, site, { projectId: one.projectId })
  const [author, follower] = [await addPerson(runtime, site), await addPerson(runtime, site)]
  const ids: string[] = []
  for (const [at, activity] of [one, one, other].entries()) {
    const { id } = await addContribution(runtime, site, {
      activityId: activity.id,
      number: at + 1,
      authorId: author.id,
      statusId: statusOf(activity, 'received'),
    })
    await setContributionFollowing(as(follower), id, true)
    ids.push(id)
  }
  const held = await addContribution(runtime, site, { activityId: one.id, number: 4, state: 'held' })
  return { one, other, author, follower, ids, held: held.id, search: { project: one.projectId } }
}
/** Sends it, and has the job do all of it. @returns how many did not get it */
async function giveAnswer(ids: readonly string[], more: Partial<Parameters<typeof sendToMany>[1]> = {}, viewer?: SignedInViewer) {
  const id = more.id ?? createId()
  await sendToMany(as(viewer), {
    id,
    ids,
    status: null,
    textTranslations: { en: 'In May.' },
    teamTranslations: {},
    waived: ['text.fr-CA', 'text.cy'],
    ...more,
  })
  await sendAnswerSets(runtime)
  return (await listAnswerSets(as(viewer))).find((set) => set.id === id)?.refused
}
const loadStatuses = (ids: readonly string[]) =>
  as().db.tx(async (tx) => {
    const rows = await tx
      .select()
      .from(contributions)
      .where(inArray(contributions.id, [...ids]))
    return ids.map((id) => rows.find((row) => row.id === id)?.statusId)
  })
const countAnswers = (ids: readonly string[]) =>
  as().db.tx((tx) =>
    tx.$count(officialResponses, and(eq(officialResponses.siteId, site.id), inArray(officialResponses.contributionId, [...ids]))),
  )
const loadKinds = async ({ id }: { id: string }) => {
  const mails = await as().db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.userId, id)).orderBy(outboxMails.id))
  return mails.map(({ kind }) => kind)
}
const setAgreement = (answersNeedAgreement: boolean) =>
  as().db.tx((tx) =>
    tx
      .insert(moderationSettings)
      .values({ siteId: site.id, answersNeedAgreement })
      .onConflictDoUpdate({ target: moderationSettings.siteId, set: { answersNeedAgreement } }),
  )

test('what is published can be answered, with the statuses that all of its activities have', async () => {
  const { one, other, ids, search } = await addSeveral()
  const plan = await planDeskAnswer(as(), { search })
  expect(new Set(plan.ids)).toEqual(new Set(ids))
  expect(plan).toMatchObject({ unfit: 1, needsAgreement: false })
  const offered = plan.statuses.map(({ id }) => id)
  expect([statusOf(one, 'planned'), statusOf(other, 'planned')].filter((id) => offered.includes(id))).toHaveLength(1)
  expect((await planDeskAnswer(as(outsider), { ids })).ids).toEqual([])
})

test('each gets the answer and its activity’s status; who wrote or follows several is told once, also if it was sent twice', async () => {
  const { one, other, author, follower, ids } = await addSeveral()
  const more = { id: createId(), status: statusOf(one, 'planned') }
  await Promise.all([giveAnswer(ids, more), giveAnswer(ids, more)])
  expect(await giveAnswer(ids, more)).toBe(0)
  expect(await countAnswers(ids)).toBe(3)
  expect(await loadStatuses(ids)).toEqual([statusOf(one, 'planned'), statusOf(one, 'planned'), statusOf(other, 'planned')])
  expect(await loadKinds(author)).toEqual(['contribution-answered'])
  await tellOfAnswers(runtime)
  await tellOfAnswers(runtime)
  expect(await loadKinds(follower)).toEqual(['contribution-followed'])
})

test('a status alone is given without words, unless it needs some', async () => {
  const { one, ids } = await addSeveral()
  const status = { status: statusOf(one, 'under_review'), textTranslations: {}, waived: [] }
  expect(await giveAnswer(ids.slice(0, 2), status)).toBe(0)
  expect(await loadStatuses(ids)).toEqual([
    statusOf(one, 'under_review'),
    statusOf(one, 'under_review'),
    expect.not.stringContaining(statusOf(one, 'under_review')),
  ])
  const needy = one.statuses.find(({ needsText }) => needsText) ?? expect.unreachable()
  await expect(giveAnswer(ids.slice(0, 1), { ...status, status: needy.id })).rejects.toMatchObject({
    faults: [{ code: 'required', pointer: '/textTranslations' }],
  })
})

test('nobody answers beyond their projects, without words or a status, or in languages that are missing', async () => {
  const { ids, held } = await addSeveral()
  await expect(giveAnswer(ids, {}, outsider)).rejects.toMatchObject({ code: 'conflict' })
  await expect(giveAnswer([...ids, held])).rejects.toMatchObject({ code: 'conflict' })
  await expect(giveAnswer([])).rejects.toMatchObject({ code: 'conflict' })
  await expect(giveAnswer(ids, { textTranslations: {} })).rejects.toMatchObject({
    faults: [{ code: 'required', pointer: '/textTranslations' }],
  })
  await expect(giveAnswer(ids, { waived: [] })).rejects.toMatchObject({ code: 'invalid' })
  expect(await countAnswers(ids)).toBe(0)
})

test('where a colleague agrees to each answer, only a status is given to many', async () => {
  const { one, ids } = await addSeveral()
  await setAgreement(true)
  try {
    expect((await planDeskAnswer(as(), { ids })).needsAgreement).toBe(true)
    await expect(giveAnswer(ids)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await giveAnswer(ids, { status: statusOf(one, 'under_review'), textTranslations: {}, waived: [] })).toBe(0)
  } finally {
    await setAgreement(false)
  }
})
