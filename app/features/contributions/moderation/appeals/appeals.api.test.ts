import { and, asc, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readDashboard } from '#app/features/dashboard/dashboard.server.ts'
import { eraseAccount, readOwnData } from '#app/features/people/own-data.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { JOBS } from '#app/root/jobs.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributionLinks, contributions, contributionVersions, replies } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { moderationAppeals, moderationCases, moderationDecisions } from '#app/server/db/schema/moderation.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution, buildContributionInput } from '#tests/factories/contributions.ts'
import { addHub } from '#tests/factories/content.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { requireActivityAt } from '../../record/activities.policy.server.ts'
import { getOwnContribution, withdrawOwnContribution } from '../../own/own-contributions.server.ts'
import { submitContribution } from '../../posting/submit-contribution.server.ts'
import { getContribution } from '../../reading/views.server.ts'
import { submitReply } from '../../responding/replies.server.ts'
import { decideOnContribution, decideOnReply, type StateDecision } from '../decide.server.ts'
import { loadModerationPage } from '../moderation-page.server.ts'
import { loadAppealPage } from './appeal-page.server.ts'

const NOON = new Date('2026-03-02T12:00:00Z')
const HOUR = 3_600_000
const at = (hours: number) => new Date(NOON.getTime() + hours * HOUR)

let runtime: TestRuntime
let site: Site
/** Who decides first, and somebody else who may decide appeals. */
let first: Person
let second: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'fr-CA'] })
  first = await addNamed('Frances First', { role: 'site_admin' })
  second = await addNamed('Sacha Second', { role: 'site_admin' })
})
beforeEach(() => runtime.setNow(NOON))

const inSite = <T>(work: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0], of = site) =>
  runtime.database.site(of.id).tx(work) as Promise<T>
async function addNamed(login: string, options: Parameters<typeof addPerson>[2] = {}, of = site): Promise<Person> {
  const person = await addPerson(runtime, of, options)
  await inSite((tx) => tx.update(users).set({ login }).where(eq(users.id, person.id)), of)
  return person
}
const addFrench = async () => {
  const person = await addNamed('Amélie')
  await inSite((tx) => tx.update(users).set({ locale: 'fr-CA' }).where(eq(users.id, person.id)))
  return person
}
const api = (person?: Person, of = site) => createApiClient(runtime, of, person?.token)
const asPerson = async (person?: Person, of = site): Promise<Ctx> =>
  createCtx(runtime, of, {
    language: 'en',
    viewer: await loadViewer({ db: runtime.database.site(of.id), database: runtime.database }, person?.token, runtime.now()),
  })

interface Found {
  id: string
  attributes: Record<string, unknown>
  meta?: { can?: Record<string, boolean> }
}
const one = (body: { data?: unknown } | undefined) => body?.data as Found
const all = (body: { data?: unknown } | undefined) => (body?.data ?? []) as Found[]
const pointersOf = (body: { errors?: { source?: { pointer?: string } }[] } | undefined) =>
  (body?.errors ?? []).map(({ source }) => source?.pointer)

const addText = async (
  values: Partial<typeof contributions.$inferInsert> = {},
  activityValues: Parameters<typeof addActivity>[2] = {},
  of = site,
) => {
  const activity = await addActivity(runtime, of, { postAccess: 'anyone', ...activityValues })
  const contribution = await addContribution(runtime, of, { activityId: activity.id, number: 1, ...values })
  return { activity, id: contribution.id, address: { project: activity.projectSlug, activity: activity.slug } }
}
const decide = async (id: string, decision: StateDecision, by = first, of = site) =>
  decideOnContribution(await asPerson(by, of), id, decision, { rule: 'abuse', words: 'It insults a neighbour.' })
/** The last decision in the last case about a contribution. */
const findDecision = async (contribution: string, of = site) => {
  const rows = await inSite<{ id: string }[]>(
    (tx) =>
      tx
        .select({ id: moderationDecisions.id })
        .from(moderationDecisions)
        .innerJoin(moderationCases, eq(moderationCases.id, moderationDecisions.caseId))
        .where(eq(moderationCases.contributionId, contribution))
        .orderBy(asc(moderationDecisions.decidedAt), asc(moderationDecisions.id)),
    of,
  )
  return rows.at(-1)?.id ?? ''
}
/** Something that its author sent, and that the first moderator declined. */
const addDeclined = async (author?: Person, of = site, by = first) => {
  const text = await addText({ state: 'held', authorId: author?.id ?? null }, {}, of)
  await decide(text.id, 'decline', by, of)
  return { ...text, decision: await findDecision(text.id, of) }
}
const appeal = (person: Person | undefined, decision: string, more: Record<string, unknown> = {}, id = createId(), of = site) =>
  api(person, of).post(
    '/moderation-appeals',
    buildResourceDocument(
      'moderation-appeals',
      { words: 'I named nobody.', ...more },
      { id, to: { decision: { type: 'moderation-decisions', id: decision } } },
    ),
  )
