import { and, desc, eq, inArray } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributions, officialAnswerSets, officialResponses } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { moderationSettings } from '#app/server/db/schema/moderation.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { setContributionFollowing } from '../following/follow-contribution.server.ts'
import { tellOfAnswers } from '../following/tell-of-answers.server.ts'
import { askAgainForAnswerSet, askForAnswerSet, decideOnAnswerSet, listAnswerSets, listSetMembers } from './answer-sets.server.ts'
import { listDesk } from './desk-list.server.ts'
import { sendAnswerSets } from './send-answer-sets.server.ts'

let runtime: TestRuntime
let site: Site
let asker: SignedInViewer
let colleague: SignedInViewer
let outsider: SignedInViewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'answer-sets' })
  asker = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  colleague = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }], login: 'Bea' })
  const elsewhere = await addActivity(runtime, site)
  outsider = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: elsewhere.projectId }] })
  // The job finds what a sender may by the roles that are stored.
  for (const person of [asker, colleague]) await storeRoles(person)
  await as(asker).db.tx(async (tx) => {
    await tx.update(users).set({ locale: 'cy' }).where(eq(users.id, colleague.id))
    const settings = { siteId: site.id, answersNeedAgreement: true }
    await tx
      .insert(moderationSettings)
      .values(settings)
      .onConflictDoUpdate({ target: [moderationSettings.siteId], set: settings })
  })
})

/** Stores the roles of a viewer, so that others find who may do something. */
const storeRoles = ({ id, roles }: SignedInViewer) =>
  as(asker).db.tx((tx) => tx.insert(memberships).values(roles.map((role) => ({ ...role, id: createId(), siteId: site.id, userId: id }))))

const as = (viewer: Ctx['viewer']): Ctx => createCtx(runtime, site, { viewer, language: 'en', address: null })

async function addSeveral(count = 30) {
  const one = await addActivity(runtime, site)
  const other = await addActivity(runtime, site, { projectId: one.projectId })
  const [author, follower] = [await addPerson(runtime, site), await addPerson(runtime, site)]
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    const activity = at % 2 === 0 ? one : other
    const received = activity.statuses.find(({ code }) => code === 'received')?.id ?? null
    const { id } = await addContribution(runtime, site, {
      activityId: activity.id,
      number: at + 1,
      authorId: author.id,
      statusId: received,
    })
    ids.push(id)
  }
  for (const id of [ids[0], ids.at(-1)]) if (id) await setContributionFollowing(as(follower), id, true)
  const planned = (activity: typeof one) => activity.statuses.find(({ code }) => code === 'planned')?.id ?? ''
  return { ids, author, follower, one, other, planned, projectId: one.projectId }
}

const ANSWER = { status: null, textTranslations: { en: 'In May.' }, teamTranslations: {}, waived: ['text.fr-CA', 'text.cy'] }

async function askForAgreement(ids: readonly string[], more: { status?: string } = {}) {
  const id = createId()
  await askForAnswerSet(as(asker), { id, ids, ...ANSWER, ...more })
  return { id, lockVersion: 1 }
}

const find = async (id: string, viewer = asker) => (await listAnswerSets(as(viewer))).find((set) => set.id === id)

const listAnswers = (ids: readonly string[]) =>
  as(asker).db.tx((tx) =>
    tx
      .select({ by: officialResponses.createdBy, contribution: officialResponses.contributionId, status: officialResponses.statusId })
      .from(officialResponses)
      .where(and(eq(officialResponses.siteId, site.id), inArray(officialResponses.contributionId, [...ids]))),
  )

const listMails = ({ id }: { id: string }, kind: string) =>
  as(asker).db.tx((tx) =>
    tx
      .select({ subject: outboxMails.subject, language: outboxMails.language })
      .from(outboxMails)
      .where(and(eq(outboxMails.userId, id), eq(outboxMails.kind, kind))),
  )

test('a colleague sees how many and which, agrees, and each is answered once in the name of who asked; each person is told once', async () => {
  const { ids, author, follower, one, other, planned } = await addSeveral()
  const set = await askForAgreement(ids, { status: planned(one) })
  expect(await find(set.id, colleague)).toMatchObject({ state: 'asked', count: 30, sent: 0, canAgree: true, projects: [{ count: 30 }] })
  expect(await find(set.id)).toMatchObject({ canAgree: false })
  const page = await listSetMembers(as(colleague), { id: set.id, page: 2 })
  expect([page.total, page.data.map(({ id }) => id)]).toEqual([30, ids.slice(20)])
  await sendAnswerSets(runtime)
  await expect(decideOnAnswerSet(as(asker), { ...set, act: 'agree' })).rejects.toMatchObject({ code: 'forbidden' })
  expect(await listAnswers(ids)).toEqual([])
  await decideOnAnswerSet(as(colleague), { ...set, act: 'agree' })
  expect(await find(set.id)).toMatchObject({ state: 'waiting', count: 30, sent: 0 })
  // Two processes at once.
  await Promise.all([sendAnswerSets(runtime), sendAnswerSets(runtime)])
  const answers = await listAnswers(ids)
  expect(answers).toHaveLength(30)
  expect(new Set(answers.map(({ contribution }) => contribution)).size).toBe(30)
  expect(new Set(answers.map(({ by }) => by))).toEqual(new Set([asker.id]))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([planned(one), planned(other)]))
  expect(await find(set.id)).toMatchObject({ state: 'done', count: 30, sent: 30, refused: 0 })
  await tellOfAnswers(runtime)
  await tellOfAnswers(runtime)
  expect(await listMails(author, 'contribution-answered')).toHaveLength(1)
  expect(await listMails(follower, 'contribution-followed')).toHaveLength(1)
  const events = await as(asker).db.tx((tx) =>
    tx.select().from(auditEvents).where(eq(auditEvents.subjectId, set.id)).orderBy(desc(auditEvents.action)),
  )
  expect(events.map(({ action, actorId }) => [action, actorId])).toEqual([
    ['contributions.ask-agreement', asker.id],
    ['contributions.agree-answer', colleague.id],
  ])
})

