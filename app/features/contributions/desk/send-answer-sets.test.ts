import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, inArray } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import type { SiteDb } from '#app/server/db/client.ts'
import { DatabaseAway } from '#app/server/db/database-down.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributions, officialAnswerSets, officialResponses } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { loadSitesWithWork } from '#app/server/jobs/sites-with-work.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { setContributionFollowing } from '../following/follow-contribution.server.ts'
import { tellOfAnswers } from '../following/tell-of-answers.server.ts'
import { listAnswerSets, sendToMany } from './answer-sets.server.ts'
import { changeSending, readSendingProgress, sendAnswerSets } from './send-answer-sets.server.ts'

let runtime: TestRuntime
let site: Site
let officer: SignedInViewer
let outsider: SignedInViewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'sending' })
  officer = await addStaff()
  const elsewhere = await addActivity(runtime, site)
  outsider = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: elsewhere.projectId }] })
})

/** A site administrator whose role is stored, so that the job finds it. */
async function addStaff(): Promise<SignedInViewer> {
  const person = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  await createCtx(runtime, site).db.tx((tx) =>
    tx.insert(memberships).values(person.roles.map((role) => ({ ...role, id: createId(), siteId: site.id, userId: person.id }))),
  )
  return person
}

const as = (viewer: Ctx['viewer'] = officer): Ctx => createCtx(runtime, site, { viewer, language: 'en', address: null })

async function addSeveral(count = 6) {
  const activity = await addActivity(runtime, site)
  const [author, follower] = [await addPerson(runtime, site), await addPerson(runtime, site)]
  const statusId = activity.statuses.find(({ code }) => code === 'received')?.id ?? null
  const ids: string[] = []
  for (let number = 1; number <= count; number += 1) {
    const { id } = await addContribution(runtime, site, {
      activityId: activity.id,
      number,
      authorId: author.id,
      statusId,
      title: `Idea ${number}`,
    })
    await setContributionFollowing(as(follower), id, true)
    ids.push(id)
  }
  return { ids, author, follower, activity }
}

async function startSending(ids: readonly string[], viewer = officer): Promise<string> {
  const id = createId()
  await sendToMany(as(viewer), {
    id,
    ids,
    status: null,
    textTranslations: { en: 'In May.' },
    teamTranslations: {},
    waived: ['text.fr-CA', 'text.cy'],
  })
  return id
}

const countAnswers = (ids: readonly string[]) =>
  as().db.tx((tx) =>
    tx.$count(officialResponses, and(eq(officialResponses.siteId, site.id), inArray(officialResponses.contributionId, [...ids]))),
  )
const listKinds = async ({ id }: { id: string }) => {
  const mails = await as().db.tx((tx) => tx.select({ kind: outboxMails.kind }).from(outboxMails).where(eq(outboxMails.userId, id)))
  return mails.map(({ kind }) => kind)
}
const change = (id: string, values: Partial<typeof officialAnswerSets.$inferInsert>) =>
  as().db.tx((tx) => tx.update(officialAnswerSets).set(values).where(eq(officialAnswerSets.id, id)))
const changeContribution = (id: string | undefined, values: Partial<typeof contributions.$inferInsert>) =>
  as().db.tx((tx) =>
    tx
      .update(contributions)
      .set(values)
      .where(eq(contributions.id, id ?? '')),
  )

/** A runtime that intervenes before a transaction is committed. */
function interveneAt(turn: (transaction: number) => Promise<void> | void): Runtime {
  let transactions = 0
  const wrap = (db: SiteDb): SiteDb => ({
    ...db,
    tx: (work) =>
      db.tx(async (tx) => {
        const made = await work(tx)
        transactions += 1
        await turn(transactions)
        return made
      }),
  })
  const database = { ...runtime.database, site: (id: string) => wrap(runtime.database.site(id)) }
  return { ...runtime, database }
}

