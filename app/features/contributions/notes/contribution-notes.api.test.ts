import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { eraseAccount, readOwnData } from '#app/features/people/own-data.server.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { contributionNotes } from '#app/server/db/schema/contributions.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { type Account, addAccount } from '#tests/support/accounts.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'

let runtime: TestRuntime
let site: Site
let activity: Awaited<ReturnType<typeof addActivity>>
let people: Record<'member' | 'colleague' | 'outsider' | 'author', Account>
let id: string
let number = 0
type Who = keyof typeof people | undefined

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'notes' })
  activity = await addActivity(runtime, site)
  const elsewhere = await addActivity(runtime, site)
  people = {
    member: await addAccount(runtime, site, { role: 'project_admin', projectId: activity.projectId }),
    colleague: await addAccount(runtime, site, { role: 'site_admin' }),
    outsider: await addAccount(runtime, site, { role: 'project_admin', projectId: elsewhere.projectId }),
    author: await addAccount(runtime, site),
  }
})
beforeEach(async () => {
  id = (await addContribution(runtime, site, { activityId: activity.id, number: (number += 1), authorId: people.author.id })).id
})

const as = (who: Who) => createApiClient(runtime, site, who && people[who].token)
const db = () => runtime.database.site(site.id)
const add = (who: Who, body = 'Rang her: it is the north gate.') =>
  as(who).post(
    '/contribution-notes',
    buildResourceDocument('contribution-notes', { body }, { to: { contribution: { type: 'contributions', id } } }),
  )
const list = async (who: Who) => {
  const { body } = await as(who).get(`/contribution-notes?filter[contribution]=${id}`)
  return (body?.data ?? []) as {
    id: string
    attributes: Record<string, unknown>
    meta: { can: { update: boolean }; lockVersion: number }
  }[]
}
const edit = (who: Who, note: string, body: string, lockVersion = 1) =>
  as(who).patch(`/contribution-notes/${note}`, buildResourceDocument('contribution-notes', { body }, { id: note, lockVersion }))

test('the team reads who noted what and when; nobody else does, nor finds that there is a note', async () => {
  expect((await add('member')).status).toBe(201)
  const [note] = await list('colleague')
  expect(note?.attributes).toMatchObject({ body: 'Rang her: it is the north gate.', authorName: expect.any(String), editedAt: null })
  for (const who of ['outsider', 'author', undefined] as const) {
    expect(await list(who)).toEqual([])
    expect((await as(who).get(`/contribution-notes/${note?.id}`)).status).not.toBe(200)
    expect((await add(who)).status).not.toBe(201)
  }
  for (const path of [`/contributions/${id}`, `/contributions/${id}?include=activity,status`])
    expect(JSON.stringify((await as('author').get(path)).body)).not.toContain('north gate')
})

test('whoever wrote a note changes and deletes it, others do not; two changes at once lose none', async () => {
  await add('member')
  const note = (await list('member'))[0]?.id ?? ''
  expect((await list('member'))[0]?.meta.can.update).toBe(true)
  expect((await list('colleague'))[0]?.meta.can.update).toBe(false)
  expect((await edit('colleague', note, 'Never.')).status).toBe(403)
  expect((await as('colleague').delete(`/contribution-notes/${note}`)).status).toBe(403)
  expect((await edit('member', note, ' ')).codes).toEqual(['required'])
  expect((await edit('member', note, 'It is the south gate.')).status).toBe(200)
  expect((await edit('member', note, 'It is the east gate.')).codes).toEqual(['stale'])
  expect((await list('colleague'))[0]?.attributes).toMatchObject({ body: 'It is the south gate.', editedAt: expect.any(String) })
  expect((await as('member').delete(`/contribution-notes/${note}`)).status).toBe(204)
  expect(await list('colleague')).toEqual([])
  const events = await db().tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.subjectId, id)))
  expect(events.map(({ action }) => action).toSorted()).toEqual([
    'contributions.add-note',
    'contributions.delete-note',
    'contributions.edit-note',
  ])
  expect(JSON.stringify(events)).not.toContain('gate')
})

test('a person’s download has the notes about what they sent, and those that they wrote', async () => {
  await add('member', 'About you.')
  const readOf = async (person: Account) =>
    ((await readOwnData(await person.ctx()))['contributionNotes'] as Record<string, unknown>[]).filter(
      ({ contributionId }) => contributionId === id,
    )
  expect(await readOf(people.author)).toMatchObject([{ body: 'About you.', own: false }])
  expect(JSON.stringify(await readOf(people.author))).not.toContain(people.member.id)
  expect(await readOf(people.member)).toMatchObject([{ body: 'About you.', own: true }])
  expect(await readOf(people.outsider)).toEqual([])
})

test('notes go with the words that they are about, and name nobody once their author is gone', async () => {
  const leaver = await addAccount(runtime, site, { role: 'site_admin' })
  const leaving = createApiClient(runtime, site, leaver.token)
  await leaving.post(
    '/contribution-notes',
    buildResourceDocument('contribution-notes', { body: 'Kept.' }, { to: { contribution: { type: 'contributions', id } } }),
  )
  const ctx = await people.colleague.ctx()
  await ctx.db.tx((tx) => eraseAccount(ctx, tx, site.id, leaver.id))
  expect((await list('colleague'))[0]?.attributes).toMatchObject({ body: 'Kept.', authorName: null })
  await ctx.db.tx((tx) => eraseAccount(ctx, tx, site.id, people.author.id))
  expect(await db().tx((tx) => tx.select().from(contributionNotes).where(eq(contributionNotes.contributionId, id)))).toEqual([])
})
