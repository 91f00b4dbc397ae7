import { createHash } from 'node:crypto'
import { and, eq, ne, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { appendLedgers } from '#app/features/ledger/append-ledgers.server.ts'
import { checkLedger } from '#app/features/ledger/check-ledger.ts'
import { findLedger, streamLedger } from '#app/features/ledger/ledger.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { activityLedgerEntries, activityLedgerWaiting, contributionLeaves } from '#app/server/db/schema/ledger.ts'
import { maskedOriginals } from '#app/server/db/schema/moderation.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, buildContributionInput } from '#tests/factories/contributions.ts'
import { addPerson } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { updateActivity } from './managing/activities.editing.server.ts'
import { eraseContribution } from './moderation/decide.server.ts'
import { maskSubject } from './moderation/masking/mask.server.ts'
import { eraseAccountContributions } from './own/account-contributions.server.ts'
import { editContribution, editOwnContribution, getOwnContribution, withdrawOwnContribution } from './own/own-contributions.server.ts'
import type { ContributionInput } from './posting/submit-contribution.server.ts'
import { submitContribution } from './posting/submit-contribution.server.ts'
import { requireActivityAt } from './record/activities.policy.server.ts'

const NOON = new Date('2026-03-02T12:10:00Z')
const AT_ONE = new Date('2026-03-02T13:00:00Z')
let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
let author: SignedInViewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  author = await addPerson(runtime, site)
})
beforeEach(() => runtime.setNow(NOON))

const as = (viewer: Ctx['viewer'] = VISITOR): Ctx => createCtx(runtime, site, { viewer, language: 'en' })
const inSite = () => runtime.database.site(site.id)
type Activity = Awaited<ReturnType<typeof addActivity>>
const addressOf = (activity: Activity) => ({ project: activity.projectSlug, activity: activity.slug })
const addWithLedger = (moderation: 'before' | 'after' = 'after') => addActivity(runtime, site, { moderation, settings: { ledger: true } })

const submit = (activity: Activity, more: Partial<ContributionInput> = {}, viewer: Ctx['viewer'] = VISITOR) =>
  submitContribution(
    as(viewer),
    (tx) => requireActivityAt(as(viewer), tx, addressOf(activity)),
    buildContributionInput(runtime.now(), more),
  )
async function readFile(activity: Activity): Promise<string> {
  const ledger = await inSite().tx((tx) => findLedger(tx, 'activity', site.id, activity.id))
  if (!ledger) throw new Error('The activity has no ledger')
  let text = ''
  for await (const piece of streamLedger(inSite(), ledger)) text += piece
  return text
}
const readLedger = async (activity: Activity) => checkLedger(await readFile(activity))
async function appendDue(at = AT_ONE): Promise<number> {
  runtime.setNow(at)
  return appendLedgers(runtime)
}
const readProof = async (activity: Activity, code: string) => (await getOwnContribution(as(), addressOf(activity), { code })).ledger
const listLeaves = (activity: Activity) =>
  inSite().tx((tx) =>
    tx
      .select({ id: contributionLeaves.contributionId })
      .from(contributionLeaves)
      .innerJoin(contributions, eq(contributions.id, contributionLeaves.contributionId))
      .where(eq(contributions.activityId, activity.id)),
  )
const faultOf = (pointer: string) =>
  expect.objectContaining({ code: 'invalid', faults: [expect.objectContaining({ code: 'fixed-once-open', pointer })] }) as Error

