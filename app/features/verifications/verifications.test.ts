import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eraseAccount, readOwnData } from '#app/features/people/own-data.server.ts'
import { mergePeople } from '#app/features/people/people.merge.server.ts'
import { requireActivityAt } from '#app/features/contributions/record/activities.policy.server.ts'
import { submitContribution } from '#app/features/contributions/posting/submit-contribution.server.ts'
import { addReaction, removeOwnReaction } from '#app/features/contributions/responding/reactions.server.ts'
import { submitReply } from '#app/features/contributions/responding/replies.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { EligibilityField } from '#app/lib/vocabulary/verifications.ts'
import { loadViewer, type SignedInViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { eligibilityEntries, eligibilityLists, verifications } from '#app/server/db/schema/verifications.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution, buildContributionInput } from '#tests/factories/contributions.ts'
import type { BrowserToken } from '#app/server/auth/browser-token.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { createEligibilityList, loadEligibilityLists, updateEligibilityList } from './eligibility-lists.server.ts'
import type { TypedFields } from './eligibility-fields.server.ts'
import { sweepVerifications, verifyByList } from './verifications.server.ts'

const NOON = new Date('2026-03-02T12:00:00Z')
const NEXT_YEAR = new Date('2027-03-02T12:00:00Z')

let runtime: TestRuntime
let site: Site
let admin: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})
beforeEach(() => runtime.setNow(NOON))

const as = (viewer: Ctx['viewer'] = VISITOR, address: string | null = null, of = site): Ctx => createCtx(runtime, of, { viewer, address })
const toViewer = async (person: Person) =>
  (await loadViewer({ db: runtime.database.site(site.id), database: runtime.database }, person.token, new Date())) as SignedInViewer
const api = (person?: Person, of = site) => createApiClient(runtime, of, person?.token)
const codeOf = (code: string) => expect.objectContaining({ code }) as Error
const inAll = (text: string) => ({ en: text, 'fr-CA': text, cy: text })

const RESIDENTS = ['surname', 'birth-date', 'postcode'] as const
const addList = async (
  csv: string,
  {
    fields = ['card-number'],
    level = 'resident' as const,
    validUntil = NEXT_YEAR,
  }: { fields?: EligibilityField[]; level?: 'resident' | 'contact'; validUntil?: Date } = {},
) => createEligibilityList(as(await toViewer(admin)), { nameTranslations: inAll('Library card'), level, fields, validUntil, csv })
const lookUp = (listId: string, fields: TypedFields, more: { browserToken?: BrowserToken; secret?: string } = {}, ctx = as()) =>
  verifyByList(ctx, { listId, fields, browserToken: issueToken(runtime, site), ...more })
const faultsOf = (work: Promise<unknown>) =>
  work.then(
    () => [],
    (error: unknown) =>
      isAppError(error) ? (error.faults.length > 0 ? error.faults.map(({ code, pointer }) => [code, pointer]) : [[error.code]]) : [error],
  )

const buildInput = (secret: string | undefined) =>
  buildContributionInput(runtime.now(), { browserToken: issueToken(runtime, site), invitation: () => secret })
type Activity = Awaited<ReturnType<typeof addActivity>>
const post = (ctx: Ctx, { projectSlug: project, slug: activity }: Activity, secret?: string) =>
  submitContribution(ctx, (tx) => requireActivityAt(ctx, tx, { project, activity }), buildInput(secret))
const countSupports = async (id: string) => {
  const [row] = await as().db.tx((tx) =>
    tx.select({ supports: contributions.supports }).from(contributions).where(eq(contributions.id, id)),
  )
  return row?.supports
}