const settle = (person: Person | undefined, id: string, attributes: Record<string, unknown>, of = site) =>
  api(person, of).patch(`/moderation-appeals/${id}`, buildResourceDocument('moderation-appeals', attributes, { id }))
const upheld = { state: 'upheld', answer: 'It is an insult after all.' }
const overturned = { state: 'overturned', answer: 'It is harsh, but no insult.' }
const loadRow = async (id: string) => {
  const [row] = await inSite<(typeof contributions.$inferSelect)[]>((tx) => tx.select().from(contributions).where(eq(contributions.id, id)))
  return row
}
const stateOf = async (id: string) => (await loadRow(id))?.state
const mailsTo = (person: Person) =>
  inSite<{ kind: string; subject: string; bodyText: string }[]>((tx) =>
    tx
      .select({ kind: outboxMails.kind, subject: outboxMails.subject, bodyText: outboxMails.bodyText })
      .from(outboxMails)
      .where(eq(outboxMails.userId, person.id))
      .orderBy(asc(outboxMails.id)),
  )
const report = (person: Person | undefined, contribution: string, more: Record<string, unknown> = {}) =>
  api(person).post(
    '/moderation-reports',
    buildResourceDocument(
      'moderation-reports',
      { rule: 'abuse', ...more },
      { id: v7({ msecs: runtime.now().getTime() }), to: { contribution: { type: 'contributions', id: contribution } } },
    ),
  )
const keep = async (contribution: string) => {
  const [opened] = await inSite<{ id: string }[]>((tx) =>
    tx
      .select({ id: moderationCases.id })
      .from(moderationCases)
      .where(and(eq(moderationCases.contributionId, contribution), eq(moderationCases.state, 'open'))),
  )
  const to = { case: { type: 'moderation-cases', id: opened?.id ?? '' } }
  return api(first).post('/moderation-decisions', buildResourceDocument('moderation-decisions', { decision: 'keep' }, { to }))
}
/** Something public that somebody reported and the first moderator kept. */
const addKept = async (reporter: Person, author?: Person) => {
  const text = await addText({ authorId: author?.id ?? null })
  expect((await report(reporter, text.id)).status).toBe(201)
  expect((await keep(text.id)).status).toBe(201)
  return { ...text, decision: await findDecision(text.id) }
}
const runJob = async (name: string) => JOBS.find((job) => job.name === name)?.run(runtime, AbortSignal.timeout(60_000))
/** Reporters are told once a decision can no longer be taken back. */
const tellReporters = async () => {
  runtime.setNow(new Date(runtime.now().getTime() + 31_000))
  await runJob('tell-reporters')
}
const caseStateOf = async (contribution: string) =>
  (
    await inSite<{ state: string }[]>((tx) =>
      tx.select({ state: moderationCases.state }).from(moderationCases).where(eq(moderationCases.contributionId, contribution)),
    )
  ).map(({ state }) => state)

