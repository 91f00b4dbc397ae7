import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eraseAccount, readOwnData } from '#app/features/people/own-data.server.ts'
import { mergePeople } from '#app/features/people/people.merge.server.ts'
import { searchSite } from '#app/features/search/search.server.ts'
import { createId } from '#app/lib/uuid.ts'
import type { AnswerVisibility } from '#app/lib/vocabulary/contributions.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributions, officialResponses, reactions } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { moderationCases } from '#app/server/db/schema/moderation.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { requireActivityAt } from '../record/activities.policy.server.ts'
import { mergeContributions } from '../merging/merge-contributions.server.ts'
import { decideOnContribution } from '../moderation/decide.server.ts'
import { editContribution, getOwnContribution, withdrawOwnContribution } from '../own/own-contributions.server.ts'
import { type ContributionInput, submitContribution } from '../posting/submit-contribution.server.ts'
import { findSimilar } from '../reading/similar.server.ts'
import { getContribution, listContributions } from '../reading/views.server.ts'
import { tellOfAnswers } from '../following/tell-of-answers.server.ts'
import { createOfficialResponse } from '../responding/official-responses.server.ts'
import { addReaction, removeOwnReaction } from '../responding/reactions.server.ts'
import { assignQuestion, listAssignees } from './assign-question.server.ts'
import { isFrequentlyAsked, setFrequentlyAsked } from './frequently-asked.server.ts'

/** A Monday. */
const NOON = new Date('2026-03-02T12:00:00Z')

let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'dyffryn' })
  admin = await addColleague({ role: 'site_admin' })
})
beforeEach(() => runtime.setNow(NOON))

const as = (viewer: Ctx['viewer'] = VISITOR, language: Ctx['language'] = 'en'): Ctx =>
  createCtx(runtime, site, { viewer, language, address: null })
type Activity = Awaited<ReturnType<typeof addActivity>>
const addressOf = (activity: Activity) => ({ project: activity.projectSlug, activity: activity.slug })
const addQuestions = (values: Parameters<typeof addActivity>[2] = {}) => addActivity(runtime, site, { kind: 'questions', ...values })
const addQuestion = (activity: Activity, values: Partial<typeof contributions.$inferInsert> = {}) =>
  addContribution(runtime, site, {
    activityId: activity.id,
    number: 1,
    title: 'When does the last bus leave?',
    body: '',
    dueAt: new Date('2026-03-16T23:59:59Z'),
    statusId: activity.statuses[0]?.id ?? null,
    ...values,
  })
const statusOf = (activity: Activity, code: string) => activity.statuses.find((status) => status.code === code)?.id ?? ''
/** Answers in the team's name, and lets the job tell people of it. */
const answer = async (
  activity: Activity,
  contribution: string,
  { visibility, code = 'answered', by = admin, text = { en: 'At eleven.', cy: 'Am un ar ddeg.' } }: AnswerOptions = {},
) => {
  const id = await createOfficialResponse(as(by), {
    contribution,
    status: statusOf(activity, code),
    textTranslations: text,
    waiveTranslations: true,
    ...(visibility && { visibility }),
  })
  await tellOfAnswers(runtime)
  return id
}
interface AnswerOptions {
  visibility?: AnswerVisibility
  code?: string
  by?: SignedInViewer
  text?: Record<string, string>
}
const submit = (ctx: Ctx, activity: Activity, more: Partial<ContributionInput> = {}) =>
  submitContribution(ctx, (tx) => requireActivityAt(ctx, tx, addressOf(activity)), {
    id: v7({ msecs: runtime.now().getTime() }),
    sendKey: 'only-the-sender-knows',
    title: 'When does the last bus leave?',
    body: '',
    categories: [],
    shownAs: 'anonymous',
    shownName: '',
    areaId: null,
    placeText: '',
    browserToken: issueToken(runtime, site),
    ...more,
  })
const join = (viewer: Ctx['viewer'], contributionId: string, browserToken = issueToken(runtime, site)) =>
  addReaction(as(viewer), { id: createId(), contributionId, browserToken })

