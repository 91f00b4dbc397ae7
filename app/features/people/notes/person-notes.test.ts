import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { mergePeople } from '#app/features/people/people.merge.server.ts'
import { eraseAccount, readOwnData } from '#app/features/people/own-data.server.ts'
import { personNotes } from '#app/server/db/schema/accounts.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addHub } from '#tests/factories/content.ts'
import { addProject } from '#tests/factories/surveys.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { findInDatabase } from '#tests/support/traces.ts'
import { projectFollows } from '#app/server/db/schema/updates.ts'

let runtime: TestRuntime
let site: Site
let people: Record<'siteAdmin' | 'colleague' | 'hubAdmin' | 'otherHub' | 'projectAdmin' | 'foreign', Account>
let hubId: string
let projectId: string
type Who = keyof typeof people | Account | undefined

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'person-notes' })
  hubId = (await addHub(runtime, site, { slug: 'roads' })).id
  projectId = (await addProject(runtime, site, { hubId })).id
  const elsewhere = await addHub(runtime, site, { slug: 'parks' })
  const otherSite = await addSite(runtime, { slug: 'other-notes' })
  people = {
    siteAdmin: await addAccount(runtime, site, { role: 'site_admin' }),
    colleague: await addAccount(runtime, site, { role: 'site_admin' }),
    hubAdmin: await addAccount(runtime, site, { role: 'hub_admin', hubId }),
    otherHub: await addAccount(runtime, site, { role: 'hub_admin', hubId: elsewhere.id }),
    projectAdmin: await addAccount(runtime, site, { role: 'project_admin', projectId }),
    foreign: await addAccount(runtime, otherSite, { role: 'site_admin' }),
  }
})

const as = (who: Who) => createApiClient(runtime, site, (typeof who === 'string' ? people[who] : who)?.token)
const db = () => runtime.database.site(site.id)
/** Somebody who took part in the hub of `hubAdmin`. */
async function addParticipant(): Promise<Account> {
  const person = await addAccount(runtime, site)
  await db().tx((tx) => tx.insert(projectFollows).values({ siteId: site.id, projectId, userId: person.id }))
  return person
}
const add = (who: Who, about: Account, attributes: Record<string, unknown>) =>
  as(who).post('/person-notes', buildResourceDocument('person-notes', attributes, { to: { user: { type: 'users', id: about.id } } }))
const list = async (who: Who, about: Account) => {
  const { body } = await as(who).get(`/person-notes?filter[user]=${about.id}`)
  return (body?.data ?? []) as {
    id: string
    attributes: Record<string, unknown>
    meta: { can: { update: boolean }; lockVersion: number }
  }[]
}
const edit = (who: Who, note: string, attributes: Record<string, unknown>, lockVersion = 1) =>
  as(who).patch(`/person-notes/${note}`, buildResourceDocument('person-notes', attributes, { id: note, lockVersion }))

test('those who manage a person read who noted what and when; nobody else does, nor finds that there is a note', async () => {
  const ann = await addParticipant()
  expect((await add('hubAdmin', ann, { body: 'Rang: needs large print.' })).status).toBe(201)
  for (const who of ['siteAdmin', 'hubAdmin'] as const) {
    const [note] = await list(who, ann)
    expect(note?.attributes).toMatchObject({
      body: 'Rang: needs large print.',
      readBy: 'people-managers',
      authorName: expect.any(String),
      editedAt: null,
    })
  }
  const id = (await list('siteAdmin', ann))[0]?.id ?? ''
  for (const who of ['otherHub', 'projectAdmin', 'foreign', ann, undefined] as const) {
    expect(await list(who, ann)).toEqual([])
    expect((await as(who).get(`/person-notes/${id}`)).status).not.toBe(200)
    expect((await add(who, ann, { body: 'Never.' })).status).not.toBe(201)
    expect((await edit(who, id, { body: 'Never.' })).status).not.toBe(200)
    expect((await as(who).delete(`/person-notes/${id}`)).status).not.toBe(204)
  }
  for (const path of [`/users/${ann.id}`, '/current-user'])
    expect(JSON.stringify((await as(ann).get(path)).body)).not.toContain('large print')
  expect(await list('siteAdmin', ann)).toHaveLength(1)
})

test('a note for site administrators is read by them and its author only', async () => {
  const ann = await addParticipant()
  const secondHubAdmin = await addAccount(runtime, site, { role: 'hub_admin', hubId })
  await add('hubAdmin', ann, { body: 'A matter for the council’s lawyer.', readBy: 'site-administrators' })
  await add('siteAdmin', ann, { body: 'Answered by the lawyer.', readBy: 'site-administrators' })
  const bodies = async (who: Who) => (await list(who, ann)).map(({ attributes }) => attributes['body'])
  expect(await bodies('colleague')).toHaveLength(2)
  expect(await bodies('hubAdmin')).toEqual(['A matter for the council’s lawyer.'])
  expect(await bodies(secondHubAdmin)).toEqual([])
  expect((await add('siteAdmin', ann, { body: 'x', readBy: 'everybody' })).status).toBe(422)
})