describe('an author whose text was declined', () => {
  test('is told in their language how to appeal, until when, and who decides', async () => {
    const author = await addFrench()
    const { decision } = await addDeclined(author)
    const [mail] = await mailsTo(author)
    expect(mail?.bodyText).toContain(`/fr-CA/appeals/${decision}`)
    expect(mail?.bodyText).toContain('1er avril 2026')
    expect(mail?.bodyText).toContain('Une autre personne que celle qui a décidé')
  })

  test('reads the same on the receipt and at the address', async () => {
    const author = await addPerson(runtime, site)
    const { decision, address } = await addDeclined(author)
    const ctx = await asPerson(author)
    const receipt = () => getOwnContribution(ctx, address, { number: 1 })
    expect((await receipt()).appeal).toEqual({ decision, until: '2026-04-01T12:00:00.000Z' })
    expect((await getContribution(await asPerson(), address, 1, undefined)).gone).toMatchObject({ state: 'declined', decision })
    await appeal(author, decision)
    expect((await receipt()).appeal).toEqual({ decision, until: null })
  })

  test('appeals once, and sending it again stores nothing more', async () => {
    const author = await addPerson(runtime, site)
    const { id, decision } = await addDeclined(author)
    const own = createId()
    const sent = await appeal(author, decision, { words: '  I named nobody.\r\nRead it again. ' }, own)
    expect([sent.status, one(sent.body).attributes]).toMatchObject([
      201,
      { appellant: 'author', state: 'pending', answer: '', words: 'I named nobody.\nRead it again.' },
    ])
    expect(await caseStateOf(id)).toEqual(['appealed'])
    expect(one((await appeal(author, decision, {}, own)).body).id).toBe(own)
    const again = await appeal(author, decision)
    expect([again.status, again.codes]).toEqual([409, ['conflict']])
    const stored = await inSite<unknown[]>((tx) => tx.select().from(moderationAppeals).where(eq(moderationAppeals.decisionId, decision)))
    expect(stored).toHaveLength(1)
  })

  test('sends two at the same moment, and one is stored', async () => {
    const author = await addPerson(runtime, site)
    const { decision } = await addDeclined(author)
    const sent = await Promise.all([1, 2, 3].map(() => appeal(author, decision)))
    expect(sent.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  })

  test('has 30 days', async () => {
    const author = await addPerson(runtime, site)
    const [early, late] = [await addDeclined(author), await addDeclined(author)]
    runtime.setNow(at(30 * 24))
    const refused = await appeal(author, late.decision)
    expect([refused.status, refused.codes]).toEqual([409, ['appeal-over']])
    runtime.setNow(new Date(at(30 * 24).getTime() - 1))
    expect((await appeal(author, early.decision)).status).toBe(201)
  })

  test('says why, in 2,000 characters or fewer', async () => {
    const author = await addPerson(runtime, site)
    const { decision } = await addDeclined(author)
    for (const [words, code] of [
      [' \n ', 'required'],
      ['x'.repeat(2001), 'too-long'],
    ] as const) {
      const refused = await appeal(author, decision, { words })
      expect([refused.status, refused.codes, pointersOf(refused.body)]).toEqual([422, [code], ['/data/attributes/words']])
    }
    expect((await appeal(author, decision, { words: 'é'.repeat(2000) })).status).toBe(201)
  })

  test('needs no account: the code of the receipt is enough', async () => {
    const activity = await addActivity(runtime, site, { postAccess: 'anyone' })
    const ctx = await asPerson()
    const address = { project: activity.projectSlug, activity: activity.slug }
    const { id, code } = await submitContribution(ctx, (tx) => requireActivityAt(ctx, tx, address), buildContributionInput(NOON))
    await decide(id, 'decline')
    const decision = await findDecision(id)
    expect((await loadAppealPage(ctx, decision, {})).known).toBeNull()
    expect((await loadAppealPage(ctx, decision, { receipt: code })).known).toMatchObject({ side: 'author', title: 'Benches by the river' })
    expect((await appeal(undefined, decision, { receipt: code })).status).toBe(201)
    expect((await loadAppealPage(ctx, decision, { receipt: code })).known?.appeal).toMatchObject({ state: 'pending' })
  })

  test('also appeals for a reply', async () => {
    const author = await addPerson(runtime, site)
    const { id } = await addText({}, { moderation: 'after' })
    const reply = await submitReply(await asPerson(author), {
      id: v7({ msecs: NOON.getTime() }),
      sendKey: 'only-the-sender-knows',
      contributionId: id,
      body: 'Not again.',
      shownName: '',
    })
    const load = async () => {
      const [row] = await inSite<{ reply: typeof replies.$inferSelect; count: number }[]>((tx) =>
        tx
          .select({ reply: replies, count: contributions.repliesCount })
          .from(replies)
          .innerJoin(contributions, eq(contributions.id, replies.contributionId))
          .where(eq(replies.id, reply.id)),
      )
      return row
    }
    const before = await load()
    await decideOnReply(await asPerson(first), reply.id, 'remove', { rule: 'abuse', words: 'No.' })
    expect((await load())?.count).toBe(0)
    const sent = await appeal(author, await findDecision(id))
    expect((await settle(second, one(sent.body).id, overturned)).status).toBe(200)
    const after = await load()
    expect(after?.reply).toEqual({ ...before?.reply, decidedBy: second.id, decidedAt: NOON })
    expect(after?.count).toBe(1)
  })
})

describe('a decision', () => {
  test('is nobody else’s business: it is as if there were none', async () => {
    const author = await addPerson(runtime, site)
    const { decision } = await addDeclined(author)
    const stranger = await addPerson(runtime, site)
    const learnt = async (person: Person | undefined, of: string, more = {}) => {
      const { status, codes, body } = await appeal(person, of, more)
      return [status, codes, pointersOf(body)]
    }
    for (const [person, more] of [
      [stranger, {}],
      [undefined, {}],
      [undefined, { receipt: 'ABCD-EFGH-JKLM-NPQR' }],
      [undefined, { browserToken: issueToken(runtime, site, 'a-browser-that-reported-nothing') }],
    ] as const) {
      const refused = await learnt(person, decision, more)
      expect(refused).toEqual([404, ['not-found'], ['/data/relationships/decision/data']])
      expect(await learnt(person, createId(), more)).toEqual(refused)
    }
    expect((await loadAppealPage(await asPerson(stranger), decision, {})).known).toBeNull()
  })

  test('does not give away receipts to somebody who tries one after another', async () => {
    const other = await addSite(runtime, { slug: 'guessed' })
    const chief = await addPerson(runtime, other, { role: 'site_admin' })
    const { decision } = await addDeclined(undefined, other, chief)
    const guess = () => appeal(undefined, decision, { receipt: 'ABCD-EFGH-JKLM-NPQR' }, createId(), other)
    // An office never mistypes as often within an hour.
    for (let tries = 0; tries <= 200; tries += 1) expect((await guess()).status).toBe(404)
    const refused = await guess()
    expect([refused.status, refused.codes]).toEqual([429, ['too-many-requests']])
  })

  test('that published or kept a text is not appealed by its author, nor one that removed it by who reported', async () => {
    const [author, reporter] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    const { decision: kept } = await addKept(reporter, author)
    expect((await appeal(author, kept)).codes).toEqual(['conflict'])
    const { id } = await addText({ authorId: author.id })
    await report(reporter, id)
    await decide(id, 'remove')
    expect((await appeal(reporter, await findDecision(id))).codes).toEqual(['conflict'])
    expect((await appeal(author, await findDecision(id))).status).toBe(201)
  })
})

describe('an appeal', () => {
  test('is in the bell and on the dashboard of those who may decide it, until it is decided', async () => {
    const author = await addNamed('Ines')
    const { decision, id } = await addDeclined(author)
    const told = async (person: Person) => {
      const { body } = await api(person).get('/notifications')
      const listed = (body?.data ?? []) as { attributes: { kind: string; subject: string } }[]
      return listed.filter(({ attributes }) => attributes.kind === 'appeal' && attributes.subject === id).length
    }
    const count = async (person: Person) => (await readDashboard(await asPerson(person))).moderation.appeals
    const before = await count(second)
    const appealId = one((await appeal(author, decision)).body).id
    expect([await told(second), await told(first), await told(author)]).toEqual([1, 0, 0])
    expect(await count(second)).toBe(before + 1)
    await settle(second, appealId, upheld)
    expect([await told(second), await count(second)]).toEqual([0, before])
  })

  test('is decided by someone other than who decided first', async () => {
    const author = await addFrench()
    const { id, decision } = await addDeclined(author)
    const appealId = one((await appeal(author, decision)).body).id
    const seen = one((await api(first).get(`/moderation-appeals/${appealId}`)).body)
    expect(seen.attributes).toMatchObject({ refusal: 'same-person', deciders: ['Sacha Second'], openToAllAt: null })
    expect(seen.meta?.can).toEqual({ decide: false })
    const refused = await settle(first, appealId, upheld)
    expect([refused.status, refused.codes]).toEqual([403, ['appeal-same-person']])
    expect(JSON.stringify(refused.body)).toContain('Someone else has to decide the appeal')
    // Waiting makes no difference as long as there is somebody else.
    runtime.setNow(at(25))
    expect((await settle(first, appealId, upheld)).codes).toEqual(['appeal-same-person'])

    expect(one((await api(second).get(`/moderation-appeals/${appealId}`)).body).meta?.can).toEqual({ decide: true })
    const blank = await settle(second, appealId, { state: 'upheld', answer: ' ' })
    expect([blank.status, blank.codes, pointersOf(blank.body)]).toEqual([422, ['required'], ['/data/attributes/answer']])
    const decided = await settle(second, appealId, upheld)
    expect([decided.status, one(decided.body).attributes]).toMatchObject([200, { ...upheld, decidedAt: at(25).toISOString() }])
    expect(await stateOf(id)).toBe('declined')
    expect(await caseStateOf(id)).toEqual(['decided'])
    expect((await settle(second, appealId, overturned)).status).toBe(409)

    const mail = (await mailsTo(author)).at(-1)
    expect(mail?.kind).toBe('appeal-author-upheld')
    expect(mail?.subject).toContain('la décision est maintenue')
    expect(mail?.bodyText).toContain('It is an insult after all.')
    expect(JSON.stringify(mail)).not.toMatch(/Frances|Sacha/)
    expect((await loadAppealPage(await asPerson(author), decision, {})).known).toMatchObject({
      appealUntil: null,
      appeal: { state: 'upheld', answer: 'It is an insult after all.' },
    })
    expect((await appeal(author, decision)).status).toBe(409)
  })

  test('is not decided by its author or the author of the text, whatever their role', async () => {
    const author = await addPerson(runtime, site, { role: 'site_admin' })
    const { decision } = await addDeclined(author)
    const appealId = one((await appeal(author, decision)).body).id
    expect((await settle(author, appealId, overturned)).codes).toEqual(['appeal-same-person'])
    const reporter = await addPerson(runtime, site)
    const { decision: kept } = await addKept(reporter, author)
    const about = one((await appeal(reporter, kept)).body).id
    expect((await settle(author, about, upheld)).codes).toEqual(['appeal-same-person'])
    expect((await settle(second, about, upheld)).status).toBe(200)
  })

  test('waits 24 hours where nobody else can decide, and says so', async () => {
    const lone = await addSite(runtime, { slug: 'lone' })
    const only = await addNamed('Olive Only', { role: 'site_admin' }, lone)
    const author = await addPerson(runtime, lone)
    const { decision } = await addDeclined(author, lone, only)
    runtime.setNow(at(2))
    const appealId = one((await appeal(author, decision, {}, createId(), lone)).body).id
    const seen = one((await api(only, lone).get(`/moderation-appeals/${appealId}`)).body)
    expect(seen.attributes).toMatchObject({ refusal: 'too-early', deciders: [], openToAllAt: at(26).toISOString() })
    runtime.setNow(new Date(at(26).getTime() - 1))
    const refused = await settle(only, appealId, upheld, lone)
    expect([refused.status, refused.codes]).toEqual([409, ['appeal-too-early']])
    expect(JSON.stringify(refused.body)).toContain('nobody else on this site')
    runtime.setNow(at(26))
    expect(one((await api(only, lone).get(`/moderation-appeals/${appealId}`)).body).meta?.can).toEqual({ decide: true })
    expect((await settle(only, appealId, upheld, lone)).status).toBe(200)
  })

  test('is read and decided by those whose table of permissions says so', async () => {
    const [mine, other] = [await addHub(runtime, site), await addHub(runtime, site)]
    const project = await addProject(runtime, site, { hubId: mine.id, status: 'published', publishedAt: new Date('2026-01-01') })
    const author = await addPerson(runtime, site)
    const { id } = await addText({ state: 'held', authorId: author.id }, { projectId: project.id })
    await decide(id, 'decline')
    const appealId = one((await appeal(author, await findDecision(id))).body).id
    const elsewhere = await addSite(runtime, { slug: 'elsewhere' })
    // Who may never decide an appeal is told so before one is looked for; who decides others is not told that this one exists.
    const strangers: [Person | undefined, Site, number][] = [
      [await addPerson(runtime, site), site, 403],
      [undefined, site, 401],
      [await addPerson(runtime, site, { role: 'hub_admin', hubId: other.id }), site, 404],
      [await addPerson(runtime, elsewhere, { role: 'site_admin' }), elsewhere, 404],
    ]
    for (const [person, of, refusal] of strangers) {
      expect((await api(person, of).get(`/moderation-appeals/${appealId}`)).status).toBe(404)
      expect(all((await api(person, of).get('/moderation-appeals')).body).map((row) => row.id)).not.toContain(appealId)
      expect((await settle(person, appealId, upheld, of)).status).toBe(refusal)
    }
    expect(await inSite((tx) => tx.select().from(moderationAppeals).where(eq(moderationAppeals.id, appealId)), elsewhere)).toEqual([])
    // The author reads it, without what is said to moderators; whoever moderates the project reads it and does not decide it.
    const own = one((await api(author).get(`/moderation-appeals/${appealId}`)).body).attributes
    expect([own['words'], 'deciders' in own]).toEqual(['I named nobody.', false])
    const projectAdmin = await addPerson(runtime, site, { role: 'project_admin', projectId: project.id })
    expect((await settle(projectAdmin, appealId, upheld)).status).toBe(403)
    expect((await settle(author, appealId, upheld)).status).toBe(403)
    const hubAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId: mine.id })
    expect((await settle(hubAdmin, appealId, upheld)).status).toBe(200)
  })

  test('closes without a decision when there is nothing left to decide, and the author’s words go', async () => {
    const [author, reporter] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    const { decision, address } = await addKept(reporter, author)
    const appealId = one((await appeal(reporter, decision)).body).id
    await withdrawOwnContribution(await asPerson(author), address, { number: 1 })
    const [closed] = await inSite<{ state: string; words: string }[]>((tx) =>
      tx.select().from(moderationAppeals).where(eq(moderationAppeals.id, appealId)),
    )
    expect(closed).toMatchObject({ state: 'closed', words: 'I named nobody.' })
    expect((await settle(second, appealId, upheld)).status).toBe(409)

    const { id, decision: declined } = await addDeclined(author)
    const ownAppeal = one((await appeal(author, declined)).body).id
    const erase = buildResourceDocument('contributions', { state: 'erased', reason: 'Names a neighbour' }, { id })
    expect((await api(first).patch(`/contributions/${id}`, erase)).status).toBe(200)
    const [erased] = await inSite<{ state: string; words: string }[]>((tx) =>
      tx.select().from(moderationAppeals).where(eq(moderationAppeals.id, ownAppeal)),
    )
    expect(erased).toMatchObject({ state: 'closed', words: '' })
  })

  test('leaves lines in the trail: who appealed, unless they reported, and who decided what', async () => {
    const [author, reporter] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    const { decision } = await addDeclined(author)
    const byAuthor = one((await appeal(author, decision)).body).id
    await settle(second, byAuthor, overturned)
    const { decision: kept } = await addKept(reporter)
    const byReporter = one((await appeal(reporter, kept)).body).id
    await settle(second, byReporter, upheld)
    const linesOf = (subject: string) =>
      inSite((tx) =>
        tx
          .select({ action: auditEvents.action, actorId: auditEvents.actorId })
          .from(auditEvents)
          .where(eq(auditEvents.subjectId, subject))
          .orderBy(auditEvents.sequence),
      )
    expect(await linesOf(byAuthor)).toEqual([
      { action: 'moderation-appeals.create', actorId: author.id },
      { action: 'moderation-appeals.overturn', actorId: second.id },
    ])
    expect(await linesOf(byReporter)).toEqual([
      { action: 'moderation-appeals.create', actorId: null },
      { action: 'moderation-appeals.uphold', actorId: second.id },
    ])
  })
})