const erase = (userId: string) => as().db.tx((tx) => eraseAccount(as(admin), tx, site.id, userId))
/** Somebody of a project's team, with a role in the database. */
async function addColleague(role: { role: 'project_admin' | 'site_admin'; projectId?: string }) {
  const person = await addPerson(runtime, site, { roles: [role] })
  await as().db.tx((tx) =>
    tx
      .insert(memberships)
      .values({ siteId: site.id, id: createId(), userId: person.id, role: role.role, projectId: role.projectId ?? null }),
  )
  return person
}

const loadRow = async (id: string) => {
  const [row] = await as().db.tx((tx) => tx.select().from(contributions).where(eq(contributions.id, id)))
  if (!row) throw new Error('There is no such question')
  return row
}
const loadMails = (userId: string) =>
  as().db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.userId, userId)).orderBy(outboxMails.id))
const loadFaqs = async (activity: Activity) => {
  const [row] = await as().db.tx((tx) => tx.select({ faqs: projects.faqs }).from(projects).where(eq(projects.id, activity.projectId)))
  return row?.faqs
}
const codeOf = (code: string) => expect.objectContaining({ code }) as Error
const faultOf = (code: string, pointer: string) =>
  expect.objectContaining({ code: 'invalid', faults: expect.arrayContaining([expect.objectContaining({ code, pointer })]) }) as Error

describe('asking', () => {
  test('needs no more than the question, is read by a moderator first, and is due in ten working days', async () => {
    const activity = await addQuestions()
    const { id, state } = await submit(as(), activity)
    expect(state).toBe('held')
    // In Toronto, where the clocks go forward on 8 March.
    expect(await loadRow(id)).toMatchObject({ body: '', dueAt: new Date('2026-03-16T23:59:59-04:00'), answered: null, assigneeId: null })
    await expect(submit(as(), activity, { title: '' })).rejects.toEqual(faultOf('required', '/title'))
    await expect(submit(as(), activity, { body: 'x'.repeat(5001) })).rejects.toEqual(faultOf('too-long', '/body'))
  })

  test('is due as its activity says, and only questions are', async () => {
    const quick = await addQuestions({ settings: { answerDays: 2 } })
    const { id } = await submit(as(), quick)
    expect((await loadRow(id)).dueAt).toEqual(new Date('2026-03-04T23:59:59-05:00'))
    const ideas = await addActivity(runtime, site)
    const idea = await submit(as(), ideas, { body: 'A later bus.' })
    expect((await loadRow(idea.id)).dueAt).toBeNull()
    await expect(submit(as(), ideas, { body: '' })).rejects.toEqual(faultOf('required', '/body'))
  })

  test('shows what was asked already, and whether it is answered', async () => {
    const activity = await addQuestions()
    const first = await addQuestion(activity)
    await addQuestion(activity, { number: 2, title: 'Where is the last bus stop?', answered: null })
    await answer(activity, first.id)
    expect(await findSimilar(as(), addressOf(activity), 'When does the last bus leave on Fridays?')).toMatchObject([
      { number: 1, isAnswered: true },
    ])
  })

  test('the same joins the person once, and the same button takes it back', async () => {
    const activity = await addQuestions()
    const { id } = await addQuestion(activity)
    const person = await addPerson(runtime, site)
    const browser = issueToken(runtime, site)
    await join(person, id, browser)
    await join(person, id, browser)
    await join(VISITOR, id)
    expect((await loadRow(id)).supports).toBe(2)
    expect((await getContribution(as(person), addressOf(activity), 1, browser)).contribution).toMatchObject({
      reaction: 'support',
      supports: 2,
    })
    await removeOwnReaction(as(person), { contributionId: id, browserToken: browser })
    expect((await loadRow(id)).supports).toBe(1)
    await answer(activity, id)
    expect(await loadMails(person.id)).toEqual([])
  })
})