describe('a process that is killed between two contributions', () => {
  test.each([3, 4, 5])('in transaction %i: its successor goes on, each is answered once and each person told once', async (last) => {
    const { ids, author, follower } = await addSeveral()
    const id = await startSending(ids)
    const dying = interveneAt((transaction) => {
      if (transaction >= last) throw new DatabaseAway('LEFT')
    })
    await sendAnswerSets(dying).catch(() => undefined)
    const before = await readSendingProgress(as(), id)
    expect(before).toMatchObject({ state: 'running', count: 6, refused: 0 })
    expect(before.sent).toBeLessThan(6)
    expect(await countAnswers(ids)).toBe(before.sent)
    // Its lease has not expired yet.
    await sendAnswerSets(runtime)
    expect(await countAnswers(ids)).toBe(before.sent)
    expect(await loadSitesWithWork(runtime, 'send-answers')).toEqual([site.id])
    await tellOfAnswers(runtime)
    expect(await listKinds(follower)).toEqual([])
    await change(id, { aliveAt: new Date(Date.now() - 61_000) })
    await Promise.all([sendAnswerSets(runtime), sendAnswerSets(runtime)])
    expect(await readSendingProgress(as(), id)).toMatchObject({ state: 'done', sent: 6, refused: 0 })
    expect(await countAnswers(ids)).toBe(6)
    await tellOfAnswers(runtime)
    await tellOfAnswers(runtime)
    expect(await listKinds(author)).toEqual(['contribution-answered'])
    expect(await listKinds(follower)).toEqual(['contribution-followed'])
  })
})

test('a process that is asked to end hands the rest back at once', async () => {
  const { ids } = await addSeveral()
  const id = await startSending(ids)
  const ending = new AbortController()
  await sendAnswerSets(
    interveneAt((at) => void (at === 4 && ending.abort())),
    ending.signal,
  )
  const progress = await readSendingProgress(as(), id)
  expect(progress.state).toBe('waiting')
  expect([progress.sent > 0, progress.sent < 6]).toEqual([true, true])
  await sendAnswerSets(runtime)
  expect(await readSendingProgress(as(), id)).toMatchObject({ state: 'done', sent: 6 })
})

test('it is stopped while it is sent: what was sent stays, the rest is not sent, and it says how many', async () => {
  const { ids, follower } = await addSeveral()
  const id = await startSending(ids)
  let stopping: Promise<void> | undefined
  const stopped = interveneAt(async (at) => {
    if (at !== 4) return
    // It waits for the contribution that is being answered.
    stopping = changeSending(as(), { id, act: 'stop' })
    await wait(100)
  })
  await sendAnswerSets(stopped)
  await stopping
  const progress = await readSendingProgress(as(), id)
  expect(progress).toMatchObject({ state: 'cancelled', count: 6, refused: 0 })
  expect([progress.sent > 0, progress.sent < 6]).toEqual([true, true])
  await changeSending(as(), { id, act: 'stop' })
  await sendAnswerSets(runtime)
  expect(await countAnswers(ids)).toBe(progress.sent)
  await tellOfAnswers(runtime)
  expect(await listKinds(follower)).toEqual(['contribution-followed'])
  await expect(changeSending(as(), { id, act: 'send-rest' })).rejects.toMatchObject({ code: 'conflict' })
  const events = await as().db.tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.subjectId, id)).orderBy(auditEvents.id))
  expect(events.map(({ action, actorId }) => [action, actorId])).toEqual([
    ['contributions.send-answers', officer.id],
    ['contributions.stop-answers', officer.id],
  ])
  await changeSending(as(), { id, act: 'dismiss' })
  await expect(readSendingProgress(as(), id)).rejects.toMatchObject({ code: 'not-found' })
})

test('contributions that cannot be answered are listed with the reason, and the others get it', async () => {
  const { ids, activity } = await addSeveral()
  const id = createId()
  const planned = activity.statuses.find(({ code }) => code === 'planned')?.id ?? ''
  const answer = { textTranslations: { en: 'In May.' }, teamTranslations: {}, waived: ['text.fr-CA', 'text.cy'] }
  await sendToMany(as(), { id, ids, status: planned, ...answer })
  await changeContribution(ids[1], { state: 'removed' })
  await as().db.tx((tx) => tx.delete(contributions).where(eq(contributions.id, ids[2] ?? '')))
  await changeContribution(ids[4], { state: 'declined' })
  await sendAnswerSets(runtime)
  expect(await readSendingProgress(as(), id)).toMatchObject({
    state: 'done',
    count: 6,
    sent: 3,
    refused: 3,
    refusals: [
      { id: ids[1], reason: 'not-published', number: 2, title: 'Idea 2' },
      { id: ids[2], reason: 'gone', number: null, title: null },
      { id: ids[4], reason: 'not-published', number: 5 },
    ],
  })
  expect(await countAnswers(ids)).toBe(3)
})

