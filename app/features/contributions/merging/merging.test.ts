import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eraseAccount, readOwnData } from '#app/features/people/own-data.server.ts'
import { mergePeople } from '#app/features/people/people.merge.server.ts'
import { searchSite } from '#app/features/search/search.server.ts'
import { buildSitemap } from '#app/features/sites/sitemap.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributionLinks, contributions, reactions } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { eraseContribution } from '../moderation/decide.server.ts'
import { getOwnContribution, objectToOwnMerge, withdrawOwnContribution } from '../own/own-contributions.server.ts'
import { findSimilar } from '../reading/similar.server.ts'
import { getContribution, listContributions } from '../reading/views.server.ts'
import { addReaction, removeOwnReaction, removeReaction } from '../responding/reactions.server.ts'
import { submitReply } from '../responding/replies.server.ts'
import { answerObjection } from './answer-objection.server.ts'
import { mergeContributions, relateContributions, undoMerge } from './merge-contributions.server.ts'
import { tellMerges } from './merge-mails.server.ts'

const NOON = new Date('2026-03-02T12:00:00Z')
const daysLater = (days: number) => new Date(NOON.getTime() + days * 86_400_000)

let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})
beforeEach(() => runtime.setNow(NOON))

const as = (viewer: Ctx['viewer'] = VISITOR): Ctx => createCtx(runtime, site, { viewer, language: 'en' })
type Activity = Awaited<ReturnType<typeof addActivity>>
const addressOf = (activity: Activity) => ({ project: activity.projectSlug, activity: activity.slug })
const loadRow = async (id: string) => {
  const [row] = await as().db.tx((tx) => tx.select().from(contributions).where(eq(contributions.id, id)))
  if (!row) throw new Error('There is no such contribution')
  return row
}
const loadMails = (userId: string) =>
  as().db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.userId, userId)).orderBy(outboxMails.id))
const codeOf = (code: string) => expect.objectContaining({ code }) as Error
const faultOf = (code: string, pointer: string) =>
  expect.objectContaining({ code: 'invalid', faults: [expect.objectContaining({ code, pointer })] }) as Error

const merge = (from: { id: string }, into: { id: string }, reason = 'Both ask for benches') =>
  mergeContributions(as(admin), { contributionId: from.id, targetId: into.id, reason })
const support = (contribution: { id: string }, browserToken: string, viewer?: SignedInViewer) =>
  addReaction(as(viewer), { id: createId(), contributionId: contribution.id, browserToken: issueToken(runtime, site, browserToken) })
const withdraw = (contribution: { id: string }, browserToken: string) =>
  removeOwnReaction(as(), { contributionId: contribution.id, browserToken: issueToken(runtime, site, browserToken) })
const supportsOf = async ({ id }: { id: string }) => (await loadRow(id)).supports
const addTwo = async (more: Partial<typeof contributions.$inferInsert> = {}) => {
  const activity = await addActivity(runtime, site)
  const double = await addContribution(runtime, site, { activityId: activity.id, number: 1, title: 'Benches by the river', ...more })
  const target = await addContribution(runtime, site, { activityId: activity.id, number: 2, title: 'Somewhere to sit' })
  return { activity, double, target }
}