describe('assigning', () => {
  test('gives a question to somebody who may answer there, who is told with the date', async () => {
    const activity = await addQuestions()
    const { id } = await addQuestion(activity)
    const colleague = await addColleague({ role: 'project_admin', projectId: activity.projectId })
    await assignQuestion(as(admin), id, colleague.id)
    expect(await loadRow(id)).toMatchObject({ assigneeId: colleague.id, statusId: statusOf(activity, 'under_review') })
    const [mail, ...more] = await loadMails(colleague.id)
    expect(more).toEqual([])
    expect([mail?.kind, mail?.bodyText.includes('16 March 2026')]).toEqual(['question-assigned', true])
    // Again changes nothing and tells nobody.
    await assignQuestion(as(admin), id, colleague.id)
    expect(await loadMails(colleague.id)).toHaveLength(1)
    await assignQuestion(as(admin), id, null)
    expect(await loadRow(id)).toMatchObject({ assigneeId: null, statusId: statusOf(activity, 'received') })
    const events = await as().db.tx((tx) =>
      tx.select({ action: auditEvents.action }).from(auditEvents).where(eq(auditEvents.subjectId, id)),
    )
    expect(events.map(({ action }) => action)).toEqual(['contributions.assign', 'contributions.assign'])
  })

  test('is refused for people who may not answer there', async () => {
    const activity = await addQuestions()
    const other = await addQuestions()
    const { id } = await addQuestion(activity)
    const stranger = await addPerson(runtime, site)
    const elsewhere = await addColleague({ role: 'project_admin', projectId: other.projectId })
    const blocked = await addColleague({ role: 'project_admin', projectId: activity.projectId })
    await as().db.tx((tx) => tx.update(users).set({ blockedAt: NOON }).where(eq(users.id, blocked.id)))
    for (const person of [stranger, elsewhere, blocked, { id: createId() }])
      await expect(assignQuestion(as(admin), id, person.id)).rejects.toEqual(faultOf('not-a-choice', '/assigneeId'))
    expect((await listAssignees(as(admin), id)).map((person) => person.id)).toEqual([admin.id])
    for (const viewer of [stranger, elsewhere]) {
      await expect(assignQuestion(as(viewer), id, admin.id)).rejects.toEqual(codeOf('forbidden'))
      await expect(listAssignees(as(viewer), id)).rejects.toEqual(codeOf('forbidden'))
    }
    const ideas = await addActivity(runtime, site)
    const idea = await addContribution(runtime, site, { activityId: ideas.id, number: 1 })
    await expect(assignQuestion(as(admin), idea.id, admin.id)).rejects.toEqual(codeOf('forbidden'))
  })

  test('is refused once the question is answered or declined', async () => {
    const activity = await addQuestions()
    const answered = await addQuestion(activity)
    await answer(activity, answered.id)
    await expect(assignQuestion(as(admin), answered.id, admin.id)).rejects.toEqual(codeOf('conflict'))
    const declined = await addQuestion(activity, { number: 2, state: 'declined' })
    await expect(assignQuestion(as(admin), declined.id, admin.id)).rejects.toEqual(codeOf('conflict'))
  })
})

