import { eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { isAppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributions, contributionVersions, reactions, replies } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { moderationCases } from '#app/server/db/schema/moderation.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution, addStage, buildContributionInput } from '#tests/factories/contributions.ts'
import { addPerson, addProject } from '#tests/factories/surveys.ts'
import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { requireActivityAt } from './record/activities.policy.server.ts'
import { decideOnContribution, decideOnReply, eraseContribution } from './moderation/decide.server.ts'
import { type ContributionInput, submitContribution } from './posting/submit-contribution.server.ts'
import { findSimilar } from './reading/similar.server.ts'
import { getContribution, getProjectActivities, listContributions } from './reading/views.server.ts'
import { createOfficialResponse } from './responding/official-responses.server.ts'
import { addToContribution, editContribution, getOwnContribution, withdrawOwnContribution } from './own/own-contributions.server.ts'
import { addReaction, removeOwnReaction } from './responding/reactions.server.ts'
import { submitReply } from './responding/replies.server.ts'

const NOON = new Date('2026-03-02T12:00:00Z')
const minutesLater = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)

let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
})
beforeEach(() => runtime.setNow(NOON))

const as = (viewer: Ctx['viewer'] = VISITOR, language: Ctx['language'] = 'en', address: string | null = null): Ctx =>
  createCtx(runtime, site, { viewer, language, address })
type Activity = Awaited<ReturnType<typeof addActivity>>
const addressOf = (activity: Activity) => ({ project: activity.projectSlug, activity: activity.slug })

const buildInput = (more: Partial<ContributionInput> = {}): ContributionInput =>
  buildContributionInput(runtime.now(), { browserToken: issueToken(runtime, site), ...more })

const submit = (ctx: Ctx, activity: Activity, more: Partial<ContributionInput> = {}) =>
  submitContribution(ctx, (tx) => requireActivityAt(ctx, tx, addressOf(activity)), buildInput(more))

const loadRow = async (id: string) => {
  const [row] = await as().db.tx((tx) => tx.select().from(contributions).where(eq(contributions.id, id)))
  if (!row) throw new Error('There is no such contribution')
  return row
}
const loadAudit = async (subjectId: string) => {
  const rows = await as().db.tx((tx) =>
    tx.select({ action: auditEvents.action }).from(auditEvents).where(eq(auditEvents.subjectId, subjectId)).orderBy(auditEvents.sequence),
  )
  return rows.map(({ action }) => action)
}
const loadMails = (userId: string) =>
  as().db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.userId, userId)).orderBy(outboxMails.id))
const codeOf = (code: string) => expect.objectContaining({ code }) as Error
const faultOf = (code: string, pointer: string) =>
  expect.objectContaining({ code: 'invalid', faults: expect.arrayContaining([expect.objectContaining({ code, pointer })]) }) as Error

