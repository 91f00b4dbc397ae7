import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eraseAccount, readOwnData } from '#app/features/people/own-data.server.ts'
import { rollUpReach } from '#app/features/reach/roll-up.server.ts'
import { readReach } from '#app/features/reach/reach.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { events } from '#app/server/db/schema/events.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addEvent, EVENT_STARTS, listMails, listRows, newSending, signUpFor } from '#tests/factories/events.ts'
import { inAllLanguages } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime, warmUpConnections } from '#tests/support/database.ts'
import { addPerson, buildAdministrator, type Person } from '#tests/support/people.ts'
import { getEventPage, getSignUpReceipt, listEventCards } from '../event-views.server.ts'
import { requireEventAt } from '../events.policy.server.ts'
import { cancelSignUp, moveSignUps, separateSignUps } from './cancel-sign-up.server.ts'
import { remindOfEvents } from './remind.server.ts'

const NOON = new Date('2026-04-10T16:00:00Z')
const HOUR = 3_600_000

let runtime: TestRuntime
let site: Site
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'riverbend', timeZone: 'America/Toronto' })
})
beforeEach(() => runtime.setNow(NOON))

type Event = Awaited<ReturnType<typeof addEvent>>
const join = (event: Event, name: string, person?: Parameters<typeof signUpFor>[4]) => signUpFor(runtime, site, event, name, person)
const addressOf = (event: Event) => ({ project: event.projectSlug, event: event.slug })
const cancel = (event: Event, code: string, ctx = createCtx(runtime, site)) =>
  cancelSignUp(ctx, (tx) => requireEventAt(ctx, tx, addressOf(event)), code)
const readCounts = async (event: Event) => {
  const [row] = await runtime.database.site(site.id).tx((tx) => tx.select().from(events).where(eq(events.id, event.id)))
  return { going: row?.going, waiting: row?.waiting }
}
const codesOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) =>
      isAppError(error)
        ? error.code === 'invalid'
          ? error.faults.map(({ code, pointer }) => `${code} ${pointer}`).join()
          : error.code
        : String(error),
  )
async function ctxOf(person: Person): Promise<Ctx> {
  const { database } = runtime
  const viewer = await loadViewer({ db: database.site(site.id), database }, person.token, new Date())
  return createCtx(runtime, site, { viewer })
}
const tick = (minutes: number) => runtime.setNow(new Date(NOON.getTime() + minutes * 60_000))