describe('answering publicly', () => {
  test('tells the person who asked and everybody who joined with a confirmed address, in their language, once', async () => {
    const activity = await addQuestions()
    const asker = await addPerson(runtime, site)
    const { id } = await addQuestion(activity, { authorId: asker.id })
    const [welsh, english, unconfirmed] = await Promise.all([1, 2, 3].map(() => addPerson(runtime, site)))
    if (!welsh || !english || !unconfirmed) throw new Error('Three people join')
    await as().db.tx(async (tx) => {
      await tx.update(users).set({ locale: 'cy' }).where(eq(users.id, welsh.id))
      await tx.update(users).set({ emailConfirmedAt: null }).where(eq(users.id, unconfirmed.id))
    })
    for (const person of [welsh, english, unconfirmed, asker]) await join(person, id)
    await join(VISITOR, id)
    await answer(activity, id, { code: 'under_review' })
    expect((await loadMails(welsh.id)).length).toBe(0)
    await answer(activity, id)
    await answer(activity, id, { text: { en: 'At half past ten.' } })
    const kindsOf = async (person: { id: string }) => (await loadMails(person.id)).map(({ kind, language }) => [kind, language])
    expect(await kindsOf(welsh)).toEqual([['question-answered', 'cy']])
    expect(await kindsOf(english)).toEqual([['question-answered', 'en']])
    expect(await kindsOf(unconfirmed)).toEqual([])
    expect((await kindsOf(asker)).map(([kind]) => kind)).toEqual(Array(3).fill('contribution-answered'))
    const [told] = await loadMails(welsh.id)
    expect(told?.subject).toBe('Mae ateb i “When does the last bus leave?”')
    expect(told?.bodyText).toContain(`/cy/projects/${activity.projectSlug}/${activity.slug}/1`)
    expect(await loadRow(id)).toMatchObject({ answered: 'public', statusId: statusOf(activity, 'answered') })
  })

  test('tells the people of a question that was merged into it: its author, and who joined it', async () => {
    const activity = await addQuestions()
    const [author, joined] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    const { id } = await addQuestion(activity)
    const double = await addQuestion(activity, { number: 2, authorId: author.id })
    await join(joined, double.id)
    await mergeContributions(as(admin), { contributionId: double.id, targetId: id, reason: 'Both ask when the last bus leaves.' })
    await answer(activity, id)
    for (const person of [author, joined])
      expect((await loadMails(person.id)).filter(({ kind }) => kind === 'question-answered')).toHaveLength(1)
  })

  test('needs words, and a question that is public', async () => {
    const activity = await addQuestions()
    const held = await addQuestion(activity, { state: 'held' })
    await expect(answer(activity, held.id)).rejects.toEqual(codeOf('conflict'))
    const { id } = await addQuestion(activity, { number: 2 })
    await expect(answer(activity, id, { text: {} })).rejects.toEqual(faultOf('required', '/textTranslations'))
    expect((await loadRow(id)).answered).toBeNull()
  })

  test('is for the team of the project', async () => {
    const activity = await addQuestions()
    const { id } = await addQuestion(activity)
    for (const by of [
      await addPerson(runtime, site),
      await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: createId() }] }),
    ])
      await expect(answer(activity, id, { by })).rejects.toEqual(codeOf('forbidden'))
  })
})

