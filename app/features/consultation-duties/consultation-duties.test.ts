import { and, desc, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { createCtx } from '#app/server/context.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { decisions } from '#app/server/db/schema/heard.ts'
import { projectDocuments, projects } from '#app/server/db/schema/projects.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson as addViewer, addProject, addSurvey, inAllLanguages } from '#tests/factories/surveys.ts'
import { buildResourceDocument, createApiClient } from '#tests/support/api.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { recordDatabaseUse } from '#tests/support/statements.ts'
import { serveDutyFile } from './duty-file.server.ts'
import { loadDuties } from './duties.server.ts'

const NOW = new Date('2026-03-02T12:00:00Z')
const QUESTIONS = [
  { id: 'effects', type: 'long_text' as const, title: inAllLanguages('What effect would it have on Welsh?') },
  { id: 'better', type: 'long_text' as const, title: inAllLanguages('How could it be more positive?') },
]
const TEXTS = {
  openToChange: 'The timetable',
  notOpen: 'The budget',
  reasons: 'The contract ends',
  equality: 'Older people',
  welshEffects: 'More evenings in Welsh',
}

let runtime: TestRuntime
let site: Site
let admin: Person
beforeAll(async () => {
  runtime = await createTestRuntime()
  const made = await addSite(runtime, { slug: 'wales', languages: ['en', 'cy'], region: 'United Kingdom', timeZone: 'Europe/London' })
  const values = { duties: 'gunning-welsh', holidays: 'uk-england-wales', dutyDays: 42 } as const
  await runtime.database.global.update(sites).set(values).where(eq(sites.id, made.id))
  runtime.sites.refresh()
  site = { ...made, ...values }
  admin = await addPerson(runtime, site, { role: 'site_admin' })
})
beforeEach(() => runtime.setNow(NOW))

const api = (person: Person | undefined = admin, of = site) => createApiClient(runtime, of, person?.token)
const ctxOf = () => createCtx(runtime, site, { language: 'en' })

/** A draft with a survey that asks about the Welsh language, and all texts. */
async function addDraft(values: Partial<typeof projects.$inferInsert> = {}) {
  const project = await addProject(runtime, site, {
    status: 'draft',
    publishedAt: null,
    summary: inAllLanguages('Every half hour'),
    opensAt: new Date('2026-03-02T00:00:00Z'),
    closesAt: new Date('2026-04-30T22:00:00Z'),
    ...values,
  })
  const survey = await addSurvey(runtime, site, {
    projectId: project.id,
    definition: { schema: 1, pages: [{ id: 'p', questions: QUESTIONS }] },
  })
  return { id: project.id, survey: survey.id }
}
interface Found {
  id: string
  attributes: { checks: { duty: string; isMet: boolean }[]; waivers: { act: string; missing: string[]; reason: string }[] } & Record<
    string,
    unknown
  >
  meta: { lockVersion: number; can: { update: boolean } }
}
const read = async (id: string, person?: Person, of?: Site) =>
  ((await api(person, of).get(`/consultation-duties?filter[project]=${id}`)).body?.data as Found[] | undefined)?.[0]
async function writeDuties(id: string, attributes: Record<string, unknown>, person?: Person, lockVersion?: number) {
  const version = lockVersion ?? (await read(id))?.meta.lockVersion ?? 1
  return api(person).patch(
    `/consultation-duties/${id}`,
    buildResourceDocument('consultation-duties', attributes, { id, lockVersion: version }),
  )
}
const listMissing = async (id: string) => (await read(id))?.attributes.checks.filter(({ isMet }) => !isMet).map(({ duty }) => duty)
const publish = (id: string, attributes: Record<string, unknown> = {}, person?: Person) =>
  api(person).post('/publications', buildResourceDocument('publications', attributes, { to: { project: { type: 'projects', id } } }))
async function meetDuties({ id, survey }: { id: string; survey: string }) {
  const questions = { effectsQuestion: { survey, question: 'effects' }, improvementsQuestion: { survey, question: 'better' } }
  expect((await writeDuties(id, { ...TEXTS, ...questions })).status).toBe(200)
  await ctxOf().db.tx((tx) =>
    tx.insert(projectDocuments).values({
      siteId: site.id,
      id: createId(),
      projectId: id,
      title: inAllLanguages('The costs'),
      file: '/costs.pdf',
      mediaType: 'application/pdf',
      bytes: 1000,
      pages: 1,
      language: 'en',
    }),
  )
}
const findAudit = (id: string, action: string) =>
  ctxOf().db.read((tx) =>
    tx
      .select({ detail: auditEvents.detail })
      .from(auditEvents)
      .where(and(eq(auditEvents.subjectId, id), eq(auditEvents.action, action)))
      .orderBy(desc(auditEvents.sequence)),
  )

describe('publishing a project', () => {
  test('is refused for each duty that is not met, and done with a reason, which is kept', async () => {
    const { id } = await addDraft()
    const refused = await publish(id)
    expect([refused.status, refused.codes]).toEqual([422, Array.from({ length: 5 }, () => 'duty-missing')])
    expect(refused.body?.errors?.[0]?.source?.pointer).toBe('/data/attributes/dutyReason')
    expect((await publish(id, { dutyReason: '  ' })).status).toBe(422)
    const [still] = await ctxOf().db.read((tx) => tx.select({ status: projects.status }).from(projects).where(eq(projects.id, id)))
    expect(still).toEqual({ status: 'draft' })

    expect((await publish(id, { dutyReason: 'The grant ends in May.' })).status).toBe(201)
    const missing = ['open-to-change', 'reasons', 'equality', 'welsh-effects', 'welsh-questions']
    expect((await read(id))?.attributes.waivers).toEqual([
      { act: 'project', missing, reason: 'The grant ends in May.', at: NOW.toISOString() },
    ])
    expect(await findAudit(id, 'consultation-duties.waive')).toEqual([
      { detail: expect.objectContaining({ act: 'project', missing, reason: 'The grant ends in May.' }) },
    ])
  })

  test('asks for nothing once all is met', async () => {
    const draft = await addDraft()
    await meetDuties(draft)
    expect(await listMissing(draft.id)).toEqual(['decisions'])
    expect((await publish(draft.id)).status).toBe(201)
    expect((await read(draft.id))?.attributes.waivers).toEqual([])
  })

  test('names a consultation that is too short, or without an end, with the holidays in it', async () => {
    const short = await addDraft({ closesAt: new Date('2026-04-07T22:00:00Z') })
    await meetDuties(short)
    expect((await read(short.id))?.attributes).toMatchObject({
      daysOpen: 37,
      minimumDays: 42,
      holidays: [
        { day: '2026-04-03', name: 'good-friday' },
        { day: '2026-04-06', name: 'easter-monday' },
      ],
    })
    expect((await publish(short.id)).codes).toEqual(['duty-missing'])
    const endless = await addDraft({ closesAt: null })
    await meetDuties(endless)
    expect((await read(endless.id))?.attributes).toMatchObject({ daysOpen: null, holidays: [] })
    expect((await publish(endless.id)).codes).toEqual(['duty-missing'])
  })

  test('counts days from the publication if that is later than the opening', async () => {
    const draft = await addDraft()
    await meetDuties(draft)
    expect((await publish(draft.id, { publishAt: '2026-04-01T08:00:00Z' })).codes).toEqual(['duty-missing'])
  })

  test('asks whoever publishes, not who asks for a review', async () => {
    const { id } = await addDraft()
    const editor = await addPerson(runtime, site, { role: 'project_admin', projectId: id })
    expect((await publish(id, {}, editor)).status).toBe(201)
    expect((await publish(id)).codes).toContain('duty-missing')
  })
})

describe('publishing decisions', () => {
  test('is refused while a duty is not met, and done with a reason', async () => {
    const draft = await addDraft({ status: 'published', publishedAt: NOW })
    await meetDuties(draft)
    await ctxOf().db.tx((tx) =>
      tx.insert(decisions).values({
        siteId: site.id,
        id: createId(),
        projectId: draft.id,
        number: 1,
        title: inAllLanguages('Every half hour'),
        outcome: 'partly',
        reason: inAllLanguages('It is affordable.'),
        decidedOn: '2026-03-01',
      }),
    )
    const send = (attributes: Record<string, unknown>) =>
      api().post(
        '/decision-publications',
        buildResourceDocument('decision-publications', attributes, { to: { project: { type: 'projects', id: draft.id } } }),
      )
    await writeDuties(draft.id, { equality: '' })
    const refused = await send({})
    expect([refused.status, refused.codes]).toEqual([422, ['duty-missing']])
    expect((await send({ dutyReason: 'The note follows.' })).status).toBe(201)
    expect((await read(draft.id))?.attributes.waivers).toEqual([
      expect.objectContaining({ act: 'decisions', missing: ['equality'], reason: 'The note follows.' }),
    ])
    await writeDuties(draft.id, { equality: 'Older people' })
    expect([await listMissing(draft.id), (await send({})).status]).toEqual([[], 201])
  })
})

describe('what is recorded', () => {
  test('has questions of this project’s own surveys only, as long as they are asked', async () => {
    const [mine, other] = [await addDraft(), await addDraft()]
    const foreign = await writeDuties(mine.id, { effectsQuestion: { survey: other.survey, question: 'effects' } })
    expect([foreign.status, foreign.codes, foreign.body?.errors?.[0]?.source?.pointer]).toEqual([
      422,
      ['not-a-choice'],
      '/data/attributes/effectsQuestion',
    ])
    expect((await writeDuties(mine.id, { effectsQuestion: { survey: mine.survey, question: 'gone' } })).status).toBe(422)
    expect((await read(mine.id))?.attributes['questions']).toEqual(
      QUESTIONS.map(({ id, title }) => ({ survey: mine.survey, question: id, title: title.en })),
    )
  })

  test('is changed by one person at a time, with a trace in the audit log', async () => {
    const { id } = await addDraft()
    const first = await writeDuties(id, { reasons: 'One' }, admin, 1)
    const second = await writeDuties(id, { reasons: 'Two' }, admin, 1)
    expect([first.status, second.status, second.codes]).toEqual([200, 409, ['stale']])
    expect((await findAudit(id, 'consultation-duties.update'))[0]?.detail).toMatchObject({
      changes: { reasons: { before: '', after: 'One' } },
    })
  })

  test('is for the administrators of the project', async () => {
    const [mine, other] = [await addDraft(), await addDraft()]
    const editor = await addPerson(runtime, site, { role: 'project_admin', projectId: mine.id })
    const resident = await addPerson(runtime, site)
    expect((await writeDuties(mine.id, { reasons: 'Mine' }, editor)).status).toBe(200)
    expect(await read(other.id, editor)).toBeUndefined()
    expect((await writeDuties(other.id, { reasons: 'Not mine' }, editor)).status).toBe(404)
    expect(await read(mine.id, resident)).toBeUndefined()
    expect((await createApiClient(runtime, site).get('/consultation-duties')).body?.data ?? []).toEqual([])
  })

  test('counts what could be plainer in the project and its surveys', async () => {
    const { id } = await addDraft({ summary: { en: 'Tell us, stakeholders', cy: 'Rhanddeiliaid' } })
    expect((await read(id))?.attributes['plainFindings']).toEqual([{ code: 'jargon', count: 2 }])
  })
})

test('a site that keeps no duties asks for nothing and shows nothing', async () => {
  const canada = await addSite(runtime, { slug: 'canada', languages: ['en'] })
  const there = await addPerson(runtime, canada, { role: 'site_admin' })
  const { id } = await addProject(runtime, canada, { status: 'draft', publishedAt: null, summary: { en: 'Every half hour' } })
  expect((await api(there, canada).get('/consultation-duties')).body?.data).toEqual([])
  expect((await api(there, canada).get(`/consultation-duties/${id}`)).status).toBe(404)
  const done = await api(there, canada).post(
    '/publications',
    buildResourceDocument('publications', {}, { to: { project: { type: 'projects', id } } }),
  )
  expect(done.status).toBe(201)
  const viewer = await addViewer(runtime, canada, { roles: [{ role: 'site_admin' }] })
  const ctx = createCtx(runtime, canada, { viewer })
  expect((await download(ctx, id, 'html')).status).toBe(404)
})

test('a list of duties asks as many statements for several projects as for one', async () => {
  const drafts = [await addDraft(), await addDraft(), await addDraft()]
  for (const draft of drafts) await meetDuties(draft)
  const viewer = await addViewer(runtime, site, { roles: [{ role: 'site_admin' }] })
  const read = async (ids: readonly string[]) => {
    const ctx = createCtx(runtime, site, { viewer, language: 'en' })
    const { statements } = await recordDatabaseUse(runtime, async () => {
      expect((await loadDuties(ctx, ids)).map(({ facts }) => facts.documents)).toEqual(ids.map(() => 1))
    })
    return statements.length
  }
  const ids = drafts.map(({ id }) => id)
  expect(await read(ids)).toBe(await read(ids.slice(0, 1)))
})

const download = (ctx: ReturnType<typeof createCtx>, id: string, format: string) =>
  serveDutyFile({ context: { ctx } as never, params: { id, format } })

describe('the duty file', () => {
  test('says what is met and missing, what is recorded, and why something was published', async () => {
    const draft = await addDraft()
    await meetDuties(draft)
    await writeDuties(draft.id, { equality: '', reasons: 'Because <b>costs</b> rise' })
    await publish(draft.id, { dutyReason: 'The note follows.' })
    const viewer = await addViewer(runtime, site, { roles: [{ role: 'site_admin' }] })
    const ctx = createCtx(runtime, site, { viewer, language: 'en' })
    const html = await (await download(ctx, draft.id, 'html')).text()
    for (const words of [
      'Equality',
      'Missing',
      'Because &lt;b&gt;costs&lt;/b&gt; rise',
      'The note follows.',
      'What effect would it have on Welsh?',
    ])
      expect(html).toContain(words)
    expect(html).not.toContain('<b>')
    const pdf = await readPdf(new Uint8Array(await (await download(ctx, draft.id, 'pdf')).arrayBuffer()))
    expect(pdf.text).toContain('The note follows.')
    expect((await download(ctx, draft.id, 'odt')).status).toBe(404)
    expect((await download(createCtx(runtime, site, {}), draft.id, 'html')).status).toBe(401)
    expect(await findAudit(draft.id, 'consultation-duties.export')).toHaveLength(2)
  })
})