describe('places and the waiting list', () => {
  test('after the last place people wait, and who has waited longest moves up when somebody cancels, told by mail', async () => {
    const event = await addEvent(runtime, site, { capacity: 2, joinLink: 'https://meet.example.org/walk' })
    const ada = await join(event, 'Ada')
    tick(1)
    await join(event, 'Ben')
    tick(2)
    const cem = await join(event, 'Cem')
    tick(3)
    const dee = await join(event, 'Dee')
    expect([ada.state, cem.state, dee.state]).toEqual(['going', 'waiting', 'waiting'])
    expect(await readCounts(event)).toEqual({ going: 2, waiting: 2 })
    const ctx = createCtx(runtime, site)
    expect((await getSignUpReceipt(ctx, addressOf(event), [dee.code])).receipt).toMatchObject({
      state: 'waiting',
      position: 2,
      joinLink: '',
    })
    tick(4)
    await cancel(event, ada.code)
    expect(await readCounts(event)).toEqual({ going: 2, waiting: 1 })
    expect((await getSignUpReceipt(ctx, addressOf(event), [cem.code])).receipt).toMatchObject({
      state: 'going',
      joinLink: 'https://meet.example.org/walk',
    })
    expect((await getSignUpReceipt(ctx, addressOf(event), [dee.code])).receipt).toMatchObject({ state: 'waiting', position: 1 })
    expect(await listMails(runtime, site, event.id)).toEqual([
      'event-going ada',
      'event-going ben',
      'event-waiting cem',
      'event-waiting dee',
      'event-moved-up cem',
    ])
    // Nothing of the person is left, and cancelling again does nothing.
    const [gone] = (await listRows(runtime, site, event.id)).filter(({ state }) => state === 'cancelled')
    expect(gone).toMatchObject({ name: '', email: null, userId: null, answers: {}, sealedReceipt: null })
    await cancel(event, ada.code)
    expect(await readCounts(event)).toEqual({ going: 2, waiting: 1 })
  })

  test('of many people at the last place at the same time, exactly one gets it', async () => {
    const event = await addEvent(runtime, site, { capacity: 3 })
    await join(event, 'First')
    await join(event, 'Second')
    await warmUpConnections(runtime)
    const done = await Promise.all(Array.from({ length: 8 }, (_, at) => join(event, `Racer${at}`)))
    expect(done.filter(({ state }) => state === 'going')).toHaveLength(1)
    const rows = await listRows(runtime, site, event.id)
    expect(rows.filter(({ state }) => state === 'going')).toHaveLength(3)
    expect(rows.filter(({ state }) => state === 'waiting')).toHaveLength(7)
    expect(await readCounts(event)).toEqual({ going: 3, waiting: 7 })
  })

  test('when people cancel while others sign up, there are never more places taken than there are', async () => {
    const event = await addEvent(runtime, site, { capacity: 2 })
    const first = [await join(event, 'One'), await join(event, 'Two'), await join(event, 'Three')]
    await Promise.all([
      ...first.slice(0, 2).map(({ code }) => cancel(event, code)),
      ...['Four', 'Five', 'Six'].map((name) => join(event, name)),
    ])
    const rows = await listRows(runtime, site, event.id)
    expect(rows.filter(({ state }) => state === 'going')).toHaveLength(2)
    expect(rows.filter(({ state }) => state === 'waiting')).toHaveLength(2)
    const moved = (await listMails(runtime, site, event.id)).filter((mail) => mail.startsWith('event-moved-up'))
    expect(new Set(moved).size).toBe(moved.length)
  })

  test('an event without a limit takes everybody, and one without a waiting list says that it is full', async () => {
    const open = await addEvent(runtime, site, { capacity: null })
    expect((await join(open, 'Ada')).state).toBe('going')
    const full = await addEvent(runtime, site, { capacity: 1, hasWaitingList: false })
    await join(full, 'Ada')
    expect(await codesOf(join(full, 'Ben'))).toBe('event-full')
  })
})

describe('one sign-up for each person', () => {
  test('the same sending twice, even at once, is one sign-up with one receipt and one mail', async () => {
    const event = await addEvent(runtime, site, { capacity: 5 })
    const sending = newSending(NOON)
    const [first, second] = await Promise.all([join(event, 'Ada', { sending }), join(event, 'Ada', { sending })])
    expect(second).toEqual(first)
    expect(await listRows(runtime, site, event.id)).toHaveLength(1)
    expect(await listMails(runtime, site, event.id)).toEqual(['event-going ada'])
    // The id of another sign-up, with a different key, shows nothing.
    expect(await codesOf(join(event, 'Eve', { sending: { ...newSending(NOON), id: sending.id } }))).toBe('conflict')
  })

  test('who shows that the sign-up is theirs gets their receipt; to others it goes by mail only', async () => {
    const event = await addEvent(runtime, site, { capacity: 5 })
    const first = await join(event, 'Ada')
    const again = await join(event, 'Ada', { codes: [first.code] })
    expect(again.code).toBe(first.code)
    expect(await codesOf(join(event, 'Ada'))).toBe('signed-up-already /email')
    expect(await codesOf(join(event, 'Ada', { email: `ADA-${event.id}@Example.org` }))).toBe('signed-up-already /email')
    expect(await listRows(runtime, site, event.id)).toHaveLength(1)
    expect(await listMails(runtime, site, event.id)).toEqual(['event-going ada', 'event-going ada', 'event-going ada'])
  })

  test('an account signs up once, whatever address it gives, and finds its sign-up in another browser', async () => {
    const event = await addEvent(runtime, site, { capacity: 5 })
    const ctx = await ctxOf(await addPerson(runtime, site))
    const first = await join(event, 'Ada', { ctx })
    expect((await join(event, 'Ada', { ctx, email: `other-${event.id}@example.org` })).code).toBe(first.code)
    expect((await getEventPage(ctx, addressOf(event), [])).isSignedUp).toBe(true)
    expect((await getEventPage(createCtx(runtime, site), addressOf(event), [])).isSignedUp).toBe(false)
  })
})

