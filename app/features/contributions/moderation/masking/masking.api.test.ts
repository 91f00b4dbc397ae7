import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributions, contributionVersions, replies } from '#app/server/db/schema/contributions.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { maskedOriginals } from '#app/server/db/schema/moderation.ts'
import { JOBS } from '#app/root/jobs.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { readOwnData } from '#app/features/people/own-data.server.ts'
import { requireActivityAt } from '../../record/activities.policy.server.ts'
import { exportActivity, exportPublished } from '../../results/activity-export.server.ts'
import { eraseAccountContributions } from '../../own/account-contributions.server.ts'
import { getOwnContribution } from '../../own/own-contributions.server.ts'
import { findSimilar } from '../../reading/similar.server.ts'
import { getContribution } from '../../reading/views.server.ts'

/** Stands for what must not be read any more. A pair of surrogates before it shows that offsets are UTF-16 code units. */
const SECRET = 'Zebulon'
const BODY = `🌳 Ask ${SECRET} at number 4, please.`
const TITLE = `A bench for ${SECRET}`
const MARKER = '[removed: Personal data]'

let runtime: TestRuntime
let site: Site
let chief: Person
let moderator: Person
let author: Person
let projectId: string
let activity: Awaited<ReturnType<typeof addActivity>>
let numbered = 0
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend', languages: ['en', 'fr-CA', 'cy'] })
  chief = await addPerson(runtime, site, { role: 'site_admin' })
  author = await addPerson(runtime, site, {})
  activity = await addActivity(runtime, site, { postAccess: 'anyone' })
  projectId = activity.projectId
  moderator = await addPerson(runtime, site, { role: 'project_admin', projectId })
})

const api = (person?: Person) => createApiClient(runtime, site, person?.token)
const ctx = () => createCtx(runtime, site)
const address = () => ({ project: activity.projectSlug, activity: activity.slug })
interface Found {
  id: string
  attributes: Record<string, unknown>
}

const add = (values: Partial<typeof contributions.$inferInsert> = {}) =>
  addContribution(runtime, site, { activityId: activity.id, number: ++numbered, title: TITLE, body: BODY, authorId: author.id, ...values })

const asFound = (body: { data?: unknown } | undefined) => body?.data as Found

/** Where the secret is in a text. */
const passageOf = (field: string, text: string) => ({ field, start: text.indexOf(SECRET), end: text.indexOf(SECRET) + SECRET.length })
const BOTH = [passageOf('title', TITLE), passageOf('body', BODY)]

const decide = (person: Person, id: string, attributes: Record<string, unknown>, type: 'contributions' | 'replies' = 'contributions') =>
  api(person).post(
    '/moderation-decisions',
    buildResourceDocument('moderation-decisions', attributes, { to: { [type === 'replies' ? 'reply' : 'contribution']: { type, id } } }),
  )
const mask = (id: string, values: Record<string, unknown> = {}, type?: 'contributions' | 'replies') =>
  decide(
    moderator,
    id,
    { decision: 'mask', textVersion: 1, passages: BOTH, rule: 'personal-data', reason: 'It names a neighbour.', ...values },
    type,
  )
const unmask = (id: string, by = chief) => decide(by, id, { decision: 'unmask' })

const readRow = async (id: string) => (await ctx().db.tx((tx) => tx.select().from(contributions).where(eq(contributions.id, id))))[0]
const readVersions = (id: string) =>
  ctx().db.tx((tx) => tx.select().from(contributionVersions).where(eq(contributionVersions.contributionId, id)))
const countOriginals = async (id: string) =>
  (await ctx().db.tx((tx) => tx.select().from(maskedOriginals).where(eq(maskedOriginals.contributionId, id)))).length
const countAudit = async (action: string, id: string) =>
  (
    await ctx().db.tx((tx) =>
      tx
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.action, action), eq(auditEvents.subjectId, id))),
    )
  ).length

