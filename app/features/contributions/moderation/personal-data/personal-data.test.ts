import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { homepageRevisions } from '#app/server/db/schema/homepage.ts'
import { moderationCases } from '#app/server/db/schema/moderation.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution, buildContributionInput } from '#tests/factories/contributions.ts'
import { addPerson } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { removeRandomValues } from '#tests/support/random-values.ts'
import { requireActivityAt } from '../../record/activities.policy.server.ts'
import { editContribution } from '../../own/own-contributions.server.ts'
import { submitContribution } from '../../posting/submit-contribution.server.ts'
import { getContribution, listContributions } from '../../reading/views.server.ts'
import { submitReply } from '../../responding/replies.server.ts'
import { keepAsItIs } from '../decide.server.ts'
import { loadModerationPage } from '../moderation-page.server.ts'
import { describePersonalData, requireSeenPersonalData } from './personal-data.server.ts'

const NOON = new Date('2026-03-02T12:00:00Z')
const PHONE = '514 273-0123'
const CARD = '4111 1111 1111 1111'

let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  await runtime.database.global.update(sites).set({ region: 'Canada', contactEmail: 'ask@riverbend.example' }).where(eq(sites.id, site.id))
  site = { ...site, region: 'Canada', contactEmail: 'ask@riverbend.example' }
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})
beforeEach(() => runtime.setNow(NOON))

const as = (viewer: Ctx['viewer'] = VISITOR): Ctx => createCtx(runtime, site, { viewer, language: 'en' })
type Activity = Awaited<ReturnType<typeof addActivity>>
const addressOf = (activity: Activity) => ({ project: activity.projectSlug, activity: activity.slug })

const submit = (activity: Activity, body: string, more: { placeText?: string; title?: string } = {}) =>
  submitContribution(
    as(),
    (tx) => requireActivityAt(as(), tx, addressOf(activity)),
    buildContributionInput(runtime.now(), { body, browserToken: issueToken(runtime, site), ...more }),
  )

const loadCases = (contributionId: string) =>
  as().db.read((tx) =>
    tx
      .select({ openedBy: moderationCases.openedBy, replyId: moderationCases.replyId, version: moderationCases.version })
      .from(moderationCases)
      .where(and(eq(moderationCases.contributionId, contributionId), eq(moderationCases.state, 'open'))),
  )
const describeText = (body: string) => as().db.read((tx) => describePersonalData(as(), tx, { body }))

describe('before sending', () => {
  test('each passage is named once, wherever it stands', async () => {
    const texts = { title: `Ring ${PHONE}`, body: `Ring (514) 273-0123 or write to ana@example.org.`, shownName: 'ana@example.org' }
    const warning = await as().db.read((tx) => describePersonalData(as(), tx, texts))
    expect(warning?.passages).toEqual([
      { kind: 'phone', text: PHONE },
      { kind: 'email', text: 'ana@example.org' },
    ])
  })

  test('an author who has seen them may go on; one who then adds another is warned again', async () => {
    const body = `Ring ${PHONE}.`
    await expect(requireSeenPersonalData(as(), { body }, undefined)).rejects.toMatchObject({ code: 'personal-data-first', status: 409 })
    const seen = (await describeText(body))?.seen
    await requireSeenPersonalData(as(), { body: `Please. ${body}` }, seen)
    await expect(requireSeenPersonalData(as(), { body: `${body} Or 514 273-0199.` }, seen)).rejects.toMatchObject({
      code: 'personal-data-first',
    })
    await requireSeenPersonalData(as(), { body: 'Nothing of the kind.' }, undefined)
  })

  test('an address where something is, and what the site itself publishes, are no reason to warn', async () => {
    const place = await as().db.read((tx) =>
      describePersonalData(as(), tx, { body: 'Here.', placeText: '1234, rue Saint-Denis, Montréal H2X 3K8' }),
    )
    expect(place).toBeNull()
    expect(await describeText('Ask at ask@riverbend.example.')).toBeNull()
    expect(await describeText('The town hall is 514 872-0311.')).not.toBeNull()
    await as().db.tx((tx) =>
      tx.insert(homepageRevisions).values({
        siteId: site.id,
        id: createId(),
        content: { blocks: [{ type: 'contact', email: 'hall@riverbend.example', phone: '+1 (514) 872-0311' }] },
        publishedAt: NOON,
      }),
    )
    expect(await describeText('The town hall is 514 872-0311, hall@riverbend.example.')).toBeNull()
    expect(await describeText(`The town hall is 514 872-0311, and I am ${PHONE}.`)).toMatchObject({ passages: [{ text: PHONE }] })
  })
})