describe('what is refused', () => {
  test('an event that is over, cancelled, a draft, or of a project that is not public', async () => {
    const past = await addEvent(runtime, site, { startsAt: new Date(NOON.getTime() - HOUR), endsAt: new Date(NOON.getTime() + HOUR) })
    expect(await codesOf(join(past, 'Ada'))).toBe('event-over')
    expect(await codesOf(join(await addEvent(runtime, site, { status: 'cancelled' }), 'Ada'))).toBe('event-cancelled')
    expect(await codesOf(join(await addEvent(runtime, site, { status: 'draft' }), 'Ada'))).toBe('not-found')
    const hidden = await addEvent(runtime, site)
    await runtime.database.site(site.id).tx((tx) => tx.update(projects).set({ status: 'draft' }).where(eq(projects.id, hidden.projectId)))
    expect(await codesOf(join(hidden, 'Ada'))).toBe('not-found')
    expect(await codesOf(getEventPage(createCtx(runtime, site), addressOf(hidden), []))).toBe('not-found')
    expect(await codesOf(listEventCards(createCtx(runtime, site), { slug: hidden.projectSlug }))).toBe('not-found')
  })

  test('another site knows nothing of it', async () => {
    const event = await addEvent(runtime, site)
    const { code } = await join(event, 'Ada')
    const other = createCtx(runtime, await addSite(runtime, { slug: 'harbour' }))
    expect(await codesOf(getEventPage(other, addressOf(event), [code]))).toBe('not-found')
    expect(await codesOf(cancel(event, code, other))).toBe('not-found')
  })

  test('a name, an address and required answers that are missing are named together', async () => {
    const questions = [
      {
        id: 'meal',
        type: 'one_choice',
        required: true,
        title: inAllLanguages('Meal'),
        options: [{ id: 'soup', label: inAllLanguages('Soup') }],
      },
    ]
    const event = await addEvent(runtime, site, { questions })
    expect(await codesOf(join(event, ' ', { email: 'nowhere' }))).toBe('required /name,not-an-email /email,required /q.meal')
    await join(event, 'Ada', { answers: () => ({ meal: { choice: 'soup' } }) })
    const [row] = await listRows(runtime, site, event.id)
    expect(row?.answers).toEqual({ meal: { choice: 'soup' } })
  })

  test('events for accounts and for members refuse others', async () => {
    expect(await codesOf(join(await addEvent(runtime, site, { access: 'confirmed' }), 'Ada'))).toBe('unauthenticated')
    const ctx = await ctxOf(await addPerson(runtime, site))
    expect(await codesOf(join(await addEvent(runtime, site, { access: 'members' }), 'Ada', { ctx }))).toBe('forbidden')
    expect(await codesOf(join(await addEvent(runtime, site, { access: 'confirmed' }), 'Ada', { ctx }))).toBe('done')
  })

  test('nobody cancels once the event has started', async () => {
    const event = await addEvent(runtime, site)
    const { code } = await join(event, 'Ada')
    runtime.setNow(new Date(EVENT_STARTS.getTime() + 1))
    expect(await codesOf(cancel(event, code))).toBe('event-over')
  })
})

test('people with a place are reminded once, a day before, and not if they signed up after that', async () => {
  const event = await addEvent(runtime, site, { capacity: 1 })
  await join(event, 'Ada')
  await join(event, 'Ben')
  const reminders = async () => (await listMails(runtime, site, event.id)).filter((mail) => mail.startsWith('event-reminder'))
  runtime.setNow(new Date(EVENT_STARTS.getTime() - 25 * HOUR))
  await remindOfEvents(runtime)
  expect(await reminders()).toEqual([])
  runtime.setNow(new Date(EVENT_STARTS.getTime() - 23 * HOUR))
  await Promise.all([remindOfEvents(runtime), remindOfEvents(runtime)])
  await remindOfEvents(runtime)
  expect(await reminders()).toEqual(['event-reminder ada'])
  const late = await addEvent(runtime, site)
  await join(late, 'Cem')
  await remindOfEvents(runtime)
  expect(await listMails(runtime, site, late.id)).toEqual(['event-going cem'])
})