describe('sending', () => {
  test('in an activity moderated before publication holds it, in one moderated afterwards publishes it', async () => {
    const before = await addActivity(runtime, site)
    const after = await addActivity(runtime, site, { moderation: 'after' })
    const held = await submit(as(), before)
    expect(held).toMatchObject({ stored: true, number: 1, state: 'held' })
    expect(held.code).toMatch(/^([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/)
    await expect(getContribution(as(), addressOf(before), 1, undefined)).rejects.toEqual(codeOf('not-found'))
    expect((await listContributions(as(), addressOf(before), {})).total).toBe(0)
    const published = await submit(as(), after)
    expect(published).toMatchObject({ state: 'published' })
    expect((await getContribution(as(), addressOf(after), 1, undefined)).contribution?.title).toBe('Benches by the river')
    expect(await loadAudit(held.id)).toEqual(['contributions.submit'])
  })

  test('twice stores once, with the same receipt, and uses no second number', async () => {
    const activity = await addActivity(runtime, site)
    const input = buildInput()
    const first = await submit(as(), activity, input)
    const second = await submit(as(), activity, { ...input, title: 'Something else' })
    expect(second).toEqual({ ...first, stored: false })
    expect((await loadRow(input.id)).title).toBe('Benches by the river')
    expect(await submit(as(), activity)).toMatchObject({ number: 2 })
    // It is no new one for the limit, and may come after the activity has closed.
    for (let again = 0; again < 6; again++) expect((await submit(as(), activity, input)).stored).toBe(false)
  })

  test('at the same time stores once', async () => {
    const activity = await addActivity(runtime, site)
    const input = buildInput()
    const all = await Promise.all([1, 2, 3].map(() => submit(as(), activity, input)))
    expect(all.filter(({ stored }) => stored)).toHaveLength(1)
    expect(new Set(all.map(({ number }) => number))).toEqual(new Set([1]))
  })

  test("with somebody else's id is refused", async () => {
    const activity = await addActivity(runtime, site)
    const input = buildInput()
    await submit(as(), activity, input)
    await expect(submit(as(), activity, { ...input, sendKey: 'of-somebody-else' })).rejects.toEqual(codeOf('conflict'))
  })

  test('names every fault at its field', async () => {
    const activity = await addActivity(runtime, site, {
      settings: { categories: ['a', 'b', 'c', 'd'].map((id) => ({ id, title: { en: id } })), shownNames: ['name', 'anonymous'] },
    })
    await expect(submit(as(), activity, { title: ' ', body: '', shownAs: 'resident' })).rejects.toMatchObject({
      code: 'invalid',
      faults: [
        { code: 'required', pointer: '/title' },
        { code: 'required', pointer: '/body' },
        { code: 'required', pointer: '/shownAs' },
      ],
    })
    await expect(submit(as(), activity, { title: 'x'.repeat(141) })).rejects.toEqual(faultOf('too-long', '/title'))
    await expect(submit(as(), activity, { body: 'x'.repeat(5001) })).rejects.toEqual(faultOf('too-long', '/body'))
    await expect(submit(as(), activity, { categories: ['a', 'b', 'c', 'd'] })).rejects.toEqual(faultOf('too-many', '/categories'))
    await expect(submit(as(), activity, { categories: ['gone'] })).rejects.toEqual(faultOf('not-a-choice', '/categories'))
    await expect(submit(as(), activity, { areaId: createId() })).rejects.toEqual(faultOf('not-a-choice', '/areaId'))
    await expect(submit(as(), activity, { shownAs: 'name' })).rejects.toEqual(faultOf('required', '/shownName'))
    expect(await submit(as(), activity, { title: 'x'.repeat(140), body: 'x'.repeat(5000) })).toMatchObject({ number: 1 })
  })

  test('keeps only the part of the name that is to be shown', async () => {
    const activity = await addActivity(runtime, site)
    const { id } = await submit(as(), activity, { shownAs: 'first_name', shownName: 'Ana  Flores' })
    const { id: hidden } = await submit(as(), activity, { shownAs: 'anonymous', shownName: 'Ana Flores' })
    expect((await loadRow(id)).shownName).toBe('Ana')
    expect((await loadRow(hidden)).shownName).toBe('')
  })

  test('is limited to 5 per person in 10 minutes', async () => {
    const [one, other] = [await addActivity(runtime, site), await addActivity(runtime, site)]
    const browserToken = issueToken(runtime, site)
    for (let sent = 0; sent < 5; sent++) await submit(as(), sent % 2 ? one : other, { browserToken })
    const tooMany = await submit(as(), one, { browserToken }).catch((error: unknown) => error)
    expect(isAppError(tooMany, 'too-many-requests') && tooMany.status).toBe(429)
    expect(isAppError(tooMany) && tooMany.meta?.['retryAfter']).toBeGreaterThan(0)
    expect(await submit(as(), one)).toMatchObject({ stored: true })
    runtime.setNow(minutesLater(21))
    expect(await submit(as(), one, { browserToken })).toMatchObject({ stored: true })
  })

  test('more than 30 times from one address in an hour is taken and held', async () => {
    const activity = await addActivity(runtime, site)
    const ids: string[] = []
    for (let sent = 0; sent < 31; sent++) ids.push((await submit(as(VISITOR, 'en', '192.0.2.9'), activity)).id)
    expect((await loadRow(ids[29] ?? '')).doubt).toBeNull()
    expect((await loadRow(ids[30] ?? '')).doubt).toBe('rate')
  })

  test('that is one of unusually many from one address waits for a moderator, also where others are public at once', async () => {
    const activity = await addActivity(runtime, site, { moderation: 'after' })
    const sent: Awaited<ReturnType<typeof submit>>[] = []
    for (let at = 0; at < 31; at++) sent.push(await submit(as(VISITOR, 'en', '192.0.2.31'), activity))
    expect(sent.map(({ state }) => state)).toEqual([...Array<string>(30).fill('published'), 'held'])
    const cases = await as().db.tx((tx) =>
      tx
        .select({
          contributionId: moderationCases.contributionId,
          openedBy: moderationCases.openedBy,
          state: moderationCases.state,
        })
        .from(moderationCases)
        .where(
          inArray(
            moderationCases.contributionId,
            sent.map(({ id }) => id),
          ),
        ),
    )
    expect(cases).toEqual([{ contributionId: sent[30]?.id, openedBy: 'rate', state: 'open' }])
  })

  test('is kept apart from other sites', async () => {
    const activity = await addActivity(runtime, site)
    const { id } = await submit(as(), activity)
    const other = await addSite(runtime, { slug: 'harbour' })
    const seen = await createCtx(runtime, other, { viewer: admin }).db.tx((tx) =>
      tx.select().from(contributions).where(eq(contributions.id, id)),
    )
    expect(seen).toEqual([])
  })
})

describe('who may post', () => {
  test.each([
    ['signed_in', 'unauthenticated', 'unconfirmed'],
    ['confirmed', 'unauthenticated', 'confirmed'],
    ['members', 'unauthenticated', 'member'],
  ] as const)('%s: not a visitor', async (postAccess, refused, allowed) => {
    const activity = await addActivity(runtime, site, { postAccess })
    await expect(submit(as(), activity)).rejects.toEqual(codeOf(refused))
    const person = await addPerson(runtime, site, {
      confirmed: allowed !== 'unconfirmed',
      ...(allowed === 'member' ? { memberOf: activity.projectId } : {}),
    })
    expect(await submit(as(person), activity)).toMatchObject({ stored: true })
  })

  test('an unconfirmed account cannot post where a confirmed one is needed, nor a stranger among members', async () => {
    const unconfirmed = await addPerson(runtime, site, { confirmed: false })
    const stranger = await addPerson(runtime, site)
    await expect(submit(as(unconfirmed), await addActivity(runtime, site, { postAccess: 'confirmed' }))).rejects.toEqual(
      codeOf('confirm-to-take-part'),
    )
    await expect(submit(as(stranger), await addActivity(runtime, site, { postAccess: 'members' }))).rejects.toEqual(codeOf('forbidden'))
    await expect(submit(as(stranger), await addActivity(runtime, site, { postAccess: 'group' }))).rejects.toEqual(codeOf('forbidden'))
  })

  test('a draft does not exist for others, and a draft project neither', async () => {
    await expect(submit(as(), await addActivity(runtime, site, { status: 'draft' }))).rejects.toEqual(codeOf('not-found'))
    const project = await addProject(runtime, site, { status: 'draft', publishedAt: null })
    const activity = await addActivity(runtime, site, { projectId: project.id })
    await expect(submit(as(), { ...activity, projectSlug: project.slug })).rejects.toEqual(codeOf('not-found'))
  })
})

describe('when an activity is open', () => {
  test('itself, its stage and its project decide together', async () => {
    const late = await addActivity(runtime, site, { opensAt: minutesLater(60) })
    await expect(submit(as(), late)).rejects.toEqual(codeOf('activity-not-open'))
    const over = await addActivity(runtime, site, { closesAt: minutesLater(-60) })
    await expect(submit(as(), over)).rejects.toEqual(codeOf('activity-closed'))
    const project = await addProject(runtime, site)
    const past = await addStage(runtime, site, { projectId: project.id, endsAt: minutesLater(-60) })
    const staged = await addActivity(runtime, site, { projectId: project.id, stageId: past.id })
    await expect(submit(as(), { ...staged, projectSlug: project.slug })).rejects.toEqual(codeOf('activity-closed'))
    const closing = await addProject(runtime, site, { closesAt: minutesLater(-60) })
    const inClosed = await addActivity(runtime, site, { projectId: closing.id })
    await expect(submit(as(), { ...inClosed, projectSlug: closing.slug })).rejects.toEqual(codeOf('activity-closed'))
    await expect(submit(as(), await addActivity(runtime, site, { status: 'archived' }))).rejects.toEqual(codeOf('activity-closed'))
  })

  test('a form opened before it closed is accepted for a minute, one opened afterwards is not', async () => {
    const activity = await addActivity(runtime, site, { closesAt: minutesLater(10) })
    const early = buildInput()
    runtime.setNow(new Date(minutesLater(10).getTime() + 30_000))
    await expect(submit(as(), activity)).rejects.toEqual(codeOf('activity-closed'))
    expect(await submit(as(), activity, early)).toMatchObject({ stored: true })
  })

  test('closing leaves reading', async () => {
    const activity = await addActivity(runtime, site, { closesAt: minutesLater(-60) })
    await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    const list = await listContributions(as(), addressOf(activity), {})
    expect([list.activity.state, list.total]).toEqual(['closed', 1])
  })
})

describe('a moderator', () => {
  const start = async (state: 'held' | 'published' = 'held') => {
    const activity = await addActivity(runtime, site, { moderation: state === 'held' ? 'before' : 'after' })
    const author = await addPerson(runtime, site)
    const { id } = await submit(as(author, 'fr-CA'), activity)
    return { activity, author, id }
  }

  test('publishes what was held: it is public, the page store is told, the author gets an email', async () => {
    const { activity, author, id } = await start()
    const readVersion = async () => (await runtime.database.global.select().from(sites).where(eq(sites.id, site.id)))[0]?.contentVersion
    const before = await readVersion()
    await decideOnContribution(as(admin), id, 'publish')
    expect((await getContribution(as(), addressOf(activity), 1, undefined)).contribution?.number).toBe(1)
    expect(Number(await readVersion())).toBeGreaterThan(Number(before))
    expect((await loadMails(author.id)).map(({ kind }) => kind)).toEqual(['contribution-published'])
    expect(await loadAudit(id)).toEqual(['contributions.submit', 'contributions.publish'])
    await expect(decideOnContribution(as(admin), id, 'publish')).rejects.toEqual(codeOf('conflict'))
  })

  test('does not undo what somebody else decided in the same moment', async () => {
    const { author, id } = await start()
    const isWaiting = async () => {
      const { rows } = await runtime.database.global.execute(
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length > 0
    }
    let late: Promise<void> | undefined
    await as().db.tx(async (tx) => {
      await tx.update(contributions).set({ state: 'withdrawn' }).where(eq(contributions.id, id))
      late = decideOnContribution(as(admin), id, 'publish')
      late.catch(() => undefined)
      await vi.waitUntil(isWaiting, { timeout: 10_000 })
    })
    await expect(late).rejects.toEqual(codeOf('conflict'))
    expect((await loadRow(id)).state).toBe('withdrawn')
    expect(await loadMails(author.id)).toEqual([])
    expect(await loadAudit(id)).toEqual(['contributions.submit'])
  })

  test('declines with words, which the author and whoever follows the link read', async () => {
    const { activity, author, id } = await start()
    await expect(decideOnContribution(as(admin), id, 'decline', { rule: 'abuse', words: ' ' })).rejects.toEqual(
      faultOf('required', '/reason'),
    )
    await decideOnContribution(as(admin), id, 'decline', { rule: 'abuse', words: 'It names a neighbour.' })
    expect((await getContribution(as(), addressOf(activity), 1, undefined)).gone).toMatchObject({
      state: 'declined',
      reason: 'It names a neighbour.',
    })
    const [mail] = await loadMails(author.id)
    expect(mail?.kind).toBe('contribution-declined')
    expect(mail?.bodyText).toContain('It names a neighbour.')
    expect(await getOwnContribution(as(author), addressOf(activity), { number: 1 })).toMatchObject({
      state: 'declined',
      reason: 'It names a neighbour.',
    })
    await expect(decideOnContribution(as(admin), id, 'publish')).rejects.toEqual(codeOf('conflict'))
  })

  test('holds what is published for review, and publishes it again', async () => {
    const { activity, id } = await start('published')
    await decideOnContribution(as(admin), id, 'hold', { rule: 'abuse', words: 'Somebody reported it.' })
    await expect(getContribution(as(), addressOf(activity), 1, undefined)).rejects.toEqual(codeOf('not-found'))
    await decideOnContribution(as(admin), id, 'publish')
    expect((await getContribution(as(), addressOf(activity), 1, undefined)).contribution).not.toBeNull()
    expect(await loadAudit(id)).toEqual(['contributions.submit', 'contributions.hold', 'contributions.publish'])
  })

  test('removes what is published, with a reason, and cannot decline it', async () => {
    const { activity, id } = await start('published')
    await expect(decideOnContribution(as(admin), id, 'decline', { rule: 'abuse', words: 'No' })).rejects.toEqual(codeOf('conflict'))
    await decideOnContribution(as(admin), id, 'remove', { rule: 'abuse', words: 'It insults somebody.' })
    expect((await getContribution(as(), addressOf(activity), 1, undefined)).gone).toMatchObject({
      state: 'removed',
      reason: 'It insults somebody.',
    })
    expect((await listContributions(as(), addressOf(activity), { q: 'benches' })).total).toBe(0)
  })

  test('who administers another project may not decide; nobody but a site administrator erases', async () => {
    const { activity, id } = await start()
    const elsewhere = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: createId() }] })
    const here = await addPerson(runtime, site, { roles: [{ role: 'project_admin', projectId: activity.projectId }] })
    await expect(decideOnContribution(as(elsewhere), id, 'publish')).rejects.toEqual(codeOf('forbidden'))
    await expect(decideOnContribution(as(), id, 'publish')).rejects.toEqual(codeOf('unauthenticated'))
    await expect(eraseContribution(as(here), id, 'Asked for it')).rejects.toEqual(codeOf('forbidden'))
    await decideOnContribution(as(here), id, 'publish')
    await eraseContribution(as(admin), id, 'Asked for it')
    expect(await loadRow(id)).toMatchObject({ state: 'erased', title: '', body: '', authorId: null, searchText: '' })
    expect(await as().db.tx((tx) => tx.select().from(contributionVersions).where(eq(contributionVersions.contributionId, id)))).toEqual([])
    // Why it was erased is for the audit log only.
    expect((await getContribution(as(), addressOf(activity), 1, undefined)).gone).toMatchObject({ state: 'erased', reason: '' })
  })
})

