import { and, eq } from 'drizzle-orm'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { storeAnswers } from '#app/features/profile-answers/store-answers.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx, withViewer } from '#app/server/context.ts'
import { profileAnswers, profileQuestions } from '#app/server/db/schema/profile.ts'
import { responses } from '#app/server/db/schema/responses.ts'
import type { FormValues } from '#app/server/forms.ts'
import type { Site } from '#app/server/site-directory.ts'
import { addSurvey } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { publishSurvey } from '../managing/publishing.server.ts'
import { keepDraft } from '../responses/drafts.server.ts'
import { submitResponse } from '../responses/submit-response.server.ts'
import type { Answer, Answers, Definition, Question } from '../surveys.schema.ts'
import { getSurveyForAnswering, requireSurveyAt } from '../surveys.server.ts'
import { addFromProfile, keepInProfile, readProfileUse } from './fill-from-profile.server.ts'
import { keepStep } from './keep-step.server.ts'

let runtime: TestRuntime
let site: Site
let year: number

const text = (words: string) => ({ en: words, 'fr-CA': words })
const toOptions = (ids: readonly string[]) => ids.map((id) => ({ id, label: text(id) }))
const AGES = ['u16', 'a16', 'a25', 'a35', 'a45', 'a55', 'a65', 'a75']

beforeAll(async () => {
  runtime = await createTestRuntime()
  site = await addSite(runtime, { slug: 'asks-once', languages: ['en', 'fr-CA'] })
  year = runtime.now().getUTCFullYear()
  for (const question of [
    { key: 'born', type: 'year-of-birth' as const },
    {
      key: 'home',
      type: 'one-choice' as const,
      options: [...toOptions(['en', 'fr']), { id: 'old', label: text('old'), retired: true as const }],
    },
    { key: 'ways', type: 'several-choices' as const, options: toOptions(['bus', 'bike', 'boat']) },
    { key: 'health', type: 'one-choice' as const, options: toOptions(['good', 'poor', 'no-answer']), sensitive: true },
    { key: 'gone', type: 'one-choice' as const, options: toOptions(['a', 'b']), status: 'retired' as const },
    { key: 'street', type: 'short-text' as const },
  ])
    await addQuestion(site, question)
})

async function addQuestion(on: Site, values: Partial<typeof profileQuestions.$inferInsert> & { key: string }): Promise<void> {
  await runtime.database.site(on.id).tx((tx) =>
    tx.insert(profileQuestions).values({
      siteId: on.id,
      id: createId(),
      type: 'one-choice',
      label: text(values.key),
      purpose: text('To know.'),
      askedAt: 'sign-up',
      retentionMonths: 24,
      status: 'live',
      ...values,
    }),
  )
}

const LINKED: Question[] = [
  { id: 'age', type: 'demographic', bank: 'std-age', profile: 'born', title: text('Age group'), options: toOptions(AGES) },
  { id: 'home', type: 'one_choice', profile: 'home', title: text('Language'), options: toOptions(['en', 'fr']) },
  { id: 'ways', type: 'several_choices', profile: 'ways', title: text('Ways'), options: toOptions(['bus', 'bike']) },
  { id: 'street', type: 'short_text', profile: 'street', title: text('Street') },
]
const HEALTH: Question = {
  id: 'health',
  type: 'one_choice',
  profile: 'health',
  title: text('Health'),
  options: toOptions(['good', 'poor']),
}
const OTHER: Question = { id: 'idea', type: 'long_text', title: text('Your idea') }
const define = (...questions: Question[]): Definition => ({ schema: 1, pages: [{ id: 'p1', questions }] })

const ctxOf = (person: Person, on = site): Promise<Ctx> => withViewer(createCtx(runtime, on), person.token)

/** A person who said this about themselves. */
async function addPersonWho(said: Record<string, Answer>): Promise<Person> {
  const person = await addPerson(runtime, site)
  const ctx = await ctxOf(person)
  await ctx.db.tx(async (tx) => {
    const questions = await tx.select().from(profileQuestions).where(eq(profileQuestions.siteId, site.id))
    await storeAnswers(ctx, tx, person.id, { questions, answers: said }, 'person')
  })
  return person
}

const say = async (person: Person, key: string) => {
  const rows = await runtime.database.site(site.id).tx((tx) =>
    tx
      .select({ answer: profileAnswers.answer, answeredAt: profileAnswers.answeredAt })
      .from(profileAnswers)
      .innerJoin(profileQuestions, eq(profileQuestions.id, profileAnswers.questionId))
      .where(and(eq(profileAnswers.userId, person.id), eq(profileQuestions.key, key))),
  )
  return rows[0]?.answer
}

