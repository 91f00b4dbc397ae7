import { and, eq } from 'drizzle-orm'
import { v4, v7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import type { SurveyAccess } from '#app/lib/vocabulary/surveys.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { mergePeople } from '#app/features/people/people.merge.server.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import { surveys, surveyVersions } from '#app/server/db/schema/surveys.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addPerson, addProject, addSurvey, inAllLanguages, EVERY_TYPE } from '#tests/factories/surveys.ts'
import { issueToken } from '#tests/support/browser-tokens.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { requireContribution, withdrawContribution } from './receipts.server.ts'
import { type ResponseInput, submitResponse } from './submit-response.server.ts'
import { requireVisibleSurvey } from '../surveys.policy.server.ts'
import type { Definition } from '../surveys.schema.ts'
import { keepDraft } from './drafts.server.ts'
import { keepStep } from '../answering/keep-step.server.ts'
import { getSurveyForAnswering } from '../surveys.server.ts'

const NOON = new Date('2026-05-04T12:00:00Z')
const at = (seconds: number) => new Date(NOON.getTime() + seconds * 1000)
let runtime: TestRuntime
let site: Site

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime)
})
beforeEach(() => runtime.setNow(NOON))

const as = (viewer?: Viewer): Ctx => createCtx(runtime, site, viewer ? { viewer } : {})
const sending = (openedAt = NOON) => ({ id: v7({ msecs: openedAt.getTime() }), sendKey: 'k'.repeat(22) })
const send = (ctx: Ctx, surveyId: string, input: Partial<ResponseInput> = {}) =>
  submitResponse(ctx, (tx) => requireVisibleSurvey(ctx, tx, eq(surveys.id, surveyId)), {
    ...sending(),
    answers: { name: 'Fern Street' },
    ...input,
  })
const stored = (surveyId: string) =>
  as().db.tx((tx) =>
    tx
      .select()
      .from(responses)
      .where(and(eq(responses.siteId, site.id), eq(responses.surveyId, surveyId))),
  )
const counts = (surveyId: string) =>
  as().db.tx(async (tx) => {
    const [row] = await tx
      .select({ responses: surveys.responsesCount, participants: projects.participants })
      .from(surveys)
      .innerJoin(projects, and(eq(projects.siteId, surveys.siteId), eq(projects.id, surveys.projectId)))
      .where(and(eq(surveys.siteId, site.id), eq(surveys.id, surveyId)))
    return row
  })
const refused = (code: string) => expect.objectContaining({ code }) as Error

test('a question for adults is asked by the age on the site’s clocks, on the page as in what is sent', async () => {
  const adults = { question: 'born', is: 'at_most', value: { ago: 18, unit: 'year' } } as const
  const survey = await addSurvey(runtime, site, {
    definition: {
      schema: 1,
      pages: [
        {
          id: 'p',
          questions: [
            { id: 'born', type: 'date', title: inAllLanguages('Born') },
            { id: 'vote', type: 'short_text', title: inAllLanguages('Vote'), required: true, showIf: adults },
          ],
        },
      ],
    },
  })
  const answers = { born: '2008-05-05' }
  const readCondition = async () => {
    const { definition } = await getSurveyForAnswering(as(), { project: survey.projectSlug, survey: survey.slug })
    return definition.pages[0]?.questions[1]?.showIf
  }
  runtime.setNow(new Date('2026-05-05T03:59:00Z')) // still 4 May in Toronto
  expect(await readCondition()).toEqual({ ...adults, value: '2008-05-04' })
  await send(as(), survey.id, { ...sending(new Date('2026-05-05T03:50:00Z')), answers })
  runtime.setNow(new Date('2026-05-05T04:01:00Z'))
  expect(await readCondition()).toEqual({ ...adults, value: '2008-05-05' })
  await expect(send(as(), survey.id, { ...sending(new Date('2026-05-05T04:00:00Z')), answers })).rejects.toMatchObject({
    faults: [{ code: 'required', pointer: '/answers/vote' }],
  })
})