describe('the author', () => {
  const start = async (moderation: 'before' | 'after' = 'after') => {
    const activity = await addActivity(runtime, site, { moderation })
    const sent = await submit(as(), activity)
    return { activity, ...sent, key: { code: sent.code } }
  }
  const change = { title: 'Benches and shade', body: 'And shade.', categories: [] }

  test('finds it by its receipt, and nobody else does', async () => {
    const { activity, code } = await start('before')
    const own = await getOwnContribution(as(), addressOf(activity), { code: code.toLowerCase().replaceAll('-', ' ') })
    expect(own).toMatchObject({ number: 1, state: 'held', mayEdit: true, mayWithdraw: true })
    expect(own.next?.decision?.by).toBe(new Date(NOON.getTime() + 3 * 86_400_000).toISOString())
    await expect(getOwnContribution(as(), addressOf(activity), { code: '0000-0000-0000-0000' })).rejects.toEqual(codeOf('not-found'))
    await expect(getOwnContribution(as(admin), addressOf(activity), { number: 1 })).rejects.toEqual(codeOf('not-found'))
  })

  test('edits for 30 minutes, and the former text can be read', async () => {
    const { activity, id, key } = await start()
    runtime.setNow(minutesLater(30))
    await editContribution(as(), addressOf(activity), key, change)
    const { contribution } = await getContribution(as(), addressOf(activity), 1, undefined)
    expect(contribution).toMatchObject({ title: 'Benches and shade', versions: [{ number: 1, title: 'Benches by the river' }] })
    runtime.setNow(minutesLater(31))
    await expect(editContribution(as(), addressOf(activity), key, change)).rejects.toEqual(codeOf('editing-over'))
    expect(await loadAudit(id)).toEqual(['contributions.submit', 'contributions.edit'])
  })

  test('edits only until the first reaction', async () => {
    const { activity, id, key } = await start()
    await addReaction(as(), { id: createId(), contributionId: id, browserToken: issueToken(runtime, site) })
    await expect(editContribution(as(), addressOf(activity), key, change)).rejects.toEqual(codeOf('editing-over'))
  })

  test('edits only until the first reply, and then adds below', async () => {
    const { activity, id, key } = await start()
    await expect(addToContribution(as(), addressOf(activity), key, { id: createId(), body: 'More' })).rejects.toEqual(codeOf('conflict'))
    await submitReply(as(), { id: createId(), sendKey: 'key-of-reply', contributionId: id, body: 'Yes', shownName: '' })
    await expect(editContribution(as(), addressOf(activity), key, change)).rejects.toEqual(codeOf('editing-over'))
    const addition = { id: createId(), body: 'Near the bridge would be best.' }
    await addToContribution(as(), addressOf(activity), key, addition)
    await addToContribution(as(), addressOf(activity), key, addition)
    const { contribution } = await getContribution(as(), addressOf(activity), 1, undefined)
    expect(contribution?.replyList.map(({ role, body }) => [role, body])).toEqual([
      ['person', 'Yes'],
      ['addition', 'Near the bridge would be best.'],
    ])
  })

  test('who edits what is moderated before publication waits again, and no unread text is ever public', async () => {
    const { activity, id, key } = await start('before')
    await editContribution(as(), addressOf(activity), key, { ...change, title: 'Never read by anybody' })
    await editContribution(as(), addressOf(activity), key, { ...change, title: 'Read by the moderator' })
    await decideOnContribution(as(admin), id, 'publish')
    await editContribution(as(), addressOf(activity), key, { ...change, title: 'After publication' })
    expect((await loadRow(id)).state).toBe('held')
    await decideOnContribution(as(admin), id, 'publish')
    const { contribution } = await getContribution(as(), addressOf(activity), 1, undefined)
    expect(contribution?.title).toBe('After publication')
    expect(contribution?.versions.map(({ title }) => title)).toEqual(['Read by the moderator'])
  })

  test('withdraws it: the text goes, the number and the official answer stay', async () => {
    const { activity, id, key } = await start()
    const status = activity.statuses.find(({ code }) => code === 'planned')?.id ?? ''
    await createOfficialResponse(as(admin), { contribution: id, status, textTranslations: { en: 'Next spring.' }, waiveTranslations: true })
    await withdrawOwnContribution(as(), addressOf(activity), key)
    const { gone } = await getContribution(as(), addressOf(activity), 1, undefined)
    expect(gone).toMatchObject({ number: 1, state: 'withdrawn', answers: [{ text: { text: 'Next spring.' } }] })
    expect(await loadRow(id)).toMatchObject({ title: '', body: '' })
    expect((await listContributions(as(), addressOf(activity), {})).total).toBe(0)
    expect(await loadAudit(id)).toEqual(['contributions.submit', 'contributions.answer', 'contributions.withdraw'])
  })
})

