import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mergePeople } from '#app/features/people/people.merge.server.ts'
import { eraseAccount, readOwnData } from '#app/features/people/own-data.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { JOBS } from '#app/root/jobs.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributions, replies } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { moderationCases, moderationDecisions, moderationReports } from '#app/server/db/schema/moderation.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addHub } from '#tests/factories/content.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { editContribution } from '../../own/own-contributions.server.ts'
import { submitReply } from '../../responding/replies.server.ts'
import { decideOnContribution } from '../decide.server.ts'

const NOON = new Date('2026-03-02T12:00:00Z')
const HOUR = 3_600_000
const at = (hours: number) => new Date(NOON.getTime() + hours * HOUR)

let runtime: TestRuntime
let site: Site
let admin: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'fr-CA'] })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})
beforeEach(() => runtime.setNow(NOON))

const api = (person?: Person, of = site) => createApiClient(runtime, of, person?.token)
const asPerson = async (person?: Person, of = site): Promise<Ctx> =>
  createCtx(runtime, of, {
    viewer: await loadViewer({ db: runtime.database.site(of.id), database: runtime.database }, person?.token, runtime.now()),
  })
const inSite = <T>(work: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0], of = site) =>
  runtime.database.site(of.id).tx(work) as Promise<T>

interface Found {
  id: string
  attributes: Record<string, unknown>
}
const all = (body: { data?: unknown } | undefined) => (body?.data ?? []) as Found[]
const pointersOf = (body: { errors?: { source?: { pointer?: string } }[] } | undefined) =>
  (body?.errors ?? []).map(({ source }) => source?.pointer)

const report = (person: Person | undefined, contribution: string, more: Record<string, unknown> = {}, reply?: string) =>
  api(person).post(
    '/moderation-reports',
    buildResourceDocument(
      'moderation-reports',
      { rule: 'abuse', ...(person ? {} : { browserToken: issueToken(runtime, site, 'a-browser-of-its-own') }), ...more },
      {
        id: v7({ msecs: runtime.now().getTime() }),
        to: {
          contribution: { type: 'contributions', id: contribution },
          ...(reply && { reply: { type: 'replies', id: reply } }),
        },
      },
    ),
  )
const addText = async (values: Partial<typeof contributions.$inferInsert> = {}, activityValues: Parameters<typeof addActivity>[2] = {}) => {
  const activity = await addActivity(runtime, site, { postAccess: 'anyone', ...activityValues })
  const contribution = await addContribution(runtime, site, { activityId: activity.id, number: 1, ...values })
  return { activity, id: contribution.id, address: { project: activity.projectSlug, activity: activity.slug } }
}
const addPeople = (total: number, options: Parameters<typeof addPerson>[2] = {}) =>
  Promise.all(Array.from({ length: total }, () => addPerson(runtime, site, options)))
const stateOf = async (id: string) => {
  const [row] = await inSite<{ state: string }[]>((tx) =>
    tx.select({ state: contributions.state }).from(contributions).where(eq(contributions.id, id)),
  )
  return row?.state
}
const casesOf = (id: string) =>
  inSite<(typeof moderationCases.$inferSelect)[]>((tx) =>
    tx.select().from(moderationCases).where(eq(moderationCases.contributionId, id)).orderBy(moderationCases.openedAt, moderationCases.id),
  )
const mailsTo = (person: Person) =>
  inSite<{ kind: string; subject: string; bodyText: string }[]>((tx) =>
    tx
      .select({ kind: outboxMails.kind, subject: outboxMails.subject, bodyText: outboxMails.bodyText })
      .from(outboxMails)
      .where(eq(outboxMails.userId, person.id)),
  )
const runJob = async (name: string) => JOBS.find((job) => job.name === name)?.run(runtime, AbortSignal.timeout(60_000))
/** Reporters are told once a decision can no longer be taken back. */
const tellReporters = async () => {
  runtime.setNow(new Date(runtime.now().getTime() + 31_000))
  await runJob('tell-reporters')
}
const keep = async (id: string, by = admin) => {
  const [opened] = (await casesOf(id)).filter(({ state }) => state === 'open')
  return api(by).post(
    '/moderation-decisions',
    buildResourceDocument(
      'moderation-decisions',
      { decision: 'keep' },
      { to: { case: { type: 'moderation-cases', id: opened?.id ?? '' } } },
    ),
  )
}