describe('answering privately', () => {
  test('is read by the person who asked only: on their receipt, in their account and by mail', async () => {
    const activity = await addQuestions()
    const asker = await addPerson(runtime, site)
    const { id, code } = await submit(as(asker), activity, { body: 'My son needs a carer.' })
    await answer(activity, id, { visibility: 'private', text: { en: 'Bring a letter from the doctor.' } })
    const byCode = await getOwnContribution(as(), addressOf(activity), { code })
    const inAccount = await getOwnContribution(as(asker), addressOf(activity), { number: 1 })
    for (const own of [byCode, inAccount])
      expect(own.answers).toMatchObject([{ visibility: 'private', text: { text: 'Bring a letter from the doctor.' } }])
    const [mail] = await loadMails(asker.id)
    expect(mail?.bodyText).toContain('Bring a letter from the doctor.')
    expect(mail?.bodyText).toContain('receipt?number=1')
    // It waits for no moderator any more, and is not public.
    await expect(getContribution(as(), addressOf(activity), 1, undefined)).rejects.toEqual(codeOf('not-found'))
    const cases = await as().db.tx((tx) => tx.select().from(moderationCases).where(eq(moderationCases.contributionId, id)))
    expect(cases.map(({ state }) => state)).toEqual(['closed'])
    expect(await loadRow(id)).toMatchObject({ state: 'held', answered: 'private' })
  })

  test('stays off the public pages and the search, and nobody who joined is told', async () => {
    const activity = await addQuestions()
    const { id } = await addQuestion(activity)
    const joined = await addPerson(runtime, site)
    await join(joined, id)
    await answer(activity, id, { visibility: 'private', text: { en: 'Zanzibar is for your eyes only.' } })
    const page = await getContribution(as(), addressOf(activity), 1, undefined)
    expect(page.contribution).toMatchObject({ answered: 'private', answers: [] })
    const list = await listContributions(as(), addressOf(activity), {})
    expect(list.entries).toMatchObject([{ answer: null, answered: 'private' }])
    expect(JSON.stringify([page, list])).not.toContain('Zanzibar')
    expect((await searchSite(as(), { q: 'Zanzibar' })).hits).toEqual([])
    expect(await loadMails(joined.id)).toEqual([])
    // A public answer that follows is for everybody.
    await answer(activity, id)
    expect((await loadMails(joined.id)).map(({ kind }) => kind)).toEqual(['question-answered'])
    expect(await loadRow(id)).toMatchObject({ answered: 'public' })
    await answer(activity, id, { visibility: 'private' })
    expect(await loadRow(id)).toMatchObject({ answered: 'public' })
  })

  test('is also kept from readers of a question that was removed', async () => {
    const activity = await addQuestions()
    const { id } = await addQuestion(activity)
    await answer(activity, id, { visibility: 'private', text: { en: 'Zanzibar is for your eyes only.' } })
    await decideOnContribution(as(admin), id, 'remove', { rule: 'personal-data', words: 'It names somebody.' })
    expect((await getContribution(as(), addressOf(activity), 1, undefined)).gone?.answers).toEqual([])
  })

  test('needs words, and is for questions only', async () => {
    const activity = await addQuestions()
    const { id } = await addQuestion(activity)
    await expect(answer(activity, id, { visibility: 'private', code: 'under_review', text: {} })).rejects.toEqual(
      faultOf('required', '/textTranslations'),
    )
    const ideas = await addActivity(runtime, site)
    const idea = await addContribution(runtime, site, { activityId: ideas.id, number: 1 })
    await expect(answer(ideas, idea.id, { visibility: 'private' })).rejects.toEqual(faultOf('not-a-choice', '/visibility'))
    const heldIdea = await addContribution(runtime, site, { activityId: ideas.id, number: 2, state: 'held' })
    await expect(answer(ideas, heldIdea.id, { visibility: 'private' })).rejects.toEqual(faultOf('not-a-choice', '/visibility'))
  })

  test('ends the half hour in which the question can be changed', async () => {
    const activity = await addQuestions()
    const { id, code } = await submit(as(), activity)
    const change = (title: string) => editContribution(as(), addressOf(activity), { code }, { title, body: '', categories: [] })
    await change('When does the first bus leave?')
    expect((await loadRow(id)).title).toBe('When does the first bus leave?')
    await answer(activity, id, { visibility: 'private' })
    await expect(change('May I have a bus of my own?')).rejects.toEqual(codeOf('editing-over'))
  })

  test('goes with a question that is withdrawn; public answers stay', async () => {
    const activity = await addQuestions({ moderation: 'after' })
    const { id, code } = await submit(as(), activity)
    await answer(activity, id)
    await answer(activity, id, { visibility: 'private' })
    await withdrawOwnContribution(as(), addressOf(activity), { code })
    const left = await as().db.tx((tx) => tx.select().from(officialResponses).where(eq(officialResponses.contributionId, id)))
    expect(left.map(({ visibility }) => visibility)).toEqual(['public'])
  })
})