describe('support', () => {
  const start = async (values: Parameters<typeof addActivity>[2] = {}) => {
    const activity = await addActivity(runtime, site, values)
    const { id } = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    return { activity, id }
  }
  const countRows = async (contributionId: string) =>
    (await as().db.tx((tx) => tx.select().from(reactions).where(eq(reactions.contributionId, contributionId)))).length

  test('counts a person once: by browser, by account, and by both', async () => {
    const { activity, id } = await start()
    const browserToken = issueToken(runtime, site)
    const person = await addPerson(runtime, site)
    const react = (ctx: Ctx, token?: BrowserToken) => addReaction(ctx, { id: createId(), contributionId: id, browserToken: token })
    expect((await react(as(), browserToken)).created).toBe(true)
    expect((await react(as(), browserToken)).created).toBe(false)
    expect((await react(as(person), browserToken)).created).toBe(false)
    expect((await react(as(await addPerson(runtime, site)))).created).toBe(true)
    expect((await loadRow(id)).supports).toBe(2)
    expect(await countRows(id)).toBe(2)
    expect((await getContribution(as(), addressOf(activity), 1, browserToken)).contribution?.reaction).toBe('support')
    expect((await getContribution(as(), addressOf(activity), 1, issueToken(runtime, site))).contribution?.reaction).toBeNull()
  })

  test('sent many times at once counts once, and the count equals the rows', async () => {
    const { id } = await start()
    const browserToken = issueToken(runtime, site)
    await Promise.all(Array.from({ length: 6 }, () => addReaction(as(), { id: createId(), contributionId: id, browserToken })))
    expect([(await loadRow(id)).supports, await countRows(id)]).toEqual([1, 1])
  })

  test('is withdrawn by the same person', async () => {
    const { id } = await start()
    const browserToken = issueToken(runtime, site)
    await addReaction(as(), { id: createId(), contributionId: id, browserToken })
    await removeOwnReaction(as(), { contributionId: id, browserToken: issueToken(runtime, site) })
    expect((await loadRow(id)).supports).toBe(1)
    await removeOwnReaction(as(), { contributionId: id, browserToken })
    await removeOwnReaction(as(), { contributionId: id, browserToken })
    expect([(await loadRow(id)).supports, await countRows(id)]).toEqual([0, 0])
  })

  test('needs something to recognise the person by', async () => {
    const { id } = await start()
    await expect(addReaction(as(), { id: createId(), contributionId: id })).rejects.toEqual(codeOf('browser-or-account-needed'))
  })

  test('is refused where the activity says so, once it is closed, and for what is not published', async () => {
    const { id } = await start({ reactAccess: 'signed_in' })
    await expect(addReaction(as(), { id: createId(), contributionId: id, browserToken: issueToken(runtime, site) })).rejects.toEqual(
      codeOf('unauthenticated'),
    )
    const closed = await start({ closesAt: minutesLater(-1) })
    await expect(addReaction(as(), { id: createId(), contributionId: closed.id, browserToken: issueToken(runtime, site) })).rejects.toEqual(
      codeOf('activity-closed'),
    )
    const { activity } = await start()
    const held = await addContribution(runtime, site, { activityId: activity.id, number: 2, state: 'held' })
    const removed = await addContribution(runtime, site, { activityId: activity.id, number: 3, state: 'removed' })
    await expect(addReaction(as(admin), { id: createId(), contributionId: held.id })).rejects.toEqual(codeOf('not-found'))
    await expect(addReaction(as(admin), { id: createId(), contributionId: removed.id })).rejects.toEqual(codeOf('vanished'))
  })

  test('is limited to 60 per person in 10 minutes', async () => {
    const activity = await addActivity(runtime, site)
    const ids: string[] = []
    for (let number = 1; number <= 61; number++) ids.push((await addContribution(runtime, site, { activityId: activity.id, number })).id)
    const browserToken = issueToken(runtime, site)
    for (const contributionId of ids.slice(0, 60)) await addReaction(as(), { id: createId(), contributionId, browserToken })
    await expect(addReaction(as(), { id: createId(), contributionId: ids[60] ?? '', browserToken })).rejects.toEqual(
      codeOf('too-many-requests'),
    )
  })

  test('is limited so also when all is sent at once, and nobody else is refused with them', async () => {
    const activity = await addActivity(runtime, site)
    const ids: string[] = []
    for (let number = 1; number <= 65; number++) ids.push((await addContribution(runtime, site, { activityId: activity.id, number })).id)
    const [browserToken, other] = [issueToken(runtime, site), issueToken(runtime, site)]
    const sendAll = (token: BrowserToken, to: string[]) =>
      Promise.allSettled(to.map((contributionId) => addReaction(as(), { id: createId(), contributionId, browserToken: token })))
    const [many, few] = await Promise.all([sendAll(browserToken, ids), sendAll(other, ids.slice(0, 5))])
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(60)
    for (const outcome of many) if (outcome.status === 'rejected') expect(outcome.reason).toEqual(codeOf('too-many-requests'))
    expect(few.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'fulfilled'))
    const [again] = await sendAll(browserToken, ids.slice(64))
    expect(again?.status).toBe('rejected')
  })

  test('with an id that somebody else used is refused, also when both arrive at once', async () => {
    const { id: contributionId } = await start()
    const id = createId()
    const sent = await Promise.allSettled(
      [issueToken(runtime, site), issueToken(runtime, site)].map((browserToken) => addReaction(as(), { id, contributionId, browserToken })),
    )
    expect(sent.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect([(await loadRow(contributionId)).supports, await countRows(contributionId)]).toEqual([1, 1])
  })

  test('leaves a different hash in each activity', async () => {
    const [one, other] = [await start(), await start()]
    const person = await addPerson(runtime, site)
    for (const { id } of [one, other]) await addReaction(as(person), { id: createId(), contributionId: id })
    const rows = await as().db.tx((tx) =>
      tx
        .select({ hash: reactions.personHash })
        .from(reactions)
        .where(sql`${reactions.contributionId} in (${one.id}, ${other.id})`),
    )
    expect(new Set(rows.map(({ hash }) => hash.toString('hex'))).size).toBe(2)
  })
})

