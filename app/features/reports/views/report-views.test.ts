import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadAccountViewer, VISITOR } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { outboxMails } from '#app/server/db/schema/mail.ts'
import { hubs } from '#app/server/db/schema/projects.ts'
import { reportLinks, reportViews } from '#app/server/db/schema/reports.ts'
import { canTypeset } from '#app/server/documents/make-document.server.ts'
import { deliverMails } from '#app/server/mail/deliver.ts'
import type { TransportMail } from '#app/server/mail/mail-transport.ts'
import type { Site } from '#app/server/site-directory.ts'
import { loadLinkedMails, unsubscribeByLink } from '#app/features/follows/follows.server.ts'
import { createId } from '#app/lib/uuid.ts'
import { addProject, inAllLanguages } from '#tests/factories/surveys.ts'
import { alterToken } from '#tests/support/alter-token.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { computeNextAt } from './report-schedule.ts'
import { readSharedReport } from './report-links.server.ts'
import { sendDueReports } from './send-reports.server.ts'

/** A Wednesday, half past eight in the morning in Toronto. */
const NOW = new Date('2026-05-13T12:30:00Z')
const DAY_MS = 86_400_000
let runtime: TestRuntime
let site: Site
let elsewhere: Site
let siteAdmin: Person
let hubAdmin: Person
let roads: { id: string }

const api = (person?: { token: string }, of: Site = site) => createApiClient(runtime, of, person?.token)
const as = (viewer: Ctx['viewer'] = VISITOR) => createCtx(runtime, site, { viewer })
const view = (name: string, more: Record<string, unknown> = {}, hub?: string) =>
  buildResourceDocument(
    'report-views',
    { name, audience: 'self', query: 'days=30&sections=short&sections=projects', language: 'en', ...more },
    hub === undefined ? {} : { to: { hub: { type: 'hubs', id: hub } } },
  )
const idOf = (answer: { body?: { data?: unknown } }) => (answer.body?.data as { id: string } | undefined)?.id ?? ''
const attributesOf = (answer: { body?: { data?: unknown } }) =>
  (answer.body?.data as { attributes: Record<string, unknown> } | undefined)?.attributes ?? {}
const inDays = (days: number) => new Date(runtime.now().getTime() + days * DAY_MS).toISOString()
const link = (id: string, days = 30) =>
  buildResourceDocument('report-links', { expiresAt: inDays(days) }, { to: { view: { type: 'report-views', id } } })

async function share(person: { token: string }, id: string, days?: number): Promise<{ id: string; secret: string }> {
  const made = await api(person).post('/report-links', link(id, days))
  expect(made.status).toBe(201)
  const secret = new URL(String(attributesOf(made)['url'])).searchParams.get('token') ?? ''
  return { id: idOf(made), secret }
}

beforeAll(async () => {
  runtime = await createTestRuntime()
  runtime.setNow(NOW)
  site = { ...(await addSite(runtime)), contactEmail: 'clerk@city.example' }
  elsewhere = await addSite(runtime, { slug: 'harbour' })
  siteAdmin = await addPerson(runtime, site, { role: 'site_admin' })
  roads = { id: createId() }
  await runtime.database
    .site(site.id)
    .tx((tx) => tx.insert(hubs).values({ siteId: site.id, id: roads.id, slug: 'roads', title: inAllLanguages('Roads') }))
  hubAdmin = await addPerson(runtime, site, { role: 'hub_admin', hubId: roads.id })
  await addProject(runtime, site, { title: inAllLanguages('A faster bus'), hubId: roads.id })
  await addProject(runtime, site, { title: inAllLanguages('More trees') })
})

