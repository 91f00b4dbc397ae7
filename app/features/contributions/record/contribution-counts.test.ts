import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { mergePeople } from '#app/features/people/people.merge.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { contributions, reactions, replies } from '#app/server/db/schema/contributions.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addPerson } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { mergeContributions, undoMerge } from '../merging/merge-contributions.server.ts'
import { decideOnReply, eraseContribution } from '../moderation/decide.server.ts'
import { eraseAccountContributions } from '../own/account-contributions.server.ts'
import { withdrawOwnContribution } from '../own/own-contributions.server.ts'
import { addReaction, removeOwnReaction } from '../responding/reactions.server.ts'
import { submitReply } from '../responding/replies.server.ts'
import { insertReactions } from '../responding/stored-reactions.server.ts'
import { correctContributionCounts } from './contribution-counts.server.ts'

const SUPPORTERS = 150

let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})

const as = (viewer: Ctx['viewer'] = VISITOR): Ctx => createCtx(runtime, site, { viewer, language: 'en' })
/** Somebody with an account, as a reaction knows them: by their id alone. */
const createSupporter = (): SignedInViewer => ({ ...admin, id: createId(), roles: [] })
const support = (contributionId: string, viewer = createSupporter()) => addReaction(as(viewer), { id: createId(), contributionId })
const addTwo = async (more: Partial<typeof contributions.$inferInsert> = {}) => {
  const activity = await addActivity(runtime, site, { moderation: 'after' })
  const [double, target] = [
    await addContribution(runtime, site, { activityId: activity.id, number: 1, ...more }),
    await addContribution(runtime, site, { activityId: activity.id, number: 2 }),
  ]
  return { activity, double, target }
}
const merge = (from: string, into: string) => mergeContributions(as(admin), { contributionId: from, targetId: into, reason: 'The same' })

/** The counts that pages show of a contribution, and those of its rows: a person counts once in everything that was merged into it. */
async function compareCounts(id: string) {
  return as().db.tx(async (tx) => {
    const [shown] = await tx
      .select({ supports: contributions.supports, disagrees: contributions.disagrees, replies: contributions.repliesCount })
      .from(contributions)
      .where(eq(contributions.id, id))
    const all = await tx.select({ id: contributions.id, mergedInto: contributions.mergedInto }).from(contributions)
    const listFamily = (root: string): string[] => [
      root,
      ...all.filter((one) => one.mergedInto === root).flatMap((one) => listFamily(one.id)),
    ]
    const family = new Set(listFamily(id))
    const last = new Map<string, string>()
    const given = await tx
      .select()
      .from(reactions)
      .orderBy(sql`coalesce(changed_at, created_at), id`)
    for (const row of given) if (family.has(row.contributionId)) last.set(row.personHash.toString('hex'), row.value)
    const said = await tx.select().from(replies).where(eq(replies.contributionId, id))
    const disagrees = [...last.values()].filter((value) => value === 'disagree').length
    return {
      shown,
      rows: { supports: last.size - disagrees, disagrees, replies: said.filter(({ state }) => state === 'published').length },
    }
  })
}

/** Those whose pages show something else than what is stored. */
async function findWrong(...ids: readonly string[]) {
  const compared = await Promise.all(ids.map(compareCounts))
  return compared.filter(({ shown, rows }) => JSON.stringify(shown) !== JSON.stringify(rows))
}

/** Somebody's support that is being stored when `act` begins: its row is locked, and others do not see it yet. */
async function supportMeanwhile(contributionId: string, act: () => Promise<unknown>): Promise<void> {
  let acting: Promise<unknown> | undefined
  await as().db.tx(async (tx) => {
    await tx.select().from(contributions).where(eq(contributions.id, contributionId)).for('update')
    const value = 'support' as const
    const row = { siteId: site.id, id: createId(), contributionId, personHash: randomBytes(32), byAccount: true, value }
    await insertReactions(
      tx,
      site.id,
      new Set([{ ...row, tellUserId: null, createdAt: runtime.now(), changedAt: null, crowdId: null, counted: true }]),
    )
    acting = act()
    acting.catch(() => {})
    await setTimeout(100)
  })
  await acting
}

/**
 * People who support one of the contributions, six at a time, while `act` is called once in their middle.
 * @returns how many were told that it is stored
 */
async function raceSupports(ids: readonly [string, ...string[]], act: () => Promise<unknown>, total = SUPPORTERS): Promise<number> {
  let [sent, stored] = [0, 0]
  let acted: Promise<unknown> | undefined
  const sendInTurn = async () => {
    while (sent < total - 1) {
      const id = ids[sent++ % ids.length]!
      if (sent > total / 3) acted ??= supportMeanwhile(ids[0], act).then(() => stored++)
      try {
        await support(id)
        stored++
      } catch (error) {
        if (!isAppError(error)) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: 6 }, sendInTurn))
  await acted
  return stored
}