describe('replies', () => {
  const reply = (ctx: Ctx, contributionId: string, more: object = {}) =>
    submitReply(ctx, { id: createId(), sendKey: 'key-of-reply', contributionId, body: 'Good idea', shownName: 'Ana', ...more })

  test('are held or published as the activity is moderated, and counted when they are public', async () => {
    const activity = await addActivity(runtime, site)
    const { id } = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    const author = await addPerson(runtime, site)
    const held = await reply(as(author), id)
    expect([held.state, (await loadRow(id)).repliesCount]).toEqual(['held', 0])
    await decideOnReply(as(admin), held.id, 'publish')
    expect((await loadRow(id)).repliesCount).toBe(1)
    const declined = await reply(as(author), id)
    await decideOnReply(as(admin), declined.id, 'decline', { rule: 'abuse', words: 'Off topic.' })
    expect((await loadRow(id)).repliesCount).toBe(1)
    expect((await getContribution(as(), addressOf(activity), 1, undefined)).contribution?.replyList.map(({ body }) => body)).toEqual([
      'Good idea',
    ])
    expect((await loadMails(author.id)).map(({ kind }) => kind)).toEqual(['reply-published', 'reply-declined'])
    expect(await loadAudit(declined.id)).toEqual(['replies.submit', 'replies.decline'])
  })

  test('are stored once, refused without text or with too much, and refused once it is closed', async () => {
    const activity = await addActivity(runtime, site, { moderation: 'after' })
    const { id } = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    const replyId = createId()
    await reply(as(), id, { id: replyId })
    await reply(as(), id, { id: replyId })
    expect(await as().db.tx((tx) => tx.select().from(replies).where(eq(replies.contributionId, id)))).toHaveLength(1)
    await expect(reply(as(), id, { body: ' ' })).rejects.toEqual(faultOf('required', '/body'))
    await expect(reply(as(), id, { body: 'x'.repeat(2001) })).rejects.toEqual(faultOf('too-long', '/body'))
    await as().db.tx((tx) =>
      tx
        .update(projects)
        .set({ closesAt: minutesLater(-1) })
        .where(eq(projects.id, activity.projectId)),
    )
    await expect(reply(as(), id)).rejects.toEqual(codeOf('activity-closed'))
  })

  test('in the name of the team need the right to answer', async () => {
    const activity = await addActivity(runtime, site)
    const { id } = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    await expect(reply(as(await addPerson(runtime, site)), id, { official: true })).rejects.toEqual(codeOf('forbidden'))
    expect(await reply(as(admin), id, { official: true })).toMatchObject({ role: 'official', state: 'published' })
  })
})

