import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { createCtx } from '#app/server/context.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addEvent, listMails, listRows, signUpFor } from '#tests/factories/events.ts'
import { addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { type ApiAnswer, buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { requestContext } from '#tests/support/request-context.ts'
import { exportAttendanceList, serveAttendanceList } from './attendance-list.server.ts'

const NOON = new Date('2026-04-10T16:00:00Z')

let runtime: TestRuntime
let site: Site
let officer: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend' })
  officer = await addPerson(runtime, site, { role: 'site_admin' })
})
beforeEach(() => runtime.setNow(NOON))

type Document = { id: string; attributes: Record<string, unknown>; meta: { lockVersion: number } }
const api = (person?: Person) => createApiClient(runtime, site, person?.token)
const dataOf = ({ body }: ApiAnswer) => body?.data as Document
const faultsOf = ({ body }: ApiAnswer) => (body?.errors ?? []).map(({ code, source }) => `${code} ${source?.pointer ?? ''}`)
async function patchEvent(id: string, attributes: Record<string, unknown>, person = officer) {
  const { lockVersion } = dataOf(await api(person).get(`/events/${id}`)).meta
  return api(person).patch(`/events/${id}`, buildResourceDocument('events', attributes, { id, lockVersion }))
}
const listSignUps = async (event: string, person?: Person) =>
  ((await api(person).get(`/event-sign-ups?filter[event]=${event}`)).body?.data ?? []) as Document[]

describe('an officer', () => {
  test('makes an event, and publishing names what is missing, in every language unless it is waived', async () => {
    const project = await addProject(runtime, site)
    const to = { project: { type: 'projects', id: project.id } }
    const made = await api(officer).post(
      '/events',
      buildResourceDocument('events', { titleTranslations: { en: 'Walk' }, capacity: 12 }, { to }),
    )
    expect(made.status).toBe(201)
    const { id, attributes } = dataOf(made)
    expect(attributes).toMatchObject({ slug: 'walk', status: 'draft', phase: 'draft', going: 0 })
    expect(faultsOf(await patchEvent(id, { status: 'published' }))).toEqual([
      'required /data/attributes/startsAt',
      'required /data/attributes/endsAt',
    ])
    const times = { startsAt: '2026-04-20T17:00:00Z', endsAt: '2026-04-20T16:00:00Z' }
    expect(faultsOf(await patchEvent(id, times))).toEqual(['dates-out-of-order /data/attributes/endsAt'])
    await patchEvent(id, { ...times, endsAt: '2026-04-20T19:00:00Z', placeTranslations: inAllLanguages('Mill') })
    const gaps = await patchEvent(id, { status: 'published' })
    expect(faultsOf(gaps)).toEqual([
      'translation-missing /data/attributes/titleTranslations/fr-CA',
      'translation-missing /data/attributes/titleTranslations/cy',
    ])
    const published = await patchEvent(id, { status: 'published', waived: ['title.fr-CA', 'title.cy'] })
    expect(dataOf(published).attributes).toMatchObject({ status: 'published', phase: 'upcoming' })
    expect((await patchEvent(id, { status: 'draft' })).status).toBe(422)
  })

  test('cannot set fewer places than are taken, and more places let those who wait move up', async () => {
    const event = await addEvent(runtime, site, { capacity: 2 })
    for (const name of ['Ada', 'Ben', 'Cem']) await signUpFor(runtime, site, event, name)
    const refused = await patchEvent(event.id, { capacity: 1 })
    expect(faultsOf(refused)).toEqual(['below-sign-ups /data/attributes/capacity'])
    expect(JSON.stringify(refused.body)).toContain('2 people have a place')
    expect(dataOf(await patchEvent(event.id, { capacity: 3 })).attributes).toMatchObject({ going: 3, waiting: 0 })
    expect(await listMails(runtime, site, event.id)).toContain('event-moved-up cem')
  })

  test('who saves what somebody else has changed is told', async () => {
    const event = await addEvent(runtime, site)
    await patchEvent(event.id, { capacity: 5 })
    const late = await api(officer).patch(
      `/events/${event.id}`,
      buildResourceDocument('events', { capacity: 6 }, { id: event.id, lockVersion: 1 }),
    )
    expect(late.codes).toEqual(['stale'])
  })

  test('everybody who signed up is told of another time and of a cancellation, and of nothing else', async () => {
    const event = await addEvent(runtime, site, { capacity: 1 })
    await signUpFor(runtime, site, event, 'Ada')
    await signUpFor(runtime, site, event, 'Ben')
    await patchEvent(event.id, { titleTranslations: inAllLanguages('Another name') })
    await patchEvent(event.id, { endsAt: '2026-04-20T20:00:00Z' })
    await patchEvent(event.id, { status: 'cancelled' })
    expect((await listMails(runtime, site, event.id)).slice(2)).toEqual([
      'event-changed ada',
      'event-changed ben',
      'event-cancelled ada',
      'event-cancelled ben',
    ])
    // It is final.
    expect((await patchEvent(event.id, { status: 'published' })).status).toBe(422)
  })

  test('records who came, by ticking and by code, and cancels a place for somebody', async () => {
    const event = await addEvent(runtime, site, { capacity: 2 })
    const { code } = await signUpFor(runtime, site, event, 'Ada')
    await signUpFor(runtime, site, event, 'Ben')
    const waiting = await signUpFor(runtime, site, event, 'Cem')
    const [ada, ben] = await listSignUps(event.id, officer)
    expect(ada?.attributes).toMatchObject({ name: 'Ada', state: 'going', attended: false })
    await api(officer).patch(
      `/event-sign-ups/${ben?.id}`,
      buildResourceDocument('event-sign-ups', { attended: true }, { id: ben?.id ?? '' }),
    )
    const attend = (typed: string) =>
      api(officer).post(
        '/event-attendances',
        buildResourceDocument('event-attendances', { code: typed }, { to: { event: { type: 'events', id: event.id } } }),
      )
    expect(dataOf(await attend(code.toLowerCase())).attributes).toMatchObject({ name: 'Ada', isAgain: false })
    expect(dataOf(await attend(code)).attributes).toMatchObject({ name: 'Ada', isAgain: true })
    expect(faultsOf(await attend(waiting.code))).toEqual(['no-place /data/attributes/code'])
    expect(faultsOf(await attend('K7QF-1M8Z-XW3R-90BT'))).toEqual(['not-found /data/attributes/code'])
    expect(faultsOf(await attend('nonsense'))).toEqual(['wrong-format /data/attributes/code'])
    expect((await listRows(runtime, site, event.id)).map(({ attendedAt }) => attendedAt !== null)).toEqual([true, true, false])
    await api(officer).delete(`/event-sign-ups/${ben?.id}`)
    expect((await listSignUps(event.id, officer)).map(({ attributes }) => attributes['state'])).toEqual(['going', 'cancelled', 'going'])
  })

  test('a question that was answered stays with its answers, and keeps its type', async () => {
    const option = (id: string) => ({ id, label: inAllLanguages(id) })
    const meal = { id: 'meal', type: 'one_choice', title: inAllLanguages('Meal'), options: [option('soup'), option('salad')] }
    const event = await addEvent(runtime, site, { questions: [meal] })
    await signUpFor(runtime, site, event, 'Ada', { answers: () => ({ meal: { choice: 'soup' } }) })
    expect(
      faultsOf(await patchEvent(event.id, { questions: [{ id: 'meal', type: 'short_text', title: inAllLanguages('Meal') }] })),
    ).toEqual(['question-type-fixed /data/attributes/questions/0/type'])
    const { attributes } = dataOf(await patchEvent(event.id, { questions: [] }))
    expect(attributes['questions']).toEqual([{ ...meal, removed: true }])
    const [ada] = await listSignUps(event.id, officer)
    expect(ada?.attributes['answers']).toEqual([{ question: 'Meal', answer: 'soup' }])
  })
})