describe('an overturned decision', () => {
  test('publishes what was declined, as it was sent', async () => {
    const author = await addFrench()
    const { id, decision, address } = await addDeclined(author)
    const sent = await loadRow(id)
    const appealId = one((await appeal(author, decision)).body).id
    runtime.setNow(at(5))
    expect((await settle(second, appealId, overturned)).status).toBe(200)
    expect(await loadRow(id)).toMatchObject({
      state: 'published',
      title: sent?.title,
      body: sent?.body,
      number: sent?.number,
      version: sent?.version,
      reason: '',
      publishedAt: at(5),
    })
    const { contribution } = await getContribution(await asPerson(), address, 1, undefined)
    expect(contribution).toMatchObject({ title: 'Idea 1', body: 'More trees along the river.' })
    const mail = (await mailsTo(author)).at(-1)
    expect([mail?.kind, mail?.subject]).toEqual(['appeal-author-overturned', expect.stringContaining('vous aviez raison')])
    expect(mail?.bodyText).toContain('It is harsh, but no insult.')
    expect(await caseStateOf(id)).toEqual(['decided'])
  })

  test('restores what was removed exactly, with what was merged into it', async () => {
    const author = await addPerson(runtime, site)
    const { id, activity } = await addText({ authorId: author.id, statusId: null })
    const double = await addContribution(runtime, site, { activityId: activity.id, number: 2 })
    const support = (contribution: string, browserToken: string) => {
      const to = { contribution: { type: 'contributions', id: contribution } }
      const reaction = createId()
      const document = buildResourceDocument(
        'reactions',
        { value: 'support', browserToken: issueToken(runtime, site, browserToken) },
        { id: reaction, to },
      )
      return api().put(`/reactions/${reaction}`, document)
    }
    for (const [contribution, browser] of [
      [id, 'browser-one'],
      [id, 'browser-two'],
      [double.id, 'browser-two'],
      [double.id, 'browser-three'],
    ] as const)
      expect((await support(contribution, browser)).status).toBeLessThan(300)
    const merge = buildResourceDocument(
      'contribution-links',
      { kind: 'duplicate_of', reason: 'The same trees' },
      { to: { contribution: { type: 'contributions', id: double.id }, target: { type: 'contributions', id } } },
    )
    expect((await api(first).post('/contribution-links', merge)).status).toBe(201)
    const loadAll = async () => ({
      rows: [await loadRow(id), await loadRow(double.id)],
      versions: await inSite((tx) => tx.select().from(contributionVersions).where(eq(contributionVersions.contributionId, id))),
      links: await inSite((tx) => tx.select().from(contributionLinks).where(eq(contributionLinks.targetId, id))),
    })
    const before = await loadAll()
    expect(before.rows.map((row) => [row?.state, row?.supports])).toEqual([
      ['published', 3],
      ['merged', expect.any(Number)],
    ])
    runtime.setNow(at(1))
    await decide(id, 'remove')
    expect([await stateOf(id), await stateOf(double.id)]).toEqual(['removed', 'published'])
    runtime.setNow(at(2))
    const appealId = one((await appeal(author, await findDecision(id))).body).id
    runtime.setNow(at(3))
    expect((await settle(second, appealId, overturned)).status).toBe(200)
    const after = await loadAll()
    const withoutDecision = ({ rows, ...more }: typeof after) => ({
      ...more,
      rows: rows.map((row) => ({ ...row, decidedBy: null, decidedAt: null })),
    })
    expect(withoutDecision(after)).toEqual(withoutDecision(before))
  })

  test('leaves what was merged elsewhere in the meantime where it is', async () => {
    const author = await addPerson(runtime, site)
    const { id, activity } = await addText({ authorId: author.id })
    const [double, third] = [
      await addContribution(runtime, site, { activityId: activity.id, number: 2 }),
      await addContribution(runtime, site, { activityId: activity.id, number: 3 }),
    ]
    const merge = (into: string) =>
      api(first).post(
        '/contribution-links',
        buildResourceDocument(
          'contribution-links',
          { kind: 'duplicate_of', reason: 'The same trees' },
          { to: { contribution: { type: 'contributions', id: double.id }, target: { type: 'contributions', id: into } } },
        ),
      )
    expect((await merge(id)).status).toBe(201)
    runtime.setNow(at(1))
    await decide(id, 'remove')
    expect((await merge(third.id)).status).toBe(201)
    const appealId = one((await appeal(author, await findDecision(id))).body).id
    expect((await settle(second, appealId, overturned)).status).toBe(200)
    expect([await stateOf(id), (await loadRow(double.id))?.mergedInto]).toEqual(['published', third.id])
  })
})