describe('a saved report', () => {
  test('is found by whom it is for, and changed only by who made it', async () => {
    const own = idOf(await api(siteAdmin).post('/report-views', view('Mine')))
    const ofRoads = idOf(await api(hubAdmin).post('/report-views', view('Roads', { audience: 'hub' }, roads.id)))
    const ofAll = idOf(await api(siteAdmin).post('/report-views', view('All', { audience: 'site', recipients: ['a@b.example'] })))
    const seen = async (person: { token: string }) =>
      ((await api(person).get('/report-views')).body as { data: { id: string }[] }).data.map(({ id }) => id).toSorted()
    expect(await seen(siteAdmin)).toEqual([own, ofRoads, ofAll].toSorted())
    expect(await seen(hubAdmin)).toEqual([ofRoads, ofAll].toSorted())
    expect((await api(hubAdmin).get(`/report-views/${own}`)).status).toBe(404)
    expect(attributesOf(await api(hubAdmin).get(`/report-views/${ofAll}`))).not.toHaveProperty('recipients')
    const rename = (id: string) => buildResourceDocument('report-views', { name: 'Renamed' }, { id })
    expect((await api(siteAdmin).patch(`/report-views/${ofRoads}`, rename(ofRoads))).status).toBe(403)
    expect((await api(hubAdmin).delete(`/report-views/${ofAll}`)).status).toBe(403)
    expect((await api(hubAdmin).patch(`/report-views/${ofRoads}`, rename(ofRoads))).status).toBe(200)
    expect((await api(siteAdmin).delete(`/report-views/${ofRoads}`)).status).toBe(204)
  })

  test('is refused with words if it cannot be', async () => {
    const codes = async (person: { token: string }, document: object) => (await api(person).post('/report-views', document)).codes
    await api(hubAdmin).post('/report-views', view('Twice'))
    expect(await codes(hubAdmin, view('Twice'))).toEqual(['taken'])
    expect(await codes(hubAdmin, view(''))).toEqual(['required'])
    expect(await codes(hubAdmin, view('Days', { query: 'from=2026-05-10&until=2026-05-01' }))).toEqual(['out-of-range'])
    expect(await codes(hubAdmin, view('Site', { audience: 'site' }))).toEqual(['not-a-choice'])
    expect(await codes(hubAdmin, view('Which', { audience: 'hub' }))).toEqual(['required'])
    expect(await codes(siteAdmin, view('Nobody', { schedule: 'weekly' }))).toEqual(['required'])
    expect(await codes(siteAdmin, view('Bad', { schedule: 'weekly', recipients: ['nobody'] }))).toEqual(['not-an-email'])
    expect((await api().post('/report-views', view('Stranger'))).status).toBe(401)
    expect((await api(await addPerson(runtime, site)).post('/report-views', view('Resident'))).status).toBe(403)
  })

  test('stays inside its site', async () => {
    const made = idOf(await api(siteAdmin).post('/report-views', view('Here', { audience: 'site' })))
    const other = await addPerson(runtime, elsewhere, { role: 'site_admin' })
    expect((await api(other, elsewhere).get(`/report-views/${made}`)).status).toBe(404)
    expect((await api(other, elsewhere).post('/report-links', link(made))).status).toBe(404)
    const { secret } = await share(siteAdmin, made)
    expect(await readSharedReport(createCtx(runtime, elsewhere), secret)).toMatchObject({ report: null, maker: null })
  })
})