describe('a merge', () => {
  test('leaves the double readable, naming where it went, and takes it from lists, search, similar ones and the sitemap', async () => {
    const { activity, double, target } = await addTwo({ title: 'Benches of quartzite' })
    await merge(double, target)
    const { contribution, gone } = await getContribution(as(), addressOf(activity), 1, undefined)
    expect(gone).toBeNull()
    expect(contribution).toMatchObject({
      title: 'Benches of quartzite',
      mergedInto: { number: 2, title: 'Somewhere to sit', isPublic: true, reason: 'Both ask for benches' },
    })
    expect((await listContributions(as(), addressOf(activity), {})).entries.map(({ number }) => number)).toEqual([2])
    expect((await searchSite(as(), { q: 'quartzite' })).hits).toEqual([])
    expect(await findSimilar(as(), addressOf(activity), 'Benches of quartzite')).toEqual([])
    const sitemap = await buildSitemap(as())
    expect(sitemap).toContain(`/${activity.slug}/2</loc>`)
    expect(sitemap).not.toContain(`/${activity.slug}/1</loc>`)
    await undoMerge(as(admin), await loadLinkId(double.id), 'They differ')
    expect((await searchSite(as(), { q: 'quartzite' })).hits).toHaveLength(1)
    expect((await listContributions(as(), addressOf(activity), {})).total).toBe(2)
  })

  test('counts each person once, and new support goes to the target', async () => {
    const { double, target } = await addTwo()
    for (const person of ['both-token', 'double-only']) await support(double, person)
    for (const person of ['both-token', 'target-only']) await support(target, person)
    await merge(double, target)
    expect(await supportsOf(target)).toBe(3)
    // Who supported the double does already.
    expect((await support(target, 'double-only')).created).toBe(false)
    expect((await support(target, 'newcomer-token')).created).toBe(true)
    expect(await supportsOf(target)).toBe(4)
  })

  test('refuses reactions and replies to the double, naming the new one', async () => {
    const { double, target } = await addTwo()
    await merge(double, target)
    const named = { code: 'merged', status: 409, meta: { contribution: target.id }, faults: [{ code: 'merged', values: { number: 2 } }] }
    await expect(support(double, 'late-token')).rejects.toMatchObject(named)
    await expect(withdraw(double, 'late-token')).rejects.toMatchObject(named)
    const reply = { id: createId(), sendKey: 'only-the-sender', contributionId: double.id, body: 'Yes', shownName: '' }
    await expect(submitReply(as(), reply)).rejects.toMatchObject(named)
  })

  test('is refused across activities, with itself, without a reason, and of what is not published', async () => {
    const { activity, double, target } = await addTwo()
    const other = await addTwo()
    await expect(merge(double, other.target)).rejects.toEqual(faultOf('not-a-choice', '/target'))
    await expect(merge(double, { id: createId() })).rejects.toEqual(faultOf('not-a-choice', '/target'))
    await expect(merge(double, double)).rejects.toEqual(faultOf('not-a-choice', '/target'))
    await expect(merge(double, target, '  ')).rejects.toEqual(faultOf('required', '/reason'))
    await expect(merge(double, target, 'x'.repeat(2001))).rejects.toEqual(faultOf('too-long', '/reason'))
    const held = await addContribution(runtime, site, { activityId: activity.id, number: 3, state: 'held' })
    await expect(merge(held, target)).rejects.toEqual(codeOf('conflict'))
    await expect(merge(target, held)).rejects.toEqual(codeOf('conflict'))
    await merge(double, target)
    await expect(merge(double, target)).rejects.toEqual(codeOf('merged'))
    await expect(merge(target, double)).rejects.toEqual(codeOf('merged'))
    const stranger = await addPerson(runtime, site)
    await expect(mergeContributions(as(stranger), { contributionId: target.id, targetId: double.id, reason: 'Mine' })).rejects.toEqual(
      codeOf('forbidden'),
    )
  })

  test('in a chain counts everybody where it ends, and each link can be undone in any order', async () => {
    const { activity, double: a, target: b } = await addTwo()
    const c = await addContribution(runtime, site, { activityId: activity.id, number: 3 })
    await support(a, 'person-of-a')
    await support(b, 'person-of-b')
    await support(c, 'person-of-a')
    const first = await merge(a, b)
    const second = await merge(b, c)
    expect(await supportsOf(c)).toBe(2)
    expect((await getContribution(as(), addressOf(activity), 1, undefined)).contribution?.mergedInto?.number).toBe(3)
    await expect(support(a, 'late-token')).rejects.toMatchObject({ code: 'merged', meta: { contribution: c.id } })
    await undoMerge(as(admin), first, 'They differ')
    expect([await supportsOf(a), await supportsOf(c)]).toEqual([1, 2])
    await undoMerge(as(admin), second, 'They differ')
    expect([await supportsOf(a), await supportsOf(b), await supportsOf(c)]).toEqual([1, 1, 1])
  })

  test('writes both acts with the counts before and after to the audit trail', async () => {
    const { double, target } = await addTwo()
    await support(double, 'person-one')
    await support(target, 'person-one')
    await support(target, 'person-two')
    const link = await merge(double, target)
    await support(target, 'person-three')
    await undoMerge(as(admin), link, 'One is about the park')
    const events = await as().db.tx((tx) =>
      tx
        .select({ action: auditEvents.action, detail: auditEvents.detail, actor: auditEvents.actorId })
        .from(auditEvents)
        .where(eq(auditEvents.subjectId, double.id))
        .orderBy(auditEvents.sequence),
    )
    expect(events).toEqual([
      {
        action: 'contributions.merge',
        actor: admin.id,
        detail: {
          number: 1,
          into: 2,
          reason: 'Both ask for benches',
          before: { supports: 1, supportsOfTarget: 2 },
          after: { supportsOfTarget: 2 },
        },
      },
      {
        action: 'contributions.unmerge',
        actor: admin.id,
        detail: {
          number: 1,
          from: 2,
          reason: 'One is about the park',
          before: { supportsOfTarget: 3 },
          after: { supports: 1, supportsOfTarget: 3 },
        },
      },
    ])
  })
})