describe('while people support, the counts stay those of the rows', () => {
  test('when a merge is undone', async () => {
    const { double, target } = await addTwo()
    for (const { id } of [double, double, target]) await support(id)
    const link = await merge(double.id, target.id)
    expect(await raceSupports([target.id], () => undoMerge(as(admin), link, 'They differ'))).toBe(SUPPORTERS)
    expect((await compareCounts(target.id)).rows.supports).toBe(SUPPORTERS + 1)
    expect(await findWrong(target.id, double.id)).toEqual([])
  })

  test('when a merge is made', async () => {
    const { double, target } = await addTwo()
    const stored = await raceSupports([target.id, double.id], () => merge(double.id, target.id))
    expect((await compareCounts(target.id)).rows.supports).toBe(stored)
    expect(await findWrong(target.id, double.id)).toEqual([])
  })

  test('when an account is erased that supports it and what was merged into it', async () => {
    const { double, target } = await addTwo()
    const leaving = createSupporter()
    for (const { id } of [double, target]) await support(id, leaving)
    await merge(double.id, target.id)
    const erase = () => as(admin).db.tx((tx) => eraseAccountContributions(runtime.secret, tx, site.id, leaving.id))
    expect(await raceSupports([target.id], erase)).toBe(SUPPORTERS)
    expect((await compareCounts(target.id)).rows.supports).toBe(SUPPORTERS)
    expect(await findWrong(target.id, double.id)).toEqual([])
  })

  test('when accounts are merged that support both', async () => {
    const { double, target } = await addTwo()
    const [from, into] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    await support(double.id, from)
    await support(target.id, into)
    await merge(double.id, target.id)
    await raceSupports([target.id], () => mergePeople(as(admin), { from: from.id, into: into.id }))
    expect((await compareCounts(target.id)).rows.supports).toBe(SUPPORTERS + 1)
    expect(await findWrong(target.id, double.id)).toEqual([])
  })

  test('when somebody takes back their support, also of what was merged into it', async () => {
    const { double, target } = await addTwo()
    const leaving = createSupporter()
    for (const { id } of [double, target]) await support(id, leaving)
    await merge(double.id, target.id)
    await raceSupports([target.id], () => removeOwnReaction(as(leaving), { contributionId: target.id }))
    expect((await compareCounts(target.id)).rows.supports).toBe(SUPPORTERS)
    expect(await findWrong(target.id, double.id)).toEqual([])
  })

  test.each(['withdrawn', 'erased'] as const)('when what others were merged into is %s', async (state) => {
    const author = await addPerson(runtime, site)
    const activity = await addActivity(runtime, site)
    const doubles = await Promise.all([1, 2, 3].map((number) => addContribution(runtime, site, { activityId: activity.id, number })))
    for (const { id } of doubles) await support(id)
    const target = await addContribution(runtime, site, { activityId: activity.id, number: 4, authorId: author.id })
    for (const { id } of doubles) await merge(id, target.id)
    const all = [target.id, ...doubles.map(({ id }) => id)] as const
    await raceSupports(all, () =>
      state === 'erased'
        ? eraseContribution(as(admin), target.id, 'Names a neighbour')
        : withdrawOwnContribution(as(author), { project: activity.projectSlug, activity: activity.slug }, { number: 4 }),
    )
    expect(await findWrong(...all)).toEqual([])
  })

  test('when replies come and go, and the account of their author is erased', async () => {
    const { double, target } = await addTwo()
    const author = await addPerson(runtime, site)
    const reply = (contributionId: string, viewer?: SignedInViewer) =>
      submitReply(as(viewer), { id: createId(), sendKey: 'only-the-sender', contributionId, body: 'I would sit there', shownName: '' })
    const [held, own] = [await reply(target.id), await reply(target.id, author)]
    await merge(double.id, target.id)
    await raceSupports([target.id], () =>
      Promise.all([
        ...Array.from({ length: 5 }, () => reply(target.id)),
        decideOnReply(as(admin), held.id, 'hold', { rule: 'abuse', words: 'Names a neighbour' }),
        as(admin).db.tx((tx) => eraseAccountContributions(runtime.secret, tx, site.id, author.id)),
      ]),
    )
    expect((await compareCounts(target.id)).rows.replies).toBe(5)
    expect(own.state).toBe('published')
    expect(await findWrong(target.id)).toEqual([])
  })
})

test('wrong counts are found and put right, and nothing else is written', async () => {
  const { double, target } = await addTwo()
  const people = [createSupporter(), createSupporter()]
  for (const viewer of people) await support(double.id, viewer)
  await support(target.id, people[0])
  await merge(double.id, target.id)
  await submitReply(as(), { id: createId(), sendKey: 'only-the-sender', contributionId: target.id, body: 'Yes', shownName: '' })
  expect(await correctContributionCounts(as().db)).toEqual([])
  await as().db.tx((tx) =>
    tx.update(contributions).set({ supports: 7, disagrees: 3, repliesCount: 0 }).where(eq(contributions.id, target.id)),
  )
  expect(await correctContributionCounts(as().db)).toEqual([{ id: target.id, number: 2, stored: [7, 3, 0], counted: [2, 0, 1] }])
  expect((await compareCounts(target.id)).shown).toEqual({ supports: 2, disagrees: 0, replies: 1 })
  expect(await correctContributionCounts(as().db)).toEqual([])
})