describe('a response', () => {
  test('is stored with its version, language and duration, and counted', async () => {
    const survey = await addSurvey(runtime, site)
    const ctx = createCtx(runtime, site, { language: 'cy' })
    const id = sending(at(-90)).id
    const receipt = await send(ctx, survey.id, {
      id,
      answers: { name: ' Fern\r\nStreet ', want: { choices: ['shade', 'trees'] }, safe: 4 },
    })
    expect(receipt).toMatchObject({
      stored: true,
      code: expect.stringMatching(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/) as string,
    })
    expect(await stored(survey.id)).toMatchObject([
      {
        id,
        version: 1,
        language: 'cy',
        userId: null,
        seconds: 90,
        answers: { name: 'Fern Street', want: { choices: ['trees', 'shade'] }, safe: 4 },
      },
    ])
    expect(await counts(survey.id)).toEqual({ responses: 1, participants: 1 })
  })

  test('that breaks a rule is refused with a fault for each question', async () => {
    const survey = await addSurvey(runtime, site)
    await expect(send(as(), survey.id, { answers: { safe: 9, mode: { choice: 'other' } } })).rejects.toMatchObject({
      code: 'invalid',
      faults: [
        { code: 'required', pointer: '/answers/name' },
        { code: 'required', pointer: '/answers/mode/other' },
        { code: 'not-a-choice', pointer: '/answers/safe' },
      ],
    })
    expect(await counts(survey.id)).toEqual({ responses: 0, participants: 0 })
  })

  test('stores any text, from a person or an attacker, as text', async () => {
    const survey = await addSurvey(runtime, site)
    const ideas = `'; drop table responses; -- <script>alert(1)</script> {{7*7}} \\u0000 \u202e🙂 =HYPERLINK("x")`
    await send(as(), survey.id, { answers: { name: 'x', ideas: `${ideas}\u0000\ud800` } })
    const [row] = await stored(survey.id)
    expect(row?.answers).toEqual({ name: 'x', ideas: `${ideas}\ufffd` })
  })

  test('keeps the version its form was built from', async () => {
    const survey = await addSurvey(runtime, site)
    const second = { ...EVERY_TYPE, pages: EVERY_TYPE.pages.slice(1) }
    await as().db.tx(async (tx) => {
      await tx.insert(surveyVersions).values({ siteId: site.id, surveyId: survey.id, number: 2, definition: second })
      await tx.update(surveys).set({ publishedVersion: 2 }).where(eq(surveys.id, survey.id))
    })
    await send(as(), survey.id, { version: 1, answers: { name: 'Elm' } })
    await expect(send(as(), survey.id, { version: 2, answers: { name: 'Elm' } })).rejects.toMatchObject({
      faults: [{ code: 'unknown-attribute', pointer: '/answers/name' }],
    })
    await send(as(), survey.id, { version: 99, answers: { safe: 3 } })
    expect((await stored(survey.id)).map((row) => row.version).sort()).toEqual([1, 2])
  })

  test('on a version whose scale has since changed, as could once be published, is not counted on the new scale', async () => {
    const rating = (max: number, required = false): Definition => ({
      schema: 1,
      pages: [
        {
          id: 'p',
          questions: [
            { id: 'safe', type: 'rating', title: inAllLanguages('Safe?'), scale: { max }, required },
            { id: 'why', type: 'short_text', title: inAllLanguages('Why?') },
          ],
        },
      ],
    })
    const survey = await addSurvey(runtime, site, { definition: rating(5, true) })
    await as().db.tx(async (tx) => {
      await tx.insert(surveyVersions).values({ siteId: site.id, surveyId: survey.id, number: 2, definition: rating(10) })
      await tx.update(surveys).set({ publishedVersion: 2 }).where(eq(surveys.id, survey.id))
    })
    const old = sending()
    await keepDraft(as(), { ...old, survey: survey.id, version: 1, answers: { safe: 4, why: 'Cars' } })
    await expect(send(as(), survey.id, { ...old, version: 1, answers: { safe: 4, why: 'Cars' } })).rejects.toMatchObject({
      code: 'invalid',
      faults: [{ code: 'question-changed', pointer: '/answers/safe' }],
    })
    // The draft is kept; unchanged questions are accepted.
    const page = await getSurveyForAnswering(as(), { project: survey.projectSlug, survey: survey.slug }, { sending: old })
    expect(page).toMatchObject({ version: 1, draft: { safe: 4, why: 'Cars' } })
    await send(as(), survey.id, { ...old, version: 1, answers: { why: 'Cars' } })
    await send(as(), survey.id, { version: 2, answers: { safe: 4 } })
    expect((await stored(survey.id)).map(({ version, answers }) => ({ version, answers }))).toEqual([
      { version: 1, answers: { why: 'Cars' } },
      { version: 2, answers: { safe: 4 } },
    ])
  })

  test('to an anonymous survey is stored without the account', async () => {
    const survey = await addSurvey(runtime, site, { anonymous: true, access: 'signed_in' })
    const person = await addPerson(runtime, site)
    await send(as(person), survey.id)
    const rows = await stored(survey.id)
    expect(rows[0]?.userId).toBeNull()
    expect(JSON.stringify(rows)).not.toContain(person.id)
    await expect(send(as(person), survey.id)).rejects.toEqual(refused('already-answered'))
  })
})