describe('what is accepted', () => {
  test('is added at the end of its hour, also while it waits for a moderator, and the receipt proves it', async () => {
    const activity = await addWithLedger('before')
    const { code } = await submit(activity, { body: 'Benches, “please”\nby the river' })
    expect(await readProof(activity, code)).toMatchObject({ state: 'waiting', entry: null, entries: 0 })
    expect(await appendDue(new Date(AT_ONE.getTime() - 1))).toBe(0)
    expect(await appendDue()).toBe(1)
    const proof = await readProof(activity, code)
    if (!proof || proof.state === 'gone') throw new Error('There is no proof')
    expect(proof).toMatchObject({ state: 'entered', entry: { number: 1 }, entries: 1 })
    expect(createHash('sha256').update(proof.kept).digest('hex')).toBe(proof.leaf)
    expect(proof.kept).toBe(
      `${proof.salt}{"body":"Benches, “please”\\nby the river","fields":{},"geometry":null,"placeText":"","title":"Benches by the river"}`,
    )
    const file = await readFile(activity)
    expect(file).toContain(`"leaf":"${proof.leaf}","hash":"${proof.entry?.hash}"`)
    expect(file).not.toContain(proof.salt)
    expect(await checkLedger(file)).toMatchObject({ faults: [], entries: 1, standing: 1 })
  })

  test('at the same time, some of it twice, is added exactly once each, and one ledger is opened', async () => {
    const activity = await addWithLedger()
    const ids = Array.from({ length: 6 }, () => createId())
    await Promise.all([...ids, ...ids, ...ids].map((id) => submit(activity, { id })))
    await Promise.all([appendDue(), appendDue()])
    expect(await readLedger(activity)).toMatchObject({ faults: [], entries: 6, standing: 6 })
    expect(await listLeaves(activity)).toHaveLength(6)
    expect(await appendDue(new Date(AT_ONE.getTime() + 3_600_000))).toBe(0)
  })

  test('has another salt each time, so that the same words have another hash', async () => {
    const activity = await addWithLedger()
    await submit(activity)
    await submit(activity)
    await appendDue()
    const leaves = (await readFile(activity)).match(/"leaf":"[\da-f]{64}"/g)
    expect(new Set(leaves).size).toBe(2)
  })

  test('is in no ledger if the activity has none', async () => {
    const activity = await addActivity(runtime, site, { moderation: 'after' })
    const { code } = await submit(activity)
    expect(await readProof(activity, code)).toBeNull()
    expect(await appendDue()).toBe(0)
    expect(await inSite().tx((tx) => findLedger(tx, 'activity', site.id, activity.id))).toBeUndefined()
  })
})

test('a changed text has an entry of its own, and the former one is marked; other changes add none', async () => {
  const activity = await addWithLedger()
  const byCode = await submit(activity)
  const byAccount = await submit(activity, {}, author)
  const edited = { title: 'Benches', body: 'By the mill', categories: [], fields: {} }
  await editContribution(as(), addressOf(activity), { code: byCode.code }, edited)
  await editContribution(as(), addressOf(activity), { code: byCode.code }, edited)
  await editOwnContribution(as(author), byAccount.id, { body: 'By the weir' })
  await appendDue()
  expect(await readLedger(activity)).toMatchObject({ faults: [], entries: 6, standing: 2, marks: 2, withdrawn: 0 })
  const proof = await readProof(activity, byCode.code)
  expect(proof).toMatchObject({ state: 'entered', kept: expect.stringContaining('By the mill') as string })
})

describe('what is deleted', () => {
  const GONE = { leaves: [], proof: { state: 'gone' }, waiting: [] }
  const readGone = async (activity: Activity, code: string) => {
    const leaves = await listLeaves(activity)
    const proof = await readProof(activity, code)
    await appendDue(new Date(AT_ONE.getTime() + 3_600_000))
    expect(await readLedger(activity)).toMatchObject({ faults: [], entries: 2, standing: 0, marks: 1, withdrawn: 1 })
    return { leaves, proof, waiting: await inSite().tx((tx) => tx.select().from(activityLedgerWaiting)) }
  }

  test('by its author leaves a mark, and nothing leads to the entry', async () => {
    const activity = await addWithLedger()
    const { code } = await submit(activity)
    await appendDue()
    await withdrawOwnContribution(as(), addressOf(activity), { code })
    await withdrawOwnContribution(as(), addressOf(activity), { code })
    expect(await readGone(activity, code)).toEqual(GONE)
  })

  test('before its hour ends has both, the entry and the mark', async () => {
    const activity = await addWithLedger()
    const { code } = await submit(activity)
    await withdrawOwnContribution(as(), addressOf(activity), { code })
    expect(await readGone(activity, code)).toEqual(GONE)
  })

  test('by an administrator leaves a mark', async () => {
    const activity = await addWithLedger()
    const { id, code } = await submit(activity)
    await appendDue()
    await eraseContribution(as(admin), id, 'Asked for it')
    expect(await readGone(activity, code)).toEqual(GONE)
  })

  test('with an account leaves a mark', async () => {
    const activity = await addWithLedger()
    const { code } = await submit(activity, {}, author)
    await appendDue()
    await inSite().tx((tx) => eraseAccountContributions(runtime.secret, tx, site.id, author.id, runtime.now()))
    expect(await readGone(activity, code)).toEqual(GONE)
  })

  test('with the activity takes its ledger along; nothing else deletes or changes an entry', async () => {
    const activity = await addWithLedger()
    await submit(activity)
    await appendDue()
    const isIts = sql`ledger_id in (select id from activity_ledgers where activity_id = ${activity.id})`
    await expect(inSite().tx((tx) => tx.delete(activityLedgerEntries).where(isIts))).rejects.toThrow()
    await expect(inSite().tx((tx) => tx.update(activityLedgerEntries).set({ number: 7 }).where(isIts))).rejects.toThrow()
    await inSite().tx((tx) => tx.delete(activities).where(eq(activities.id, activity.id)))
    expect(await inSite().tx((tx) => findLedger(tx, 'activity', site.id, activity.id))).toBeUndefined()
  })
})

