import { eq } from 'drizzle-orm'
import ICAL from 'ical.js'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { loadViewer } from '#app/server/auth/viewer.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { calendarLinks } from '#app/server/db/schema/administration.ts'
import { projectDates } from '#app/server/db/schema/projects.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addActivity, addContribution } from '#tests/factories/contributions.ts'
import { addEvent } from '#tests/factories/events.ts'
import { addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { serveEventDate, serveProjectDates } from './project-dates.server.ts'
import { serveSecretCalendar } from './secret-calendar.server.ts'

const NOW = new Date('2026-05-15T00:30:00Z')
let runtime: TestRuntime
let site: Site
beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'calendars', languages: ['en', 'fr-CA', 'cy'] })
})
beforeEach(() => runtime.setNow(NOW))

const visitor = (language: 'en' | 'fr-CA' = 'en') => createCtx(runtime, site, { language })
const asPerson = async ({ token }: Person): Promise<Ctx> => {
  const place = { db: runtime.database.site(site.id), database: runtime.database }
  return createCtx(runtime, site, { viewer: await loadViewer(place, token, runtime.now()) })
}

/** What a calendar program reads. */
async function readFile(answer: Response) {
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(answer.headers.get('cache-control')).toContain('no-store')
  const text = await answer.text()
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
  const events = calendar.getAllSubcomponents('vevent').map((event) => new ICAL.Event(event))
  return { text, name: calendar.getFirstPropertyValue('x-wr-calname'), events }
}

const dates = (slug: string, ctx = visitor()) => serveProjectDates({ context: { ctx } as never, params: { slug } })

const eventDate = (slug: string, event: string) => serveEventDate({ context: { ctx: visitor() } as never, params: { slug, event } })

