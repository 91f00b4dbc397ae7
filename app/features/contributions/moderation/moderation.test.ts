import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { moderationCases, moderationDecisions, moderationRules } from '#app/server/db/schema/moderation.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution, buildContributionInput } from '#tests/factories/contributions.ts'
import { addPerson } from '#tests/factories/surveys.ts'
import { addPerson as addApiPerson, type Person } from '#tests/support/people.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { maskSubject } from './masking/mask.server.ts'
import { requireActivityAt } from '../record/activities.policy.server.ts'
import { eraseAccountContributions } from '../own/account-contributions.server.ts'
import { getOwnContribution, withdrawOwnContribution } from '../own/own-contributions.server.ts'
import { getContribution } from '../reading/views.server.ts'
import { submitContribution } from '../posting/submit-contribution.server.ts'
import { loadModerationPage } from './moderation-page.server.ts'
import { decideOnContribution } from './decide.server.ts'

const NOON = new Date('2026-03-02T12:00:00Z')

let runtime: TestRuntime
let site: Site
let admin: SignedInViewer
let person: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'fr-CA'] })
  admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
  person = await addApiPerson(runtime, site, { role: 'site_admin' })
})
beforeEach(() => runtime.setNow(NOON))

const as = (viewer: Ctx['viewer'] = VISITOR): Ctx => createCtx(runtime, site, { viewer, language: 'fr-CA' })
const api = (signedIn?: Person, of = site) => createApiClient(runtime, of, signedIn?.token)
const codeOf = (code: string) => expect.objectContaining({ code }) as Error
const faultOf = (code: string, pointer: string) =>
  expect.objectContaining({ code: 'invalid', faults: expect.arrayContaining([expect.objectContaining({ code, pointer })]) }) as Error
interface Found {
  id: string
  attributes: Record<string, unknown>
  meta?: { lockVersion?: number }
}
const all = (body: { data?: unknown } | undefined) => (body?.data ?? []) as Found[]
const one = (body: { data?: unknown } | undefined) => body?.data as Found

async function send(viewer: Ctx['viewer'] = VISITOR, moderation: 'before' | 'after' = 'before') {
  const activity = await addActivity(runtime, site, { moderation, postAccess: 'anyone' })
  const address = { project: activity.projectSlug, activity: activity.slug }
  const { id, code } = await submitContribution(
    as(viewer),
    (tx) => requireActivityAt(as(viewer), tx, address),
    buildContributionInput(runtime.now()),
  )
  return { id, code, address }
}
const loadCases = (contributionId: string) =>
  as().db.tx((tx) => tx.select().from(moderationCases).where(eq(moderationCases.contributionId, contributionId)))
const loadDecisions = (caseId: string | undefined) =>
  as().db.tx((tx) =>
    tx
      .select()
      .from(moderationDecisions)
      .where(eq(moderationDecisions.caseId, caseId ?? '')),
  )