describe('a passage is removed', () => {
  test('and nobody but its author and those who may see originals reads it again', async () => {
    const { id, number } = await add()
    // Found everywhere before, so that finding nothing afterwards means something.
    const readEverywhere = async () =>
      JSON.stringify([
        await getContribution(ctx(), address(), number, undefined),
        await findSimilar(ctx(), address(), TITLE),
        (await api(moderator).get(`/contributions/${id}`)).body,
        (await api(moderator).get(`/contribution-versions?filter[contribution]=${id}`)).body,
        (await api().get(`/contributions?filter[activity]=${activity.id}&filter[q]=${SECRET}`)).body?.data,
        await readRow(id),
        await readVersions(id),
      ])
    expect(await readEverywhere()).toContain(SECRET)
    const { status } = await mask(id)
    expect(status).toBe(201)
    const after = await readEverywhere()
    expect(after).not.toContain(SECRET)
    expect(after.toLowerCase()).not.toContain(SECRET.toLowerCase())

    const { body } = await api().get(`/contributions/${id}`)
    const shown = asFound(body).attributes
    expect([shown['title'], shown['body'], shown['version']]).toEqual([`A bench for ${MARKER}`, `🌳 Ask ${MARKER} at number 4, please.`, 2])
    const trail = await ctx().db.tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.subjectId, id)))
    expect(JSON.stringify(trail)).not.toContain(SECRET)
    const [mail] = await ctx().db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.kind, 'contribution-masked')))
    expect(JSON.stringify(mail)).toContain('It names a neighbour.')
    expect(JSON.stringify(mail)).not.toContain(SECRET)
  })

  test('its author sees their own text, and what was removed', async () => {
    const { id, number } = await add()
    await mask(id)
    const scope = { db: runtime.database.site(site.id), database: runtime.database }
    const viewer = await loadViewer(scope, author.token, new Date())
    const own = await getOwnContribution(createCtx(runtime, site, { viewer }), address(), { number })
    expect([own.title, own.body, own.masked, own.reason, own.mayEdit]).toEqual([
      TITLE,
      BODY,
      [SECRET, SECRET],
      'It names a neighbour.',
      false,
    ])
  })

  test.each([
    ['fr-CA', '[retiré : Renseignements personnels]'],
    ['cy', '[tynnwyd: Data personol]'],
  ] as const)('in the language of the text: %s', async (language, marker) => {
    const { id } = await add({ language })
    await mask(id)
    expect((await readRow(id))?.title).toBe(`A bench for ${marker}`)
  })

  test('from what waits, which is published', async () => {
    const { id } = await add({ state: 'held' })
    await mask(id)
    const row = await readRow(id)
    expect([row?.state, row?.body.includes(MARKER), row?.searchText.includes('bench') || row?.searchTitle.includes('bench')]).toEqual([
      'published',
      true,
      true,
    ])
    expect((await readVersions(id)).map(({ number, wasPublic }) => [number, wasPublic])).toEqual([[2, true]])
  })

  test('from an answer to an extra question, for everybody or for the team', async () => {
    const asked = (id: string, shownTo: string) => ({ id, type: 'long_text', title: { en: id, 'fr-CA': id, cy: id }, shownTo })
    const own = await addActivity(runtime, site, {
      postAccess: 'anyone',
      projectId,
      fields: [asked('why', 'public'), asked('who', 'staff')],
    })
    const fields = { why: `${SECRET} knows why.`, who: `Ask ${SECRET}.` }
    const { id, number } = await add({ activityId: own.id, number: 1, title: 'A bench', body: 'By the river.', fields })
    const scope = { db: runtime.database.site(site.id), database: runtime.database }
    const viewer = await loadViewer(scope, author.token, new Date())
    const where = { project: activity.projectSlug, activity: own.slug }
    const place = await ctx().db.tx((tx) => requireActivityAt(ctx(), tx, where))
    const readFile = async (pieces: AsyncIterable<Uint8Array>) => {
      const taken: Uint8Array[] = []
      for await (const piece of pieces) taken.push(piece)
      return Buffer.concat(taken).toString()
    }
    const chiefCtx = createCtx(runtime, site, { viewer: await loadViewer(scope, chief.token, new Date()), reason: 'The data officer asks' })
    const readEverywhere = async () =>
      JSON.stringify([
        await getContribution(ctx(), where, number, undefined),
        (await api(moderator).get(`/contributions/${id}`)).body,
        (await api(moderator).get(`/contribution-versions?filter[contribution]=${id}`)).body,
        await readFile(exportPublished(ctx(), place, 'json').pieces),
        await readFile((await exportActivity(chiefCtx, own.id, { format: 'csv', personal: true })).pieces),
        await readRow(id),
        await readVersions(id),
      ])
    expect(await readEverywhere()).toContain(SECRET)
    const passages = [passageOf('fields.why', fields.why), passageOf('fields.who', fields.who)]
    expect((await mask(id, { passages })).status).toBe(201)
    const after = await readEverywhere()
    expect(after).not.toContain(SECRET)
    expect(after.split(`${MARKER} knows why.`).length).toBeGreaterThan(4)
    expect((await readRow(id))?.fields).toEqual({ why: `${MARKER} knows why.`, who: `Ask ${MARKER}.` })

    // The author reads what they wrote, also in their own data; the site's administrators read the original.
    const shown = await getOwnContribution(createCtx(runtime, site, { viewer }), where, { number })
    expect(shown.fields.map(({ lines }) => lines)).toEqual([[fields.why], [fields.who]])
    expect(shown.masked).toEqual([SECRET, SECRET])
    expect(JSON.stringify(await readOwnData(createCtx(runtime, site, { viewer })))).toContain(fields.who)
    expect(asFound((await api(chief).get(`/masked-originals/${id}`)).body).attributes['answers']).toEqual(fields)
    await unmask(id)
    expect((await readRow(id))?.fields).toEqual(fields)
    expect(await countOriginals(id)).toBe(0)
  })

  test.each([
    ['of a question that was not answered', { field: 'fields.else', start: 0, end: 2 }],
    ['of an option that was chosen', { field: 'fields.tree', start: 0, end: 2 }],
    ['of a member that every object has', { field: 'fields.toString', start: 0, end: 2 }],
  ])('but none %s', async (_what, passage) => {
    const title = { en: 'Tree', 'fr-CA': 'Arbre', cy: 'Coeden' }
    const tree = { id: 'tree', type: 'one_choice', title, shownTo: 'public', options: [{ id: 'oak', label: title }] }
    const own = await addActivity(runtime, site, { projectId, fields: [tree] })
    const { id } = await add({ activityId: own.id, number: 1, fields: { tree: 'oak' } })
    const { status, codes } = await mask(id, { passages: [passage] })
    expect([status, codes]).toEqual([422, ['not-a-choice']])
    expect(await countOriginals(id)).toBe(0)
  })

  test('from a reply', async () => {
    const { id } = await add({ title: 'A bench', body: 'By the river.' })
    const replyId = createId()
    await ctx().db.tx((tx) =>
      tx.insert(replies).values({
        siteId: site.id,
        id: replyId,
        contributionId: id,
        language: 'en',
        body: BODY,
        state: 'published',
        receiptHash: Buffer.from(replyId),
      }),
    )
    expect((await mask(replyId, { passages: [passageOf('body', BODY)] }, 'replies')).status).toBe(201)
    const { body } = await api().get(`/replies?filter[contribution]=${id}`)
    expect(JSON.stringify(body)).toContain(MARKER)
    expect(JSON.stringify(body)).not.toContain(SECRET)
    expect((await api(chief).get(`/masked-originals/${replyId}`)).status).toBe(200)
    await decide(chief, replyId, { decision: 'unmask' }, 'replies')
    expect(JSON.stringify((await api().get(`/replies?filter[contribution]=${id}`)).body)).toContain(BODY)
  })
})

