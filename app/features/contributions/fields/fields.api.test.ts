import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { readOwnData } from '#app/features/people/own-data.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity } from '#tests/factories/contributions.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'

let runtime: TestRuntime
let site: Site
let admin: Person
let author: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  admin = await addPerson(runtime, site, { role: 'site_admin' })
  author = await addPerson(runtime, site)
})

type Attributes = Record<string, unknown>
const api = (person?: Person) => createApiClient(runtime, site, person?.token)
const inAll = (text: string) => ({ en: text, 'fr-CA': text, cy: text })
const attributesOf = (body: { data?: unknown } | undefined) => (body?.data as { attributes: Attributes } | undefined)?.attributes ?? {}
const toOne = (type: string, id: string) => ({ type, id })
const faultsOf = ({ body, codes }: { body?: { errors?: { source?: { pointer?: string } }[] } | undefined; codes: string[] }) =>
  codes.map((code, at) => [code, body?.errors?.[at]?.source?.pointer?.replace('/data/attributes', '')])

const tree = {
  id: 'tree',
  type: 'one_choice',
  title: inAll('What should be planted?'),
  shownTo: 'public',
  options: ['oak', 'maple'].map((id) => ({ id, label: inAll(id) })),
}
const reach = { id: 'reach', type: 'short_text', title: inAll('How can we reach you?'), shownTo: 'staff' }
const number = { id: 'trees', type: 'number', title: inAll('How many?'), shownTo: 'public', min: 1, max: 9 }
const why = { id: 'why', type: 'long_text', title: inAll('Why here?'), shownTo: 'public', required: true }

const save = (id: string, fields: unknown, lockVersion = 1) =>
  api(admin).patch(`/activities/${id}`, buildResourceDocument('activities', { fields }, { id, lockVersion }))
const send = (activity: string, fields: unknown, person?: Person, id = createId()) =>
  api(person).post(
    '/contributions',
    buildResourceDocument(
      'contributions',
      { title: 'Oaks', body: 'By the gate.', shownAs: 'anonymous', sendKey: 'a-key-of-the-sender', fields },
      { id, to: { activity: toOne('activities', activity) } },
    ),
  )
const loadRow = (id: string) =>
  runtime.database
    .site(site.id)
    .read((tx) => tx.select().from(contributions).where(eq(contributions.id, id)))
    .then(([row]) => row)

describe('the extra questions of an activity', () => {
  test('are saved in order and refused one by one, with the place of what is wrong', async () => {
    const activity = await addActivity(runtime, site)
    const { body } = await save(activity.id, [tree, reach])
    expect(attributesOf(body)['fields']).toEqual([tree, reach])
    const ask = (more: object) => save(activity.id, [{ ...reach, ...more }], 2).then(faultsOf)
    expect(await ask({ type: 'ranking' })).toEqual([['not-a-choice', '/fields/0/type']])
    expect(await ask({ type: 'file' })).toEqual([['not-a-choice', '/fields/0/type']])
    expect(await ask({ shownTo: 'friends' })).toEqual([['not-a-choice', '/fields/0/shownTo']])
    expect(await ask({ title: { ...inAll('Reach'), cy: '' } })).toEqual([['translation-missing', '/fields/0/title/cy']])
    expect(await ask({ title: inAll('x'.repeat(201)) }).then(([first]) => first)).toEqual(['too-long', '/fields/0/title/en'])
    expect(await save(activity.id, [{ ...tree, options: tree.options.slice(1) }], 2).then(faultsOf)).toEqual([
      ['too-few', '/fields/0/options'],
    ])
    expect(await save(activity.id, [reach, reach], 2).then(faultsOf)).toEqual([['taken', '/fields/1/id']])
    const many = Array.from({ length: 11 }, (_, at) => ({ ...reach, id: `q${at}` }))
    expect(await save(activity.id, many, 2).then(faultsOf)).toEqual([['too-many', '/fields']])
    expect((await save(activity.id, many.slice(1), 2)).status).toBe(200)
  })

  test('can be half translated in a draft', async () => {
    const project = await addProject(runtime, site)
    const made = await api(admin).post(
      '/activities',
      buildResourceDocument(
        'activities',
        { kind: 'ideas', titleTranslations: { en: 'Ideas' }, fields: [{ ...reach, title: { en: 'Reach' } }] },
        { to: { project: toOne('projects', project.id) } },
      ),
    )
    expect([made.status, attributesOf(made.body)['fields']]).toEqual([201, [{ ...reach, title: { en: 'Reach' } }]])
  })

  test('are archived once they were answered, and keep their type and options', async () => {
    const activity = await addActivity(runtime, site, { fields: [tree, reach, number], moderation: 'after' })
    expect((await send(activity.id, { tree: 'oak', trees: 3 })).status).toBe(201)
    expect(await save(activity.id, [{ ...reach, id: 'tree' }, number]).then(faultsOf)).toEqual([['question-type-fixed', '/fields/0/type']])
    const more = [{ id: 'pine', label: inAll('pine') }, tree.options[1]]
    const { body } = await save(activity.id, [{ ...tree, options: more }])
    expect(attributesOf(body)['fields']).toEqual([
      { ...tree, options: [...more, { ...tree.options[0], removed: true }] },
      { ...number, archived: true },
    ])
    expect(await send(activity.id, { tree: 'oak' }).then(faultsOf)).toEqual([['not-a-choice', '/fields/tree']])
    expect(await send(activity.id, { trees: 3 }).then(faultsOf)).toEqual([['unknown-attribute', '/fields/trees']])
  })
})