describe('rules', () => {
  test('a new site has the default set, in every language, for everybody to read', async () => {
    const { status, body } = await api().get('/moderation-rules')
    expect(status).toBe(200)
    expect(all(body).map(({ attributes }) => attributes['code'])).toEqual([
      'personal-data',
      'abuse',
      'hate',
      'unlawful',
      'advertising',
      'off-topic',
      'already-said',
      'no-real-place',
    ])
    for (const { attributes } of all((await api(person).get('/moderation-rules')).body)) {
      const languages = ['cy', 'en', 'fr-CA']
      for (const text of [attributes['labelTranslations'], attributes['explanationTranslations']] as Record<string, string>[]) {
        expect(Object.keys(text).toSorted()).toEqual(languages)
        expect(new Set(languages.map((language) => text[language]?.trim() ?? '')).size).toBe(3)
      }
    }
  })

  test('without words in a language of the site no activity can be published', async () => {
    const other = await addSite(runtime, { slug: 'harbour', languages: ['en', 'fr-CA'] })
    const chief = await addApiPerson(runtime, other, { role: 'site_admin' })
    const [rule] = all((await api(chief, other).get('/moderation-rules')).body)
    const only = { explanationTranslations: { en: 'In English only' } }
    const refused = await api(chief, other).patch(
      `/moderation-rules/${rule?.id}`,
      buildResourceDocument('moderation-rules', only, { id: rule?.id ?? '', lockVersion: 1 }),
    )
    expect([refused.status, refused.codes]).toEqual([422, ['translation-missing']])
    const full = { explanationTranslations: { en: 'In English', 'fr-CA': 'En français' } }
    const saved = await api(chief, other).patch(
      `/moderation-rules/${rule?.id}`,
      buildResourceDocument('moderation-rules', full, { id: rule?.id ?? '', lockVersion: 1 }),
    )
    expect([saved.status, one(saved.body).attributes['version']]).toEqual([200, 2])
    const activity = await addActivity(runtime, other, { status: 'draft' })
    const publish = () =>
      api(chief, other).patch(
        `/activities/${activity.id}`,
        buildResourceDocument('activities', { status: 'published' }, { id: activity.id, lockVersion: 1 }),
      )
    // The site had one language when the rule was written.
    const setExplanation = (explanation: Record<string, string>) =>
      runtime.database.site(other.id).tx((tx) =>
        tx
          .update(moderationRules)
          .set({ explanation })
          .where(eq(moderationRules.id, rule?.id ?? '')),
      )
    await setExplanation(only.explanationTranslations)
    const gated = await publish()
    expect([gated.status, gated.codes]).toEqual([422, ['moderation-rules-incomplete']])
    await setExplanation(full.explanationTranslations)
    expect((await publish()).status).toBe(200)
  })

  test('an archived rule is not offered, and the last one stays', async () => {
    const other = await addSite(runtime, { slug: 'dyffryn', languages: ['en'] })
    const chief = await addApiPerson(runtime, other, { role: 'site_admin' })
    const rules = all((await api(chief, other).get('/moderation-rules')).body)
    const archive = (id: string) =>
      api(chief, other).patch(
        `/moderation-rules/${id}`,
        buildResourceDocument('moderation-rules', { archived: true }, { id, lockVersion: 1 }),
      )
    for (const { id } of rules.slice(0, -1)) expect((await archive(id)).status).toBe(200)
    expect((await archive(rules.at(-1)?.id ?? '')).status).toBe(409)
    expect(all((await api(undefined, other).get('/moderation-rules?filter[archived]=false')).body)).toHaveLength(1)
  })
})