describe('official answers', () => {
  test('set the status, keep former ones, and reach the author', async () => {
    const activity = await addActivity(runtime, site, { moderation: 'after' })
    const author = await addPerson(runtime, site)
    const { id } = await submit(as(author), activity)
    const find = (code: string) => activity.statuses.find((status) => status.code === code)?.id ?? ''
    const answer = (code: string, text?: string) =>
      createOfficialResponse(as(admin), {
        contribution: id,
        status: find(code),
        ...(text ? { textTranslations: { en: text }, waiveTranslations: true } : {}),
      })
    await answer('under_review')
    for (const code of ['done', 'not_taken_forward', 'answered'])
      await expect(answer(code)).rejects.toEqual(faultOf('required', '/textTranslations'))
    await answer('done', 'Six benches stand by the river.')
    const { contribution } = await getContribution(as(), addressOf(activity), 1, undefined)
    expect(contribution?.status?.text).toBe('Done')
    expect(contribution?.answers.map(({ status, text }) => [status?.text, text.text])).toEqual([
      ['Done', 'Six benches stand by the river.'],
      ['Under review', ''],
    ])
    expect((await loadMails(author.id)).map(({ kind }) => kind)).toEqual(['contribution-answered', 'contribution-answered'])
    const other = await addActivity(runtime, site)
    await expect(createOfficialResponse(as(admin), { contribution: id, status: other.statuses[0]?.id ?? '' })).rejects.toEqual(
      faultOf('not-a-choice', '/status'),
    )
    await expect(createOfficialResponse(as(author), { contribution: id, status: find('planned') })).rejects.toEqual(codeOf('forbidden'))
  })

  test('are not given to what is not public', async () => {
    const activity = await addActivity(runtime, site)
    const held = await addContribution(runtime, site, { activityId: activity.id, number: 1, state: 'held' })
    await expect(createOfficialResponse(as(admin), { contribution: held.id, status: activity.statuses[2]?.id ?? '' })).rejects.toEqual(
      codeOf('conflict'),
    )
  })
})