describe('frequently asked questions', () => {
  test('take a question and its public answer in one press, once, and give it back', async () => {
    const activity = await addQuestions()
    const { id } = await addQuestion(activity, { language: 'cy', title: 'Pryd mae’r bws olaf yn gadael?' })
    await answer(activity, id)
    await setFrequentlyAsked(as(admin), id, true)
    await setFrequentlyAsked(as(admin), id, true)
    expect(await loadFaqs(activity)).toEqual([
      { question: { cy: 'Pryd mae’r bws olaf yn gadael?' }, answer: { en: 'At eleven.', cy: 'Am un ar ddeg.' } },
    ])
    await setFrequentlyAsked(as(admin), id, false)
    expect(await loadFaqs(activity)).toEqual([])
  })

  test('take none without a public answer, none that was removed, and none from people who may not answer', async () => {
    const activity = await addQuestions()
    const { id } = await addQuestion(activity)
    await expect(setFrequentlyAsked(as(admin), id, true)).rejects.toEqual(codeOf('conflict'))
    await answer(activity, id, { visibility: 'private' })
    await expect(setFrequentlyAsked(as(admin), id, true)).rejects.toEqual(codeOf('conflict'))
    await answer(activity, id)
    await expect(setFrequentlyAsked(as(await addPerson(runtime, site)), id, true)).rejects.toEqual(codeOf('forbidden'))
    await answer(activity, id, { visibility: 'private', text: { en: 'For you only.' } })
    await setFrequentlyAsked(as(admin), id, true)
    expect(JSON.stringify(await loadFaqs(activity))).not.toContain('For you only')
    const removed = await addQuestion(activity, { number: 2, title: 'And the first?' })
    await answer(activity, removed.id)
    await decideOnContribution(as(admin), removed.id, 'remove', { rule: 'personal-data', words: 'It names somebody.' })
    await expect(setFrequentlyAsked(as(admin), removed.id, true)).rejects.toEqual(codeOf('conflict'))
  })

  test('hold no more than forty', async () => {
    const activity = await addQuestions()
    const { id } = await addQuestion(activity)
    await answer(activity, id)
    const full = Array.from({ length: 40 }, (_, at) => ({ question: { en: `Question ${at}` }, answer: { en: 'Yes.' } }))
    await as().db.tx((tx) => tx.update(projects).set({ faqs: full }).where(eq(projects.id, activity.projectId)))
    await expect(setFrequentlyAsked(as(admin), id, true)).rejects.toEqual(faultOf('too-many', '/frequentlyAsked'))
  })

  test('know nothing of a question without a text', () => {
    const project = { faqs: [{ question: {}, answer: { en: 'Yes.' } }] }
    const row = { title: '', language: 'en' } as Parameters<typeof isFrequentlyAsked>[0]['contribution']
    expect(isFrequentlyAsked({ contribution: row, project: project as Parameters<typeof isFrequentlyAsked>[0]['project'] })).toBe(false)
  })
})

describe('what is kept about a person', () => {
  test('is in their download and goes with their account: their answers, what they joined, and what they were to answer', async () => {
    const activity = await addQuestions()
    const person = await addPerson(runtime, site)
    const { id } = await addQuestion(activity, { authorId: person.id })
    const other = await addQuestion(activity, { number: 2, title: 'And the first?' })
    await answer(activity, id, { visibility: 'private', text: { en: 'For you only.' } })
    await join(person, other.id)
    const data = (await readOwnData(as(person))) as Record<string, Record<string, unknown>[]>
    expect(data['contributions']).toMatchObject([{ id, answered: 'private' }])
    expect(data['privateAnswers']).toMatchObject([{ contributionId: id, text: { en: 'For you only.' } }])
    expect(data['reactions']).toMatchObject([{ contributionId: other.id, waitsForAnswer: true }])
    await erase(person.id)
    expect(await as().db.tx((tx) => tx.select().from(officialResponses).where(eq(officialResponses.contributionId, id)))).toEqual([])
    expect(await as().db.tx((tx) => tx.select().from(reactions).where(eq(reactions.contributionId, other.id)))).toEqual([])
    expect((await loadRow(other.id)).supports).toBe(0)
  })

  test('of the team: the questions they were given, which stay without them', async () => {
    const activity = await addQuestions()
    const { id } = await addQuestion(activity)
    const colleague = await addColleague({ role: 'project_admin', projectId: activity.projectId })
    await assignQuestion(as(admin), id, colleague.id)
    const data = (await readOwnData(as(colleague))) as Record<string, Record<string, unknown>[]>
    expect(data['assignedQuestions']).toMatchObject([{ id }])
    await erase(colleague.id)
    expect(await loadRow(id)).toMatchObject({ assigneeId: null, state: 'published' })
  })

  test('moves with an account that becomes part of another, which is told instead', async () => {
    const activity = await addQuestions()
    const { id } = await addQuestion(activity)
    const [from, into] = await Promise.all([addPerson(runtime, site), addPerson(runtime, site)])
    await join(from, id)
    await mergePeople(as(admin), { from: from.id, into: into.id })
    await answer(activity, id)
    expect((await loadMails(into.id)).map(({ kind }) => kind)).toContain('question-answered')
  })
})