describe('cases', () => {
  test('what is held has an open case, due as the activity promises; what is published has none', async () => {
    const [opened, ...more] = await loadCases((await send()).id)
    expect(more).toEqual([])
    expect(opened).toMatchObject({ openedBy: 'before', state: 'open', version: 1, dueAt: new Date('2026-03-05T12:00:00Z') })
    expect(await loadCases((await send(VISITOR, 'after')).id)).toEqual([])
  })

  test('a decision names a rule of the site and its version, and decides the case', async () => {
    const { id } = await send()
    await expect(decideOnContribution(as(admin), id, 'decline', { rule: '', words: 'No' })).rejects.toEqual(faultOf('required', '/rule'))
    await expect(decideOnContribution(as(admin), id, 'decline', { rule: 'taste', words: 'No' })).rejects.toEqual(
      faultOf('not-a-choice', '/rule'),
    )
    await expect(decideOnContribution(as(admin), id, 'decline', { rule: 'abuse', words: '' })).rejects.toEqual(
      faultOf('required', '/reason'),
    )
    runtime.setNow(new Date('2026-03-02T15:00:00Z'))
    await decideOnContribution(as(admin), id, 'decline', { rule: 'abuse', words: 'It insults a neighbour.' })
    const [decided] = await loadCases(id)
    expect(decided).toMatchObject({ state: 'decided', decidedAt: new Date('2026-03-02T15:00:00Z') })
    expect(await loadDecisions(decided?.id)).toMatchObject([
      { decision: 'decline', ruleVersion: 1, words: 'It insults a neighbour.', automatic: false, decidedBy: admin.id },
    ])
  })

  test('the author is told the rule in their language', async () => {
    const author = await addPerson(runtime, site)
    await as().db.tx((tx) => tx.update(users).set({ locale: 'fr-CA' }).where(eq(users.id, author.id)))
    const { id } = await send(author)
    await decideOnContribution(as(admin), id, 'decline', { rule: 'abuse', words: 'Cela insulte un voisin.' })
    const [mail] = await as().db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.userId, author.id)))
    expect(JSON.stringify(mail)).toContain('Attaque contre une personne')
    expect(JSON.stringify(mail)).toContain('Cela insulte un voisin.')
  })

  test('the receipt and the address say which rule, as it was called then', async () => {
    const { id, code, address } = await send()
    await decideOnContribution(as(admin), id, 'decline', { rule: 'off-topic', words: 'This is about buses.' })
    const [rule] = all((await api(person).get('/moderation-rules')).body).filter(({ attributes }) => attributes['code'] === 'off-topic')
    const renamed = { labelTranslations: { en: 'Something else', 'fr-CA': 'Autre chose' } }
    const saved = await api(person).patch(
      `/moderation-rules/${rule?.id}`,
      buildResourceDocument('moderation-rules', renamed, { id: rule?.id ?? '', lockVersion: 1 }),
    )
    expect(saved.status).toBe(200)
    expect(await getOwnContribution(as(), address, { code })).toMatchObject({
      rule: { text: 'Hors sujet' },
      reason: 'This is about buses.',
    })
    expect((await getContribution(as(), address, 1, undefined)).gone).toMatchObject({ state: 'declined', rule: { text: 'Hors sujet' } })
  })

  test('what is held for review stays one case until it is removed, and cannot be declined', async () => {
    const { id } = await send(VISITOR, 'after')
    await decideOnContribution(as(admin), id, 'hold', { rule: 'hate', words: 'We look at it.' })
    expect(await loadCases(id)).toMatchObject([{ openedBy: 'staff', state: 'open' }])
    await expect(decideOnContribution(as(admin), id, 'decline', { rule: 'hate', words: 'No' })).rejects.toEqual(codeOf('conflict'))
    await decideOnContribution(as(admin), id, 'remove', { rule: 'hate', words: 'It attacks people for their origin.' })
    const [decided, ...more] = await loadCases(id)
    expect([decided?.state, more]).toEqual(['decided', []])
    expect((await loadDecisions(decided?.id)).map(({ decision }) => decision).toSorted()).toEqual(['hold', 'remove'])
  })

  test('closes without a decision when the author withdraws', async () => {
    const { id, code, address } = await send()
    await withdrawOwnContribution(as(), address, { code })
    const [closed] = await loadCases(id)
    expect([closed?.state, await loadDecisions(closed?.id)]).toEqual(['closed', []])
  })

  test('closes without a decision when the author’s account is erased', async () => {
    const author = await addPerson(runtime, site)
    const { id } = await send(author)
    await as().db.tx((tx) => eraseAccountContributions(runtime.secret, tx, site.id, author.id))
    const [closed] = await loadCases(id)
    expect([closed?.state, await loadDecisions(closed?.id)]).toEqual(['closed', []])
  })

  test('through the API: the queue is oldest due first, and one decision decides a case once', async () => {
    const activity = await addActivity(runtime, site)
    const late = await addContribution(runtime, site, {
      activityId: activity.id,
      number: 1,
      state: 'held',
      submittedAt: new Date('2020-01-02T00:00:00Z'),
    })
    const later = await addContribution(runtime, site, {
      activityId: activity.id,
      number: 2,
      state: 'held',
      submittedAt: new Date('2020-01-01T00:00:00Z'),
    })
    const path = `/moderation-cases?filter[state]=open&filter[project]=${activity.projectId}`
    const queue = all((await api(person).get(path)).body)
    const ofCases = await Promise.all([later, late].map(async ({ id }) => (await loadCases(id))[0]?.id))
    expect(queue.map(({ id }) => id)).toEqual(ofCases)
    expect(all((await api().get(path)).body)).toEqual([])
    const decide = (attributes: Record<string, unknown>) => {
      const to = { case: { type: 'moderation-cases', id: queue[0]?.id ?? '' } }
      return api(person).post('/moderation-decisions', buildResourceDocument('moderation-decisions', attributes, { to }))
    }
    expect((await decide({ decision: 'keep' })).status).toBe(409)
    expect((await decide({ decision: 'decline', reason: 'No' })).status).toBe(422)
    const made = await decide({ decision: 'publish' })
    expect([made.status, one(made.body).attributes]).toMatchObject([201, { decision: 'publish', rule: null, automatic: false }])
    expect((await decide({ decision: 'publish' })).status).toBe(409)
  })

  test('two moderators who decide at the same time decide once', async () => {
    const { id } = await send()
    const tries = await Promise.allSettled([1, 2].map(() => decideOnContribution(as(admin), id, 'publish')))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [decided] = await loadCases(id)
    expect(await loadDecisions(decided?.id)).toHaveLength(1)
  })

  test("another site's moderators see none of it", async () => {
    const other = await addSite(runtime, { slug: 'elsewhere' })
    const chief = await addApiPerson(runtime, other, { role: 'site_admin' })
    const [opened] = await loadCases((await send()).id)
    expect((await api(chief, other).get(`/moderation-cases/${opened?.id ?? createId()}`)).status).toBe(404)
    expect(
      await runtime.database.site(other.id).tx((tx) =>
        tx
          .select()
          .from(moderationCases)
          .where(and(eq(moderationCases.id, opened?.id ?? ''))),
      ),
    ).toEqual([])
  })
})

