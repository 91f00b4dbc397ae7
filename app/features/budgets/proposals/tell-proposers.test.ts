import { and, asc, eq, like, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setContributionFollowing } from '#app/features/contributions/following/follow-contribution.server.ts'
import { JOBS } from '#app/root/jobs.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { budgetBallots, budgetOptions, budgetRounds } from '#app/server/db/schema/budgets.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addRound, VOTING_CLOSES, VOTING_OPENS } from '#tests/factories/budgets.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { GRACE_MS } from '../budgets.state.ts'
import { tellProposers } from './tell-proposers.server.ts'

let runtime: TestRuntime
let site: Site
let ann: Person
let bob: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'fr-CA', 'cy'] })
  ann = await addPerson(runtime, site, { role: 'site_admin' })
  bob = await addPerson(runtime, site, { role: 'site_admin' })
})
beforeEach(() => runtime.setNow(VOTING_OPENS))

const onSite = <T>(work: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0]) =>
  runtime.database.site(site.id).tx(work) as Promise<T>
const api = (person?: Person) => createApiClient(runtime, site, person?.token)
const dataOf = ({ body }: ApiAnswer) => body?.data as { id: string; meta: { lockVersion: number } }

/** A round with one option, made from a proposal with an author and a follower. */
async function addProposed(values: Parameters<typeof addRound>[3] = {}, option: Partial<typeof budgetOptions.$inferInsert> = {}) {
  const round = await addRound(runtime, site, [{ amount: 10_000, costs: [6000] }], { rule: 'greedy', ...values })
  const activity = await addActivity(runtime, site, { projectId: round.projectId })
  const author = await addPerson(runtime, site)
  const { id } = await addContribution(runtime, site, { activityId: activity.id, number: 1, title: 'A bench', authorId: author.id })
  const follower = await addFollower(id)
  const optionId = round.options[0]?.id ?? ''
  await onSite((tx) =>
    tx
      .update(budgetOptions)
      .set({ contributionId: id, ...option })
      .where(eq(budgetOptions.id, optionId)),
  )
  return { round, author, follower, optionId, contributionId: id }
}
async function addFollower(contributionId: string, values: Partial<typeof users.$inferInsert> = {}) {
  const person = await addPerson(runtime, site)
  const viewer = await loadViewer({ db: runtime.database.site(site.id), database: runtime.database }, person.token, new Date())
  await setContributionFollowing(createCtx(runtime, site, { viewer }), contributionId, true)
  if (Object.keys(values).length > 0) await onSite((tx) => tx.update(users).set(values).where(eq(users.id, person.id)))
  return person
}
const patch = async (person: Person, type: string, id: string, attributes: Record<string, unknown>) => {
  const { lockVersion } = dataOf(await api(person).get(`/${type}/${id}`)).meta
  const answer = await api(person).patch(
    `/${type}/${id}`,
    buildResourceDocument(type, attributes, { id, ...(lockVersion !== undefined && { lockVersion }) }),
  )
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}
const mailsTo = ({ id }: { id: string }) =>
  onSite<(typeof outboxMails.$inferSelect)[]>((tx) =>
    tx
      .select()
      .from(outboxMails)
      .where(and(eq(outboxMails.siteId, site.id), eq(outboxMails.userId, id)))
      .orderBy(asc(outboxMails.id)),
  )
const kindsTo = async (person: { id: string }) => (await mailsTo(person)).map(({ kind }) => kind)
const newsOf = async (person: Person) =>
  (
    ((await api(person).get('/notifications?filter[own]=true')).body?.data ?? []) as { attributes: { kind: string; subject: string } }[]
  ).map(({ attributes }) => [attributes.kind, attributes.subject])
async function certifyRound(roundId: string, ballot: number[]) {
  await onSite(async (tx) => {
    await tx.update(budgetRounds).set({ hasBallots: true }).where(eq(budgetRounds.id, roundId))
    const row = { siteId: site.id, id: roundId, roundId, options: ballot, castAt: VOTING_CLOSES, receiptHash: Buffer.from(roundId) }
    await tx.insert(budgetBallots).values(row)
  })
  runtime.setNow(new Date(VOTING_CLOSES.getTime() + GRACE_MS))
  const to = { round: { type: 'budget-rounds', id: roundId } }
  const { id } = dataOf(await api(ann).post('/budget-results', buildResourceDocument('budget-results', {}, { to })))
  await patch(bob, 'budget-results', id, { state: 'certified' })
}

