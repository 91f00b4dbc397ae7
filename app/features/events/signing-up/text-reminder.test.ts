import { asc, eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { receiveText } from '#app/features/sms/receive-messages.server.ts'
import { sendDueMessages } from '#app/features/sms/deliver-messages.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx } from '#app/server/context.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { smsMessages, userPhones } from '#app/server/db/schema/messages.ts'
import { siteFeatures, sites } from '#app/server/db/schema/sites.ts'
import type { Language } from '#app/lib/languages.ts'
import { deliverMails } from '#app/server/mail/deliver.ts'
import type { Site } from '#app/server/site-directory.ts'
import { inAllLanguages } from '#tests/factories/surveys.ts'
import { addEvent, listMails, listRows, signUpFor } from '#tests/factories/events.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { addPerson } from '#tests/support/people.ts'
import { startSmtp } from '#tests/support/smtp.ts'
import { requireEventAt } from '../events.policy.server.ts'
import { getEventPage, getSignUpReceipt } from '../event-views.server.ts'
import { loadEvents, updateEvent } from '../managing/events.server.ts'
import { cancelSignUp } from './cancel-sign-up.server.ts'
import { remindOfEvents } from './remind.server.ts'

/** Events start at one in the afternoon of 20 April 2026, in Toronto. */
const TWO_DAYS_BEFORE = new Date('2026-04-18T17:00:00Z')
const DAY_BEFORE = new Date('2026-04-19T18:00:00Z')
const NIGHT_BEFORE = new Date('2026-04-20T03:00:00Z')
const MORNING = new Date('2026-04-20T12:01:00Z')

const smtp = await startSmtp()
const runtime = await createTestRuntime({ SMTP_URL: smtp.url })
let site: Site
let number = 100

beforeEach(async () => {
  runtime.setNow(TWO_DAYS_BEFORE)
  smtp.refuseWith = undefined
  await runtime.database.global.update(sites).set({ status: 'suspended' })
  site = await addSite(runtime, { slug: `s${createId().slice(-12)}`, timeZone: 'America/Toronto' })
  await inSite(async (tx) => {
    await tx.insert(siteFeatures).values({ siteId: site.id, name: 'marketplace_sms_integration', enabled: true })
    await tx.insert(installations).values({ siteId: site.id, id: createId(), integration: 'sms-sandbox', enabledAt: TWO_DAYS_BEFORE })
  })
})

type Tx = Parameters<Parameters<ReturnType<typeof runtime.database.site>['tx']>[0]>[0]
const inSite = <Result>(work: (tx: Tx) => Promise<Result>) => runtime.database.site(site.id).tx(work)

/** A signed-in participant, with a confirmed phone number by default. */
async function addReader({ language = 'en', hasPhone = true }: { language?: Language; hasPhone?: boolean } = {}) {
  const person = await addPerson(runtime, site)
  const phone = `+1613555${String(number++).padStart(4, '0')}`
  if (hasPhone)
    await inSite((tx) => tx.insert(userPhones).values({ siteId: site.id, userId: person.id, phone, confirmedAt: TWO_DAYS_BEFORE }))
  const { database } = runtime
  const viewer = await loadViewer({ db: database.site(site.id), database }, person.token, new Date())
  return { phone, ctx: createCtx(runtime, site, { viewer, language }) }
}
const listTexts = () =>
  inSite((tx) => tx.select().from(smsMessages).where(eq(smsMessages.purpose, 'reminder')).orderBy(asc(smsMessages.createdAt)))
const stop = (phone: string) =>
  receiveText(createCtx(runtime, site), 'sms-sandbox', { kind: 'text', providerId: createId(), phone, body: 'STOP' })
const addressOf = (event: { projectSlug: string; slug: string }) => ({ project: event.projectSlug, event: event.slug })

test('people who asked for it are reminded once by text too, in their language, with where it is and how to cancel', async () => {
  const event = await addEvent(runtime, site)
  const [ada, ben, cem] = [await addReader(), await addReader({ language: 'cy' }), await addReader()]
  await signUpFor(runtime, site, event, 'Ada', { ctx: ada.ctx, remindByText: true })
  await signUpFor(runtime, site, event, 'Ben', { ctx: ben.ctx, remindByText: true })
  await signUpFor(runtime, site, event, 'Cem', { ctx: cem.ctx })
  runtime.setNow(DAY_BEFORE)
  await Promise.all([remindOfEvents(runtime), remindOfEvents(runtime)])
  await remindOfEvents(runtime)
  const mails = await listMails(runtime, site, event.id)
  expect(mails.filter((mail) => mail.startsWith('event-reminder')).toSorted()).toEqual(
    ['ada', 'ben', 'cem'].map((name) => `event-reminder ${name}`),
  )
  const texts = await listTexts()
  const of = (reader: { phone: string }) => texts.filter(({ phone }) => phone === reader.phone)
  expect(texts).toHaveLength(2)
  expect(of(ada)).toMatchObject([{ language: 'en', direction: 'out', status: 'waiting' }])
  const receipt = `${site.host}:3000/en/projects/${event.projectSlug}/events/${event.slug}/receipt`
  expect(of(ada)[0]?.body).toBe(
    `${site.name}: "Walk along the river" is on Monday, 20 April 2026 at 1:00 p.m. At the mill. Your receipt, or to cancel: http://${receipt}`,
  )
  expect(of(ben)).toMatchObject([{ language: 'cy' }])
  expect(of(ben)[0]?.body).toMatch(/cofiwch am .* Llun, 20 Ebrill 2026/)
})

test.each([
  ['said STOP', async ({ phone }: { phone: string }) => stop(phone)],
  ['removed their number', ({ phone }: { phone: string }) => inSite((tx) => tx.delete(userPhones).where(eq(userPhones.phone, phone)))],
  ['lives on a site that sends no texts any more', () => inSite((tx) => tx.delete(installations))],
])('only a mail goes to somebody who asked for a text and since then %s', async (_reason, happens) => {
  const event = await addEvent(runtime, site)
  const reader = await addReader()
  await signUpFor(runtime, site, event, 'Ada', { ctx: reader.ctx, remindByText: true })
  await happens(reader)
  runtime.setNow(DAY_BEFORE)
  await remindOfEvents(runtime)
  expect(await listMails(runtime, site, event.id)).toContain('event-reminder ada')
  expect(await listTexts()).toEqual([])
})

test('visitors without an account, who wait, and who cancelled are sent no text', async () => {
  const event = await addEvent(runtime, site, { capacity: 2 })
  const [ada, ben] = [await addReader(), await addReader()]
  await signUpFor(runtime, site, event, 'Visitor', { remindByText: true })
  const { code } = await signUpFor(runtime, site, event, 'Ada', { ctx: ada.ctx, remindByText: true })
  const waiting = await signUpFor(runtime, site, event, 'Ben', { ctx: ben.ctx, remindByText: true })
  expect(waiting.state).toBe('waiting')
  const rows = await listRows(runtime, site, event.id)
  expect(rows.map(({ name, remindByText }) => [name, remindByText])).toEqual([
    ['Visitor', false],
    ['Ada', true],
    ['Ben', true],
  ])
  // Reduce the capacity so that the cancelled place does not go to the waiting list.
  await inSite((tx) => tx.execute(`update events set capacity = 1 where id = '${event.id}'`))
  await cancelSignUp(ada.ctx, (tx) => requireEventAt(ada.ctx, tx, addressOf(event)), code)
  runtime.setNow(DAY_BEFORE)
  await remindOfEvents(runtime)
  expect(await listTexts()).toEqual([])
  expect((await listRows(runtime, site, event.id)).find(({ state }) => state === 'cancelled')).toMatchObject({ remindByText: false })
})

test('a reminder waits for the morning, and is not sent if its reader says STOP or removes their number by then', async () => {
  const event = await addEvent(runtime, site, { startsAt: new Date('2026-04-21T00:00:00Z'), endsAt: new Date('2026-04-21T02:00:00Z') })
  const [ada, ben, cem] = [await addReader(), await addReader(), await addReader()]
  await signUpFor(runtime, site, event, 'Ada', { ctx: ada.ctx, remindByText: true })
  await signUpFor(runtime, site, event, 'Ben', { ctx: ben.ctx, remindByText: true })
  await signUpFor(runtime, site, event, 'Cem', { ctx: cem.ctx, remindByText: true })
  runtime.setNow(NIGHT_BEFORE)
  await remindOfEvents(runtime)
  await sendDueMessages(runtime)
  expect((await listTexts()).map(({ status }) => status)).toEqual(['waiting', 'waiting', 'waiting'])
  await stop(ben.phone)
  await inSite((tx) => tx.delete(userPhones).where(eq(userPhones.phone, cem.phone)))
  runtime.setNow(MORNING)
  await sendDueMessages(runtime)
  const sent = new Map((await listTexts()).map(({ phone, status, fault }) => [phone, fault ?? status]))
  expect([ada, ben, cem].map(({ phone }) => sent.get(phone))).toEqual(['delivered', 'consent-withdrawn', 'consent-withdrawn'])
})

test('the page offers a text to those whose number it knows, and the receipt says so', async () => {
  const event = await addEvent(runtime, site)
  const [ada, ben] = [await addReader(), await addReader({ hasPhone: false })]
  const offered = async (ctx = createCtx(runtime, site)) => (await getEventPage(ctx, addressOf(event), [])).phone
  expect(await offered(ada.ctx)).toBe(`+1 613 555 ${ada.phone.slice(-4)}`)
  expect([await offered(ben.ctx), await offered()]).toEqual([null, null])
  const { code } = await signUpFor(runtime, site, event, 'Ada', { ctx: ada.ctx, remindByText: true })
  const receipt = async () => (await getSignUpReceipt(ada.ctx, addressOf(event), [code])).receipt?.remindByText
  expect(await receipt()).toBe(true)
  const cem = await addReader()
  const ofCem = await signUpFor(runtime, site, event, 'Cem', { ctx: cem.ctx, remindByText: true })
  await stop(cem.phone)
  expect((await getSignUpReceipt(cem.ctx, addressOf(event), [ofCem.code])).receipt?.remindByText).toBe(false)
  runtime.setNow(DAY_BEFORE)
  await remindOfEvents(runtime)
  expect(await receipt()).toBe(false)
  await stop(ada.phone)
  expect(await offered(ada.ctx)).toBe(null)
  await inSite((tx) => tx.delete(installations))
  expect(await offered(ada.ctx)).toBe(null)
})

/** An event in the evening, local time: its reminder is due in the night before. */
const EVENING = { startsAt: new Date('2026-04-21T00:00:00Z'), endsAt: new Date('2026-04-21T02:00:00Z') }

/** Changes an event as its editor does. */
async function changeEvent({ id }: { id: string }, input: Parameters<typeof updateEvent>[2]) {
  const admin = await addPerson(runtime, site, { role: 'site_admin' })
  const { database } = runtime
  const ctx = createCtx(runtime, site, { viewer: await loadViewer({ db: database.site(site.id), database }, admin.token, new Date()) })
  const [event] = await loadEvents(ctx, [id])
  await updateEvent(ctx, id, input, event?.event.lockVersion ?? 0)
}

/** Adds a person whose reminder waits for the morning, and sets the clock to one minute after it was queued. */
async function remindAtNight(times = EVENING) {
  runtime.setNow(TWO_DAYS_BEFORE)
  const event = await addEvent(runtime, site, times)
  const ada = await addReader()
  const { code } = await signUpFor(runtime, site, event, 'Ada', { ctx: ada.ctx, remindByText: true })
  runtime.setNow(NIGHT_BEFORE)
  await remindOfEvents(runtime)
  await sendDueMessages(runtime)
  expect((await listTexts()).filter(({ phone }) => phone === ada.phone)).toMatchObject([{ status: 'waiting' }])
  runtime.setNow(new Date(NIGHT_BEFORE.getTime() + 60_000))
  return { event, ada, code }
}
async function sendInTheMorning() {
  runtime.setNow(MORNING)
  await remindOfEvents(runtime)
  await sendDueMessages(runtime)
  return (await listTexts()).map(({ status, fault, body }) => ({ status, fault, body }))
}

describe('a reminder that waits for the morning', () => {
  test('is not sent if the event is cancelled in the night', async () => {
    const { event } = await remindAtNight()
    await changeEvent(event, { status: 'cancelled' })
    expect(await sendInTheMorning()).toMatchObject([{ status: 'skipped', fault: 'reminder-outdated' }])
  })

  test('is not sent if its reader cancels in the night, or the whole project goes', async () => {
    const { event, ada, code } = await remindAtNight()
    await cancelSignUp(ada.ctx, (tx) => requireEventAt(ada.ctx, tx, addressOf(event)), code)
    const { event: gone } = await remindAtNight()
    await inSite((tx) => tx.execute(`delete from projects where id = '${gone.projectId}'`))
    expect((await sendInTheMorning()).map(({ fault }) => fault)).toEqual(['reminder-outdated', 'reminder-outdated'])
  })

  test('is not sent if the event has started by then', async () => {
    await remindAtNight({ startsAt: new Date('2026-04-20T11:00:00Z'), endsAt: new Date('2026-04-20T14:00:00Z') })
    expect(await sendInTheMorning()).toMatchObject([{ status: 'skipped', fault: 'reminder-outdated' }])
  })

  test('says the new time if the event moves in the night, and is sent once', async () => {
    const { event } = await remindAtNight()
    await changeEvent(event, { startsAt: new Date('2026-04-20T23:00:00Z'), endsAt: new Date('2026-04-21T02:00:00Z') })
    const texts = await sendInTheMorning()
    expect(texts).toMatchObject([{ fault: 'reminder-outdated' }, { status: 'delivered' }])
    expect(texts[1]?.body).toContain('7:00 p.m.')
  })

  test('waits again if the event moves to another week', async () => {
    const { event } = await remindAtNight()
    await changeEvent(event, { startsAt: new Date('2026-04-28T00:00:00Z'), endsAt: new Date('2026-04-28T02:00:00Z') })
    expect(await sendInTheMorning()).toMatchObject([{ fault: 'reminder-outdated' }])
    runtime.setNow(new Date('2026-04-27T12:01:00Z'))
    await remindOfEvents(runtime)
    await sendDueMessages(runtime)
    expect((await listTexts()).map(({ status }) => status)).toEqual(['skipped', 'delivered'])
  })

  test('says the new place if that changes in the night, twice even, and is sent once, without another mail that reminds', async () => {
    const { event } = await remindAtNight()
    await changeEvent(event, { placeTranslations: inAllLanguages('At the weir') })
    runtime.setNow(new Date(NIGHT_BEFORE.getTime() + 120_000))
    await changeEvent(event, { placeTranslations: inAllLanguages('At the lock') })
    const texts = await sendInTheMorning()
    expect(texts.filter(({ status }) => status === 'delivered').map(({ body }) => body)).toEqual([expect.stringContaining('At the lock.')])
    expect(texts.filter(({ fault }) => fault === 'reminder-outdated')).toHaveLength(texts.length - 1)
    const mails = (await listMails(runtime, site, event.id)).map((mail) => mail.split(' ')[0])
    expect(mails).toEqual(['event-going', 'event-reminder', 'event-changed', 'event-changed'])
  })

  test('goes to the number that its reader has by then, unless that one said STOP', async () => {
    const [changes, stops] = [await remindAtNight(), await remindAtNight()]
    const [changed, stopped] = ['+16135559001', '+16135559002']
    const setPhone = ({ phone }: { phone: string }, to: string) =>
      inSite((tx) => tx.update(userPhones).set({ phone: to }).where(eq(userPhones.phone, phone)))
    await setPhone(changes.ada, changed)
    await setPhone(stops.ada, stopped)
    await stop(stopped)
    await sendInTheMorning()
    expect((await listTexts()).map(({ phone, status }) => `${phone} ${status}`).toSorted()).toEqual([
      `${changed} delivered`,
      `${stopped} skipped`,
    ])
  })

  test('is still sent if only what nobody is told changes, such as more places', async () => {
    const { event } = await remindAtNight()
    await changeEvent(event, { capacity: 40 })
    expect(await sendInTheMorning()).toMatchObject([{ status: 'delivered', fault: null }])
  })
})

test('a mail that reminds is not sent by a later attempt once the event is cancelled; the mail about that is', async () => {
  const event = await addEvent(runtime, site)
  await signUpFor(runtime, site, event, 'Ada')
  runtime.setNow(DAY_BEFORE)
  await deliverMails(runtime)
  await remindOfEvents(runtime)
  smtp.refuseWith = '451 Try again later'
  await deliverMails(runtime)
  smtp.refuseWith = undefined
  smtp.received.length = 0
  runtime.setNow(new Date(DAY_BEFORE.getTime() + 3_600_000))
  await changeEvent(event, { status: 'cancelled' })
  await deliverMails(runtime)
  const mails = await inSite((tx) => tx.select().from(outboxMails).orderBy(asc(outboxMails.createdAt)))
  const told = mails
    .filter(({ kind }) => kind.startsWith('event-'))
    .map(({ kind, fault, sentAt }) => [kind, fault ?? (sentAt ? 'sent' : 'waits')])
  expect(told).toEqual([
    ['event-going', 'sent'],
    ['event-reminder', 'reminder-outdated'],
    ['event-cancelled', 'sent'],
  ])
  expect(smtp.received).toHaveLength(1)
})