describe('sending is idempotent', () => {
  test('the same sending again returns the same receipt and changes nothing', async () => {
    const survey = await addSurvey(runtime, site)
    const once = sending()
    const first = await send(as(), survey.id, once)
    const again = await send(as(), survey.id, { ...once, answers: { name: 'Something else' } })
    expect(again).toEqual({ ...first, stored: false })
    expect((await stored(survey.id)).map((row) => row.answers)).toEqual([{ name: 'Fern Street' }])
    expect(await counts(survey.id)).toEqual({ responses: 1, participants: 1 })
  })

  test('a form that a device restored for the next person is a response of its own once it is changed, stored once', async () => {
    const survey = await addSurvey(runtime, site)
    const once = { ...sending(), isKeptForm: true }
    const first = await send(as(), survey.id, once)
    expect(await send(as(), survey.id, once)).toEqual({ ...first, stored: false })
    const changed = { ...once, answers: { name: 'Mill Lane' } }
    await expect(send(as(), survey.id, { ...once, answers: {} })).rejects.toEqual(refused('invalid'))
    const next = await send(as(), survey.id, changed)
    expect(next.stored).toBe(true)
    expect(next.code).not.toBe(first.code)
    const again = await Promise.all([send(as(), survey.id, changed), send(as(), survey.id, changed)])
    expect(again.map((receipt) => receipt.code)).toEqual([next.code, next.code])
    expect((await stored(survey.id)).map((row) => row.answers)).toEqual(
      expect.arrayContaining([{ name: 'Fern Street' }, { name: 'Mill Lane' }]),
    )
    expect(await counts(survey.id)).toEqual({ responses: 2, participants: 2 })
  })

  test('what one person sends again, changed, is still their one response', async () => {
    const survey = await addSurvey(runtime, site, { access: 'signed_in' })
    const person = await addPerson(runtime, site)
    const once = { ...sending(), isKeptForm: true }
    const first = await send(as(person), survey.id, once)
    expect(await send(as(person), survey.id, { ...once, answers: { name: 'Mill Lane' } })).toEqual({ ...first, stored: false })
  })

  test('even after the survey closed, and if each may answer once', async () => {
    const survey = await addSurvey(runtime, site, { access: 'signed_in', closesAt: at(100) })
    const person = await addPerson(runtime, site)
    const once = sending()
    const first = await send(as(person), survey.id, once)
    expect(await send(as(person), survey.id, once)).toEqual({ ...first, stored: false })
    runtime.setNow(at(1000))
    expect(await send(as(person), survey.id, once)).toEqual({ ...first, stored: false })
  })

  test('submitted many times at once, it is stored once', async () => {
    const survey = await addSurvey(runtime, site, { access: 'signed_in' })
    const person = await addPerson(runtime, site)
    const once = sending()
    const receipts = await Promise.all(Array.from({ length: 20 }, () => send(as(person), survey.id, once)))
    expect(new Set(receipts.map((receipt) => receipt.code)).size).toBe(1)
    expect(receipts.filter((receipt) => receipt.stored)).toHaveLength(1)
    expect(await counts(survey.id)).toEqual({ responses: 1, participants: 1 })
  })

  test('the id without the key does not reveal the receipt', async () => {
    const survey = await addSurvey(runtime, site)
    const once = sending()
    await send(as(), survey.id, once)
    await expect(send(as(), survey.id, { id: once.id, sendKey: 'another-key-of-someone' })).rejects.toEqual(refused('conflict'))
    expect(await counts(survey.id)).toEqual({ responses: 1, participants: 1 })
  })

  test('a burst of responses is counted exactly, and one that fails does not block the others', async () => {
    const survey = await addSurvey(runtime, site)
    const ghost = { ...(await addPerson(runtime, site)), id: createId() }
    const done = await Promise.allSettled(Array.from({ length: 120 }, (_, index) => send(index % 40 === 7 ? as(ghost) : as(), survey.id)))
    expect(done.filter(({ status }) => status === 'rejected')).toHaveLength(3)
    expect(await stored(survey.id)).toHaveLength(117)
    expect(await counts(survey.id)).toEqual({ responses: 117, participants: 117 })
  })

  test('an account that answers two surveys of a project counts as one participant', async () => {
    const project = await addProject(runtime, site)
    const [one, two] = [
      await addSurvey(runtime, site, { projectId: project.id }),
      await addSurvey(runtime, site, { projectId: project.id }),
    ]
    const person = await addPerson(runtime, site)
    await send(as(person), one.id)
    await send(as(person), two.id)
    await send(as(), two.id)
    expect(await counts(one.id)).toEqual({ responses: 1, participants: 2 })
    expect(await counts(two.id)).toEqual({ responses: 2, participants: 2 })
  })
})