describe('the dates of a project as a file', () => {
  test('are read as they are: times, days, months, long lines and accents', async () => {
    const project = await addProject(runtime, site, { title: { en: 'Fern Street', 'fr-CA': 'La rue Fern' } })
    const add = (title: string, happensAt: string, precision: 'time' | 'day' | 'month' | 'season', detail = '') => ({
      siteId: site.id,
      id: createId(),
      projectId: project.id,
      title: { en: title, 'fr-CA': `${title} é` },
      detail: { en: detail },
      happensAt: new Date(happensAt),
      precision,
    })
    const long = 'Événement spécial, à l’hôtel de ville; apportez vos idées\nÀ bientôt — ŵ ŷ. '.repeat(4).trim()
    await visitor().db.tx((tx) =>
      tx.insert(projectDates).values([
        add('Walk', '2026-05-18T22:00:00Z', 'time', long),
        // Still 1 December in Toronto.
        add('Deadline', '2026-12-02T03:00:00Z', 'day'),
        add('Decision', '2026-12-15T17:00:00Z', 'month'),
        add('Works', '2027-01-15T17:00:00Z', 'season'),
      ]),
    )
    const { name, events } = await readFile(await dates(project.slug))
    expect(name).toBe('Fern Street')
    const spans = events.map(({ summary, startDate, endDate }) => [summary, startDate.toString(), endDate.toString()])
    expect(spans).toEqual([
      ['Walk · Fern Street', '2026-05-18T22:00:00Z', '2026-05-18T22:00:00Z'],
      ['Deadline · Fern Street', '2026-12-01', '2026-12-02'],
      ['Decision · Fern Street', '2026-12-01', '2027-01-01'],
      ['Works · Fern Street', '2026-12-01', '2027-03-01'],
    ])
    expect(events[0]?.description).toBe(long)
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(4)
    expect((await readFile(await dates(project.slug))).events.map(({ uid }) => uid)).toEqual(events.map(({ uid }) => uid))
    const french = await readFile(await dates(project.slug, visitor('fr-CA')))
    expect(french.events[0]?.summary).toBe('Walk é · La rue Fern')
    expect(french.events[0]?.component.getFirstPropertyValue('url')).toMatch(new RegExp(`/fr-CA/projects/${project.slug}$`))
  })

  test('without key dates say when the project opens and closes, as its page does', async () => {
    const project = await addProject(runtime, site, {
      opensAt: new Date('2026-05-01T12:00:00Z'),
      closesAt: new Date('2026-06-01T03:59:00Z'),
    })
    const { events } = await readFile(await dates(project.slug))
    expect(events.map(({ startDate }) => startDate.toString())).toEqual(['2026-05-01', '2026-05-31'])
  })

  test('have its events, with their place and end, and never how to join', async () => {
    const project = await addProject(runtime, site, { title: { en: 'Fern Street' } })
    const walk = await addEvent(runtime, site, {
      projectId: project.id,
      slug: 'walk',
      title: { en: 'Walk along the river' },
      place: { en: 'At the mill; by the gate' },
      joinLink: 'https://meet.example/secret',
      startsAt: new Date('2026-06-04T17:00:00Z'),
      endsAt: new Date('2026-06-04T19:00:00Z'),
    })
    for (const status of ['draft', 'cancelled'] as const) await addEvent(runtime, site, { projectId: project.id, slug: status, status })
    const whole = await readFile(await dates(project.slug))
    const own = await readFile(await eventDate(project.slug, 'walk'))
    for (const { events, text } of [whole, own]) {
      expect(
        events.map(({ summary, location, startDate, endDate }) => [summary, location, startDate.toString(), endDate.toString()]),
      ).toEqual([['Walk along the river · Fern Street', 'At the mill; by the gate', '2026-06-04T17:00:00Z', '2026-06-04T19:00:00Z']])
      expect(text).not.toContain('meet.example')
      expect(events[0]?.component.getFirstPropertyValue('url')).toMatch(/\/events\/walk$/)
    }
    expect(own.events[0]?.uid).toBe(whole.events[0]?.uid)
    expect(own.events[0]?.uid).toContain(walk.id)
    for (const slug of ['draft', 'cancelled', 'none']) expect((await eventDate(project.slug, slug)).status).toBe(404)
    const hidden = await addProject(runtime, site, { visibility: 'hidden' })
    await addEvent(runtime, site, { projectId: hidden.id, slug: 'inside' })
    expect((await eventDate(hidden.slug, 'inside')).status).toBe(404)
  })

  test('are there for those who may see the project, and for nobody if it is hidden or a draft', async () => {
    const [admin, member, stranger] = [
      await addPerson(runtime, site, { role: 'site_admin' }),
      await addPerson(runtime, site),
      await addPerson(runtime, site),
    ]
    const inside = await addProject(runtime, site, { visibility: 'members' })
    await runtime.database
      .site(site.id)
      .tx((tx) =>
        tx.execute(`insert into project_members (site_id, project_id, user_id) values ('${site.id}', '${inside.id}', '${member.id}')`),
      )
    expect((await dates(inside.slug)).status).toBe(404)
    expect((await dates(inside.slug, await asPerson(stranger))).status).toBe(404)
    expect((await dates(inside.slug, await asPerson(member))).status).toBe(200)
    const byLink = await addProject(runtime, site, { visibility: 'link' })
    expect((await dates(byLink.slug)).status).toBe(200)
    const hidden = await addProject(runtime, site, { visibility: 'hidden' })
    const draft = await addProject(runtime, site, { status: 'draft', publishedAt: null })
    for (const { slug } of [hidden, draft]) {
      expect((await dates(slug)).status).toBe(404)
      expect((await dates(slug, await asPerson(admin))).status).toBe(404)
    }
    expect((await dates('no-such-project')).status).toBe(404)
  })
})