describe('the list', () => {
  test('filters, sorts and pages, with as many statements for many as for few', async () => {
    const activity = await addActivity(runtime, site, {
      settings: {
        categories: [
          { id: 'green', title: { en: 'Green' } },
          { id: 'roads', title: { en: 'Roads' } },
        ],
      },
    })
    const planned = activity.statuses.find(({ code }) => code === 'planned')?.id ?? null
    for (let number = 1; number <= 25; number++) {
      await addContribution(runtime, site, {
        activityId: activity.id,
        number,
        title: number === 7 ? 'A crossing at the library' : `Idea ${number}`,
        categories: number % 5 === 0 ? ['green'] : ['roads'],
        statusId: number === 3 ? planned : null,
        supports: number === 9 ? 40 : 1,
        repliesCount: number === 4 ? 12 : 1,
        publishedAt: new Date(Date.UTC(2026, 1, number)),
      })
    }
    const list = async (search: Parameters<typeof listContributions>[2]) => {
      const { entries, total, pages } = await listContributions(as(), addressOf(activity), search)
      return { numbers: entries.map(({ number }) => number), total, pages }
    }
    expect(await list({})).toMatchObject({ numbers: Array.from({ length: 20 }, (_, at) => 25 - at), total: 25, pages: 2 })
    expect((await list({ page: 2 })).numbers).toEqual([5, 4, 3, 2, 1])
    expect((await list({ page: 99 })).numbers).toEqual([5, 4, 3, 2, 1])
    expect((await list({ category: 'green' })).numbers).toEqual([25, 20, 15, 10, 5])
    expect((await list({ status: planned ?? '' })).numbers).toEqual([3])
    expect((await list({ q: 'libary crossing' })).numbers).toEqual([7])
    expect((await list({ sort: 'supported' })).numbers[0]).toBe(9)
    expect((await list({ sort: 'discussed' })).numbers[0]).toBe(4)
    expect((await list({ sort: 'unseen' })).numbers.slice(0, 2)).toEqual([1, 2])
    const first = await list({ sort: 'unseen' })
    expect(await list({ sort: 'unseen' })).toEqual(first)
  })

  test('finds similar ones by their titles, never one that is held', async () => {
    const activity = await addActivity(runtime, site)
    await addContribution(runtime, site, { activityId: activity.id, number: 1, title: 'A crossing outside the library' })
    await addContribution(runtime, site, { activityId: activity.id, number: 2, title: 'Longer opening hours', body: 'The swimming pool.' })
    await addContribution(runtime, site, { activityId: activity.id, number: 3, title: 'Crossing by the library', state: 'held' })
    expect((await findSimilar(as(), addressOf(activity), 'Safe crossing near the library')).map(({ number }) => number)).toEqual([1])
    expect(await findSimilar(as(), addressOf(activity), 'Swings for the playground')).toEqual([])
  })
})