const open = (values: Parameters<typeof addSurvey>[2]) => addSurvey(runtime, site, values)
type Opened = Awaited<ReturnType<typeof open>>
const addressOf = ({ projectSlug, slug }: Opened) => ({ project: projectSlug, survey: slug })
const useOf = async (ctx: Ctx, survey: Opened) => readProfileUse(ctx, await getSurveyForAnswering(ctx, addressOf(survey)))
const send = async (ctx: Ctx, survey: Opened, answers: Answers) =>
  (
    await submitResponse(ctx, (tx, reader) => requireSurveyAt(reader, tx, addressOf(survey)), {
      id: createId(),
      sendKey: createId(),
      answers,
    })
  ).response
const stored = async (id: string) => {
  const [row] = await runtime.database.site(site.id).tx((tx) => tx.select().from(responses).where(eq(responses.id, id)))
  return row
}

describe('a survey that stores who answered', () => {
  test('begins with what the person said, as far as it offers it: an age group instead of the year', async () => {
    const survey = await open({ definition: define(...LINKED, OTHER) })
    const person = await addPersonWho({ born: year - 70, home: { choice: 'fr' }, ways: { choices: ['bus', 'boat'] }, street: 'Elm' })
    expect((await useOf(await ctxOf(person), survey))?.filled).toEqual({
      age: { choice: 'a65' },
      home: { choice: 'fr' },
      ways: { choices: ['bus'] },
      street: 'Elm',
    })
    const young = await addPersonWho({ born: year - 15, home: { choice: 'old' } })
    expect((await useOf(await ctxOf(young), survey))?.filled).toEqual({ age: { choice: 'u16' } })
  })

  test('begins empty for visitors, for people who said nothing, and with a question that is no longer asked', async () => {
    const gone: Question = { id: 'gone', type: 'one_choice', profile: 'gone', title: text('Gone'), options: toOptions(['a', 'b']) }
    const survey = await open({ definition: define(...LINKED, gone) })
    const nothing = { filled: {}, offered: [], keepable: [] }
    expect(await useOf(createCtx(runtime, site), survey)).toEqual(nothing)
    expect((await useOf(await ctxOf(await addPersonWho({ gone: { choice: 'a' } })), survey))?.filled).toEqual({})
    expect(await useOf(await ctxOf(await addPersonWho({})), await open({ definition: define(OTHER) }))).toBeNull()
  })

  test('never begins with a sensitive answer, which its team could then see', async () => {
    const survey = await open({ definition: define(HEALTH) })
    const person = await addPersonWho({ health: { choice: 'poor' } })
    expect(await useOf(await ctxOf(person), survey)).toEqual({ filled: {}, offered: [], keepable: [] })
  })

  test('keeps a copy of that moment, and a change is for it alone unless the person says otherwise', async () => {
    const survey = await open({ definition: define(...LINKED) })
    const person = await addPersonWho({ born: 1990, home: { choice: 'fr' }, street: 'Elm' })
    const ctx = await ctxOf(person)
    expect((await useOf(ctx, survey))?.keepable).toEqual(['home', 'street'])
    const response = await send(ctx, survey, { home: { choice: 'en' }, age: { choice: 'a75' }, street: 'Elm' })
    expect(await say(person, 'home')).toEqual({ choice: 'fr' })
    await keepInProfile(ctx, response)
    expect(await say(person, 'home')).toEqual({ choice: 'en' })
    expect(await say(person, 'born')).toBe(1990)
    const later = await send(ctx, await open({ definition: define(...LINKED) }), { home: { choice: 'fr' } })
    await keepInProfile(ctx, later)
    expect(await say(person, 'home')).toEqual({ choice: 'fr' })
    expect((await stored(response.id))?.answers).toMatchObject({ home: { choice: 'en' } })
  })

  test('keeps what somebody says for the first time, and nothing of a sensitive question', async () => {
    const survey = await open({ definition: define(...LINKED, HEALTH) })
    const person = await addPersonWho({})
    const ctx = await ctxOf(person)
    await keepInProfile(ctx, await send(ctx, survey, { street: 'Oak', health: { choice: 'poor' } }))
    expect(await say(person, 'street')).toBe('Oak')
    expect(await say(person, 'health')).toBeUndefined()
  })

  test('fills in its later steps without JavaScript too, and nothing that was removed', async () => {
    const pages = [LINKED[1], LINKED[3], OTHER].map((question, index) => ({ id: `p${index}`, questions: question ? [question] : [] }))
    const survey = await open({ definition: { schema: 1, pages }, variant: 'classic' })
    const ctx = await ctxOf(await addPersonWho({ home: { choice: 'fr' }, street: 'Elm' }))
    const sending = { id: createId(), sendKey: createId() }
    const step = { ...sending, step: 'p0', go: 'next' as const, shown: ['home'], values: {}, version: 1 }
    await keepStep(ctx, addressOf(survey), step)
    expect((await getSurveyForAnswering(ctx, addressOf(survey), { sending })).draft).toEqual({ street: 'Elm' })
    await keepStep(ctx, addressOf(survey), { ...step, step: 'p1', shown: ['street'] })
    expect((await getSurveyForAnswering(ctx, addressOf(survey), { sending })).draft).toEqual({})
  })
})