describe('opening and closing', () => {
  test('follow the survey’s own times, to the second', async () => {
    const survey = await addSurvey(runtime, site, { opensAt: at(0), closesAt: at(100) })
    const state = async (now: Date) => {
      runtime.setNow(now)
      return (await getSurveyForAnswering(as(), { project: survey.projectSlug, survey: survey.slug })).survey.state
    }
    expect([await state(at(-1)), await state(at(0)), await state(at(99)), await state(at(100))]).toEqual([
      'scheduled',
      'open',
      'open',
      'closed',
    ])
    runtime.setNow(at(-1))
    await expect(send(as(), survey.id)).rejects.toEqual(refused('survey-not-open'))
    runtime.setNow(at(99))
    await send(as(), survey.id)
  })

  test('an archived project accepts no more responses', async () => {
    const archived = await addProject(runtime, site, { status: 'archived' })
    const other = await addSurvey(runtime, site, { projectId: archived.id })
    await expect(send(as(), other.id)).rejects.toEqual(refused('survey-closed'))
  })

  test('accept a form that was opened in time for one more minute', async () => {
    const survey = await addSurvey(runtime, site, { closesAt: at(100) })
    runtime.setNow(at(159))
    await expect(send(as(), survey.id, sending(at(101)))).rejects.toEqual(refused('survey-closed'))
    await expect(send(as(), survey.id, { ...sending(), id: v4() })).rejects.toEqual(refused('survey-closed'))
    await send(as(), survey.id, sending(at(99)))
    runtime.setNow(at(160))
    await expect(send(as(), survey.id, sending(at(99)))).rejects.toEqual(refused('survey-closed'))
  })
})