describe("a project's page", () => {
  test('lists overlapping stages in order, each with its state and its activities; drafts are left out', async () => {
    const project = await addProject(runtime, site)
    const done = await addStage(runtime, site, { projectId: project.id, position: 0, endsAt: minutesLater(-1) })
    const now = await addStage(runtime, site, { projectId: project.id, position: 1 })
    const also = await addStage(runtime, site, { projectId: project.id, position: 2, startsAt: minutesLater(-5) })
    const later = await addStage(runtime, site, { projectId: project.id, position: 3, startsAt: minutesLater(5) })
    const activity = await addActivity(runtime, site, { projectId: project.id, stageId: now.id })
    await addActivity(runtime, site, { projectId: project.id, stageId: now.id, status: 'draft' })
    const view = await getProjectActivities(as(), { slug: project.slug })
    expect(view.stages.map(({ id, state }) => [id, state])).toEqual([
      [done.id, 'past'],
      [now.id, 'current'],
      [also.id, 'current'],
      [later.id, 'upcoming'],
    ])
    expect(view.stages[1]?.activities.map(({ slug }) => slug)).toEqual([activity.slug])
    expect(view.activities.map(({ slug, state }) => [slug, state])).toEqual([[activity.slug, 'open']])
  })
})

describe('stories', () => {
  test('may have 20,000 characters, and no status', async () => {
    const activity = await addActivity(runtime, site, { kind: 'stories', moderation: 'after' })
    expect(await submit(as(), activity, { body: 'x'.repeat(20_000) })).toMatchObject({ stored: true })
    await expect(submit(as(), activity, { body: 'x'.repeat(20_001) })).rejects.toEqual(faultOf('too-long', '/body'))
    expect((await getContribution(as(), addressOf(activity), 1, undefined)).contribution?.status).toBeNull()
  })

  test('become a guestbook without titles, replies and support', async () => {
    const settings = { titles: false, replies: false, support: false }
    const activity = await addActivity(runtime, site, { kind: 'stories', moderation: 'after', settings })
    const { id } = await submit(as(), activity, { title: '', body: 'We were here on a rainy Sunday.' })
    expect((await loadRow(id)).title).toBe('We were here on a rainy Sunday.')
    await expect(addReaction(as(admin), { id: createId(), contributionId: id })).rejects.toEqual(codeOf('forbidden'))
    const reply = { id: createId(), sendKey: 'key-of-reply', contributionId: id, body: 'So were we', shownName: '' }
    await expect(submitReply(as(), reply)).rejects.toEqual(codeOf('forbidden'))
    await expect(createOfficialResponse(as(admin), { contribution: id, status: createId() })).rejects.toEqual(codeOf('forbidden'))
  })
})