describe('the public page', () => {
  test('shows rules in the reader’s language, and figures in steps of five', async () => {
    const other = await addSite(runtime, { slug: 'counted', languages: ['en', 'fr-CA'] })
    const chief = await addPerson(runtime, other, { roles: [{ role: 'site_admin' }] })
    const ctx = (viewer: Ctx['viewer'] = VISITOR) => createCtx(runtime, other, { viewer, language: 'fr-CA' })
    const empty = await loadModerationPage(ctx())
    expect([empty.rules.length, empty.rules[0]?.label.text, empty.facts]).toEqual([8, 'Renseignements personnels', null])
    const activity = await addActivity(runtime, other)
    const submittedAt = NOON
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const values = { activityId: activity.id, number: index + 1, state: 'held' as const, submittedAt }
        return addContribution(runtime, other, values)
      }),
    )
    runtime.setNow(new Date('2026-03-02T16:00:00Z'))
    for (const { id } of sent.slice(0, 4)) await decideOnContribution(ctx(chief), id, 'decline', { rule: 'abuse', words: 'An insult.' })
    expect((await loadModerationPage(ctx())).facts).toMatchObject({ received: 10, held: 5, declined: 0, byRule: [], medianHours: null })
    for (const { id } of sent.slice(4, 6)) await decideOnContribution(ctx(chief), id, 'decline', { rule: 'abuse', words: 'An insult.' })
    await decideOnContribution(ctx(chief), sent[6]?.id ?? '', 'publish')
    expect((await loadModerationPage(ctx())).facts).toMatchObject({ received: 10, held: 5, declined: 5, medianHours: 4 })
    expect((await loadModerationPage(ctx())).facts?.byRule).toMatchObject([{ label: { text: 'Attaque contre une personne' }, count: 5 }])

    // To remove passages is no refusal: the text is published.
    const mask = (id: string) =>
      maskSubject(
        ctx(chief),
        { contributionId: id, replyId: null },
        { version: 1, passages: [{ field: 'body', start: 0, end: 4 }], rule: 'abuse', words: 'A name.' },
      )
    for (const { id } of sent.slice(7, 11)) await mask(id)
    expect((await loadModerationPage(ctx())).facts).toMatchObject({ declined: 5, masked: 0 })
    await mask(sent[11]?.id ?? '')
    expect((await loadModerationPage(ctx())).facts).toMatchObject({ declined: 5, masked: 5, byRule: [{ count: 5 }] })
  })
})