describe('answers', () => {
  test('are checked as a survey checks them', async () => {
    const fields = [tree, number, why, { ...reach, id: 'born', type: 'date' }, { ...tree, id: 'some', type: 'several_choices' }]
    const activity = await addActivity(runtime, site, { fields, moderation: 'after' })
    const faults = (given: unknown) => send(activity.id, given).then(faultsOf)
    expect(await faults({})).toEqual([['required', '/fields/why']])
    expect(await faults({ why: ' ' })).toEqual([['required', '/fields/why']])
    expect(await faults({ why: 'x'.repeat(2001) })).toEqual([['too-long', '/fields/why']])
    expect(await faults({ why: 'Shade', tree: 'palm' })).toEqual([['not-a-choice', '/fields/tree']])
    expect(await faults({ why: 'Shade', trees: 10 })).toEqual([['out-of-range', '/fields/trees']])
    expect(await faults({ why: 'Shade', trees: 'many' })).toEqual([['not-a-number', '/fields/trees']])
    expect(await faults({ why: 'Shade', born: '2026-02-30' })).toEqual([['not-a-date', '/fields/born']])
    expect(await faults({ why: 'Shade', some: ['oak', 'palm'] })).toEqual([['not-a-choice', '/fields/some']])
    expect(await faults({ why: ['Shade'] })).toEqual([['wrong-type', '/fields/why']])
    const given = { why: 'Shade', tree: 'oak', trees: 2, born: '2026-02-28', some: ['maple', 'oak'] }
    const sent = await send(activity.id, given, author)
    expect([sent.status, attributesOf(sent.body)['fields']]).toEqual([201, { ...given, some: ['oak', 'maple'] }])
  })

  test('for the team only are seen by moderators and the author, never by others', async () => {
    const activity = await addActivity(runtime, site, { fields: [tree, reach], moderation: 'after' })
    const id = createId()
    const given = { tree: 'oak', reach: 'Ring the blue door' }
    expect((await send(activity.id, given, author, id)).status).toBe(201)
    const seenBy = async (person?: Person) => attributesOf((await api(person).get(`/contributions/${id}`)).body)['fields']
    expect(await seenBy()).toEqual({ tree: 'oak' })
    expect(await seenBy(await addPerson(runtime, site))).toEqual({ tree: 'oak' })
    expect(await seenBy(author)).toEqual(given)
    expect(await seenBy(admin)).toEqual(given)
    const viewer = await loadViewer({ db: runtime.database.site(site.id), database: runtime.database }, author.token, new Date())
    expect(JSON.stringify(await readOwnData(createCtx(runtime, site, { viewer })))).toContain('Ring the blue door')
    const erase = buildResourceDocument('contributions', { state: 'erased', reason: 'Asked for.' }, { id })
    expect((await api(admin).patch(`/contributions/${id}`, erase)).status).toBe(200)
    expect(await loadRow(id)).toMatchObject({ state: 'erased', fields: {} })
  })

  test('with personal data wait for a moderator if everybody could read them', async () => {
    const activity = await addActivity(runtime, site, { fields: [why, reach], moderation: 'after' })
    const stateOf = async (fields: unknown) => attributesOf((await send(activity.id, fields, admin)).body)['state']
    expect(await stateOf({ why: 'Pay with 4111 1111 1111 1111' })).toBe('held')
    expect(await stateOf({ why: 'Shade', reach: '4111 1111 1111 1111' })).toBe('published')
  })
})