describe('a link to a report', () => {
  test('shows it to anyone, with what its maker may see now', async () => {
    const ofSite = idOf(await api(siteAdmin).post('/report-views', view('Shared by the city')))
    const ofHub = idOf(await api(hubAdmin).post('/report-views', view('Shared by roads')))
    const [whole, part] = [await share(siteAdmin, ofSite), await share(hubAdmin, ofHub)]
    const projectsOf = async (secret: string) => (await readSharedReport(as(), secret)).report?.projects
    expect(await projectsOf(whole.secret)).toEqual(expect.arrayContaining(['A faster bus', 'More trees']))
    expect(await projectsOf(part.secret)).toEqual(['A faster bus'])
    const { report } = await readSharedReport(as(), part.secret)
    expect(report?.remarks.join()).toContain('the person who shares this report may not see it')
    // The reader's own role adds nothing.
    expect((await readSharedReport(as(await loadAccountViewer(as().db, siteAdmin.id)), part.secret)).report?.projects).toEqual([
      'A faster bus',
    ])
    const [stored] = await as().db.read((tx) => tx.select().from(reportLinks).where(eq(reportLinks.id, part.id)))
    expect(JSON.stringify(stored)).not.toContain(part.secret)
    expect(attributesOf(await api(hubAdmin).get(`/report-links/${part.id}`))).not.toHaveProperty('url')
  })

  test('ends when it is revoked, when it expires, and when its maker may see no report; its page says whom to ask', async () => {
    const leaver = await addPerson(runtime, site, { role: 'hub_admin', hubId: roads.id, login: 'Lee' })
    const id = idOf(await api(leaver).post('/report-views', view('To the committee')))
    const [first, second] = [await share(leaver, id), await share(leaver, id, 2)]
    expect((await api(siteAdmin).delete(`/report-links/${first.id}`)).status).toBe(404)
    expect((await api(leaver).delete(`/report-links/${first.id}`)).status).toBe(204)
    const ended = { report: null, maker: 'Lee', contact: 'clerk@city.example' }
    expect(await readSharedReport(as(), first.secret)).toEqual(ended)
    expect((await readSharedReport(as(), second.secret)).report).not.toBeNull()
    runtime.setNow(new Date(NOW.getTime() + 3 * DAY_MS))
    expect(await readSharedReport(as(), second.secret)).toEqual(ended)
    const third = await share(leaver, id)
    await as().db.tx((tx) => tx.delete(memberships).where(eq(memberships.userId, leaver.id)))
    expect(await readSharedReport(as(), third.secret)).toEqual(ended)
    await as().db.tx((tx) => tx.delete(users).where(eq(users.id, leaver.id)))
    expect(await readSharedReport(as(), third.secret)).toEqual({ ...ended, maker: null })
    expect(await readSharedReport(as(), 'nonsense')).toEqual({ ...ended, maker: null })
    runtime.setNow(NOW)
  })

  test('is made only for own reports, and for a year at most', async () => {
    const shared = idOf(await api(siteAdmin).post('/report-views', view('Ours', { audience: 'site' })))
    expect((await api(hubAdmin).post('/report-links', link(shared))).status).toBe(403)
    expect((await api(siteAdmin).post('/report-links', link(shared, 400))).codes).toEqual(['out-of-range'])
    expect((await api(siteAdmin).post('/report-links', link(shared, -1))).codes).toEqual(['moment-passed'])
  })

  test('says so if no project is left', async () => {
    const id = idOf(await api(siteAdmin).post('/report-views', view('Nothing', { query: 'states=upcoming' })))
    const { report } = await readSharedReport(as(), (await share(siteAdmin, id)).secret)
    expect(report).toMatchObject({ projects: [], parts: [] })
    expect(report?.remarks).toContain('No project matches these filters, so there is nothing to report.')
  })
})