describe('a text with personal data that arrives', () => {
  test('is published, and a moderator looks at it', async () => {
    const activity = await addActivity(runtime, site, { moderation: 'after' })
    const { id, state } = await submit(activity, `Ring ${PHONE}.`)
    expect(state).toBe('published')
    expect(await loadCases(id)).toEqual([{ openedBy: 'personal-data', replyId: null, version: 1 }])
    await keepAsItIs(as(admin), { contributionId: id, replyId: null })
    expect(await loadCases(id)).toEqual([])
    const ordinary = await submit(activity, 'It cost $1,234,567 in 2019; see 21/01234/FUL.')
    expect(await loadCases(ordinary.id)).toEqual([])
  })

  test('is never published unread with a number that gives access to money or identity', async () => {
    const activity = await addActivity(runtime, site, { moderation: 'after' })
    for (const number of [CARD, '130 692 544', 'AB 12 34 56 C']) {
      const { id, state } = await submit(activity, `Mine is ${number}.`)
      expect([number, state]).toEqual([number, 'held'])
      expect(await loadCases(id)).toMatchObject([{ openedBy: 'personal-data' }])
    }
    expect((await listContributions(as(), addressOf(activity), {})).total).toBe(0)
  })

  test('says so in the case where everything is read before publication', async () => {
    const activity = await addActivity(runtime, site)
    const { id } = await submit(activity, `Ring ${PHONE}.`)
    expect(await loadCases(id)).toMatchObject([{ openedBy: 'personal-data' }])
    const other = await submit(activity, 'Sit.')
    expect(await loadCases(other.id)).toMatchObject([{ openedBy: 'before' }])
  })

  test('as a reply is treated alike, save one of the team', async () => {
    const activity = await addActivity(runtime, site, { moderation: 'after' })
    const { id: contributionId } = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    const reply = (ctx: Ctx, body: string, official = false) =>
      submitReply(ctx, {
        id: createId(),
        sendKey: 'only-the-sender',
        contributionId,
        body,
        shownName: '',
        browserToken: issueToken(runtime, site),
        official,
      })
    expect((await reply(as(admin), `Ring us at ${PHONE}.`, true)).state).toBe('published')
    expect(await loadCases(contributionId)).toEqual([])
    const shown = await reply(as(), `Ring ${PHONE}.`)
    const held = await reply(as(), `Pay with ${CARD}.`)
    expect([shown.state, held.state]).toEqual(['published', 'held'])
    expect(await loadCases(contributionId)).toEqual(
      expect.arrayContaining([
        { openedBy: 'personal-data', replyId: shown.id, version: 1 },
        { openedBy: 'personal-data', replyId: held.id, version: 1 },
      ]),
    )
  })

  test('after a change is treated alike', async () => {
    const activity = await addActivity(runtime, site, { moderation: 'after' })
    const { id, code } = await submit(activity, 'Sit.')
    const edit = (body: string) =>
      editContribution(as(), addressOf(activity), { code }, { title: 'Benches by the river', body, categories: [] })
    await edit(`Ring ${PHONE}.`)
    expect(await loadCases(id)).toEqual([{ openedBy: 'personal-data', replyId: null, version: 2 }])
    expect((await getContribution(as(), addressOf(activity), 1, undefined)).contribution?.body).toContain(PHONE)
    await edit(`Pay with ${CARD}.`)
    await expect(getContribution(as(), addressOf(activity), 1, undefined)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('leaves no trace of it outside the text', async () => {
    const activity = await addActivity(runtime, site, { moderation: 'after' })
    const { id } = await submit(activity, `Pay with ${CARD}.`)
    const events = await as().db.read((tx) => tx.select().from(auditEvents).where(eq(auditEvents.subjectId, id)))
    expect(events).toHaveLength(1)
    const cases = await as().db.read((tx) => tx.select().from(moderationCases).where(eq(moderationCases.contributionId, id)))
    expect(removeRandomValues(JSON.stringify([events.map(({ detail }) => detail), cases]))).not.toContain('4111')
  })
})

test('the public count of what is held leaves out what is public and only looked at', async () => {
  const other = await addSite(runtime, { slug: 'harbour' })
  const activity = await addActivity(runtime, other, { moderation: 'after' })
  const ctx = createCtx(runtime, other, { viewer: VISITOR, language: 'en' })
  for (let number = 1; number <= 5; number++) {
    const row = await addContribution(runtime, other, { activityId: activity.id, number, submittedAt: NOON })
    await ctx.db.tx((tx) =>
      tx
        .insert(moderationCases)
        .values({ siteId: other.id, id: createId(), contributionId: row.id, openedBy: 'personal-data', dueAt: NOON }),
    )
  }
  expect((await loadModerationPage(ctx)).facts).toMatchObject({ received: 5, held: 0 })
  await ctx.db.tx((tx) => tx.update(contributions).set({ state: 'held' }))
  expect((await loadModerationPage(ctx)).facts).toMatchObject({ received: 5, held: 5 })
})