describe('a report', () => {
  test('opens a case with its rule and words, and hides nothing', async () => {
    const { id } = await addText()
    const sent = await report(undefined, id, { rule: 'personal-data', words: '  It names my neighbour.\r\nPlease look. ' })
    expect(sent.status).toBe(201)
    expect(await stateOf(id)).toBe('published')
    const [opened] = all((await api(admin).get(`/moderation-cases?filter[reported]=true`)).body)
    expect(opened?.attributes).toMatchObject({ openedBy: 'report', state: 'open', reports: 1, version: 1, heldUntil: null })
    const reports = all((await api(admin).get(`/moderation-reports?filter[case]=${opened?.id}`)).body)
    expect(reports.map(({ attributes }) => attributes)).toMatchObject([
      { rule: 'personal-data', words: 'It names my neighbour.\nPlease look.', byAccount: false, reporterName: null, version: 1 },
    ])
  })

  test('names a rule of the site, in 500 characters or fewer', async () => {
    const { id } = await addText()
    const unknown = await report(undefined, id, { rule: 'taste' })
    expect([unknown.status, unknown.codes, pointersOf(unknown.body)]).toEqual([422, ['not-a-choice'], ['/data/attributes/rule']])
    const long = await report(undefined, id, { words: 'x'.repeat(501) })
    expect([long.status, long.codes, pointersOf(long.body)]).toEqual([422, ['too-long'], ['/data/attributes/words']])
    expect((await report(undefined, id, { words: 'é'.repeat(500) })).status).toBe(201)
  })

  test('counts once for a person and version, by account or by browser', async () => {
    const { id, address, activity } = await addText({}, { moderation: 'after' })
    const [person] = (await addPeople(1)) as [Person]
    const first = await report(undefined, id, { browserToken: issueToken(runtime, site, 'the-same-browser') })
    // Somebody who reported and then signed in is still the same person.
    const again = await report(person, id, { rule: 'hate', browserToken: issueToken(runtime, site, 'the-same-browser') })
    const ids = [first, again].map(({ body }) => (body?.data as Found | undefined)?.id)
    expect(new Set(ids).size).toBe(1)
    expect((again.body?.data as Found | undefined)?.attributes['rule']).toBe('abuse')
    await report(undefined, id, { browserToken: issueToken(runtime, site, 'another-browser') })
    await report(undefined, id, { browserToken: issueToken(runtime, site, 'another-browser') })
    const [opened] = await casesOf(id)
    const stored = () =>
      inSite<{ version: number }[]>((tx) =>
        tx
          .select({ version: moderationReports.version })
          .from(moderationReports)
          .where(eq(moderationReports.caseId, opened?.id ?? '')),
      )
    expect(await stored()).toHaveLength(2)
    // A new version can be reported anew.
    const author = await addPerson(runtime, site)
    await inSite((tx) => tx.update(contributions).set({ authorId: author.id, submittedAt: NOON }).where(eq(contributions.id, id)))
    const ctx = await asPerson(author)
    await editContribution(ctx, address, { number: 1 }, { title: 'Other words', body: 'More trees.', categories: [] })
    await report(undefined, id, { browserToken: issueToken(runtime, site, 'another-browser') })
    expect((await stored()).map(({ version }) => version)).toEqual([1, 1, 2])
    expect(activity.moderation).toBe('after')
  })

  test('needs an account or a browser, and something that is public', async () => {
    const { id } = await addText()
    const nobody = await report(undefined, id, { browserToken: undefined })
    expect([nobody.status, nobody.codes]).toEqual([401, ['browser-or-account-needed']])
    const { id: held } = await addText({ state: 'held' })
    const { id: removed } = await addText({ state: 'removed' })
    for (const [reader, contribution, status] of [
      [undefined, held, 404],
      [undefined, removed, 409],
      [admin, held, 404],
      [admin, removed, 409],
    ] as const) {
      expect((await report(reader, contribution)).status).toBe(status)
    }
  })

  test('the eleventh within ten minutes is refused and says when to try again', async () => {
    const activity = await addActivity(runtime, site, {})
    const texts = await Promise.all(
      Array.from({ length: 11 }, (_, index) => addContribution(runtime, site, { activityId: activity.id, number: index + 1 })),
    )
    const [person] = (await addPeople(1)) as [Person]
    for (const { id } of texts.slice(0, 10)) expect((await report(person, id)).status).toBe(201)
    const refused = await report(person, texts[10]?.id ?? '')
    expect([refused.status, refused.codes]).toEqual([429, ['too-many-requests']])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('can be about a reply, which alone is held and comes back', async () => {
    const { id } = await addText({}, { moderation: 'after' })
    const reply = await submitReply(await asPerson(), {
      id: v7({ msecs: runtime.now().getTime() }),
      sendKey: 'only-the-sender-knows',
      contributionId: id,
      body: 'You are all fools.',
      shownName: '',
    })
    for (const person of await addPeople(3)) expect((await report(person, id, {}, reply.id)).status).toBe(201)
    const replyState = async () => {
      const [row] = await inSite<{ state: string; count: number }[]>((tx) =>
        tx
          .select({ state: replies.state, count: contributions.repliesCount })
          .from(replies)
          .innerJoin(contributions, eq(contributions.id, replies.contributionId))
          .where(eq(replies.id, reply.id)),
      )
      return [row?.state, row?.count]
    }
    expect(await replyState()).toEqual(['held', 0])
    expect(await stateOf(id)).toBe('published')
    runtime.setNow(at(48))
    await runJob('return-held-texts')
    expect(await replyState()).toEqual(['published', 1])
  })
})

describe('reports by confirmed accounts', () => {
  test('of three people hold a text for 48 hours; then it comes back by itself, with an event and a mail', async () => {
    const author = await addPerson(runtime, site)
    const { id } = await addText({ authorId: author.id })
    const [before] = await inSite<{ publishedAt: Date }[]>((tx) => tx.select().from(contributions).where(eq(contributions.id, id)))
    const [one, two, three] = (await addPeople(3)) as [Person, Person, Person]
    for (const person of [one, two]) await report(person, id)
    expect(await stateOf(id)).toBe('published')
    await report(three, id)
    expect(await stateOf(id)).toBe('held')
    const [opened] = await casesOf(id)
    expect(opened).toMatchObject({ state: 'open', heldUntil: at(48), dueAt: at(48) })
    const decisions = await inSite((tx) =>
      tx
        .select()
        .from(moderationDecisions)
        .where(eq(moderationDecisions.caseId, opened?.id ?? '')),
    )
    expect(decisions).toMatchObject([{ decision: 'hold', automatic: true, decidedBy: null }])
    expect((await api().get(`/contributions/${id}`)).status).toBe(404)

    runtime.setNow(at(47.9))
    await runJob('return-held-texts')
    expect(await stateOf(id)).toBe('held')
    runtime.setNow(at(48))
    await runJob('return-held-texts')
    expect(await stateOf(id)).toBe('published')
    const [after] = await inSite<{ publishedAt: Date }[]>((tx) => tx.select().from(contributions).where(eq(contributions.id, id)))
    expect(after?.publishedAt).toEqual(before?.publishedAt)
    expect((await casesOf(id))[0]).toMatchObject({ state: 'open', heldUntil: null })
    const events = await inSite<{ action: string; actorId: string | null }[]>((tx) =>
      tx
        .select({ action: auditEvents.action, actorId: auditEvents.actorId })
        .from(auditEvents)
        .where(eq(auditEvents.subjectId, id))
        .orderBy(auditEvents.sequence),
    )
    expect(events).toEqual([
      { action: 'contributions.hold', actorId: null },
      { action: 'contributions.return', actorId: null },
    ])
    expect((await mailsTo(author)).map(({ kind }) => kind)).toEqual(['contribution-reported', 'contribution-returned'])
    // Once only: more reports of the same words no longer hold it.
    for (const person of await addPeople(3)) await report(person, id)
    expect(await stateOf(id)).toBe('published')
  })

  test('are not those of visitors, of unconfirmed accounts or of one person twice', async () => {
    const { id } = await addText()
    const [one, two] = (await addPeople(2)) as [Person, Person]
    for (const person of [one, two, one]) await report(person, id)
    for (const token of ['browser-of-a', 'browser-of-b', 'browser-of-c'])
      await report(undefined, id, { browserToken: issueToken(runtime, site, token) })
    for (const person of await addPeople(2, { confirmed: false })) await report(person, id)
    expect(await stateOf(id)).toBe('published')
  })

  test('that come at the same moment hold it once', async () => {
    const { id } = await addText()
    const people = await addPeople(5)
    const sent = await Promise.all(people.map((person) => report(person, id)))
    expect(sent.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(3)
    expect(await stateOf(id)).toBe('held')
    const [opened, ...more] = await casesOf(id)
    expect(more).toEqual([])
    const holds = await inSite<unknown[]>((tx) =>
      tx
        .select()
        .from(moderationDecisions)
        .where(eq(moderationDecisions.caseId, opened?.id ?? '')),
    )
    expect(holds).toHaveLength(1)
  })

  test('never hold what a moderator has looked at after a report', async () => {
    const { id } = await addText()
    const [one, ...others] = (await addPeople(4)) as [Person, ...Person[]]
    await report(one, id)
    expect((await keep(id)).status).toBe(201)
    for (const person of others) await report(person, id)
    expect(await stateOf(id)).toBe('published')
    expect((await casesOf(id)).map(({ state }) => state)).toEqual(['decided', 'open'])
  })

  test('are decided by a moderator before the time is up: then nothing comes back', async () => {
    const { id } = await addText()
    for (const person of await addPeople(3)) await report(person, id)
    await decideOnContribution(await asPerson(admin), id, 'remove', { rule: 'abuse', words: 'It insults a neighbour.' })
    runtime.setNow(at(49))
    await runJob('return-held-texts')
    expect(await stateOf(id)).toBe('removed')
  })

  test('an edited text that has to be read first does not come back unread', async () => {
    const author = await addPerson(runtime, site)
    const { id, address } = await addText({ authorId: author.id, submittedAt: NOON }, { moderation: 'before' })
    for (const person of await addPeople(3)) await report(person, id)
    await editContribution(await asPerson(author), address, { number: 1 }, { title: 'New words', body: 'Unread.', categories: [] })
    runtime.setNow(at(49))
    await runJob('return-held-texts')
    expect(await stateOf(id)).toBe('held')
  })
})

describe('the number of reports', () => {
  const change = (person: Person | undefined, of: Site, reportsToHold: unknown, lockVersion = 1) =>
    api(person, of).patch(
      `/moderation-settings/${of.id}`,
      buildResourceDocument('moderation-settings', { reportsToHold }, { id: of.id, lockVersion }),
    )

  test('is the site’s choice, or off; anything else is refused', async () => {
    const chosen = await addSite(runtime, { slug: 'chosen', languages: ['en'] })
    const chief = await addPerson(runtime, chosen, { role: 'site_admin' })
    const hold = async (total: number) => {
      const activity = await addActivity(runtime, chosen, {})
      const text = await addContribution(runtime, chosen, { activityId: activity.id, number: 1 })
      for (let index = 0; index < total; index += 1) {
        const person = await addPerson(runtime, chosen)
        const to = { contribution: { type: 'contributions', id: text.id } }
        await api(person, chosen).post(
          '/moderation-reports',
          buildResourceDocument('moderation-reports', { rule: 'hate' }, { id: createId(), to }),
        )
      }
      const [row] = await inSite<{ state: string }[]>(
        (tx) => tx.select({ state: contributions.state }).from(contributions).where(eq(contributions.id, text.id)),
        chosen,
      )
      return row?.state
    }
    expect(all((await api(chief, chosen).get('/moderation-settings')).body)[0]?.attributes).toEqual({
      reportsToHold: 3,
      originalsKeptMonths: 12,
      answersNeedAgreement: false,
      reportsNeedAgreement: false,
    })
    for (const wrong of [1, 51, 2.5, 'many']) expect((await change(chief, chosen, wrong)).status).toBe(422)
    expect((await change(chief, chosen, 2)).status).toBe(200)
    expect([await hold(1), await hold(2)]).toEqual(['published', 'held'])
    expect((await change(chief, chosen, null)).status).toBe(409)
    expect((await change(chief, chosen, null, 2)).status).toBe(200)
    expect(await hold(5)).toBe('published')
  })

  test('is changed by administrators of the site alone', async () => {
    const hubAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId: (await addHub(runtime, site)).id })
    expect((await change(hubAdmin, site, 5)).status).toBe(403)
    expect((await change(await addPerson(runtime, site), site, 5)).status).toBe(403)
    expect((await change(undefined, site, 5)).status).toBe(401)
  })
})

describe('who reported', () => {
  test('is read by those who moderate there, and by nobody else', async () => {
    const [mine, other] = [await addHub(runtime, site), await addHub(runtime, site)]
    const project = await addProject(runtime, site, { hubId: mine.id, status: 'published', publishedAt: new Date('2026-01-01') })
    const author = await addPerson(runtime, site)
    const { id } = await addText({ authorId: author.id }, { projectId: project.id })
    const [reporter] = (await addPeople(1)) as [Person]
    const sent = (await report(reporter, id)).body?.data as Found
    expect(sent.attributes).not.toHaveProperty('reporterName')
    const [opened] = await casesOf(id)
    const here = await addPerson(runtime, site, { role: 'hub_admin', hubId: mine.id })
    expect((await api(here).get(`/moderation-reports/${sent.id}`)).status).toBe(200)
    const elsewhere = await addSite(runtime, { slug: 'elsewhere' })
    const strangers: [Person | undefined, Site][] = [
      [await addPerson(runtime, site, { role: 'hub_admin', hubId: other.id }), site],
      [author, site],
      [reporter, site],
      [undefined, site],
      [await addPerson(runtime, elsewhere, { role: 'site_admin' }), elsewhere],
    ]
    for (const [person, of] of strangers) {
      expect((await api(person, of).get(`/moderation-reports/${sent.id}`)).status).toBe(404)
      expect(all((await api(person, of).get(`/moderation-reports?filter[case]=${opened?.id}`)).body)).toEqual([])
      expect((await api(person, of).get(`/moderation-cases/${opened?.id}`)).status).toBe(404)
    }
    const events = await inSite<{ actorId: string | null; address: string | null }[]>((tx) =>
      tx
        .select({ actorId: auditEvents.actorId, address: auditEvents.address })
        .from(auditEvents)
        .where(and(eq(auditEvents.action, 'moderation-reports.create'), eq(auditEvents.subjectId, opened?.id ?? ''))),
    )
    expect(events).toEqual([{ actorId: null, address: null }])
  })
})

describe('people who reported with an account', () => {
  test('are told once what was decided, in their language and without names', async () => {
    const { id } = await addText()
    const [kept, french] = (await addPeople(2)) as [Person, Person]
    await inSite((tx) => tx.update(users).set({ locale: 'fr-CA' }).where(eq(users.id, french.id)))
    await report(kept, id)
    await keep(id)
    const { id: removed } = await addText()
    await report(french, removed)
    await decideOnContribution(await asPerson(admin), removed, 'remove', { rule: 'hate', words: 'It attacks newcomers.' })
    await tellReporters()
    await tellReporters()
    const [mail, ...more] = await mailsTo(kept)
    expect([mail?.kind, more]).toEqual(['report-kept', []])
    // They can ask for another look for 30 days.
    expect(mail?.bodyText).toMatch(/\/en\/appeals\/[0-9a-f-]{36}/)
    expect(mail?.bodyText).toContain('1 April 2026')
    const [told] = await mailsTo(french)
    expect(told?.kind).toBe('report-removed')
    expect(told?.bodyText).toContain('Haine')
    expect(JSON.stringify([mail, told])).not.toContain(admin.id)
  })

  test('are told that the author took the text back', async () => {
    const author = await addPerson(runtime, site)
    const { id } = await addText({ authorId: author.id })
    const [person] = (await addPeople(1)) as [Person]
    await report(person, id)
    const erased = buildResourceDocument('contributions', { state: 'erased', reason: 'Names a neighbour' }, { id })
    expect((await api(admin).patch(`/contributions/${id}`, erased)).status).toBe(200)
    await tellReporters()
    expect((await mailsTo(person)).map(({ kind }) => kind)).toEqual(['report-withdrawn'])
  })
})

describe('a person’s own data', () => {
  test('lists their reports, and erasing the account erases them', async () => {
    const { id } = await addText()
    const [person, other] = (await addPeople(2)) as [Person, Person]
    await report(person, id, { words: 'It names my street.' })
    await report(other, id)
    const ctx = await asPerson(person)
    const data = await readOwnData(ctx)
    expect(data['reports']).toMatchObject([{ contributionId: id, rule: 'abuse', words: 'It names my street.' }])
    await ctx.db.tx((tx) => eraseAccount(ctx, tx, site.id, person.id))
    const [opened] = await casesOf(id)
    const left = await inSite<{ reporterId: string }[]>((tx) =>
      tx
        .select({ reporterId: moderationReports.reporterId })
        .from(moderationReports)
        .where(eq(moderationReports.caseId, opened?.id ?? '')),
    )
    expect(left).toEqual([{ reporterId: other.id }])
  })

  test('merging two accounts that reported the same leaves one report', async () => {
    const { id } = await addText()
    const [from, into] = (await addPeople(2)) as [Person, Person]
    for (const person of [from, into]) await report(person, id)
    await mergePeople(await asPerson(admin), { from: from.id, into: into.id })
    const [opened] = await casesOf(id)
    const left = await inSite<{ reporterId: string }[]>((tx) =>
      tx
        .select({ reporterId: moderationReports.reporterId })
        .from(moderationReports)
        .where(eq(moderationReports.caseId, opened?.id ?? '')),
    )
    expect(left).toEqual([{ reporterId: into.id }])
  })
})