describe('who may answer', () => {
  const open = (access: SurveyAccess) => addSurvey(runtime, site, { access })

  test('anyone: everybody, as often as they like', async () => {
    const survey = await open('anyone')
    await send(as(), survey.id)
    await send(as(), survey.id)
    expect(await counts(survey.id)).toEqual({ responses: 2, participants: 2 })
  })

  test('anyone once: each browser once, with no hash shared between surveys', async () => {
    const [survey, other] = [await open('anyone_once'), await open('anyone_once')]
    const browserToken = issueToken(runtime, site)
    await send(as(), survey.id, { browserToken })
    await expect(send(as(), survey.id, { browserToken })).rejects.toEqual(refused('already-answered'))
    await send(as(), survey.id, { browserToken: issueToken(runtime, site, 'browser-token-of-another') })
    await send(as(), other.id, { browserToken })
    const shown = await getSurveyForAnswering(as(), { project: survey.projectSlug, survey: survey.slug }, { browserToken })
    expect(shown.survey.refusal).toBe('answered')
  })

  test('signed in: accounts, once each', async () => {
    const survey = await open('signed_in')
    await expect(send(as(), survey.id)).rejects.toEqual(refused('sign-in-to-answer'))
    const person = await addPerson(runtime, site, { confirmed: false })
    await send(as(person), survey.id)
    expect((await stored(survey.id))[0]?.userId).toBe(person.id)
    await expect(send(as(person), survey.id)).rejects.toEqual(refused('already-answered'))
  })

  test('an account answers once, even from two windows at the same moment', async () => {
    const survey = await open('signed_in')
    const person = await addPerson(runtime, site)
    const done = await Promise.allSettled([send(as(person), survey.id), send(as(person), survey.id), send(as(person), survey.id)])
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await counts(survey.id)).toEqual({ responses: 1, participants: 1 })
  })

  test('confirmed: accounts with a confirmed email address', async () => {
    const survey = await open('confirmed')
    await expect(send(as(await addPerson(runtime, site, { confirmed: false })), survey.id)).rejects.toEqual(refused('confirm-to-answer'))
    await send(as(await addPerson(runtime, site)), survey.id)
  })

  test('members: members of the project', async () => {
    const survey = await open('members')
    await expect(send(as(await addPerson(runtime, site)), survey.id)).rejects.toEqual(refused('forbidden'))
    await send(as(await addPerson(runtime, site, { memberOf: survey.projectId })), survey.id)
  })

  test('nobody answers a survey they cannot see, or a draft', async () => {
    const hidden = await addProject(runtime, site, { visibility: 'members' })
    const survey = await addSurvey(runtime, site, { projectId: hidden.id })
    await expect(send(as(), survey.id)).rejects.toEqual(refused('not-found'))
    const draft = await addSurvey(runtime, site, { status: 'draft' })
    await expect(send(as(), draft.id)).rejects.toEqual(refused('not-found'))
    const admin = await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] })
    await expect(send(as(admin), draft.id)).rejects.toEqual(refused('not-published'))
  })

  test('a platform administrator is a guest and cannot answer', async () => {
    const survey = await open('anyone')
    const guest = { ...(await addPerson(runtime, site, { roles: [{ role: 'platform_admin' }] })), supportGranted: true }
    await expect(send(as(guest), survey.id)).rejects.toEqual(refused('forbidden'))
  })

  test('a survey of another site is not found', async () => {
    const other = await addSite(runtime, { slug: 'harbour' })
    const survey = await addSurvey(runtime, other)
    await expect(send(as(), survey.id)).rejects.toEqual(refused('not-found'))
  })
})