const loadLinkId = async (contributionId: string) => {
  const [link] = await as().db.tx((tx) =>
    tx.select({ id: contributionLinks.id }).from(contributionLinks).where(eq(contributionLinks.contributionId, contributionId)),
  )
  return link?.id ?? ''
}

describe('undoing a merge', () => {
  test('restores both exactly, also after the target was supported again', async () => {
    const { double, target } = await addTwo()
    for (const person of ['both-token', 'double-only']) await support(double, person)
    await support(target, 'both-token')
    const before = [await loadRow(double.id), await loadRow(target.id)]
    const link = await merge(double, target)
    await support(target, 'newcomer-token')
    await undoMerge(as(admin), link, 'They differ')
    expect(await loadRow(double.id)).toEqual(before[0])
    expect(await loadRow(target.id)).toEqual({ ...before[1], supports: 2 })
    await expect(undoMerge(as(admin), link, 'Again')).rejects.toEqual(codeOf('conflict'))
    await expect(undoMerge(as(admin), createId(), 'Unknown')).rejects.toEqual(codeOf('not-found'))
  })

  test('does not bring back support that a person withdrew meanwhile', async () => {
    const { double, target } = await addTwo()
    await support(double, 'both-token')
    await support(target, 'both-token')
    const link = await merge(double, target)
    await withdraw(target, 'both-token')
    expect(await supportsOf(target)).toBe(0)
    await undoMerge(as(admin), link, 'They differ')
    expect([await supportsOf(double), await supportsOf(target)]).toEqual([0, 0])
  })

  test('needs a reason and the right to moderate', async () => {
    const { double, target } = await addTwo()
    const link = await merge(double, target)
    await expect(undoMerge(as(admin), link, ' ')).rejects.toEqual(faultOf('required', '/endReason'))
    await expect(undoMerge(as(await addPerson(runtime, site)), link, 'Mine')).rejects.toEqual(codeOf('forbidden'))
  })

  test('happens by itself when the target is withdrawn or erased', async () => {
    const author = await addPerson(runtime, site)
    const { activity, double } = await addTwo()
    const own = await addContribution(runtime, site, { activityId: activity.id, number: 3, authorId: author.id })
    await support(double, 'person-one')
    await merge(double, own)
    await withdrawOwnContribution(as(author), addressOf(activity), { number: 3 })
    expect(await loadRow(double.id)).toMatchObject({ state: 'published', mergedInto: null, supports: 1 })
    const again = await addTwo()
    await merge(again.double, again.target)
    await eraseContribution(as(admin), again.target.id, 'Names a neighbour')
    expect((await getContribution(as(), addressOf(again.activity), 1, undefined)).contribution?.mergedInto).toBeNull()
  })
})