describe('it is refused', () => {
  test('if the text has changed since', async () => {
    const { id } = await add()
    await mask(id)
    expect((await mask(id)).status).toBe(409)
    expect((await mask(id, { textVersion: 2, passages: [{ field: 'body', start: 0, end: 2 }] })).status).toBe(201)
    const { body } = await api(chief).get(`/masked-originals/${id}`)
    const seen = asFound(body).attributes
    expect([seen['body'], seen['passages']]).toEqual([BODY, [SECRET, SECRET, '🌳']])
  })

  test.each([
    ['without a passage', { passages: [] }],
    ['beyond the text', { passages: [{ field: 'body', start: 0, end: BODY.length + 1 }] }],
    ['for nothing', { passages: [{ field: 'body', start: 3, end: 3 }] }],
    ['in the middle of a character', { passages: [{ field: 'body', start: 1, end: 5 }] }],
    ['without a reason', { reason: ' ' }],
    ['without a rule', { rule: undefined }],
  ])('%s', async (_why, values) => {
    const { id } = await add()
    expect((await mask(id, values)).status).toBe(422)
    expect([(await readRow(id))?.body, await countOriginals(id)]).toEqual([BODY, 0])
  })

  test('to those who may not moderate', async () => {
    const { id } = await add()
    const stranger = await addPerson(runtime, site, { role: 'project_admin', projectId: (await addActivity(runtime, site)).projectId })
    for (const person of [author, stranger])
      expect([403, 404]).toContain(
        (await decide(person, id, { decision: 'mask', textVersion: 1, passages: BOTH, rule: 'personal-data', reason: 'No' })).status,
      )
    expect((await readRow(id))?.body).toBe(BODY)
  })
})