describe('the author of a proposal and those who follow it', () => {
  test('are told once that it is on the ballot, from the publication on', async () => {
    const { round, author, follower, contributionId } = await addProposed({ status: 'draft', seed: null })
    const welsh = await addFollower(contributionId, { locale: 'cy' })
    const silent = await addFollower(contributionId, { followMails: 'never' })
    const blocked = await addFollower(contributionId, { blockedAt: new Date() })
    await tellProposers(runtime)
    expect(await kindsTo(author)).toEqual([])
    await patch(ann, 'budget-rounds', round.id, { status: 'published' })
    expect(await tellProposers(runtime)).toBe(3)
    expect(await tellProposers(runtime)).toBe(0)
    expect(await mailsTo(author)).toMatchObject([{ kind: 'proposal-on-ballot', subject: '“A bench” is on the ballot', leaveUrl: null }])
    const [mail] = await mailsTo(follower)
    expect(mail?.bodyText).toContain('option 1 in the vote “Neighbourhood fund”')
    expect(mail?.bodyText).toContain(`/en/projects/${round.projectSlug}/budgets/${round.slug}`)
    expect(mail?.leaveUrl).toContain('/en/unfollow?token=')
    expect(await mailsTo(welsh)).toMatchObject([{ language: 'cy', subject: 'Mae “A bench” ar y papur pleidleisio' }])
    for (const person of [silent, blocked]) expect(await mailsTo(person)).toEqual([])
    expect(await newsOf(author)).toEqual([['own-feasible', `/projects/${round.projectSlug}/budgets/${round.slug}`]])
    expect(await newsOf(follower)).toEqual([])
  })

  test('are told why it was found not feasible', async () => {
    const reason = { en: 'The pavement is too narrow.', 'fr-CA': 'Le trottoir est trop étroit.', cy: 'Mae’r palmant yn rhy gul.' }
    const { author } = await addProposed({}, { state: 'not_feasible', reason })
    await tellProposers(runtime)
    const [mail] = await mailsTo(author)
    expect(mail?.kind).toBe('proposal-not-feasible')
    expect(mail?.bodyText).toContain('The reason: The pavement is too narrow.')
  })

  test('are told why it was withdrawn, after they were told that it is on the ballot', async () => {
    const { author, follower, optionId, round } = await addProposed()
    await tellProposers(runtime)
    await patch(ann, 'budget-options', optionId, { withdrawn: true, withdrawnReasonTranslations: { en: 'The land was sold.' } })
    expect(await tellProposers(runtime)).toBe(2)
    for (const person of [author, follower]) expect(await kindsTo(person)).toEqual(['proposal-on-ballot', 'proposal-withdrawn'])
    expect((await mailsTo(follower))[1]?.bodyText).toContain('The reason: The land was sold.')
    expect(await newsOf(author)).toEqual([['own-withdrawn', `/projects/${round.projectSlug}/budgets/${round.slug}`]])
  })

  test('are told whether it is funded, and of a decision of a body against the count', async () => {
    const { author, round, optionId } = await addProposed()
    await tellProposers(runtime)
    await certifyRound(round.id, [1])
    await tellProposers(runtime)
    expect(await kindsTo(author)).toEqual(['proposal-on-ballot', 'proposal-funded'])
    const override = buildResourceDocument(
      'budget-overrides',
      { isFunded: false, bodyTranslations: { en: 'The council' }, reasonTranslations: { en: 'The state pays for it.' } },
      { to: { option: { type: 'budget-options', id: optionId } } },
    )
    const { id } = dataOf(await api(ann).post('/budget-overrides', override))
    await tellProposers(runtime)
    const told = (await mailsTo(author))[2]
    expect(told?.kind).toBe('proposal-not-funded')
    expect(told?.bodyText).toContain('The council decided this, not the count.')
    expect(told?.bodyText).toContain('The reason: The state pays for it.')
    await api(ann).delete(`/budget-overrides/${id}`)
    await tellProposers(runtime)
    expect((await kindsTo(author)).slice(2)).toEqual(['proposal-not-funded', 'proposal-funded'])
    expect((await newsOf(author))[0]).toEqual(['own-decided', `/projects/${round.projectSlug}/budgets/${round.slug}/results`])
  })

  test('are told that nobody’s votes were enough', async () => {
    const { author, round } = await addProposed({ threshold: 2 })
    await certifyRound(round.id, [1])
    await tellProposers(runtime)
    expect(await kindsTo(author)).toEqual(['proposal-not-funded'])
  })

  test('are told nothing while the project or the proposal cannot be read, and nothing of ideas', async () => {
    const hidden = await addProposed()
    await onSite((tx) => tx.update(contributions).set({ state: 'removed' }).where(eq(contributions.id, hidden.contributionId)))
    const idea = await addProposed({}, { state: 'idea' })
    const draft = await addProposed()
    await onSite((tx) => tx.update(projects).set({ status: 'draft' }).where(eq(projects.id, draft.round.projectId)))
    await tellProposers(runtime)
    for (const { author, follower } of [hidden, idea, draft])
      for (const person of [author, follower]) expect(await kindsTo(person)).toEqual([])
  })

  test('are each told once if two processes do it, however many there are', { timeout: 60_000 }, async () => {
    const { contributionId, optionId } = await addProposed()
    await onSite((tx) =>
      tx.execute(sql`
        with added as (insert into users (site_id, id, email, login, email_confirmed_at)
          select ${site.id}, gen_random_uuid(), 'follower-' || n || '@people.example', 'follower-' || n, now() from generate_series(1, 501) n returning id)
        insert into contribution_follows (site_id, contribution_id, user_id) select ${site.id}, ${contributionId}, id from added`),
    )
    const job = JOBS.find(({ name }) => name === 'tell-proposers')
    const run = () => job?.run(runtime, AbortSignal.timeout(60_000))
    await Promise.all([run(), run()])
    await run()
    const mails = await onSite<{ recipient: string }[]>((tx) =>
      tx
        .select({ recipient: outboxMails.recipient })
        .from(outboxMails)
        .where(and(eq(outboxMails.kind, 'proposal-on-ballot'), like(outboxMails.recipient, 'follower-%'))),
    )
    expect(mails).toHaveLength(501)
    expect(new Set(mails.map(({ recipient }) => recipient)).size).toBe(501)
    const [option] = await onSite<(typeof budgetOptions.$inferSelect)[]>((tx) =>
      tx.select().from(budgetOptions).where(eq(budgetOptions.id, optionId)),
    )
    expect(option).toMatchObject({ told: 'feasible', toldUntil: null })
  })
})