describe('a list', () => {
  test('is compared whatever the case, accents and spaces, and how a date is written', async () => {
    const list = await addList('Date of birth;Postcode;Surname\n27/03/1980;CF10 1AA;O’Brien-Lewis\n1990-12-01;cf24 2bb;Siân\n', {
      fields: [...RESIDENTS],
    })
    const same: TypedFields[] = [
      { surname: "o'brien lewis", 'birth-date': '1980-03-27', postcode: 'cf101aa' },
      { surname: 'OBRIENLEWIS', 'birth-date': '27 3 1980', postcode: ' CF10-1AA ' },
      { surname: 'sian', 'birth-date': '1.12.1990', postcode: 'CF24 2BB' },
    ]
    for (const fields of same) expect((await lookUp(list, fields)).row).toMatchObject({ method: 'list', level: 'resident', listId: list })
  })

  test('says the same whichever field differs, and what is missing or no date before it is compared', async () => {
    const list = await addList('surname,birth-date,postcode\nLewis,27/3/1980,CF10 1AA\n', { fields: [...RESIDENTS] })
    const right = { surname: 'Lewis', 'birth-date': '27/3/1980', postcode: 'CF10 1AA' }
    for (const wrong of [{ surname: 'Lewes' }, { 'birth-date': '28/3/1980' }, { postcode: 'CF10 1AB' }])
      expect(await faultsOf(lookUp(list, { ...right, ...wrong }))).toEqual([['not-on-list', '/fields']])
    expect(await faultsOf(lookUp(list, { surname: ' ', 'birth-date': '31/2/1980' }))).toEqual([
      ['required', '/fields/surname'],
      ['not-a-date', '/fields/birth-date'],
      ['required', '/fields/postcode'],
    ])
    expect(await faultsOf(lookUp(createId(), right))).toEqual([['not-found', '/list']])
  })

  test('keeps nothing of its file but keyed hashes, which differ from list to list', async () => {
    // Letters that no id and no hash in hexadecimal contains.
    const csv = 'card-number\nZQX KWV\n'
    const ids = [await addList(csv), await addList(csv)]
    const hashes = await as().db.tx((tx) =>
      tx
        .select({ hash: eligibilityEntries.hash })
        .from(eligibilityEntries)
        .where(sql`${eligibilityEntries.listId} in (${ids[0]}, ${ids[1]})`),
    )
    expect(hashes).toHaveLength(2)
    expect(hashes[0]?.hash.equals(hashes[1]?.hash ?? Buffer.alloc(0))).toBe(false)
    await lookUp(ids[0] ?? '', { 'card-number': 'zqxkwv' })
    for (const table of ['eligibility_lists', 'eligibility_entries', 'verifications', 'audit_events']) {
      const { rows } = await as().db.tx((tx) => tx.execute<{ text: string }>(sql`select t::text as text from ${sql.identifier(table)} t`))
      expect(
        rows
          .map(({ text }) => text)
          .join()
          .toLowerCase(),
      ).not.toMatch(/zqx|kwv/)
    }
  })

  const pass = (seconds: number) => runtime.setNow(new Date(runtime.now().getTime() + seconds * 1000))
  /** Tries until the person has to wait for more than a minute. @returns how many tries were made */
  const tryUntilLocked = async (attempt: (tried: number) => Promise<unknown>): Promise<number> => {
    for (let tried = 0; tried < 200; tried++) {
      const refusal: unknown = await attempt(tried).catch((error: unknown) => error)
      const wait = isAppError(refusal, 'too-many-requests') ? Number(refusal.meta?.['retryAfter']) : 0
      if (wait > 60) return tried
      pass(wait)
    }
    throw new Error('Nothing slowed it down')
  }

  test('with the right card succeeds after another person’s wrong ones at the same address', async () => {
    const list = await addList('card-number\n1001\n')
    const library = as(VISITOR, '192.0.2.79')
    const browserToken = issueToken(runtime, site)
    await tryUntilLocked(() => lookUp(list, { 'card-number': '9' }, { browserToken }, library))
    await expect(lookUp(list, { 'card-number': '1001' }, { browserToken: issueToken(runtime, site) }, library)).resolves.toBeDefined()
    await expect(lookUp(list, { 'card-number': '1001' }, {}, library)).resolves.toBeDefined()
  })

  test('is slowed down for one card, in however many browsers', async () => {
    const list = await addList('card-number,surname\n1001,Elm\n1002,Oak\n', { fields: ['card-number', 'surname'] })
    const guess = () =>
      lookUp(list, { 'card-number': '1001', surname: 'Ash' }, { browserToken: issueToken(runtime, site) }, as(VISITOR, '192.0.2.80'))
    expect(await tryUntilLocked(guess)).toBeLessThan(25)
    const other = { 'card-number': '1002', surname: 'Oak' }
    await expect(lookUp(list, other, { browserToken: issueToken(runtime, site) }, as(VISITOR, '192.0.2.80'))).resolves.toBeDefined()
    const right = { 'card-number': '1001', surname: 'Elm' }
    await expect(lookUp(list, right, { browserToken: issueToken(runtime, site) }, as(VISITOR, '192.0.2.81'))).resolves.toBeDefined()
  })

  test('takes 5 wrong tries an hour of a browser and 100 of an address before it slows down; those that succeed do not count', async () => {
    const list = await addList('card-number\n1001\n')
    const browserToken = issueToken(runtime, site)
    for (let good = 0; good < 7; good++) await lookUp(list, { 'card-number': '1001' }, { browserToken })
    for (let tried = 0; tried < 6; tried++)
      expect(await faultsOf(lookUp(list, { 'card-number': `9${tried}` }, { browserToken }))).toEqual([['not-on-list', '/fields']])
    await expect(lookUp(list, { 'card-number': '1001' }, { browserToken })).rejects.toEqual(codeOf('too-many-requests'))
    const at = as(VISITOR, '192.0.2.77')
    for (let tried = 0; tried < 101; tried++)
      expect(await faultsOf(lookUp(list, { 'card-number': `9${tried}` }, {}, at))).toEqual([['not-on-list', '/fields']])
    await expect(lookUp(list, { 'card-number': '1001' }, {}, at)).rejects.toEqual(codeOf('too-many-requests'))
    await expect(lookUp(list, { 'card-number': '1001' }, {}, as(VISITOR, '192.0.2.78'))).resolves.toBeDefined()
  })

  test('that is read again ends what it proved for who is no longer in it', async () => {
    const id = await addList('card-number\n1\n2\n')
    const [one, two] = [await lookUp(id, { 'card-number': '1' }), await lookUp(id, { 'card-number': '2' })]
    const [row] = await loadEligibilityLists(as(), [id])
    if (!row) throw new Error('There is no such list')
    await updateEligibilityList(as(await toViewer(admin)), row, { csv: 'Numéro de carte\n2\n3\n' }, 1)
    const activity = await addActivity(runtime, site, { postAccess: 'verified' })
    await expect(post(as(), activity, one.secret)).rejects.toEqual(codeOf('verification-needed'))
    expect(await post(as(), activity, two.secret)).toMatchObject({ number: 1 })
  })

  test('refuses a file that it cannot compare, and takes nothing of it', async () => {
    const refuse = (csv: string, fields: EligibilityField[] = [...RESIDENTS]) => faultsOf(addList(csv, { fields }))
    expect(await refuse('surname,postcode\nLewis,CF10 1AA\n')).toEqual([['column-missing', '/csv']])
    expect(await refuse('surname,birth-date,postcode\nLewis,27/3/1980,CF10 1AA\nJones,soon,CF10 1AA\n')).toEqual([
      ['unreadable-lines', '/csv'],
    ])
    expect(await refuse('surname,birth-date,postcode\n')).toEqual([['required', '/csv']])
    expect(await refuse('\0\0', ['card-number'])).toEqual([['unreadable-file', '/csv']])
    expect(await refuse('card-number\n"1', ['card-number'])).toEqual([['unreadable-file', '/csv']])
    expect(await refuse('surname\nLewis\n', ['surname'])).toEqual([['too-few', '/fields']])
  })

  test('goes with what it proved when its time is over', async () => {
    const soon = new Date(NOON.getTime() + 3_600_000)
    const id = await addList('card-number\n1\n', { validUntil: soon })
    await lookUp(id, { 'card-number': '1' })
    runtime.setNow(new Date(soon.getTime() + 1))
    await expect(lookUp(id, { 'card-number': '1' })).rejects.toMatchObject({ faults: [{ code: 'not-found' }] })
    await sweepVerifications(runtime)
    for (const table of [eligibilityLists, verifications] as const) {
      const rows = await as().db.tx((tx) =>
        tx
          .select({ id: table.id })
          .from(table)
          .where(eq(table === verifications ? verifications.listId : eligibilityLists.id, id)),
      )
      expect(rows).toEqual([])
    }
  })

  test('and what it proved are one site’s alone', async () => {
    const id = await addList('card-number\n1\n')
    const { secret } = await lookUp(id, { 'card-number': '1' })
    const other = await addSite(runtime, { slug: 'harbour' })
    await expect(lookUp(id, { 'card-number': '1' }, {}, as(VISITOR, null, other))).rejects.toMatchObject({
      faults: [{ code: 'not-found' }],
    })
    const activity = await addActivity(runtime, other, { postAccess: 'verified' })
    await expect(post(as(VISITOR, null, other), activity, secret)).rejects.toEqual(codeOf('verification-needed'))
    for (const table of [eligibilityLists, eligibilityEntries, verifications])
      expect(await as(VISITOR, null, other).db.tx((tx) => tx.select().from(table))).toEqual([])
  })
})