test('administrators of a hub do not read what others noted about them', async () => {
  const { hubAdmin } = people
  await db().tx((tx) => tx.insert(projectFollows).values({ siteId: site.id, projectId, userId: hubAdmin.id }))
  await add('siteAdmin', hubAdmin, { body: 'Leaves in May.' })
  expect(await list('hubAdmin', hubAdmin)).toEqual([])
  expect((await add('hubAdmin', hubAdmin, { body: 'About me.' })).status).toBe(404)
  expect(await list('siteAdmin', hubAdmin)).toHaveLength(1)
})

test('whoever wrote a note changes and deletes it, others do not; two changes at once lose none; the trail has no words', async () => {
  const ann = await addParticipant()
  await add('hubAdmin', ann, { body: 'It is the north gate.' })
  const note = (await list('hubAdmin', ann))[0]?.id ?? ''
  expect((await list('hubAdmin', ann))[0]?.meta.can.update).toBe(true)
  expect((await list('siteAdmin', ann))[0]?.meta.can.update).toBe(false)
  expect((await edit('siteAdmin', note, { body: 'Never.' })).status).toBe(403)
  expect((await as('siteAdmin').delete(`/person-notes/${note}`)).status).toBe(403)
  expect((await edit('hubAdmin', note, { body: ' ' })).codes).toEqual(['required'])
  expect((await edit('hubAdmin', note, { body: 'It is the south gate.', readBy: 'site-administrators' })).status).toBe(200)
  expect((await edit('hubAdmin', note, { body: 'It is the east gate.' })).codes).toEqual(['stale'])
  expect((await list('siteAdmin', ann))[0]?.attributes).toMatchObject({
    body: 'It is the south gate.',
    readBy: 'site-administrators',
    editedAt: expect.any(String),
  })
  expect((await as('hubAdmin').delete(`/person-notes/${note}`)).status).toBe(204)
  expect(await list('siteAdmin', ann)).toEqual([])
  const events = await db().tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.subjectId, ann.id)))
  expect(events.map(({ action }) => action)).toEqual(expect.arrayContaining(['users.add-note', 'users.edit-note', 'users.delete-note']))
  expect(JSON.stringify(events)).not.toContain('gate')
})

test('a person’s own data has the notes about them without who wrote them, and merging and erasing take the notes along', async () => {
  const [ann, double] = [await addParticipant(), await addParticipant()]
  await add('hubAdmin', ann, { body: 'xylophone-about-ann', readBy: 'site-administrators' })
  await add('siteAdmin', double, { body: 'glockenspiel-about-her-second-account' })
  const readNotes = async (person: Account) => (await readOwnData(await person.ctx()))['personNotes'] as Record<string, unknown>[]
  expect(await readNotes(ann)).toMatchObject([{ body: 'xylophone-about-ann', own: false }])
  expect(JSON.stringify(await readNotes(ann))).not.toContain(people.hubAdmin.id)
  expect(await readNotes(people.hubAdmin)).toEqual(
    expect.arrayContaining([expect.objectContaining({ body: 'xylophone-about-ann', own: true })]),
  )

  await mergePeople(await people.siteAdmin.ctx(), { from: double.id, into: ann.id })
  expect((await readNotes(ann)).map(({ body }) => body).toSorted()).toEqual([
    'glockenspiel-about-her-second-account',
    'xylophone-about-ann',
  ])
  const ctx = await people.colleague.ctx()
  await ctx.db.tx((tx) => eraseAccount(ctx, tx, site.id, ann.id))
  expect(await findInDatabase(runtime.ownerUrl, ['xylophone', 'glockenspiel'])).toEqual([])
})

test('a note stays without its author’s name once the author’s account is gone', async () => {
  const ann = await addParticipant()
  const leaver = await addAccount(runtime, site, { role: 'site_admin' })
  await add(leaver, ann, { body: 'Kept.' })
  const ctx = await people.colleague.ctx()
  await ctx.db.tx((tx) => eraseAccount(ctx, tx, site.id, leaver.id))
  expect((await list('siteAdmin', ann))[0]?.attributes).toMatchObject({ body: 'Kept.', authorName: null })
  expect(await db().tx((tx) => tx.select().from(personNotes).where(eq(personNotes.authorId, leaver.id)))).toEqual([])
})