describe('a report on a schedule', () => {
  test('is due at seven on Mondays, or on the first of the month, whatever the clocks do', () => {
    const next = (schedule: 'weekly' | 'monthly' | 'none', at: string) =>
      computeNextAt(schedule, 'America/Toronto', new Date(at))?.toISOString() ?? null
    expect(next('weekly', '2026-05-13T12:30:00Z')).toBe('2026-05-18T11:00:00.000Z')
    expect(next('weekly', '2026-05-18T10:59:59Z')).toBe('2026-05-18T11:00:00.000Z')
    expect(next('weekly', '2026-05-18T11:00:00Z')).toBe('2026-05-25T11:00:00.000Z')
    expect(next('weekly', '2026-10-31T12:00:00Z')).toBe('2026-11-02T12:00:00.000Z')
    expect(next('monthly', '2026-12-01T13:00:00Z')).toBe('2027-01-01T12:00:00.000Z')
    expect(next('none', '2026-05-13T12:30:00Z')).toBeNull()
  })

  test('is mailed once per period to each address, as text and with the PDF, and ends with its maker’s role', async () => {
    const maker = await addPerson(runtime, site, { role: 'hub_admin', hubId: roads.id })
    const recipients = ['mayor@city.example', 'clerk@city.example']
    const id = idOf(
      await api(maker).post('/report-views', view('Every week', { schedule: 'weekly', recipients: [...recipients, 'Mayor@city.example'] })),
    )
    const mailsOf = () =>
      as().db.read((tx) => tx.select().from(outboxMails).where(eq(outboxMails.kind, 'report')).orderBy(outboxMails.createdAt))
    expect(await sendDueReports(runtime)).toBe(0)
    runtime.setNow(new Date('2026-05-18T11:05:00Z'))
    await Promise.all([sendDueReports(runtime), sendDueReports(runtime)])
    await sendDueReports(runtime)
    const mails = await mailsOf()
    expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual(recipients.toSorted())
    expect(mails[0]?.subject).toContain('Every week')
    // Thirty whole days, until yesterday.
    expect(mails[0]?.bodyText).toContain('18 April 2026 to 17 May 2026')
    expect(mails[0]?.bodyText).toContain('A faster bus: ')
    expect(mails[0]?.bodyText).not.toContain('More trees')
    const sent: TransportMail[] = []
    await deliverMails(runtime, site.id, { wayOf: () => Promise.resolve({ sendMail: (mail) => Promise.resolve(sent.push(mail)) }) })
    const ofReport = sent.filter(({ to }) => recipients.includes((to as { address: string }).address))
    const files = ofReport.map(({ attachments }) => attachments?.[0])
    expect(files).toHaveLength(2)
    for (const file of files) {
      if (!canTypeset()) continue
      expect(file).toMatchObject({ filename: 'report-2026-05-18.pdf', contentType: 'application/pdf' })
      expect(Buffer.isBuffer(file?.content) && file.content.subarray(0, 5).toString()).toBe('%PDF-')
    }

    // One press ends it for one address, also by the mail program; the last one who leaves ends the schedule.
    const read = async () => (await as().db.read((tx) => tx.select().from(reportViews).where(eq(reportViews.id, id))))[0]
    const tokenOf = (to: string) => new URL(mails.find(({ recipient }) => recipient === to)?.leaveUrl ?? '').searchParams.get('token') ?? ''
    expect(ofReport.every(({ headers }) => JSON.stringify(headers).includes('List-Unsubscribe=One-Click'))).toBe(true)
    const [mayor, clerk] = [tokenOf('mayor@city.example'), tokenOf('clerk@city.example')]
    expect(Buffer.from(mayor, 'base64url').toString()).not.toContain('mayor')
    expect(await loadLinkedMails(as(), mayor)).toEqual({ kind: 'report', going: true })
    await expect(unsubscribeByLink(as(), alterToken(mayor))).rejects.toMatchObject({ code: 'link-expired' })
    await unsubscribeByLink(as(), mayor)
    await unsubscribeByLink(as(), mayor)
    expect(await loadLinkedMails(as(), mayor)).toEqual({ kind: 'report', going: false })
    expect(await read()).toMatchObject({ recipients: ['clerk@city.example'], schedule: 'weekly' })
    await unsubscribeByLink(as(), clerk)
    expect(await read()).toMatchObject({ recipients: [], schedule: 'none', nextAt: null })
    expect(
      (await api(maker).patch(`/report-views/${id}`, buildResourceDocument('report-views', { schedule: 'weekly', recipients }, { id })))
        .status,
    ).toBe(200)

    await as().db.tx((tx) => tx.delete(memberships).where(eq(memberships.userId, maker.id)))
    runtime.setNow(new Date('2026-05-25T11:05:00Z'))
    expect(await sendDueReports(runtime)).toBe(0)
    expect(await mailsOf()).toHaveLength(2)
    const [after] = await as().db.read((tx) => tx.select().from(reportViews).where(eq(reportViews.id, id)))
    expect(after).toMatchObject({ schedule: 'none', nextAt: null })
    runtime.setNow(NOW)
  })
})