describe('what is stored later', () => {
  test('is told if it is not what was accepted', async () => {
    const activity = await addWithLedger()
    const { id, code } = await submit(activity)
    await appendDue()
    await inSite().tx((tx) => tx.update(contributions).set({ body: 'I like it as it is.' }).where(eq(contributions.id, id)))
    expect(await readProof(activity, code)).toMatchObject({ state: 'missing', kept: '' })
  })

  test('is told too if what leads to the entry was changed with it', async () => {
    const activity = await addWithLedger()
    const { id, code } = await submit(activity)
    const other = await submit(activity, { body: 'Something else' })
    await appendDue()
    await inSite().tx(async (tx) => {
      await tx.update(contributions).set({ body: 'Nothing' }).where(eq(contributions.id, id))
      const leaf = sql`sha256(convert_to(encode(salt, 'hex') || '{"body":"Nothing","fields":{},"geometry":null,"placeText":"","title":"Benches by the river"}', 'UTF8'))`
      await tx
        .update(contributionLeaves)
        .set({ leaf })
        .where(and(eq(contributionLeaves.contributionId, id), ne(contributionLeaves.contributionId, other.id)))
    })
    expect(await readProof(activity, code)).toMatchObject({ state: 'missing', entry: null })
    expect(await readProof(activity, other.code)).toMatchObject({ state: 'entered' })
  })

  test('without a passage that a moderator removed still proves what was sent, until the original is deleted', async () => {
    const activity = await addWithLedger()
    const { id, code } = await submit(activity)
    await appendDue()
    await maskSubject(
      as(admin),
      { contributionId: id, replyId: null },
      {
        version: 1,
        passages: [{ field: 'body', start: 0, end: 6 }],
        rule: 'personal-data',
        words: 'A name',
      },
    )
    expect(await readProof(activity, code)).toMatchObject({ state: 'entered', kept: expect.stringContaining('People my age') as string })
    await inSite().tx((tx) => tx.delete(maskedOriginals).where(eq(maskedOriginals.contributionId, id)))
    expect(await readProof(activity, code)).toMatchObject({ state: 'masked', kept: '', entry: { number: 1 } })
  })
})

test('an activity gets its ledger before people can take part, and keeps it', async () => {
  const change = async (activity: Activity, ledger: boolean) => {
    const placed = await inSite().tx((tx) => requireActivityAt(as(admin), tx, addressOf(activity)))
    return updateActivity(as(admin), placed, { settings: { ...(placed.activity.settings as object), ledger } }, placed.activity.lockVersion)
  }
  const draft = await addActivity(runtime, site, { status: 'draft' })
  await change(draft, true)
  await change(draft, false)
  await change(draft, true)
  const open = await addWithLedger()
  await submit(open)
  await expect(change(open, false)).rejects.toEqual(faultOf('/settings/ledger'))
  await change(open, true)
  const without = await addActivity(runtime, site)
  await submit(without)
  await expect(change(without, true)).rejects.toEqual(faultOf('/settings/ledger'))
  // Sent after the page of settings was loaded.
  const late = await addWithLedger()
  const placed = await inSite().tx((tx) => requireActivityAt(as(admin), tx, addressOf(late)))
  await submit(late)
  const settings = { ...(placed.activity.settings as object), ledger: false }
  await expect(updateActivity(as(admin), placed, { settings }, placed.activity.lockVersion)).rejects.toEqual(faultOf('/settings/ledger'))
})