describe('an anonymous survey', () => {
  const anonymous = (...questions: Question[]) => open({ definition: define(...questions), anonymous: true })

  test('has nothing on its page but what could be added', async () => {
    const survey = await anonymous(...LINKED, HEALTH)
    const ctx = await ctxOf(await addPersonWho({ born: year - 70, health: { choice: 'poor' } }))
    expect(await useOf(ctx, survey)).toEqual({ filled: {}, offered: ['age', 'health'], keepable: [] })
  })

  test('adds it when the person asks, and leaves what they typed', async () => {
    const survey = await anonymous(...LINKED, OTHER)
    const person = await addPersonWho({ born: year - 70, home: { choice: 'fr' }, street: 'Elm' })
    const values = { shown: 'age home idea', 'q.home': 'en', 'q.idea': 'Trees', go: 'profile' }
    const added = await addFromProfile(await ctxOf(person), addressOf(survey), values, 1)
    expect(added).toMatchObject({ 'q.age': 'a65', 'q.home': 'en', 'q.idea': 'Trees' })
    expect(added).not.toHaveProperty(['q.street'])
    expect(await addFromProfile(createCtx(runtime, site), addressOf(survey), values, 1)).toEqual(values)
    const named = await open({ definition: define(...LINKED, OTHER) })
    expect(await addFromProfile(await ctxOf(person), addressOf(named), values, 1)).toEqual(values)
  })

  test('never changes what people say about themselves: its time would lead back', async () => {
    const survey = await anonymous(...LINKED)
    const person = await addPersonWho({ home: { choice: 'fr' } })
    const ctx = await ctxOf(person)
    await keepInProfile(ctx, await send(ctx, survey, { home: { choice: 'en' } }))
    expect(await say(person, 'home')).toEqual({ choice: 'fr' })
  })

  test.each(['anyone', 'signed_in'] as const)(
    'stores no way back to the account, searched in the whole database (access: %s)',
    async (access) => {
      const { written, marked } = await sendAndSearch({ anonymous: true, access })
      expect(written.some((row) => row.startsWith('response_drafts ') && row.includes('a65'))).toBe(true)
      expect(written.some((row) => row.startsWith('responses ') && row.includes('a65'))).toBe(true)
      expect(marked).toEqual([])
      // One row says that this person has answered; it shares nothing with the answers but the survey.
      const ids = written.filter((row) => row.startsWith('responses ')).flatMap((row) => /"id": "([^"]+)"/.exec(row)?.[1] ?? [])
      const participations = written.filter((row) => row.startsWith('survey_participations '))
      expect(participations).toHaveLength(access === 'anyone' ? 0 : 1)
      expect(ids).toHaveLength(1)
      expect(participations.filter((row) => ids.some((id) => row.includes(id)))).toEqual([])
    },
  )

  test('the search finds the way back that a survey with names stores', async () => {
    const { marked } = await sendAndSearch({ anonymous: false, access: 'signed_in' })
    expect(marked.map((row) => row.split(' ')[0])).toEqual(expect.arrayContaining(['response_drafts', 'responses']))
  })

  /** Adds what a person said to a survey, keeps a draft and sends it. Every row that this wrote or changed in any table, and those that name them. */
  async function sendAndSearch(values: { anonymous: boolean; access: 'anyone' | 'signed_in' }) {
    const survey = await open({ definition: define(...LINKED), ...values })
    const person = await addPersonWho({ born: year - 70, home: { choice: 'fr' }, street: 'Elm' })
    const ctx = await ctxOf(person)
    const before = await readEveryRow()
    const marks = collectMarks(before, person)
    expect(marks.length).toBeGreaterThan(5)
    const form = await addFromProfile(ctx, addressOf(survey), { shown: 'age home' }, 1)
    const answers = { age: { choice: readChoice(form, 'age', 'a65') }, home: { choice: readChoice(form, 'home', 'fr') } }
    const sending = { id: createId(), sendKey: createId() }
    await keepDraft(ctx, { ...sending, survey: survey.id, answers })
    const afterDraft = await readEveryRow()
    await submitResponse(ctx, (tx, reader) => requireSurveyAt(reader, tx, addressOf(survey)), { ...sending, answers })
    const written = [...new Set([...afterDraft, ...(await readEveryRow())])].filter((row) => !before.has(row))
    return { written, marked: written.filter((row) => marks.some((mark) => row.includes(mark))) }
  }
})