test('is returned with a reason, changed, and asked for again; what was taken off the site meanwhile is left out', async () => {
  const { ids } = await addSeveral(3)
  const set = await askForAgreement(ids)
  await expect(decideOnAnswerSet(as(colleague), { ...set, act: 'return', reason: ' ' })).rejects.toMatchObject({ code: 'invalid' })
  await decideOnAnswerSet(as(colleague), { ...set, act: 'return', reason: 'Say which May.' })
  expect(await find(set.id)).toMatchObject({ state: 'draft', returnReason: 'Say which May.', returnedByName: colleague.login })
  await expect(decideOnAnswerSet(as(colleague), { ...set, act: 'agree' })).rejects.toMatchObject({ code: 'stale' })
  await as(asker).db.tx((tx) =>
    tx
      .update(contributions)
      .set({ state: 'removed' })
      .where(eq(contributions.id, ids[0] ?? '')),
  )
  await askAgainForAnswerSet(as(asker), { id: set.id, lockVersion: 2, ...ANSWER, textTranslations: { en: 'In May 2027.' } })
  expect(await find(set.id, colleague)).toMatchObject({ state: 'asked', count: 2, textTranslations: { en: 'In May 2027.' } })
  await decideOnAnswerSet(as(colleague), { id: set.id, lockVersion: 3, act: 'agree' })
  await as(asker).db.tx((tx) =>
    tx
      .update(contributions)
      .set({ state: 'removed' })
      .where(eq(contributions.id, ids[1] ?? '')),
  )
  await sendAnswerSets(runtime)
  expect(await find(set.id)).toMatchObject({ state: 'done', sent: 1, refused: 1 })
  expect((await listAnswers(ids)).map(({ contribution }) => contribution)).toEqual([ids[2]])
})

test('is taken back and discarded by the person who asked; the list shows what waits for agreement', async () => {
  const { ids, projectId } = await addSeveral(2)
  const set = await askForAgreement(ids)
  const waiting = () => listDesk(as(colleague), { project: projectId, waits: 'agreement' })
  expect((await waiting()).meta.total).toBe(2)
  await decideOnAnswerSet(as(asker), { ...set, act: 'take-back' })
  expect((await waiting()).meta.total).toBe(0)
  await decideOnAnswerSet(as(asker), { id: set.id, lockVersion: 2, act: 'discard' })
  expect(await find(set.id)).toBeUndefined()
})

test('is only for those who may answer all of it, and has words in every language', async () => {
  const { ids, one } = await addSeveral(2)
  const team = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: one.projectId }] })
  const mixed = await addSeveral(1)
  const set = await askForAgreement([...ids, ...mixed.ids])
  for (const viewer of [outsider, team]) {
    expect(await find(set.id, viewer)).toBeUndefined()
    await expect(listSetMembers(as(viewer), { id: set.id, page: 1 })).rejects.toMatchObject({ code: 'not-found' })
    await expect(decideOnAnswerSet(as(viewer), { ...set, act: 'agree' })).rejects.toMatchObject({ code: 'not-found' })
  }
  const other = { id: createId(), ids, ...ANSWER }
  await expect(askForAnswerSet(as(outsider), other)).rejects.toMatchObject({ code: 'conflict' })
  await expect(askForAnswerSet(as(asker), { ...other, textTranslations: {} })).rejects.toMatchObject({ faults: [{ code: 'required' }] })
  await expect(askForAnswerSet(as(asker), { ...other, waived: [] })).rejects.toMatchObject({ code: 'invalid' })
  await expect(askForAnswerSet(as(asker), { ...other, status: mixed.planned(mixed.one).replace(/.$/, '0') })).rejects.toMatchObject({
    code: 'invalid',
  })
  expect(await as(asker).db.tx((tx) => tx.$count(officialAnswerSets, eq(officialAnswerSets.id, other.id)))).toBe(0)
})

test('colleagues who may agree are mailed once in their language, not the person who asked nor those of other projects', async () => {
  const { ids, one } = await addSeveral(3)
  const team = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: one.projectId }] })
  const welsh = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  await as(asker).db.tx((tx) => tx.update(users).set({ locale: 'cy' }).where(eq(users.id, welsh.id)))
  for (const person of [welsh, outsider, team]) await storeRoles(person)
  await as(asker).db.tx((tx) => tx.delete(outboxMails))
  const id = createId()
  const send = () => askForAnswerSet(as(asker), { id, ids, ...ANSWER })
  await Promise.all([send(), send()])
  expect(await listMails(welsh, 'agreement-asked')).toEqual([{ subject: 'Ateb i 3 chyfraniad i chi gytuno iddo', language: 'cy' }])
  expect(await listMails(team, 'agreement-asked')).toHaveLength(1)
  expect(await listMails(asker, 'agreement-asked')).toEqual([])
  expect(await listMails(outsider, 'agreement-asked')).toEqual([])
})