describe('the original', () => {
  test('is read by site administrators only, and each look is in the audit trail', async () => {
    const { id } = await add()
    await mask(id)
    for (const person of [undefined, author, moderator]) expect((await api(person).get(`/masked-originals/${id}`)).status).toBe(404)
    expect(await countAudit('contributions.see-original', id)).toBe(0)
    for (const looks of [1, 2]) {
      const { body } = await api(chief).get(`/masked-originals/${id}`)
      expect(asFound(body).attributes['title']).toBe(TITLE)
      expect(await countAudit('contributions.see-original', id)).toBe(looks)
    }
  })

  test('comes back exactly, by those who may see it', async () => {
    const { id } = await add()
    const [before, versions] = [await readRow(id), await readVersions(id)]
    await mask(id)
    expect((await unmask(id, moderator)).status).toBe(403)
    expect((await unmask(id)).status).toBe(201)
    const after = await readRow(id)
    const keep = (row: typeof before) => row && { ...row, version: 0, decidedAt: null, decidedBy: null }
    expect(keep(after)).toEqual(keep(before))
    expect(after?.version).toBe(3)
    const texts = (rows: typeof versions) => rows.map(({ title, body, wasPublic }) => ({ title, body, wasPublic }))
    expect(texts(await readVersions(id))).toEqual(texts(versions))
    expect([await countOriginals(id), (await unmask(id)).status]).toEqual([0, 409])
  })

  test('goes when the text is erased, or the account that wrote it', async () => {
    const { id } = await add()
    await mask(id)
    const erased = buildResourceDocument('contributions', { state: 'erased', reason: 'Names a neighbour' }, { id })
    expect([await countOriginals(id), (await api(chief).patch(`/contributions/${id}`, erased)).status]).toEqual([1, 200])
    expect(await countOriginals(id)).toBe(0)

    const other = await add()
    await mask(other.id)
    expect(await countOriginals(other.id)).toBe(1)
    await ctx().db.tx((tx) => eraseAccountContributions(runtime.secret, tx, site.id, author.id))
    expect(await countOriginals(other.id)).toBe(0)
  })
})

describe('an author who disagrees', () => {
  const appealTo = (decision: string) =>
    api(author).post(
      '/moderation-appeals',
      buildResourceDocument(
        'moderation-appeals',
        { words: 'Zebulon is the name of my goat.' },
        {
          id: createId(),
          to: { decision: { type: 'moderation-decisions', id: decision } },
        },
      ),
    )
  const overturn = (appeal: string, by: Person) =>
    api(by).patch(
      `/moderation-appeals/${appeal}`,
      buildResourceDocument('moderation-appeals', { state: 'overturned', answer: 'It is a goat.' }, { id: appeal }),
    )

  test('appeals, is told how, and somebody else puts the passages back', async () => {
    const { id } = await add()
    const before = await readRow(id)
    const decision = asFound((await mask(id)).body).id
    const mails = await ctx().db.tx((tx) => tx.select().from(outboxMails).where(eq(outboxMails.kind, 'contribution-masked')))
    expect(JSON.stringify(mails)).toContain(`/appeals/${decision}`)
    const sent = await appealTo(decision)
    expect(sent.status).toBe(201)
    const appeal = asFound(sent.body).id
    expect((await readRow(id))?.title).toBe(`A bench for ${MARKER}`)
    expect((await overturn(appeal, chief)).status).toBe(200)
    const after = await readRow(id)
    expect([after?.title, after?.body, after?.state]).toEqual([before?.title, before?.body, 'published'])
    expect(await countOriginals(id)).toBe(0)
    expect((await appealTo(decision)).status).toBe(409)
  })

  test('cannot appeal once the passages are back', async () => {
    const { id } = await add()
    const decision = asFound((await mask(id)).body).id
    await unmask(id)
    expect((await appealTo(decision)).status).toBe(409)
  })
})