test('a reaction is withdrawn by its id also where it went by a merge', async () => {
  const { double, target } = await addTwo()
  const { row } = await support(double, 'person-one')
  await merge(double, target)
  await removeReaction(as(), row)
  expect(await supportsOf(target)).toBe(0)
})

test('support that arrives while a merge is made counts for one of the two or is refused, never lost', async () => {
  const { double, target } = await addTwo()
  const sent = await Promise.allSettled([
    ...Array.from({ length: 8 }, (_, at) => support(double, `person-${at}-early`)),
    merge(double, target),
    ...Array.from({ length: 8 }, (_, at) => support(double, `person-${at}-late`)),
  ])
  const taken = sent.filter((each, at) => at !== 8 && each.status === 'fulfilled').length
  const refused = sent.filter((each) => each.status === 'rejected' && isAppError(each.reason, 'merged')).length
  expect(taken + refused).toBe(16)
  expect(await supportsOf(target)).toBe(taken)
})

test('whatever happens in whatever order, counts are the different people of the rows', async () => {
  const act = fc.record({
    act: fc.constantFrom('support', 'withdraw', 'merge', 'undo'),
    on: fc.nat(3),
    other: fc.nat(3),
    person: fc.nat(4),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), async (acts) => {
      const activity = await addActivity(runtime, site)
      const all = await Promise.all([1, 2, 3, 4].map((number) => addContribution(runtime, site, { activityId: activity.id, number })))
      /** What should be: who supported what by pressing the button there, and what went into what. */
      const given = all.map(() => new Set<number>())
      const into: (number | undefined)[] = all.map(() => undefined)
      const links: string[] = []
      const listTree = (root: number): number[] => [root, ...into.flatMap((to, at) => (to === root ? listTree(at) : []))]
      const run = Date.now() + Math.random()
      for (const { act: name, on, other, person } of acts) {
        const one = all[on]!
        const token = `person-${run}-${person}`
        // A minute later each time: nobody is too fast.
        runtime.setNow(new Date(runtime.now().getTime() + 60_000))
        if (name === 'support') {
          const done = await support(one, token).catch((error: unknown) => error)
          if (into[on] !== undefined) expect(isAppError(done, 'merged')).toBe(true)
          else if (!listTree(on).some((at) => given[at]!.has(person))) given[on]!.add(person)
        } else if (name === 'withdraw') {
          const done = await withdraw(one, token).catch((error: unknown) => error)
          if (into[on] !== undefined) expect(isAppError(done, 'merged')).toBe(true)
          else for (const at of listTree(on)) given[at]!.delete(person)
        } else if (name === 'merge') {
          const isPossible = on !== other && into[on] === undefined && into[other] === undefined
          const link = await merge(one, all[other]!).catch(() => undefined)
          expect(link !== undefined).toBe(isPossible)
          if (link) {
            into[on] = other
            links[on] = link
          }
        } else if (into[on] !== undefined) {
          await undoMerge(as(admin), links[on]!, 'They differ')
          into[on] = undefined
        }
        for (const [at, { id }] of all.entries()) {
          if (into[at] !== undefined) continue
          const people = new Set(listTree(at).flatMap((each) => [...given[each]!]))
          expect(await supportsOf({ id })).toBe(people.size)
        }
      }
      for (const [at, { id }] of all.entries()) {
        const [rows] = await as().db.tx((tx) =>
          tx
            .select({ total: sql<number>`count(*)::int` })
            .from(reactions)
            .where(eq(reactions.contributionId, id)),
        )
        expect(rows?.total).toBe(given[at]!.size)
      }
    }),
    { numRuns: 15 },
  )
}, 60_000)