test('a mail has the link to join for people with a place only, in their language, and the outbox hides the code', async () => {
  const event = await addEvent(runtime, site, { capacity: 1, joinLink: 'https://meet.example.org/walk' })
  const ctx = createCtx(runtime, site, { language: 'cy' })
  const { code } = await join(event, 'Ada', { ctx })
  await join(event, 'Ben', { ctx })
  const mails = await runtime.database.site(site.id).tx((tx) => tx.select().from(outboxMails))
  const [going, waiting] = ['ada', 'ben'].map((name) => mails.find(({ recipient }) => recipient === `${name}-${event.id}@example.org`))
  expect(going).toMatchObject({ kind: 'event-going', language: 'cy' })
  expect(going?.bodyText).not.toContain(code)
  expect(JSON.stringify(going?.secretBodies)).toContain('meet.example.org')
  expect(JSON.stringify([waiting?.bodyText, waiting?.secretBodies])).not.toContain('meet.example.org')
})

describe('personal data', () => {
  test('is in the person’s file, and goes with their account; the next on the list moves up', async () => {
    const event = await addEvent(runtime, site, { capacity: 1 })
    const person = await addPerson(runtime, site)
    const ctx = await ctxOf(person)
    await join(event, 'Ada', { ctx })
    await join(event, 'Ben')
    expect((await readOwnData(ctx))['eventSignUps']).toMatchObject([{ name: 'Ada', state: 'going' }])
    await runtime.database.site(site.id).tx((tx) => eraseAccount(createCtx(runtime, site), tx, site.id, person.id))
    expect((await listRows(runtime, site, event.id)).map(({ name, state }) => [name, state])).toEqual([['Ben', 'going']])
    expect(await listMails(runtime, site, event.id)).toContain('event-moved-up ben')
  })

  test('of merged accounts is kept once for each event', async () => {
    const [first, second] = [await addEvent(runtime, site, { capacity: 3 }), await addEvent(runtime, site, { capacity: 3 })]
    const [from, into] = [await addPerson(runtime, site), await addPerson(runtime, site)]
    await join(first, 'Ada', { ctx: await ctxOf(from) })
    await join(second, 'Ada', { ctx: await ctxOf(from) })
    await join(second, 'Eda', { ctx: await ctxOf(into) })
    const without = await addEvent(runtime, site)
    await join(without, 'Ada', { email: from.email })
    const ctx = createCtx(runtime, site)
    await ctx.db.tx(async (tx) => {
      await moveSignUps(ctx, tx, { from: from.id, into: into.id })
      await eraseAccount(ctx, tx, site.id, from.id)
    })
    for (const event of [first, second, without])
      expect((await listRows(runtime, site, event.id)).map(({ userId }) => userId)).toEqual([into.id])
  })

  test('of an address is the account’s only once the account has confirmed it', async () => {
    const event = await addEvent(runtime, site)
    const email = `victim-${event.id}@example.org`
    await join(event, 'Ada', { email })
    const liar = await ctxOf(await addPerson(runtime, site, { email, confirmed: false }))
    expect((await readOwnData(liar))['eventSignUps']).toEqual([])
  })

  test('goes with the project’s, and the figures stay', async () => {
    const event = await addEvent(runtime, site)
    await join(event, 'Ada')
    const changed = await runtime.database.site(site.id).tx((tx) => separateSignUps(createCtx(runtime, site), tx, event.projectId))
    expect(changed).toBe(1)
    expect(await listRows(runtime, site, event.id)).toMatchObject([{ name: '', email: null, receiptHash: null, state: 'going' }])
    expect(await readCounts(event)).toEqual({ going: 1, waiting: 0 })
  })
})

test('people with a place take part on the day of their sign-up; those who wait or cancel do not', async () => {
  const own = await addSite(runtime, { slug: 'reached', timeZone: 'America/Toronto' })
  const event = await addEvent(runtime, own, { capacity: 2 })
  const viewer = buildAdministrator(own.id, ['site_admin'])
  const countEngaged = async () => {
    await rollUpReach(runtime)
    const report = await readReach(createCtx(runtime, own, { viewer }), { days: 30, place: { kind: 'project', id: event.projectId } })
    return report?.totals.engaged
  }
  const ada = await signUpFor(runtime, own, event, 'Ada')
  await signUpFor(runtime, own, event, 'Ben')
  await signUpFor(runtime, own, event, 'Cem')
  expect(await countEngaged()).toBe(2)
  const ctx = createCtx(runtime, own)
  await cancelSignUp(ctx, (tx) => requireEventAt(ctx, tx, addressOf(event)), ada.code)
  expect(await countEngaged()).toBe(2)
  const rows = await listRows(runtime, own, event.id)
  expect(rows.map(({ state }) => state).toSorted()).toEqual(['cancelled', 'going', 'going'])
})