describe('an activity for verified people', () => {
  test('takes contributions, replies and support of them, and of nobody else', async () => {
    const list = await addList('card-number\n1\n')
    const activity = await addActivity(runtime, site, { postAccess: 'verified', reactAccess: 'verified', moderation: 'after' })
    const other = await addPerson(runtime, site)
    const { id: contributionId } = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    const reply = (secret?: string) =>
      submitReply(as(), {
        id: createId(),
        sendKey: 'only-the-sender-knows',
        contributionId,
        body: 'Yes',
        shownName: '',
        official: false,
        browserToken: issueToken(runtime, site),
        invitation: () => secret,
      })
    const react = (ctx: Ctx, secret?: string) =>
      addReaction(ctx, { id: createId(), contributionId, browserToken: issueToken(runtime, site), invitation: () => secret })
    for (const secret of [undefined, 'made-up'])
      for (const refused of [() => post(as(), activity, secret), () => reply(secret), () => react(as(), secret)])
        await expect(refused()).rejects.toEqual(codeOf('verification-needed'))
    await expect(post(as(await toViewer(other)), activity)).rejects.toEqual(codeOf('verification-needed'))
    await expect(post(as(await toViewer(admin)), activity)).rejects.toEqual(codeOf('verification-needed'))
    const { secret } = await lookUp(list, { 'card-number': '1' })
    expect(await post(as(), activity, secret)).toMatchObject({ number: 2, state: 'published' })
    await reply(secret)
    expect(await react(as(), secret)).toMatchObject({ created: true })
  })

  test('counts a person once, in whichever browser or account, and lets them take it back', async () => {
    const list = await addList('card-number\n1\n2\n')
    const activity = await addActivity(runtime, site, { reactAccess: 'verified' })
    const { id: contributionId } = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    const person = await addPerson(runtime, site)
    const viewer = await toViewer(person)
    const react = (ctx: Ctx, secret?: string) =>
      addReaction(ctx, { id: createId(), contributionId, browserToken: issueToken(runtime, site), invitation: () => secret })
    const phone = await lookUp(list, { 'card-number': '1' })
    const laptop = await lookUp(list, { 'card-number': '1' })
    await lookUp(list, { 'card-number': '1' }, {}, as(viewer))
    const neighbour = await lookUp(list, { 'card-number': '2' })
    expect(phone.secret).not.toBe(laptop.secret)
    expect(await react(as(), phone.secret)).toMatchObject({ created: true })
    expect(await react(as(), laptop.secret)).toMatchObject({ created: false })
    expect(await react(as(viewer))).toMatchObject({ created: false })
    expect(await countSupports(contributionId)).toBe(1)
    await react(as(), neighbour.secret)
    expect(await countSupports(contributionId)).toBe(2)
    await removeOwnReaction(as(viewer), { contributionId })
    expect(await countSupports(contributionId)).toBe(1)
  })

  test('may ask for more than any list proves, or for one list', async () => {
    const contact = await addList('card-number\n1\n', { level: 'contact' })
    const resident = await addList('card-number\n1\n')
    const { secret } = await lookUp(contact, { 'card-number': '1' })
    const strict = await addActivity(runtime, site, { postAccess: 'verified' })
    await expect(post(as(), strict, secret)).rejects.toEqual(codeOf('verification-needed'))
    const open = await addActivity(runtime, site, { postAccess: 'verified', settings: { verification: { level: 'contact', list: null } } })
    expect(await post(as(), open, secret)).toMatchObject({ number: 1 })
    const one = await addActivity(runtime, site, {
      postAccess: 'verified',
      settings: { verification: { level: 'contact', list: resident } },
    })
    await expect(post(as(), one, secret)).rejects.toEqual(codeOf('verification-needed'))
    // The browser keeps one secret for all that it holds.
    const second = await lookUp(resident, { 'card-number': '1' }, secret ? { secret } : {})
    expect(second.secret).toBe(secret)
    expect(await post(as(), one, secret)).toMatchObject({ number: 1 })
  })

  test('no longer takes them once it is over', async () => {
    const list = await addList('card-number\n1\n', { validUntil: new Date(NOON.getTime() + 3_600_000) })
    const activity = await addActivity(runtime, site, { postAccess: 'verified' })
    const { secret } = await lookUp(list, { 'card-number': '1' })
    expect(await post(as(), activity, secret)).toMatchObject({ number: 1 })
    runtime.setNow(new Date(NOON.getTime() + 3_600_001))
    await expect(post(as(), activity, secret)).rejects.toEqual(codeOf('verification-needed'))
  })
})