describe('people with an account', () => {
  test('are told once, with the reason: the author, the author of the other one, and who supported the double', async () => {
    const author = await addPerson(runtime, site)
    const supporter = await addPerson(runtime, site)
    const both = await addPerson(runtime, site)
    const onlyTarget = await addPerson(runtime, site)
    const { double, target } = await addTwo({ authorId: author.id })
    await addReaction(as(author), { id: createId(), contributionId: double.id })
    for (const person of [supporter, both]) await addReaction(as(person), { id: createId(), contributionId: double.id })
    for (const person of [both, onlyTarget]) await addReaction(as(person), { id: createId(), contributionId: target.id })
    await merge(double, target)
    await tellMerges(runtime)
    await tellMerges(runtime)
    const kindsOf = async (person: SignedInViewer) => (await loadMails(person.id)).map(({ kind }) => kind)
    expect(await kindsOf(author)).toEqual(['contribution-merged'])
    expect(await kindsOf(supporter)).toEqual(['merge-supported'])
    expect(await kindsOf(both)).toEqual(['merge-supported'])
    expect(await kindsOf(onlyTarget)).toEqual([])
    const [mail] = await loadMails(supporter.id)
    expect(mail?.bodyText).toContain('Both ask for benches')
    expect(mail?.bodyText).toContain('no. 2')
  })

  test('are told by nobody twice when two workers tell at once, nor of a merge undone before', async () => {
    const supporter = await addPerson(runtime, site)
    const { double, target } = await addTwo()
    await addReaction(as(supporter), { id: createId(), contributionId: double.id })
    await undoMerge(as(admin), await merge(double, target), 'A slip')
    await tellMerges(runtime)
    expect(await loadMails(supporter.id)).toEqual([])
    await merge(double, target)
    await Promise.all([tellMerges(runtime), tellMerges(runtime)])
    expect(await loadMails(supporter.id)).toHaveLength(1)
  })

  test('count once when two accounts that supported both sides become one', async () => {
    const [one, two] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    const { double, target } = await addTwo()
    await addReaction(as(one), { id: createId(), contributionId: double.id })
    await addReaction(as(two), { id: createId(), contributionId: target.id })
    await merge(double, target)
    expect(await supportsOf(target)).toBe(2)
    await mergePeople(as(admin), { from: one.id, into: two.id })
    expect(await supportsOf(target)).toBe(1)
  })

  test('take their support and what was merged into theirs with them when they are erased', async () => {
    const [author, supporter] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    const { activity, double, target } = await addTwo()
    const own = await addContribution(runtime, site, { activityId: activity.id, number: 3, authorId: author.id })
    for (const each of [double, target]) await addReaction(as(supporter), { id: createId(), contributionId: each.id })
    await merge(double, target)
    await merge(target, own)
    const erase = (person: SignedInViewer) => as(admin).db.tx((tx) => eraseAccount(as(admin), tx, site.id, person.id))
    expect(await supportsOf(own)).toBe(1)
    await erase(supporter)
    expect(await supportsOf(own)).toBe(0)
    await erase(author)
    expect(await loadRow(target.id)).toMatchObject({ state: 'published', mergedInto: null })
    expect(await loadRow(double.id)).toMatchObject({ state: 'merged', mergedInto: target.id })
  })
})