describe('a secret address', () => {
  const make = async (person: Person) => {
    const api = createApiClient(runtime, site, person.token)
    const answer = await api.post('/calendar-links', { data: { type: 'calendar-links', attributes: {} } })
    const data = answer.body?.data as { id: string; attributes: { address?: string } } | undefined
    return {
      api,
      status: answer.status,
      id: data?.id ?? '',
      secret: /\/calendar\/([^/]+)\.ics$/.exec(data?.attributes.address ?? '')?.[1] ?? '',
    }
  }
  const read = (secret: string, of = site) => serveSecretCalendar({ context: { ctx: createCtx(runtime, of) } as never, params: { secret } })

  test('shows what its owner may see at that moment, in their language, and nothing personal', async () => {
    const own = await addProject(runtime, site, { title: { en: 'Own', 'fr-CA': 'À nous' } })
    const foreign = await addProject(runtime, site)
    const survey = await addSurvey(runtime, site, {
      projectId: own.id,
      title: inAllLanguages('Survey'),
      status: 'draft',
      opensAt: new Date('2026-06-01T12:00:00Z'),
    })
    await addSurvey(runtime, site, {
      projectId: foreign.id,
      title: inAllLanguages('Not mine'),
      status: 'draft',
      opensAt: new Date('2026-06-01T12:00:00Z'),
    })
    const activity = await addActivity(runtime, site, { projectId: own.id })
    await addContribution(runtime, site, {
      activityId: activity.id,
      number: 1,
      title: 'Ann Smith, 555 0199',
      state: 'held',
      submittedAt: NOW,
    })
    const person = await addPerson(runtime, site, { role: 'project_admin', projectId: own.id })
    await runtime.database.site(site.id).tx((tx) => tx.update(users).set({ locale: 'fr-CA' }).where(eq(users.id, person.id)))
    const { secret } = await make(person)
    const { text, events } = await readFile(await read(secret))
    const drafted = events.find(({ uid }) => uid.includes(survey.id))
    expect(drafted?.summary).toBe('Survey (fr) (Sondage\u00a0: ouverture)')
    expect(drafted?.description).toBe('À nous')
    expect(drafted?.startDate.toString()).toBe('2026-06-01T12:00:00Z')
    expect(events.find(({ uid }) => uid.startsWith('moderation-'))?.summary).toBe('1 texte à décider')
    expect(text).not.toContain('Not mine')
    expect(text).not.toContain('Ann Smith')
    expect(text).not.toContain(person.id)
    await runtime.database
      .site(site.id)
      .tx((tx) => tx.update(memberships).set({ projectId: foreign.id }).where(eq(memberships.userId, person.id)))
    const moved = await readFile(await read(secret))
    expect(moved.text).toContain('Not mine')
    expect(moved.events.some(({ uid }) => uid.includes(survey.id))).toBe(false)
  })

  test('ends when its owner loses the role, is blocked, ends it or makes another one', async () => {
    const person = await addPerson(runtime, site, { role: 'site_admin' })
    const first = await make(person)
    expect((await read(first.secret)).status).toBe(200)
    const second = await make(person)
    expect((await read(first.secret)).status).toBe(404)
    expect((await read(second.secret)).status).toBe(200)
    const listed = await second.api.get('/calendar-links')
    expect(listed.body?.data).toMatchObject([{ id: second.id }])
    expect(JSON.stringify(listed.body)).not.toContain(second.secret)
    const change = (work: Parameters<ReturnType<TestRuntime['database']['site']>['tx']>[0]) => runtime.database.site(site.id).tx(work)
    await change((tx) => tx.update(users).set({ blockedAt: NOW }).where(eq(users.id, person.id)))
    expect((await read(second.secret)).status).toBe(404)
    await change((tx) => tx.update(users).set({ blockedAt: null }).where(eq(users.id, person.id)))
    expect((await second.api.delete(`/calendar-links/${second.id}`)).status).toBe(204)
    expect((await read(second.secret)).status).toBe(404)
    const third = await make(person)
    await change((tx) => tx.delete(memberships).where(eq(memberships.userId, person.id)))
    expect((await read(third.secret)).status).toBe(404)
  })

  test('is stored as a hash, belongs to one site, and is for people with a role', async () => {
    const person = await addPerson(runtime, site, { role: 'site_admin' })
    const { secret, id } = await make(person)
    const [row] = await runtime.database.site(site.id).read((tx) => tx.select().from(calendarLinks).where(eq(calendarLinks.id, id)))
    expect(row?.secretHash).toHaveLength(32)
    expect(JSON.stringify(row)).not.toContain(secret)
    expect((await read(secret, await addSite(runtime, { slug: `other-${createId()}` }))).status).toBe(404)
    expect((await read('x')).status).toBe(404)
    expect((await make(await addPerson(runtime, site))).status).toBe(403)
    const colleague = createApiClient(runtime, site, (await addPerson(runtime, site, { role: 'site_admin' })).token)
    expect((await colleague.get('/calendar-links')).body?.data).toEqual([])
    expect((await colleague.delete(`/calendar-links/${id}`)).status).toBe(404)
  })
})