type Body = { data?: unknown } | undefined
const idOf = (body: Body) => (body?.data as { id: string } | undefined)?.id ?? ''
const attributesOf = (body: Body) => (body?.data as { attributes: Record<string, unknown> } | undefined)?.attributes ?? {}

describe('through the API', () => {
  const confirm = (
    by: Person | undefined,
    user: string,
    attributes: Record<string, unknown> = { level: 'identity', validUntil: NEXT_YEAR.toISOString() },
  ) => api(by).post('/verifications', buildResourceDocument('verifications', attributes, { to: { user: { type: 'users', id: user } } }))

  test('a site administrator confirms a person whom they met, and ends it', async () => {
    const person = await addPerson(runtime, site)
    const activity = await addActivity(runtime, site, { postAccess: 'verified' })
    expect((await confirm(person, person.id)).status).toBe(403)
    // A visitor does not even see that there is such an account.
    expect((await confirm(undefined, person.id)).status).toBe(404)
    const faulty = await confirm(admin, person.id, {})
    expect([faulty.status, faulty.codes]).toEqual([422, ['required', 'required']])
    const made = await confirm(admin, person.id)
    expect(made.status).toBe(201)
    const id = idOf(made.body)
    expect((await confirm(admin, person.id)).status).toBe(201)
    expect(await post(as(await toViewer(person)), activity)).toMatchObject({ number: 1 })
    const listOf = async (who?: Person) =>
      ((await api(who).get('/verifications')).body?.data as { id: string; attributes: object }[] | undefined) ?? []
    expect(await listOf(person)).toMatchObject([{ id, attributes: { method: 'in_person', level: 'identity' } }])
    expect(await listOf(await addPerson(runtime, site))).toEqual([])
    expect(await listOf()).toEqual([])
    expect((await api(await addPerson(runtime, site)).delete(`/verifications/${id}`)).status).toBe(404)
    expect((await api(admin).delete(`/verifications/${id}`)).status).toBe(204)
    await expect(post(as(await toViewer(person)), activity)).rejects.toEqual(codeOf('verification-needed'))
  })

  test('a visitor is looked up, and takes part with the secret', async () => {
    const list = await addList('card-number\n1\n')
    const activity = await addActivity(runtime, site, { postAccess: 'verified', moderation: 'after' })
    const to = { list: { type: 'eligibility-lists', id: list } }
    const look = (card: string) =>
      api().post('/verifications', buildResourceDocument('verifications', { fields: { 'card-number': card } }, { to }))
    const refused = await look('2')
    expect([refused.status, refused.codes]).toEqual([422, ['not-on-list']])
    const found = await look('1')
    expect(found.status).toBe(201)
    const secret = attributesOf(found.body)['secret'] as string
    const attributes = { title: 'A bench', body: 'By the river', shownAs: 'anonymous', sendKey: 'only-the-sender-knows' }
    const of = { activity: { type: 'activities', id: activity.id } }
    const send = (invitation?: string) =>
      api().post(
        '/contributions',
        buildResourceDocument('contributions', { ...attributes, ...(invitation && { invitation }) }, { id: createId(), to: of }),
      )
    expect([(await send()).status, (await send(secret)).status]).toEqual([403, 201])
  })

  test('lists are made, counted and deleted by site administrators; a list that an activity needs stays', async () => {
    const attributes = {
      nameTranslations: inAll('Electoral roll'),
      level: 'identity',
      fields: ['card-number'],
      validUntil: NEXT_YEAR.toISOString(),
      csv: 'card-number\n1\n2\n2\n',
    }
    const person = await addPerson(runtime, site)
    expect((await api(person).post('/eligibility-lists', buildResourceDocument('eligibility-lists', attributes))).status).toBe(403)
    const made = await api(admin).post('/eligibility-lists', buildResourceDocument('eligibility-lists', attributes))
    expect(made.status).toBe(201)
    const id = idOf(made.body)
    const read = async (who?: Person) => attributesOf((await api(who).get(`/eligibility-lists/${id}`)).body)
    expect(await read(admin)).toMatchObject({ entries: 2, verified: null })
    expect(await read()).not.toHaveProperty('entries')
    const activity = await addActivity(runtime, site, {
      postAccess: 'verified',
      settings: { verification: { level: 'resident', list: id } },
    })
    const used = await api(admin).delete(`/eligibility-lists/${id}`)
    expect([used.status, used.codes]).toEqual([409, ['in-use']])
    const change = buildResourceDocument(
      'activities',
      { settings: { verification: { level: 'resident', list: createId() } } },
      { id: activity.id, lockVersion: 1 },
    )
    const unknown = await api(admin).patch(`/activities/${activity.id}`, change)
    expect([unknown.status, unknown.codes]).toEqual([422, ['not-a-choice']])
    const open = buildResourceDocument('activities', { postAccess: 'anyone' }, { id: activity.id, lockVersion: 1 })
    expect((await api(admin).patch(`/activities/${activity.id}`, open)).status).toBe(200)
    expect((await api(admin).delete(`/eligibility-lists/${id}`)).status).toBe(204)
  })
})