describe('a receipt', () => {
  test('finds the contribution, however its code is typed, and only on its own site', async () => {
    const survey = await addSurvey(runtime, site, { thanks: inAllLanguages('Thank you') })
    const { code } = await send(as(), survey.id, { answers: { name: 'Fern', mode: { choice: 'bus' } } })
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `
    const found = await requireContribution(createCtx(runtime, site, { language: 'cy' }), typed)
    expect(found).toMatchObject({
      code,
      submittedAt: NOON,
      withdrawnAt: null,
      answers: { name: 'Fern', mode: { choice: 'bus' } },
      survey: { title: { text: 'Fern Street (cy)' }, responses: 1 },
      mayWithdraw: true,
    })
    const other = await addSite(runtime, { slug: 'elsewhere' })
    await expect(requireContribution(createCtx(runtime, other), code)).rejects.toEqual(refused('not-found'))
  })

  test('is stored only as a hash', async () => {
    const survey = await addSurvey(runtime, site)
    const { code } = await send(as(), survey.id)
    const rows = await stored(survey.id)
    expect(JSON.stringify(rows)).not.toContain(code.slice(0, 9))
    expect(rows[0]?.receiptHash).toHaveLength(32)
  })

  test('that is malformed or unknown is refused with an explanation', async () => {
    await expect(requireContribution(as(), '')).rejects.toMatchObject({ faults: [{ code: 'required', pointer: '/code' }] })
    await expect(requireContribution(as(), 'UUUU-0000-0000-0000')).rejects.toMatchObject({
      faults: [{ code: 'wrong-format', pointer: '/code' }],
    })
    await expect(requireContribution(as(), '0000-0000-0000-0000')).rejects.toMatchObject({
      code: 'not-found',
      faults: [{ pointer: '/code' }],
    })
  })

  test('withdraws the contribution while the survey is open: its answers are deleted and no longer count', async () => {
    const survey = await addSurvey(runtime, site, { access: 'signed_in', closesAt: at(100) })
    const person = await addPerson(runtime, site)
    const { code } = await send(as(person), survey.id)
    await withdrawContribution(as(), code)
    await withdrawContribution(as(), code)
    expect(await requireContribution(as(), code)).toMatchObject({ withdrawnAt: NOON, answers: {}, mayWithdraw: false })
    expect(await counts(survey.id)).toEqual({ responses: 0, participants: 0 })
    const { code: second } = await send(as(person), survey.id)
    runtime.setNow(at(101))
    await expect(withdrawContribution(as(), second)).rejects.toEqual(refused('survey-closed'))
  })

  test('withdrawn twice at the same moment is subtracted once', async () => {
    const survey = await addSurvey(runtime, site)
    await send(as(), survey.id)
    const { code } = await send(as(), survey.id)
    await Promise.all([withdrawContribution(as(), code), withdrawContribution(as(), code), withdrawContribution(as(), code)])
    expect(await counts(survey.id)).toEqual({ responses: 1, participants: 1 })
  })
})

test('a survey page is in the reader’s language only', async () => {
  const survey = await addSurvey(runtime, site)
  const shown = await getSurveyForAnswering(createCtx(runtime, site, { language: 'fr-CA' }), {
    project: survey.projectSlug,
    survey: survey.slug,
  })
  expect(shown.definition.pages[0]?.questions[0]?.title).toEqual({ 'fr-CA': 'Which street? (fr)' })
  expect(JSON.stringify(shown)).not.toContain('(cy)')
})

describe('a survey with logic', () => {
  const ways: Definition = {
    schema: 1,
    pages: [
      {
        id: 'p1',
        questions: [
          {
            id: 'mode',
            type: 'one_choice',
            title: inAllLanguages('How?'),
            required: true,
            options: [
              { id: 'bus', label: inAllLanguages('Bus') },
              { id: 'foot', label: inAllLanguages('Foot') },
            ],
          },
        ],
        next: [{ when: { question: 'mode', is: 'any_of', options: ['foot'] }, end: 'walkers' }],
      },
      { id: 'p2', questions: [{ id: 'line', type: 'short_text', title: inAllLanguages('Which line?'), required: true }] },
    ],
    endings: [{ id: 'walkers', title: inAllLanguages('Thank you for walking'), text: inAllLanguages('That is all we ask.') }],
    quotas: [{ id: 'riders', when: { question: 'mode', is: 'any_of', options: ['bus'] }, limit: 3 }],
  }
  const bus = { mode: { choice: 'bus' }, line: '80' }

  test('drops answers to hidden questions, and does not require them', async () => {
    const survey = await addSurvey(runtime, site, { definition: ways })
    await expect(send(as(), survey.id, { answers: { mode: { choice: 'bus' } } })).rejects.toMatchObject({
      faults: [{ code: 'required', pointer: '/answers/line' }],
    })
    const { code } = await send(as(), survey.id, { answers: { mode: { choice: 'foot' }, line: 'typed, then hidden' } })
    expect((await stored(survey.id))[0]?.answers).toEqual({ mode: { choice: 'foot' } })
    expect((await requireContribution(as(), code)).ending).toEqual({
      title: { text: 'Thank you for walking' },
      text: { text: 'That is all we ask.' },
    })
  })

  test('accepts as many as a quota allows, however many arrive at once, and a withdrawn response frees its place', async () => {
    const survey = await addSurvey(runtime, site, { definition: ways })
    const sent = await Promise.allSettled(Array.from({ length: 12 }, () => send(as(), survey.id, { answers: bus })))
    expect(sent.filter((each) => each.status === 'fulfilled')).toHaveLength(3)
    for (const each of sent) if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'quota-full' })
    expect(await stored(survey.id)).toHaveLength(3)
    expect(await counts(survey.id)).toMatchObject({ responses: 3 })
    await send(as(), survey.id, { answers: { mode: { choice: 'foot' } } })
    const [first] = sent.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    await withdrawContribution(as(), first?.code ?? '')
    await send(as(), survey.id, { answers: bus })
    await expect(send(as(), survey.id, { answers: bus })).rejects.toMatchObject({ code: 'quota-full' })
  })

  test('a response that one quota refuses takes no place in another', async () => {
    const choose = (id: string, options: string[]) => ({
      id,
      type: 'one_choice' as const,
      title: inAllLanguages(`${id}?`),
      options: options.map((option) => ({ id: option, label: inAllLanguages(option) })),
    })
    const fall = (question: string, option: string) => ({ question, is: 'any_of' as const, options: [option] })
    const definition: Definition = {
      schema: 1,
      pages: [{ id: 'p1', questions: [choose('mode', ['bus', 'foot']), choose('hour', ['day', 'night'])] }],
      quotas: [
        { id: 'a-riders', when: fall('mode', 'bus'), limit: 2 },
        { id: 'b-nights', when: fall('hour', 'night'), limit: 1 },
      ],
    }
    const survey = await addSurvey(runtime, site, { definition })
    const answer = (mode: string, hour: string) => send(as(), survey.id, { answers: { mode: { choice: mode }, hour: { choice: hour } } })
    await answer('foot', 'night')
    for (let count = 0; count < 3; count++) await expect(answer('bus', 'night')).rejects.toMatchObject({ code: 'quota-full' })
    for (let count = 0; count < 2; count++) await answer('bus', 'day')
    await expect(answer('bus', 'day')).rejects.toMatchObject({ code: 'quota-full' })
  })

  test('resending a stored response returns the same receipt, even if the quota is full', async () => {
    const survey = await addSurvey(runtime, site, { definition: { ...ways, quotas: [{ ...ways.quotas![0]!, limit: 1 }] } })
    const one = sending()
    const { code } = await send(as(), survey.id, { ...one, answers: bus })
    expect(await send(as(), survey.id, { ...one, answers: bus })).toMatchObject({ code, stored: false })
  })
})

describe('a half-finished response', () => {
  test('is found only with its id and key, and stays on its version when a new one is published', async () => {
    const survey = await addSurvey(runtime, site)
    const address = { project: survey.projectSlug, survey: survey.slug }
    const begun = sending()
    await keepDraft(as(), { ...begun, survey: survey.id, answers: { name: 'Elm' } })
    const second = {
      schema: 1 as const,
      pages: [{ id: 'page1', questions: [{ id: 'other', type: 'yes_no' as const, title: inAllLanguages('Yes?') }] }],
    }
    await as().db.tx(async (tx) => {
      await tx.insert(surveyVersions).values({ siteId: site.id, surveyId: survey.id, number: 2, definition: second })
      await tx.update(surveys).set({ publishedVersion: 2 }).where(eq(surveys.id, survey.id))
    })
    expect(await getSurveyForAnswering(as(), address, { sending: begun })).toMatchObject({
      version: 1,
      draft: { name: 'Elm' },
      sending: begun,
    })
    expect(await getSurveyForAnswering(as(), address, { sending: { ...begun, sendKey: 'somebody-elses-key-1' } })).toMatchObject({
      version: 2,
      draft: null,
    })
    const elsewhere = await addSurvey(runtime, site)
    expect(
      (await getSurveyForAnswering(as(), { project: elsewhere.projectSlug, survey: elsewhere.slug }, { sending: begun })).draft,
    ).toBeNull()
    await send(as(), survey.id, { ...begun, version: 1, answers: { name: 'Elm' } })
    expect((await getSurveyForAnswering(as(), address, { sending: begun })).draft).toBeNull()
  })

  test('accepts a step however invalid, and says where to continue', async () => {
    const survey = await addSurvey(runtime, site, { variant: 'revised' })
    const address = { project: survey.projectSlug, survey: survey.slug }
    const begun = sending()
    const step = (values: Record<string, string>, more: { step?: string; go?: 'back' | 'later' } = {}) =>
      keepStep(as(), address, { ...begun, step: 'name', go: 'next', shown: [more.step ?? 'name'], version: 1, values, ...more })
    expect(await step({ 'q.name': ' ' })).toMatchObject({ next: 'name', faults: [{ code: 'required', pointer: '/answers/name' }] })
    expect(await step({ 'q.name': 'Elm' })).toMatchObject({ next: 'ideas', faults: [] })
    expect(await step({ 'q.ideas': 'Shade' }, { step: 'ideas', go: 'back' })).toMatchObject({ next: 'name', faults: [] })
    expect(await step({ 'q.safe': '9' }, { step: 'safe', go: 'later' })).toMatchObject({ next: '-later', faults: [] })
    expect((await getSurveyForAnswering(as(), address, { sending: begun })).draft).toEqual({ name: 'Elm', ideas: 'Shade', safe: 9 })
  })
})

test.each([
  ['signed_in', false],
  ['signed_in', true],
  ['anyone_once', true],
] as const)(
  'whoever answered with an account cannot answer again after it was merged into another (%s, anonymous: %s)',
  async (access, anonymous) => {
    const [admin, old, kept] = [
      await addPerson(runtime, site, { roles: [{ role: 'site_admin' }] }),
      await addPerson(runtime, site),
      await addPerson(runtime, site),
    ]
    const { id } = await addSurvey(runtime, site, { access, anonymous })
    const browser = (name: string) => (access === 'anyone_once' ? { browserToken: issueToken(runtime, site, name) } : {})
    await send(as(old), id, browser('one'))
    await mergePeople(as(admin), { from: old.id, into: kept.id })
    await expect(send(as(kept), id, { ...sending(at(1)), ...browser('two') })).rejects.toEqual(refused('already-answered'))
    await send(as(await addPerson(runtime, site)), id, { ...sending(at(2)), ...browser('three') })
  },
)