/** A survey with names adds nothing to a form, so its answers are chosen by hand. */
const readChoice = (form: FormValues, question: string, byHand: string): string => {
  const value = form[`q.${question}`]
  return typeof value === 'string' ? value : byHand
}

describe('a link', () => {
  const refusal = async (question: Question, values: { anonymous?: boolean } = {}) => {
    const admin = await addPerson(runtime, site, { role: 'site_admin' })
    const survey = await open({ definition: define(question), status: 'draft', ...values })
    try {
      return await publishSurvey(await ctxOf(admin), survey.id)
    } catch (error) {
      return isAppError(error) ? error.faults.map(({ code, pointer }) => `${code} ${pointer}`) : error
    }
  }
  const at = '/definition/pages/0/questions/0/profile'

  test('is published only to a question that this site asks now, in a way that fits', async () => {
    const [age, home] = LINKED
    if (!age || !home) throw new Error('No questions')
    expect(await refusal(home)).toBe(1)
    const elsewhere = await addSite(runtime, { slug: 'other-asks', languages: ['en', 'fr-CA'] })
    await addQuestion(elsewhere, { key: 'theirs', options: toOptions(['en', 'fr']) })
    expect(await refusal({ ...home, profile: 'theirs' })).toEqual([`profile-link-broken ${at}`])
    expect(await refusal({ ...home, profile: 'nothing' })).toEqual([`profile-link-broken ${at}`])
    expect(await refusal({ ...home, profile: 'gone' })).toEqual([`profile-link-broken ${at}`])
    expect(await refusal({ ...home, profile: 'ways' })).toEqual([`profile-link-broken ${at}`])
  })

  test('to a sensitive question is for anonymous surveys only', async () => {
    expect(await refusal(HEALTH)).toEqual([`profile-link-sensitive ${at}`])
    expect(await refusal(HEALTH, { anonymous: true })).toBe(1)
  })

  test('gives somebody with an account on another site nothing', async () => {
    const elsewhere = await addSite(runtime, { slug: 'third-asks', languages: ['en'] })
    const stranger = await addPerson(runtime, elsewhere, { role: 'site_admin' })
    const survey = await open({ definition: define(...LINKED) })
    expect(await useOf(await ctxOf(stranger), survey)).toEqual({ filled: {}, offered: [], keepable: [] })
  })
})

/** Every row of every table as `table {…}`, as the database's owner sees them. */
async function readEveryRow(): Promise<Set<string>> {
  const client = new pg.Client({ connectionString: runtime.ownerUrl })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I', c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname = 'public'`,
    )
    const found = new Set<string>()
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select to_jsonb(one)::text as row from ${name} one`)
      for (const { row } of rows) found.add(`${name} ${row}`)
    }
    return found
  } finally {
    await client.end()
  }
}

/** What identifies somebody: their id, address, and every id and hash of rows that name them. */
function collectMarks(rows: ReadonlySet<string>, { id, email }: Person): string[] {
  const own = [...rows].filter((row) => row.includes(id))
  const others = [...rows].filter((row) => !row.includes(id))
  const ids = own.flatMap((row) => row.match(/[0-9a-f]{8}-[0-9a-f-]{27}|\\\\x[0-9a-f]{32,}/g) ?? [])
  // Ids that rows of others have too, such as the site's, lead to nobody.
  const shared = others.join('\n')
  return [id, email, ...new Set(ids.filter((one) => one !== id && !shared.includes(one)))]
}