describe('through the API', () => {
  const change = (id: string, attributes: Attributes, person?: Person) =>
    api(person).patch(`/contributions/${id}`, buildResourceDocument('contributions', attributes, { id }))
  const addSent = async (given: Attributes = { tree: 'oak', reach: 'Ring the blue door', why: 'Shade' }) => {
    const activity = await addActivity(runtime, site, { fields: [tree, reach, why, number], moderation: 'after' })
    const id = createId()
    expect((await send(activity.id, given, author, id)).status).toBe(201)
    return id
  }

  test('the author changes answers, which are checked as when they were sent; what is not given stays', async () => {
    const id = await addSent()
    const changed = await change(id, { fields: { tree: 'maple', why: 'More shade', trees: 4 } }, author)
    expect(changed.status).toBe(200)
    expect(attributesOf(changed.body)).toMatchObject({
      title: 'Oaks',
      body: 'By the gate.',
      version: 2,
      fields: { tree: 'maple', why: 'More shade', trees: 4 },
    })
    expect(attributesOf((await change(id, { title: 'Maples', body: 'By the pond.' }, author)).body)).toMatchObject({
      title: 'Maples',
      body: 'By the pond.',
      fields: { tree: 'maple', why: 'More shade', trees: 4 },
    })
    const faults = (fields: unknown) => change(id, { fields }, author).then(faultsOf)
    expect(await faults({ tree: 'maple' })).toEqual([['required', '/fields/why']])
    expect(await faults({ why: 'Shade', tree: 'palm' })).toEqual([['not-a-choice', '/fields/tree']])
    expect(await faults({ why: 'Shade', trees: 10 })).toEqual([['out-of-range', '/fields/trees']])
    expect(await faults({ why: 'Shade', else: 'x' })).toEqual([['unknown-attribute', '/fields/else']])
    expect(await change(id, { title: '' }, author).then(faultsOf)).toEqual([['required', '/title']])
    expect(await loadRow(id)).toMatchObject({ title: 'Maples', version: 3, fields: { tree: 'maple', why: 'More shade', trees: 4 } })
  })

  test('nobody else changes them, and the author only while the form of the site lets them', async () => {
    const id = await addSent()
    const fields = { why: 'Something else' }
    expect((await change(id, { fields })).status).toBe(401)
    expect((await change(id, { fields }, await addPerson(runtime, site))).status).toBe(403)
    expect((await change(id, { fields }, admin)).status).toBe(403)
    runtime.setNow(new Date(Date.now() + 31 * 60_000))
    expect(await change(id, { fields }, author).then(({ status, codes }) => [status, ...codes])).toEqual([409, 'editing-over'])
    runtime.setNow(new Date())
    await runtime.database.site(site.id).tx((tx) => tx.update(contributions).set({ supports: 1 }).where(eq(contributions.id, id)))
    expect(await change(id, { fields }, author).then(({ codes }) => codes)).toEqual(['editing-over'])
    expect(await loadRow(id)).toMatchObject({ version: 1, fields: { tree: 'oak', reach: 'Ring the blue door', why: 'Shade' } })
  })

  test('versions show the answers that each reader may see', async () => {
    const id = await addSent()
    const next = { tree: 'maple', reach: 'Ring the red door', why: 'Shade' }
    expect((await change(id, { fields: next }, author)).status).toBe(200)
    const seenBy = async (person?: Person) => {
      const { body } = await api(person).get(`/contribution-versions?filter[contribution]=${id}&sort=number`)
      const versions = body?.data as { attributes: Attributes }[] | undefined
      return versions?.map(({ attributes }) => attributes['fields'])
    }
    const [first, second] = [
      { tree: 'oak', why: 'Shade' },
      { tree: 'maple', why: 'Shade' },
    ]
    expect(await seenBy()).toEqual([first, second])
    expect(await seenBy(await addPerson(runtime, site))).toEqual([first, second])
    for (const person of [author, admin]) expect(await seenBy(person)).toEqual([{ ...first, reach: 'Ring the blue door' }, next])
  })
})