test('a contribution without a status gets none by words that keep it', async () => {
  const { ids } = await addSeveral(2)
  const id = await startSending(ids)
  await changeContribution(ids[0], { statusId: null })
  await sendAnswerSets(runtime)
  expect(await readSendingProgress(as(), id)).toMatchObject({ sent: 1, refusals: [{ id: ids[0], reason: 'status' }] })
})

test.each<[string, (sender: SignedInViewer) => Promise<unknown>]>([
  ['lost the role', ({ id }) => as().db.tx((tx) => tx.delete(memberships).where(eq(memberships.userId, id)))],
  ['was blocked', ({ id }) => as().db.tx((tx) => tx.update(users).set({ blockedAt: new Date() }).where(eq(users.id, id)))],
])('nothing is sent for a sender who %s since', async (_, happen) => {
  const sender = await addStaff()
  const { ids } = await addSeveral(2)
  const id = await startSending(ids, sender)
  await happen(sender)
  await sendAnswerSets(runtime)
  expect(await readSendingProgress(as(), id)).toMatchObject({
    state: 'done',
    sent: 0,
    refusals: [{ reason: 'not-allowed' }, { reason: 'not-allowed' }],
  })
  expect(await countAnswers(ids)).toBe(0)
})

test('an unexpected fault ends it as failed; the rest can be sent, and nobody is told twice', async () => {
  const { ids, author, follower } = await addSeveral(4)
  const id = await startSending(ids)
  await sendAnswerSets(
    interveneAt((at) => {
      if (at === 4) throw new TypeError('A fault of ours')
    }),
  )
  const progress = await readSendingProgress(as(), id)
  expect(progress.state).toBe('failed')
  await tellOfAnswers(runtime)
  expect(await listKinds(follower)).toEqual([])
  await changeSending(as(), { id, act: 'send-rest' })
  await sendAnswerSets(runtime)
  expect(await readSendingProgress(as(), id)).toMatchObject({ state: 'done', sent: 4 })
  expect(await countAnswers(ids)).toBe(4)
  await tellOfAnswers(runtime)
  expect(await listKinds(author)).toEqual(['contribution-answered'])
  expect(await listKinds(follower)).toEqual(['contribution-followed'])
})

test('only those who may answer all of it see how far it is, stop it or remove it; others are not shown what became of it', async () => {
  const { ids } = await addSeveral(2)
  const colleague = await addStaff()
  const id = await startSending(ids)
  const find = async (viewer: SignedInViewer) => (await listAnswerSets(as(viewer))).find((set) => set.id === id)?.state
  expect([await find(officer), await find(colleague), await find(outsider)]).toEqual(['waiting', 'waiting', undefined])
  await expect(changeSending(as(), { id, act: 'dismiss' })).rejects.toMatchObject({ code: 'conflict' })
  for (const act of ['stop', 'send-rest', 'dismiss'] as const)
    await expect(changeSending(as(outsider), { id, act })).rejects.toMatchObject({ code: 'not-found' })
  await expect(readSendingProgress(as(outsider), id)).rejects.toMatchObject({ code: 'not-found' })
  expect(() => readSendingProgress(as({ kind: 'visitor' }), id)).toThrow(expect.objectContaining({ code: 'unauthenticated' }))
  await sendAnswerSets(runtime)
  await expect(changeSending(as(), { id, act: 'stop' })).rejects.toMatchObject({ code: 'conflict' })
  expect([await find(officer), await find(colleague), await find(outsider)]).toEqual(['done', undefined, undefined])
  await change(id, { state: 'draft' })
  await expect(readSendingProgress(as(), id)).rejects.toMatchObject({ code: 'not-found' })
})