describe('somebody who reported', () => {
  test('appeals against keeping it; overturned, it is removed by a rule, and its author may appeal in turn', async () => {
    const [author, reporter] = [await addPerson(runtime, site), await addFrench()]
    const { id, decision } = await addKept(reporter, author)
    await tellReporters()
    expect((await mailsTo(reporter)).map(({ kind }) => kind)).toEqual(['report-kept'])
    const appealId = one((await appeal(reporter, decision)).body).id
    expect(await stateOf(id)).toBe('published')
    expect((await settle(first, appealId, { ...overturned, rule: 'hate' })).codes).toEqual(['appeal-same-person'])
    const unnamed = await settle(second, appealId, overturned)
    expect([unnamed.status, unnamed.codes, pointersOf(unnamed.body)]).toEqual([422, ['required'], ['/data/attributes/rule']])
    runtime.setNow(at(1))
    expect((await settle(second, appealId, { ...overturned, answer: 'It attacks newcomers.', rule: 'hate' })).status).toBe(200)
    expect(await loadRow(id)).toMatchObject({ state: 'removed', reason: 'It attacks newcomers.' })
    const told = (await mailsTo(reporter)).at(-1)
    expect([told?.kind, told?.subject]).toEqual(['appeal-reporter-overturned', expect.stringContaining('vous aviez raison')])
    const removal = await findDecision(id)
    const [toAuthor] = await mailsTo(author)
    expect(toAuthor?.bodyText).toContain(`/en/appeals/${removal}`)
    // Neither learns the other's name, nor who decided.
    expect(JSON.stringify([told, toAuthor])).not.toMatch(/Amélie|Frances|Sacha/)

    const byAuthor = one((await appeal(author, removal)).body).id
    for (const person of [first, second]) expect((await settle(person, byAuthor, overturned)).codes).toEqual(['appeal-same-person'])
    const third = await addPerson(runtime, site, { role: 'site_admin' })
    expect((await settle(third, byAuthor, overturned)).status).toBe(200)
    expect(await stateOf(id)).toBe('published')
    await inSite((tx) => tx.update(users).set({ blockedAt: NOON }).where(eq(users.id, third.id)))
  })

  test('cannot appeal against a text that an appeal brought back: two people have looked at it', async () => {
    const [author, reporter] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    const { id } = await addText({ authorId: author.id })
    await report(reporter, id)
    await decide(id, 'remove')
    runtime.setNow(at(1))
    const byAuthor = one((await appeal(author, await findDecision(id))).body).id
    expect((await settle(second, byAuthor, overturned)).status).toBe(200)
    const restored = await findDecision(id)
    expect((await loadAppealPage(await asPerson(reporter), restored, {})).known).toMatchObject({ decision: 'restore', appealUntil: null })
    expect((await appeal(reporter, restored)).codes).toEqual(['conflict'])
  })

  test('without an account shows the browser that reported', async () => {
    const { id } = await addText()
    await report(undefined, id, { browserToken: issueToken(runtime, site, 'the-browser-that-reported') })
    await keep(id)
    const decision = await findDecision(id)
    const ctx = await asPerson()
    const known = async (browserToken: string) =>
      (await loadAppealPage(ctx, decision, { browserToken: issueToken(runtime, site, browserToken) })).known
    expect(await known('another-browser')).toBeNull()
    // Whoever reported reads what was decided, and not what the text was called.
    expect(await known('the-browser-that-reported')).toMatchObject({ side: 'reporter', title: '', appealUntil: expect.any(String) })
    expect((await appeal(undefined, decision, { browserToken: issueToken(runtime, site, 'the-browser-that-reported') })).status).toBe(201)
  })
})