describe('walls', () => {
  test('only those who may change the event see who signed up and how to join', async () => {
    const event = await addEvent(runtime, site, { joinLink: 'https://meet.example.org/walk' })
    await signUpFor(runtime, site, event, 'Ada')
    const participant = await addPerson(runtime, site)
    const elsewhere = await addPerson(runtime, site, { role: 'project_admin', projectId: (await addProject(runtime, site)).id })
    for (const stranger of [undefined, participant, elsewhere]) {
      expect(await listSignUps(event.id, stranger)).toEqual([])
      expect(JSON.stringify((await api(stranger).get(`/events/${event.id}`)).body)).not.toContain('meet.example.org')
    }
    const own = await addPerson(runtime, site, { role: 'project_admin', projectId: event.projectId })
    expect(await listSignUps(event.id, own)).toHaveLength(1)
    expect(JSON.stringify((await api(own).get(`/events/${event.id}`)).body)).toContain('meet.example.org')
    const [row] = await listRows(runtime, site, event.id)
    const tick = buildResourceDocument('event-sign-ups', { attended: true }, { id: row?.id ?? '' })
    expect((await api(elsewhere).patch(`/event-sign-ups/${row?.id}`, tick)).status).toBe(404)
    expect((await api(elsewhere).delete(`/event-sign-ups/${row?.id}`)).status).toBe(404)
  })

  test('another site’s administrator sees neither the event nor its people', async () => {
    const event = await addEvent(runtime, site)
    await signUpFor(runtime, site, event, 'Ada')
    const other = await addSite(runtime, { slug: 'harbour' })
    const { token } = await addPerson(runtime, other, { role: 'site_admin' })
    const client = createApiClient(runtime, other, token)
    expect((await client.get(`/events/${event.id}`)).status).toBe(404)
    expect((await client.get(`/event-sign-ups?filter[event]=${event.id}`)).body?.data).toEqual([])
  })

  test('a draft is not found by the public', async () => {
    const event = await addEvent(runtime, site, { status: 'draft' })
    expect((await api().get(`/events/${event.id}`)).status).toBe(404)
    expect((await api(officer).get(`/events/${event.id}`)).status).toBe(200)
  })
})

test('the list is downloaded with a reason only, and the trail says why', async () => {
  const event = await addEvent(runtime, site)
  await signUpFor(runtime, site, event, '=Ada', { email: `ada-${event.id}@example.org` })
  const { database } = runtime
  const viewer = await loadViewer({ db: database.site(site.id), database }, officer.token, new Date())
  const download = (reason?: string) =>
    serveAttendanceList({
      context: requestContext(createCtx(runtime, site, { viewer, ...(reason && { reason }) })),
      params: { event: event.id },
    })
  const withoutReason = createCtx(runtime, site, { viewer })
  await expect(exportAttendanceList(withoutReason, event.id)).rejects.toMatchObject({ code: 'reason-required' })
  const file = await (await download('The caterer needs a number')).text()
  expect(file).toContain(`'=Ada`)
  const [entry] = await runtime.database
    .site(site.id)
    .tx((tx) => tx.select().from(auditEvents).where(eq(auditEvents.action, 'events.export')))
  expect(entry?.detail).toMatchObject({ reason: 'The caterer needs a number' })
  const participant = await addPerson(runtime, site)
  const stranger = await loadViewer({ db: database.site(site.id), database }, participant.token, new Date())
  const refused = await serveAttendanceList({
    context: requestContext(createCtx(runtime, site, { viewer: stranger, reason: 'Curious' })),
    params: { event: event.id },
  })
  expect(refused.status).toBe(403)
})