describe('an author', () => {
  const addMerged = async () => {
    const author = await addPerson(runtime, site)
    const pair = await addTwo({ authorId: author.id })
    await merge(pair.double, pair.target)
    const object = (words: string) => objectToOwnMerge(as(author), addressOf(pair.activity), { number: 1 }, words)
    const view = () => getOwnContribution(as(author), addressOf(pair.activity), { number: 1 })
    return { ...pair, author, object, view }
  }

  test('may object once, within 14 days, and moderators see it', async () => {
    const { author, double, object, view } = await addMerged()
    expect((await view()).merge).toMatchObject({ number: 2, objectUntil: daysLater(14).toISOString(), objection: '' })
    await expect(object('  ')).rejects.toEqual(faultOf('required', '/objection'))
    await expect(object('x'.repeat(2001))).rejects.toEqual(faultOf('too-long', '/objection'))
    runtime.setNow(new Date(daysLater(14).getTime() - 1))
    await object('Mine is about the park')
    expect((await view()).merge).toMatchObject({ objectUntil: null, objection: 'Mine is about the park' })
    await expect(object('Again')).rejects.toEqual(codeOf('conflict'))
    const [link] = await as().db.tx((tx) => tx.select().from(contributionLinks).where(eq(contributionLinks.contributionId, double.id)))
    expect(link?.objection).toBe('Mine is about the park')
    expect(await readOwnData(as(author))).toMatchObject({
      objections: [{ contributionId: double.id, objection: 'Mine is about the park' }],
    })
  })

  test('may no longer object after 14 days, nor to what was undone', async () => {
    const { object, view } = await addMerged()
    runtime.setNow(daysLater(14))
    expect((await view()).merge).toMatchObject({ objectUntil: null })
    await expect(object('Too late')).rejects.toEqual(codeOf('objection-over'))
    runtime.setNow(NOON)
    const other = await addMerged()
    await undoMerge(as(admin), await loadLinkId(other.double.id), 'A slip')
    await expect(other.object('Too late')).rejects.toEqual(codeOf('conflict'))
    expect((await loadMails(other.author.id)).map(({ kind }) => kind)).toEqual(['contribution-unmerged'])
  })

  test('is told once why the two stay together, if a moderator keeps the merge', async () => {
    const { author, double, object, view } = await addMerged()
    const link = await loadLinkId(double.id)
    const reply = (words: string, by = admin) => answerObjection(as(by), link, words)
    await expect(reply('Nobody objected yet')).rejects.toEqual(codeOf('conflict'))
    await object('Mine is about the park')
    await expect(reply('  ')).rejects.toEqual(faultOf('required', '/objectionAnswer'))
    await expect(reply('x'.repeat(2001))).rejects.toEqual(faultOf('too-long', '/objectionAnswer'))
    await expect(reply('It is mine', author)).rejects.toEqual(codeOf('forbidden'))
    await reply('Both ask for the same bench')
    await expect(reply('Again')).rejects.toEqual(codeOf('conflict'))
    expect((await view()).merge).toMatchObject({ objection: 'Mine is about the park', objectionAnswer: 'Both ask for the same bench' })
    const [mail, ...more] = (await loadMails(author.id)).filter(({ kind }) => kind === 'objection-answered')
    expect([mail?.subject, more.length]).toEqual(['The team answered your objection', 0])
    expect(mail?.bodyText).toContain('Both ask for the same bench')
    // The merge can be undone all the same.
    await undoMerge(as(admin), link, 'The author is right')
    expect(await loadRow(double.id)).toMatchObject({ state: 'published' })
  })

  test('may withdraw a merged one: its text and objection go, its supporters stay with the other one', async () => {
    const { activity, author, double, target, object } = await addMerged()
    await object('Mine is about the park')
    await withdrawOwnContribution(as(author), addressOf(activity), { number: 1 })
    expect(await loadRow(double.id)).toMatchObject({ state: 'withdrawn', body: '', mergedInto: target.id })
    const { gone } = await getContribution(as(), addressOf(activity), 1, undefined)
    expect(gone?.state).toBe('withdrawn')
    await expect(undoMerge(as(admin), await loadLinkId(double.id), 'Back')).rejects.toEqual(codeOf('conflict'))
    const [link] = await as().db.tx((tx) => tx.select().from(contributionLinks).where(eq(contributionLinks.contributionId, double.id)))
    expect(link?.objection).toBe('')
  })
})

test('related contributions name each other, once', async () => {
  const { activity, double, target } = await addTwo()
  const relate = (from: { id: string }, to: { id: string }) =>
    relateContributions(as(admin), { contributionId: from.id, targetId: to.id, reason: '' })
  await relate(double, target)
  await expect(relate(target, double)).rejects.toEqual(codeOf('conflict'))
  const relatedOf = async (number: number) =>
    (await getContribution(as(), addressOf(activity), number, undefined)).contribution?.related.map((each) => each.number)
  expect([await relatedOf(1), await relatedOf(2)]).toEqual([[2], [1]])
})