describe('a person’s own data', () => {
  test('lists their appeals, and erasing the account erases their words', async () => {
    const author = await addPerson(runtime, site)
    const { decision } = await addDeclined(author)
    const appealId = one((await appeal(author, decision, { words: 'My sister Ana agrees.' })).body).id
    const ctx = await asPerson(author)
    expect((await readOwnData(ctx))['appeals']).toMatchObject([{ appellant: 'author', words: 'My sister Ana agrees.', state: 'pending' }])
    await ctx.db.tx((tx) => eraseAccount(ctx, tx, site.id, author.id))
    const [left] = await inSite<{ words: string; appellantId: string | null; state: string }[]>((tx) =>
      tx.select().from(moderationAppeals).where(eq(moderationAppeals.id, appealId)),
    )
    expect(left).toMatchObject({ words: '', appellantId: null, state: 'closed' })
  })

  test('also goes from an appeal about somebody else’s text, which is decided all the same', async () => {
    const reporter = await addPerson(runtime, site)
    const { id, decision } = await addKept(reporter)
    const appealId = one((await appeal(reporter, decision, { words: 'My sister Ana agrees.' })).body).id
    const ctx = await asPerson(reporter)
    await ctx.db.tx((tx) => eraseAccount(ctx, tx, site.id, reporter.id))
    const [left] = await inSite<{ words: string; appellantId: string | null; state: string }[]>((tx) =>
      tx.select().from(moderationAppeals).where(eq(moderationAppeals.id, appealId)),
    )
    expect(left).toMatchObject({ words: '', appellantId: null, state: 'pending' })
    expect((await settle(second, appealId, upheld)).status).toBe(200)
    expect(await stateOf(id)).toBe('published')
  })
})

describe('the public page', () => {
  test('counts appeals and what they changed, in steps of five', async () => {
    const counted = await addSite(runtime, { slug: 'counted' })
    const [chief, deputy] = [
      await addPerson(runtime, counted, { role: 'site_admin' }),
      await addPerson(runtime, counted, { role: 'site_admin' }),
    ]
    const author = await addPerson(runtime, counted)
    const facts = async () => (await loadModerationPage(await asPerson(undefined, counted))).facts
    const sent: string[] = []
    for (let index = 0; index < 9; index += 1) {
      const { decision } = await addDeclined(author, counted, chief)
      sent.push(one((await appeal(author, decision, {}, createId(), counted)).body).id)
    }
    for (const id of sent.slice(0, 4)) await settle(deputy, id, overturned, counted)
    for (const id of sent.slice(4, 7)) await settle(deputy, id, upheld, counted)
    expect(await facts()).toMatchObject({ received: 5, declined: 5, appealed: 5, overturned: 0 })
    await settle(deputy, sent[7] ?? '', overturned, counted)
    expect(await facts()).toMatchObject({ declined: 5, appealed: 5, overturned: 5 })
  })
})