test('whether passages were removed is known to those who may read them', async () => {
  const [masked, whole] = [await add(), await add()]
  await mask(masked.id)
  const read = async (person: Person | undefined, id: string) =>
    asFound((await api(person).get(`/contributions/${id}`)).body).attributes['masked']
  expect([await read(chief, masked.id), await read(chief, whole.id)]).toEqual([true, false])
  expect([await read(moderator, masked.id), await read(author, masked.id), await read(undefined, masked.id)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

describe('what removed passages said', () => {
  const NOON = new Date('2026-03-31T12:00:00Z')
  const eraseOld = () => JOBS.find(({ name }) => name === 'erase-originals')?.run(runtime, AbortSignal.timeout(60_000))
  const appeal = async (decisionId: string) => {
    const sent = await api(author).post(
      '/moderation-appeals',
      buildResourceDocument(
        'moderation-appeals',
        { words: 'I named nobody.' },
        { id: createId(), to: { decision: { type: 'moderation-decisions', id: decisionId } } },
      ),
    )
    expect(sent.status).toBe(201)
    return asFound(sent.body).id
  }
  beforeEach(() => runtime.setNow(NOON))
  afterAll(() => runtime.setNow(NOON))

  test('is deleted after twelve months; the text stays without the passages and cannot be put back', async () => {
    const { id } = await add()
    await mask(id)
    expect(asFound((await api(chief).get(`/masked-originals/${id}`)).body).attributes['keptUntil']).toBe('2027-03-31T12:00:00.000Z')
    runtime.setNow(new Date('2027-03-31T11:59:00Z'))
    await eraseOld()
    expect(await countOriginals(id)).toBe(1)
    runtime.setNow(new Date('2027-03-31T12:01:00Z'))
    await eraseOld()
    expect([await countOriginals(id), await countAudit('contributions.erase-original', id)]).toEqual([0, 1])
    expect((await readRow(id))?.body).toContain(MARKER)
    // A year later, sessions have ended.
    const successor = await addPerson(runtime, site, { role: 'site_admin' })
    expect((await api(successor).get(`/masked-originals/${id}`)).status).toBe(404)
    expect((await unmask(id, successor)).status).toBe(409)
  })

  test('counts from the last time that passages were removed, and for as long as the site chose', async () => {
    const { id } = await add()
    await mask(id)
    runtime.setNow(new Date('2026-05-31T12:00:00Z'))
    const { body } = await api(chief).get('/moderation-settings')
    const [settings] = (body?.data ?? []) as (Found & { meta: { lockVersion: number } })[]
    const change = (originalsKeptMonths: number) =>
      api(chief).patch(
        `/moderation-settings/${site.id}`,
        buildResourceDocument(
          'moderation-settings',
          { originalsKeptMonths },
          { id: site.id, lockVersion: settings?.meta.lockVersion ?? 1 },
        ),
      )
    expect([(await change(1)).status, (await change(61)).status, (await change(3)).status]).toEqual([422, 422, 200])
    const text = (await readRow(id))?.body ?? ''
    const start = text.indexOf('number 4')
    await mask(id, { textVersion: 2, passages: [{ field: 'body', start, end: start + 8 }] })
    runtime.setNow(new Date('2026-08-31T11:59:00Z'))
    await eraseOld()
    expect(await countOriginals(id)).toBe(1)
    runtime.setNow(new Date('2026-08-31T12:01:00Z'))
    await eraseOld()
    expect(await countOriginals(id)).toBe(0)
  })

  test('is kept while an appeal waits, which can still put it back', async () => {
    const { id } = await add()
    const appealId = await appeal(asFound((await mask(id)).body).id)
    runtime.setNow(new Date('2028-01-01T12:00:00Z'))
    await eraseOld()
    expect(await countOriginals(id)).toBe(1)
    const settled = await api(await addPerson(runtime, site, { role: 'site_admin' })).patch(
      `/moderation-appeals/${appealId}`,
      buildResourceDocument('moderation-appeals', { state: 'overturned', answer: 'That is no name.' }, { id: appealId }),
    )
    expect(settled.status).toBe(200)
    expect((await readRow(id))?.body).toBe(BODY)
  })
})