describe("a person's own data", () => {
  test('has their verifications; erasing the account takes these and their support', async () => {
    const list = await addList('card-number\n1\n')
    const person = await addPerson(runtime, site)
    const ctx = as(await toViewer(person))
    const activity = await addActivity(runtime, site, { reactAccess: 'verified' })
    const { id: contributionId } = await addContribution(runtime, site, { activityId: activity.id, number: 1 })
    await lookUp(list, { 'card-number': '1' }, {}, ctx)
    await addReaction(ctx, { id: createId(), contributionId })
    const data = await readOwnData(ctx)
    expect(data['verifications']).toMatchObject([{ method: 'list', level: 'resident', list: inAll('Library card') }])
    expect(data['reactions']).toMatchObject([{ contributionId, value: 'support' }])
    await as(await toViewer(admin)).db.tx(async (tx) => eraseAccount(as(await toViewer(admin)), tx, site.id, person.id))
    expect(await countSupports(contributionId)).toBe(0)
    expect(await as().db.tx((tx) => tx.select().from(verifications).where(eq(verifications.userId, person.id)))).toEqual([])
  })

  test('goes to the account that theirs is merged into', async () => {
    const list = await addList('card-number\n1\n')
    const [from, into] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    for (const each of [from, into]) await lookUp(list, { 'card-number': '1' }, {}, as(await toViewer(each)))
    await mergePeople(as(await toViewer(admin)), { from: from.id, into: into.id })
    const rows = await as().db.tx((tx) =>
      tx.select({ userId: verifications.userId }).from(verifications).where(eq(verifications.listId, list)),
    )
    expect(rows).toEqual([{ userId: into.id }])
  })
})
